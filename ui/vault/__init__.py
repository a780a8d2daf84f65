"""Originals: what of a chat lies beside its context, and a view that reads any of it at any size (U9)."""
