"""Benches: scripts that print what the quality table asks for."""
