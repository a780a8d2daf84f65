"""Builds the application from a data folder: the one room in which every adapter is known."""
