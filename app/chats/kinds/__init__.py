"""Foreign forms of conversations, a file per family; each gives the same: entries in a tree, and what was amiss."""
