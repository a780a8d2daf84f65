"""What is loaded is not collected meanwhile, nor looked at again."""

import gc

import pytest

from app.core.loading import loading


def test_what_was_loaded_is_outside_of_every_later_pass() -> None:
    with loading():
        was_collecting = gc.isenabled()
        before = gc.get_freeze_count()
        loaded = [[number] for number in range(1_000)]

    assert not was_collecting
    assert gc.isenabled()
    assert gc.get_freeze_count() >= before + len(loaded)


def test_a_load_that_fails_leaves_the_collector_on() -> None:
    with pytest.raises(OSError, match="gone"), loading():
        raise OSError("gone")

    assert gc.isenabled()


def test_where_only_the_window_collects_loading_changes_nothing_of_it() -> None:
    gc.disable()
    with loading():
        pass
    was_collecting = gc.isenabled()
    gc.enable()

    assert not was_collecting
