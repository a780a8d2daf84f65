"""Requests say what they were for, and why less of a prompt was read from the cache than should have been."""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.execute("ALTER TABLE requests ADD COLUMN kind TEXT DEFAULT 'answer' NOT NULL")
    op.execute("ALTER TABLE requests ADD COLUMN cache_break TEXT")


def downgrade() -> None:
    op.execute("ALTER TABLE requests DROP COLUMN cache_break")
    op.execute("ALTER TABLE requests DROP COLUMN kind")
