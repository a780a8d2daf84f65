"""What stands for a folded run: its summary, by a model or by rule, and what no summary may lose."""
