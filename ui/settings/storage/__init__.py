"""The page of where everything lies: folder, size, backups."""
