"""The page of deleted chats: put back, or gone for good."""
