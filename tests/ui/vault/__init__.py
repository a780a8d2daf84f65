"""The page of originals."""
