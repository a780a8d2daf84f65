"""Values and words that every other room uses; imports nothing of ours."""
