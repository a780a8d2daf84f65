"""The list of chats: find, open and keep them in order."""
