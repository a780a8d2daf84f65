"""The parts of the virtual transcript: pieces that draw, items made of pieces, heights, selection."""
