"""Memory that is freed goes back to the system: a chat of 10,000 messages took 20 MB more than it holds (Q8)."""

import ctypes
import os

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""Numbers of glibc's `mallopt`."""
_OWN_PAGES_BYTES = 128 * 1024


def give_back() -> None:
    """From now on; before any thread begins. Elsewhere than with glibc it is the system's own business.

    glibc gives each thread an arena of its own, and lets its limit for pages of their own grow with what is freed:
    what a reading or planning thread used is then held for good. Python's lock lets one thread allocate at a time
    anyway, so that one arena is no slower.
    """
    if "CS_GNU_LIBC_VERSION" not in getattr(os, "confstr_names", {}):
        return
    mallopt = ctypes.CDLL(None).mallopt
    mallopt(_ARENA_MAX, 1)
    mallopt(_MMAP_THRESHOLD, _OWN_PAGES_BYTES)
    mallopt(_TRIM_THRESHOLD, _OWN_PAGES_BYTES)
