"""Runs migrations on the connection that app/store/upgrade.py hands in, inside its transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], target_metadata=None)
context.run_migrations()
