"""What was used and what it cost: per day, chat and model, of what is stored."""
