"""Large originals, addressed by what they are."""
