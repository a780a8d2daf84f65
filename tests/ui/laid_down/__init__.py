"""Summaries and the ledger."""
