"""Which pieces of a draft were pasted."""

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.execute("ALTER TABLE drafts ADD COLUMN pastes TEXT NOT NULL DEFAULT '[]'")


def downgrade() -> None:
    op.execute("ALTER TABLE drafts DROP COLUMN pastes")
