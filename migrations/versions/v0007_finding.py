"""The index by which texts are found; what is stored already waits to be read into it, newest first."""

from alembic import op

revision = "0007"
down_revision = "0006"

_SCHEMA = """
CREATE TABLE texts (
    doc INTEGER NOT NULL,
    entry_id VARCHAR,
    sha256 VARCHAR,
    is_read BOOLEAN NOT NULL,
    PRIMARY KEY (doc),
    FOREIGN KEY(entry_id) REFERENCES entries (id) ON DELETE SET NULL
);
CREATE INDEX ix_texts_entry_id ON texts (entry_id);
CREATE INDEX ix_texts_sha256 ON texts (sha256);
CREATE INDEX ix_texts_unread ON texts (is_read, doc);
CREATE TABLE vocabulary (
    word VARCHAR NOT NULL,
    PRIMARY KEY (word)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5(terms, content='', detail=none, columnsize=0, tokenize='ascii');
INSERT INTO texts (entry_id, is_read) SELECT id, 0 FROM entries ORDER BY rowid
"""


def upgrade() -> None:
    for statement in _SCHEMA.split(";\n"):
        op.execute(statement)


def downgrade() -> None:
    for table in ("words", "vocabulary", "texts"):
        op.execute(f"DROP TABLE {table}")
