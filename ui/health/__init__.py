"""How full the model's window is: the ring, its popover and their figures."""
