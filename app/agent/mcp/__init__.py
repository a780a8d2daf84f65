"""Tools of servers that the person set up, by the Model Context Protocol (A11).

`servers.py` is what the program holds of them; their sessions live in a process of their own (`mcp_work.py`).
"""
