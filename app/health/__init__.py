"""What the window shows of a chat's health, as values made of stored facts; nothing here asks or waits."""
