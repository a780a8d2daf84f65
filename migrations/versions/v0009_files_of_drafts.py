"""Which files are attached to a draft."""

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.execute("ALTER TABLE drafts ADD COLUMN media TEXT NOT NULL DEFAULT '[]'")


def downgrade() -> None:
    op.execute("ALTER TABLE drafts DROP COLUMN media")
