"""Every address in a context leads back to what it stands for, byte for byte, and to nothing of another chat (M6)."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from app.chats.formats import read_file
from app.context import originals
from app.context.facts import CacheFacts
from app.context.originals import Originals, part_address, resolve, run_address, run_text
from app.context.step import Step
from app.context.steps.cache_prune import prune_expired_cache
from app.context.steps.compress import compress
from app.context.steps.media import window_media
from app.context.steps.thinking import clean_thinking
from app.context.transcript import Transcript
from app.core.entries import Entry, Origin
from app.core.folds import Deletion, Fold, FoldKind
from app.core.ids import CompactionId
from app.core.parts import Blob, MediaPart, Part, TextPart, ToolCallPart, ToolResultPart, body_of
from app.models.families import OPENAI
from app.vault.address import Address, address, find_addresses
from tests.app.chats.reading import CONVERSATIONS, stored
from tests.app.context.folding import Folding
from tests.app.context.histories import NOW, path_of
from tests.app.context.steps.compressing import NO_PORTS, Turn, proposal, real, tokens

CALLS = (ToolCallPart(call_id="a", name="ls", arguments="{}"),)
LISTED = ToolResultPart(call_id="a", name="ls", text="a b c")
PATH = path_of(
    (
        (Origin.USER, (TextPart(text="List."),)),
        (Origin.ASSISTANT, CALLS),
        (Origin.TOOL, (LISTED,)),
        (Origin.ASSISTANT, (TextPart(text="Done."),)),
        (Origin.USER, (TextPart(text="And?"),)),
    )
)


def fold(first: Entry, last: Entry, text: str, *, rev: int = 50, part: int | None = None) -> Fold:
    said: Part = TextPart(text=text) if part is None else replace(LISTED, text=text)
    return Fold(
        rev=rev,
        compaction_id=CompactionId("k"),
        kind=FoldKind.REMOVED,
        first=first.id,
        last=last.id,
        part=part,
        replacement=(said,),
        anchor=PATH[-1].id,
    )


def of(path: Sequence[Entry], *folds: Fold, deletions: Sequence[Deletion] = ()) -> Originals:
    return Originals({entry.id: entry for entry in path}, Transcript(path).path, folds, deletions)


@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=lambda path: path.stem)
def test_every_fold_of_a_real_conversation_is_read_back_byte_for_byte(conversation: Path) -> None:
    (found,) = read_file(conversation)
    folding = Folding(stored(found).entries, seed=7)
    for _ in range(25):
        folding.step()
    entries = {entry.id: entry for entry in folding.path}
    reached = Originals(entries, Transcript(folding.path).path, folding.folds)

    for one in folding.folds:
        for named in [named for part in one.replacement for named in _addresses(part)]:
            text = reached.find(named)

            assert text is not None
            if isinstance(text, str) and not isinstance(body := _hidden(one, folding.path), Blob):
                assert text == body
                assert named.names(hashlib.sha256(text.encode()).hexdigest())


def _addresses(part: Part) -> tuple[Address, ...]:
    body = body_of(part)
    # What a tool's output or a call itself speaks of comes before ours.
    return find_addresses(body)[-1:] if isinstance(body, str) else ()


def _hidden(one: Fold, path: Sequence[Entry]) -> str | Blob:
    at = next(index for index, entry in enumerate(path) if entry.id == one.first)
    if one.part is None:
        last = next(index for index, entry in enumerate(path) if entry.id == one.last)
        return run_text(path[at : last + 1])
    part = path[at].parts[one.part]
    return part.source if isinstance(part, MediaPart) else body_of(part)


def test_the_text_of_any_part_of_the_chat_is_read_by_its_address_folded_or_not() -> None:
    assert of(PATH).find(part_address(LISTED)) == "a b c"


def test_a_blob_is_found_without_a_look_at_any_text(monkeypatch: pytest.MonkeyPatch) -> None:
    blob = Blob(sha256="f" * 64, n_bytes=99, mime="text/plain", name="big.log")
    path = path_of(((Origin.USER, (TextPart(text="Hi."), TextPart(text=blob))),))
    monkeypatch.setattr(originals, "_hash", None)

    assert of(path).find(part_address(path[0].parts[1])) == blob


def test_what_a_fold_hides_is_hashed_once_however_often_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[str] = []
    plain = originals._hash  # pyright: ignore[reportPrivateUsage]  # the one place where it is counted

    def counted(text: str) -> str:
        hashed.append(text)
        return plain(text)

    where = run_address(PATH[1:4])
    reached = of(PATH, fold(PATH[1], PATH[3], f"[Folded: {where}]"))
    monkeypatch.setattr(originals, "_hash", counted)

    found = [reached.find(where) for _ in range(5)]

    assert found == [run_text(PATH[1:4])] * 5
    assert hashed == [run_text(PATH[1:4])]


def test_two_texts_that_begin_alike_are_told_apart_by_their_whole_hash(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def alike(text: str) -> str:
        return "a" * 12 + hashlib.sha256(text.encode()).hexdigest()[12:]

    monkeypatch.setattr(originals, "_hash", alike)
    reached = of(PATH)

    assert reached.find(address("a" * 64, "x")) == "List."
    assert reached.find(Address(hash=alike("a b c"))) == "a b c"


def test_nothing_of_another_chat_is_reached() -> None:
    """C26: only this chat's references resolve."""
    other = ToolResultPart(call_id="a", name="ls", text="secret of another chat")
    said = TextPart(text=f"Read {part_address(other)}")

    assert of(path_of(((Origin.USER, (said,)),))).find(part_address(other)) is None
    assert resolve(part_address(other), {}, Transcript([]).path, []) is None


