"""Requests say what they were for, and why less of a prompt was read from the cache than should have been."""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.execute("ALTER TABLE requests ADD COLUMN kind TEXT DEFAULT 'answer' NOT NULL")
    op.execute("ALTER TABLE requests ADD COLUMN cache_break TEXT")
    op.create_index("ix_requests_created_at", "requests", ["created_at"])


def downgrade() -> None:
    op.drop_index("ix_requests_created_at")
    op.execute("ALTER TABLE requests DROP COLUMN cache_break")
    op.execute("ALTER TABLE requests DROP COLUMN kind")
