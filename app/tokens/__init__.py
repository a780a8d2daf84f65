"""How many tokens a text is, exactly and at a glance."""
