"""Formats that are recognised by reading them, each to what says most of it (C22)."""
