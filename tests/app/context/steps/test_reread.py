"""S9: after a summary the files changed last are shown as they are now, within their budget."""

import pytest

from app.context.facts import FileTouch, TurnFacts
from app.context.proposal import Proposal
from app.context.reading import Folded
from app.context.steps.reread import reread
from app.context.steps.summarise import summarise
from app.context.summary.rendering import CLOSE
from app.core.entries import Entry
from app.core.ids import EntryId
from app.core.parts import TextPart
from app.models.families import OPENAI
from tests.app.context.summary.making import FilesHere, facts, ports, proposal, talk, tokens


def _touch(path: str, *, is_write: bool = True) -> FileTouch:
    return FileTouch(path=path, entry_id=EntryId("e3"), is_write=is_write)


async def _summed_up(path: tuple[Entry, ...], turn: TurnFacts, files: dict[str, bytes]) -> Proposal:
    context = proposal(path)
    return context.with_folds((await summarise(context, turn, ports(files=FilesHere(files)))).folds)


async def _text(files: dict[str, bytes], *names: str, target: float = 0.4) -> tuple[str, FilesHere]:
    """The summary's text after the files that the chat wrote, in this order, were read again."""
    path = talk(30)
    turn = facts(path, target=target, touches=tuple(map(_touch, names)), pins=frozenset({path[7].id}))
    here = FilesHere(files)
    before = await _summed_up(path, turn, files)
    context = before.with_folds((await reread(before, turn, ports(files=here))).folds)

    assert context.tokens(tokens, OPENAI) <= turn.target_tokens
    assert len(context.proposed) == len(before.proposed)
    (item,) = [item for item in context.items if isinstance(item, Folded)]
    assert path[7] not in item.entries
    (part,) = item.fold.replacement
    assert isinstance(part, TextPart)
    return str(part.text), here


async def test_files_stand_in_the_summarys_text_before_its_end() -> None:
    """C12: part of the summary fold's replacement."""
    text, _ = await _text({"a.py": b"print('hello')\n"}, "a.py")

    assert "### a.py\n```\nprint('hello')\n\n```" in text
    assert text.endswith(CLOSE)
    assert text.count("## Files as they are now") == 1


async def test_the_five_changed_last_are_read_the_newest_first() -> None:
    names = [f"f{at}.py" for at in range(8)]

    _, here = await _text(dict.fromkeys(names, b"x = 1"), *names, "f2.py")

    assert here.asked == ["f2.py", "f7.py", "f6.py", "f5.py", "f4.py"]


async def test_a_long_file_keeps_head_and_tail_by_lines() -> None:
    """S9: one file ≤ 40 % of the budget, 60 % head / 40 % tail."""
    lines = [f"line {at} of the file" for at in range(4_000)]

    text, _ = await _text({"long.py": "\n".join(lines).encode()}, "long.py")

    shown = text.partition("### long.py\n```\n")[2].partition("\n```")[0].split("\n")
    gap = next(at for at, line in enumerate(shown) if line.startswith("[…"))
    assert shown[:gap] == lines[:gap]
    assert shown[gap + 1 :] == lines[-(len(shown) - gap - 1) :]
    assert 1.2 < gap / (len(shown) - gap - 1) < 2.5


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (None, "not there, or not to be read"),
        (b"\x89PNG\x00\x01", "binary"),
        (b"\xff\xfe\xfa", "binary"),
        (b"KEY=AKIAIOSFODNN7EXAMPLE", "it holds a secret"),
        (b"x" * 3_000_000, "too large to be shown"),
        (b" \n", "empty"),
    ],
)
async def test_beside_what_is_shown_the_rest_is_named_with_its_reason(data: bytes | None, why: str) -> None:
    text, _ = await _text({"good.py": b"x = 1"} | ({"f": data} if data is not None else {}), "good.py", "f")

    assert f"[f: {why}]" in text


async def test_where_no_file_can_be_shown_the_summary_keeps_all_of_its_room() -> None:
    """S8 leaves room for files that are there, not for files that were."""
    path = talk(60)
    bare, with_gone, with_long = [
        facts(path, touches=touches) for touches in ((), (_touch("gone.py"),), (_touch("long.py"),))
    ]
    files = {"long.py": b"a line of the file\n" * 4_000}

    alone, gone, long = [
        (await _summed_up(path, turn, files)).tokens(tokens, OPENAI) for turn in (bare, with_gone, with_long)
    ]

    assert gone >= alone > long


async def test_only_what_is_shown_in_full_and_to_the_letter_counts_as_read() -> None:
    """S9: the guard of files is told these; a mark of ours in a file is not shown as it stands there."""
    files = {
        "short.py": b"x = 1",
        "long.py": b"a line of the file\n" * 4_000,
        "odd.py": f"x = '{CLOSE}'".encode(),
    }
    path = talk(30)
    turn = facts(path, touches=tuple(map(_touch, files)), pins=frozenset({path[7].id}))
    before = await _summed_up(path, turn, files)

    result = await reread(before, turn, ports(files=FilesHere(files)))

    assert result.folds
    assert [(file.path, file.text) for file in result.shown] == [("short.py", "x = 1")]


async def test_without_a_summary_nothing_is_read() -> None:
    path = talk()
    here = FilesHere({"a.py": b"x"})

    result = await reread(proposal(path), facts(path, touches=(_touch("a.py"),)), ports(files=here))

    assert (result.folds, here.asked) == ((), [])


async def test_files_that_were_only_read_are_not_read_again() -> None:
    path = talk()
    turn = facts(path, touches=(_touch("a.py", is_write=False),))
    here = FilesHere({"a.py": b"x"})

    result = await reread(await _summed_up(path, turn, {}), turn, ports(files=here))

    assert (result.folds, here.asked) == ((), [])
