"""The settings: providers, models, prompt cache, appearance, data, about; saved at once, with undo."""
