"""Originals that a person keeps for ever (C26)."""

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.execute("""
CREATE TABLE kept_blobs (
    sha256 VARCHAR NOT NULL,
    n_bytes INTEGER NOT NULL,
    mime VARCHAR NOT NULL,
    name TEXT NOT NULL,
    n_lines INTEGER NOT NULL,
    kept_at BIGINT NOT NULL,
    PRIMARY KEY (sha256)
)""")


def downgrade() -> None:
    op.execute("DROP TABLE kept_blobs")
