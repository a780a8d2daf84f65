"""Numbered changes of the database's schema; never edited once landed."""
