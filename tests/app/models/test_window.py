from app.models.window import Window, WindowSource, window_of


def test_the_person_knows_best_and_an_error_text_least() -> None:
    """C1."""
    known = {"override": 1, "reported": 2, "registry": 3, "learned": 4}
    found = list[Window]()

    for name in tuple(known):
        found.append(
            window_of(**{"override": None, "reported": None, "registry": None, "learned": None, **known})
        )
        del known[name]

    assert found == [
        Window(tokens=1, source=WindowSource.YOU),
        Window(tokens=2, source=WindowSource.SERVER),
        Window(tokens=3, source=WindowSource.REGISTRY),
        Window(tokens=4, source=WindowSource.LEARNED),
    ]


def test_a_window_of_nothing_is_no_answer() -> None:
    found = window_of(override=None, reported=0, registry=-1, learned=8192)

    assert found == Window(tokens=8192, source=WindowSource.LEARNED)


def test_a_window_that_nobody_knows_is_unknown() -> None:
    assert window_of(override=None, reported=None, registry=None, learned=None) == Window()
