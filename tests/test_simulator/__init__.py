"""The simulator's own tests, over real HTTP."""
