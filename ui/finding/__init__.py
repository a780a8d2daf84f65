"""Finding chats, messages, commands and settings: a palette over the window, and a page for everything said (U15)."""
