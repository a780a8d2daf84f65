"""The Context Lens: what the model sees, request by request, item by item, and why (U6)."""
