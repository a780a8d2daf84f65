"""How much a request asked its model to reason."""

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.execute("ALTER TABLE requests ADD COLUMN effort VARCHAR NOT NULL DEFAULT ''")


def downgrade() -> None:
    op.execute("ALTER TABLE requests DROP COLUMN effort")
