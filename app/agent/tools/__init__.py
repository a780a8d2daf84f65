"""What the model can do beside talking: each tool in its own file, all of them a tuple.

`tool.py` says what a tool is and where it is carried out, `../toolbox.py` carries out the calls of an answer.
"""
