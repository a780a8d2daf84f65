"""Chats that calls of an answer made."""

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.execute("ALTER TABLE chats ADD COLUMN called_by VARCHAR")
    op.execute("ALTER TABLE chats ADD COLUMN call_index INTEGER NOT NULL DEFAULT '0'")
    op.execute("CREATE INDEX ix_chats_called_by ON chats (called_by)")


def downgrade() -> None:
    op.execute("DROP INDEX ix_chats_called_by")
    op.execute("ALTER TABLE chats DROP COLUMN call_index")
    op.execute("ALTER TABLE chats DROP COLUMN called_by")
