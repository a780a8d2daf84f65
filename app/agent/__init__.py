"""The turn: from the person's message to the end of its answer."""
