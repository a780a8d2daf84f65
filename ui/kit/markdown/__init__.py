"""Model text as typed blocks and their drawing, block by block, so that streaming re-lays only the last."""
