"""The context engine: what the model sees of a transcript, and how that becomes a request."""
