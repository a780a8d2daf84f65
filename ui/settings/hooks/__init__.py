"""Settings: commands that are run when something happens in a turn."""
