"""Summaries in the person's own words."""

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.execute("""
CREATE TABLE summary_versions (
    chat_id VARCHAR NOT NULL,
    rev INTEGER NOT NULL,
    compaction_id VARCHAR NOT NULL,
    summary TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    undone_rev INTEGER,
    PRIMARY KEY (chat_id, rev),
    FOREIGN KEY(chat_id) REFERENCES chats (id) ON DELETE CASCADE
)""")


def downgrade() -> None:
    op.execute("DROP TABLE summary_versions")
