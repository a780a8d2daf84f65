"""The settings: providers, models, appearance, data, about; saved at once, with undo."""
