"""The first run: a model to talk to within a minute."""
