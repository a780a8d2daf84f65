"""Compressing, looked at before it is done: what happens, what is spared, whether it is worth it (U7, C35)."""
