"""Agent sessions and who plays them: a trace of recorded conversations, peers' policies as rules, and the program itself."""
