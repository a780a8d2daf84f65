"""Use cases on chats that are no turn: import, export, forks."""
