"""Stands as a worker's process before whoever started it: hands its pipes to a fork of the template, and ends with it.

Args: the template's socket, and the descriptor by which it is told that a worker is wanted.
"""

import json
import os
import socket
import sys

with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as template:
    template.connect("\0" + sys.argv[1])
    stated = json.dumps({"environment": dict(os.environ), "folder": os.getcwd()}).encode()  # noqa: PTH109  # pathlib takes as long as all else here
    socket.send_fds(template, [len(stated).to_bytes(4, "big") + stated], [0, 1, 2])
    for descriptor in (0, 1, 2):
        os.close(descriptor)  # the worker's alone now: its end is seen when it dies
    told = template.recv(1)
os._exit(told[0] if told else 1)
