"""The Qt front end; holds no rule of the domain."""

import builtins
from importlib import import_module

# For `from __feature__ import …`, which nobody here writes, PySide6 reads the source of every module that is
# imported after it, and `linecache` keeps the lines: 0.1 s before the first paint, 28 MB once SQLAlchemy is loaded.
# To be deleted when it looks only at modules that ask for it; https://github.com/napari/napari/issues/8584 tells more.
import_module("PySide6.QtCore")
builtins.__import__ = vars(builtins)["__orig_import__"]
