"""The window around the features: panes, commands, notices, languages."""
