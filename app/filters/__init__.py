"""One text to a smaller text that keeps what somebody will ask for; the original is always stored first."""
