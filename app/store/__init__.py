"""The only home of SQLModel and SQLite."""
