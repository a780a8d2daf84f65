"""The page of models: what can be chosen, with window, prices and abilities."""
