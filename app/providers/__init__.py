"""The only home of LiteLLM: every model behind one gateway."""