def test_a_fold_that_was_undone_and_one_on_another_branch_stay_readable() -> None:
    where = run_address(PATH[1:4])
    undone = replace(fold(PATH[1], PATH[3], f"[Folded: {where}]"), undone_rev=60)

    assert of(PATH, undone).find(where) == run_text(PATH[1:4])


def test_a_run_that_was_folded_around_a_deleted_group_is_read_without_it() -> None:
    """The address was made of what was shown then."""
    gone = Deletion(entry_id=PATH[1].id, rev=40, deleted_at=NOW)
    where = run_address((PATH[0], PATH[3]))

    reached = of(PATH, fold(PATH[0], PATH[3], f"[Folded: {where}]"), deletions=[gone])

    assert reached.find(where) == run_text((PATH[0], PATH[3]))


def test_what_was_deleted_since_cannot_be_read_by_any_address() -> None:
    """M10: deleting hides it from the model too, until that is undone."""
    gone = Deletion(entry_id=PATH[1].id, rev=70, deleted_at=NOW)
    run, part = run_address(PATH[1:4]), part_address(LISTED)
    folds = (
        fold(PATH[1], PATH[3], f"[Folded: {run}]"),
        fold(PATH[2], PATH[2], f"[whole: {part}]", rev=51, part=0),
    )

    assert [of(PATH, *folds, deletions=[gone]).find(one) for one in (run, part)] == [None, None]
    back = replace(gone, undone_rev=71)
    assert [of(PATH, *folds, deletions=[back]).find(one) for one in (run, part)] == [
        run_text(PATH[1:4]),
        "a b c",
    ]


FREE_STEPS: tuple[Step, ...] = (clean_thinking, window_media(messages=2), prune_expired_cache, compress)
QUICK = ("holmes-negative-findings", "tau2-retail-single", "opencua-spotify", "deerflow-dataset-findings")


async def _steps_are_read_back(path: tuple[Entry, ...], share: float) -> None:
    """Twice, as a chat that goes on is folded twice; every address is read from the second's folds."""
    context = proposal(path)
    for part_of_all in (1.5 * share, share):
        for step in FREE_STEPS:
            target = int(proposal(path).tokens(tokens, OPENAI) * part_of_all)
            facts = replace(Turn(target=target).facts(path), cache=CacheFacts(is_cold=True, is_written=True))
            result = await step(context, facts, NO_PORTS)
            context = context.with_folds(result.folds)
    entries = {entry.id: entry for entry in path}
    reached = Originals(entries, Transcript(path).path, context.folds)
    assert context.folds

    for one in context.folds:
        named = [reached.find(named) for part in one.replacement for named in _addresses_in(part)]
        assert not one.replacement or _hidden(one, path) in named or _is_on_the_web(one, path)


def _is_on_the_web(one: Fold, path: Sequence[Entry]) -> bool:
    """A picture that was never fetched keeps its own address."""
    hidden = _hidden(one, path)
    return isinstance(hidden, str) and one.replacement == (TextPart(text=f"[image: {hidden}]"),)


def _addresses_in(part: Part) -> tuple[Address, ...]:
    body = body_of(part)
    return find_addresses(body) if isinstance(body, str) else ()


@pytest.mark.parametrize("share", [0.2, 0.5])
@pytest.mark.parametrize("name", QUICK)
async def test_every_address_that_the_free_steps_leave_is_read_back_byte_for_byte(
    name: str, share: float
) -> None:
    await _steps_are_read_back(real(name), share)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.2, 0.5])
@pytest.mark.parametrize("name", [path.stem for path in CONVERSATIONS])
async def test_every_address_in_any_conversation_is_read_back_byte_for_byte(name: str, share: float) -> None:
    await _steps_are_read_back(real(name), share)
