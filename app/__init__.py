"""The core of Palimpsest: no Qt, no window; see README.md for the map."""
