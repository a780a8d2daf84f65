"""What stands for a chat's old part: its summaries, and the ledger of the person's constraints and decisions (U8, C38)."""
