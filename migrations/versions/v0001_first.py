"""The first schema."""

from alembic import op

revision = "0001"
down_revision = None

_SCHEMA = """
CREATE TABLE chats (
    id VARCHAR NOT NULL,
    title TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    rev INTEGER NOT NULL,
    head VARCHAR,
    chosen TEXT NOT NULL,
    parent_id VARCHAR,
    fork_entry_id VARCHAR,
    is_title_manual BOOLEAN NOT NULL,
    is_pinned BOOLEAN NOT NULL,
    deleted_at BIGINT,
    model VARCHAR,
    prompt_tokens INTEGER NOT NULL,
    window_tokens INTEGER NOT NULL,
    source TEXT NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX ix_chats_updated_at ON chats (updated_at);
CREATE TABLE entries (
    id VARCHAR NOT NULL,
    chat_id VARCHAR NOT NULL,
    parent_id VARCHAR,
    rev INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    origin TEXT NOT NULL,
    model VARCHAR,
    finish TEXT,
    usage TEXT,
    provider_fields TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    parts TEXT NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(parent_id) REFERENCES entries (id)
);
CREATE INDEX ix_entries_chat_rev ON entries (chat_id, rev);
CREATE INDEX ix_entries_parent_id ON entries (parent_id);
CREATE TABLE preludes (
    hash VARCHAR NOT NULL,
    system TEXT NOT NULL,
    tools TEXT NOT NULL,
    PRIMARY KEY (hash)
);
CREATE TABLE settings (
    scope VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (scope, name)
);
CREATE TABLE tombstones (
    id VARCHAR NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE breakers (
    model VARCHAR NOT NULL,
    n_failures INTEGER NOT NULL,
    n_openings INTEGER NOT NULL,
    opened_at BIGINT,
    is_auth BOOLEAN NOT NULL,
    is_probing BOOLEAN NOT NULL,
    PRIMARY KEY (model)
);
CREATE TABLE compactions (
    id VARCHAR NOT NULL,
    chat_id VARCHAR NOT NULL,
    rev INTEGER NOT NULL,
    "trigger" VARCHAR NOT NULL,
    reason TEXT NOT NULL,
    tokens_before INTEGER NOT NULL,
    tokens_after INTEGER NOT NULL,
    elapsed_ms FLOAT NOT NULL,
    created_at BIGINT NOT NULL,
    steps TEXT NOT NULL,
    model VARCHAR,
    cost_usd FLOAT,
    intent TEXT NOT NULL,
    summary TEXT NOT NULL,
    fact_check TEXT NOT NULL,
    PRIMARY KEY (id, chat_id),
    FOREIGN KEY(chat_id) REFERENCES chats (id) ON DELETE CASCADE
);
CREATE TABLE deletions (
    chat_id VARCHAR NOT NULL,
    rev INTEGER NOT NULL,
    entry_id VARCHAR NOT NULL,
    deleted_at BIGINT NOT NULL,
    undone_rev INTEGER,
    PRIMARY KEY (chat_id, rev),
    FOREIGN KEY(chat_id) REFERENCES chats (id) ON DELETE CASCADE,
    FOREIGN KEY(entry_id) REFERENCES entries (id) ON DELETE CASCADE
);
CREATE INDEX ix_deletions_entry_id ON deletions (entry_id);
CREATE TABLE drafts (
    chat_id VARCHAR NOT NULL,
    text TEXT NOT NULL,
    queue TEXT NOT NULL,
    PRIMARY KEY (chat_id),
    FOREIGN KEY(chat_id) REFERENCES chats (id) ON DELETE CASCADE
);
CREATE TABLE facts (
    id VARCHAR NOT NULL,
    chat_id VARCHAR NOT NULL,
    entry_id VARCHAR NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(chat_id) REFERENCES chats (id) ON DELETE CASCADE,
    FOREIGN KEY(entry_id) REFERENCES entries (id) ON DELETE CASCADE
);
CREATE INDEX ix_facts_entry_id ON facts (entry_id);
CREATE TABLE file_touches (
    id VARCHAR NOT NULL,
    chat_id VARCHAR NOT NULL,
    entry_id VARCHAR NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(chat_id) REFERENCES chats (id) ON DELETE CASCADE,
    FOREIGN KEY(entry_id) REFERENCES entries (id) ON DELETE CASCADE
);
CREATE INDEX ix_file_touches_entry_id ON file_touches (entry_id);
CREATE TABLE folds (
    fold_id INTEGER NOT NULL,
    chat_id VARCHAR NOT NULL,
    rev INTEGER NOT NULL,
    compaction_id VARCHAR NOT NULL,
    kind TEXT NOT NULL,
    first VARCHAR NOT NULL,
    last VARCHAR NOT NULL,
    part INTEGER,
    replacement TEXT NOT NULL,
    anchor VARCHAR NOT NULL,
    undone_rev INTEGER,
    PRIMARY KEY (fold_id),
    FOREIGN KEY(chat_id) REFERENCES chats (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX ix_folds_chat_rev ON folds (chat_id, rev);
CREATE TABLE ledger_items (
    id VARCHAR NOT NULL,
    chat_id VARCHAR NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    entry_id VARCHAR,
    rev INTEGER NOT NULL,
    superseded_rev INTEGER,
    is_manual BOOLEAN NOT NULL,
    PRIMARY KEY (id, chat_id),
    FOREIGN KEY(chat_id) REFERENCES chats (id) ON DELETE CASCADE,
    FOREIGN KEY(entry_id) REFERENCES entries (id) ON DELETE CASCADE
);
CREATE INDEX ix_ledger_items_entry_id ON ledger_items (entry_id);
CREATE TABLE partials (
    turn_id VARCHAR NOT NULL,
    chat_id VARCHAR NOT NULL,
    request_id VARCHAR NOT NULL,
    parent_id VARCHAR NOT NULL,
    entry_id VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    parts TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (turn_id),
    FOREIGN KEY(chat_id) REFERENCES chats (id) ON DELETE CASCADE
);
CREATE TABLE pins (
    chat_id VARCHAR NOT NULL,
    rev INTEGER NOT NULL,
    entry_id VARCHAR NOT NULL,
    undone_rev INTEGER,
    PRIMARY KEY (chat_id, rev),
    FOREIGN KEY(chat_id) REFERENCES chats (id) ON DELETE CASCADE,
    FOREIGN KEY(entry_id) REFERENCES entries (id) ON DELETE CASCADE
);
CREATE INDEX ix_pins_entry_id ON pins (entry_id);
CREATE TABLE requests (
    id VARCHAR NOT NULL,
    chat_id VARCHAR NOT NULL,
    turn_id VARCHAR NOT NULL,
    head VARCHAR NOT NULL,
    answer_id VARCHAR NOT NULL,
    rev INTEGER NOT NULL,
    model VARCHAR NOT NULL,
    prelude_hash VARCHAR NOT NULL,
    n_blocks INTEGER NOT NULL,
    chain_tip VARCHAR NOT NULL,
    renderer INTEGER NOT NULL,
    fingerprint VARCHAR NOT NULL,
    estimated_tokens INTEGER NOT NULL,
    projected_tokens INTEGER NOT NULL,
    state TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    usage TEXT,
    cost_usd FLOAT,
    time_to_first_token_s FLOAT,
    duration_s FLOAT,
    error TEXT NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(chat_id) REFERENCES chats (id) ON DELETE CASCADE,
    FOREIGN KEY(prelude_hash) REFERENCES preludes (hash)
);
CREATE INDEX ix_requests_chat_id ON requests (chat_id);
CREATE INDEX ix_requests_state ON requests (state);
CREATE TABLE token_counts (
    entry_id VARCHAR NOT NULL,
    tokenizer VARCHAR NOT NULL,
    counts TEXT NOT NULL,
    PRIMARY KEY (entry_id, tokenizer),
    FOREIGN KEY(entry_id) REFERENCES entries (id) ON DELETE CASCADE
);
CREATE TABLE tool_runs (
    entry_id VARCHAR NOT NULL,
    call_index INTEGER NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (entry_id, call_index),
    FOREIGN KEY(entry_id) REFERENCES entries (id) ON DELETE CASCADE
);
CREATE INDEX ix_tool_runs_state ON tool_runs (state);
CREATE TABLE blob_refs (
    ref_id INTEGER NOT NULL,
    sha256 VARCHAR NOT NULL,
    entry_id VARCHAR,
    fold_id INTEGER,
    PRIMARY KEY (ref_id),
    FOREIGN KEY(entry_id) REFERENCES entries (id) ON DELETE CASCADE,
    FOREIGN KEY(fold_id) REFERENCES folds (fold_id) ON DELETE CASCADE
);
CREATE INDEX ix_blob_refs_entry_id ON blob_refs (entry_id);
CREATE INDEX ix_blob_refs_fold_id ON blob_refs (fold_id);
CREATE INDEX ix_blob_refs_sha256 ON blob_refs (sha256)
"""
_TABLES = (
    "chats",
    "entries",
    "preludes",
    "settings",
    "tombstones",
    "breakers",
    "compactions",
    "deletions",
    "drafts",
    "facts",
    "file_touches",
    "folds",
    "ledger_items",
    "partials",
    "pins",
    "requests",
    "token_counts",
    "tool_runs",
    "blob_refs",
)


def upgrade() -> None:
    for statement in _SCHEMA.split(";\n"):
        op.execute(statement)


def downgrade() -> None:
    for table in reversed(_TABLES):
        op.execute(f"DROP TABLE {table}")
