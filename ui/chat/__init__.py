"""One chat on the screen: its header, its transcript, its composer."""
