"""What the doctor finds, by check; the whole of it is in test_cli.py."""

from pathlib import Path

from app.doctor import State, languages_in


def test_translations_that_are_not_compiled_are_named_with_the_way_to_mend_it(tmp_path: Path) -> None:
    """A fresh checkout was English without a word about why."""
    (tmp_path / "palimpsest_en.qm").touch()
    (tmp_path / "palimpsest_zh_CN.ts").touch()

    found = languages_in(tmp_path)
    (tmp_path / "palimpsest_zh_CN.qm").touch()

    assert found.state is State.WARN
    assert "palimpsest_zh_CN.qm" in found.text
    assert "palimpsest_en.qm" not in found.text
    assert "make setup" in found.mend
    assert languages_in(tmp_path).state is State.OK
