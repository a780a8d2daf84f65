"""Loading much at once without the garbage collector, whose passes hold every thread."""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def loading() -> Generator[None]:
    """Collect nothing meanwhile, and never look again at what was loaded: it lives as long as the program.

    With it in every full pass, one takes 0.1 s at 10,000 messages. What is no longer used is freed all the same,
    unless it refers to itself. Where the collector was off before, it stays off.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()
