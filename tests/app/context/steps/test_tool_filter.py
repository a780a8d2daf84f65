"""S3: what a tool has just given is cut before the model first sees it, wherever its text lies."""

from dataclasses import replace

from app.context.facts import TurnFacts
from app.context.originals import part_address
from app.context.ports import NewFold
from app.context.proposal import Proposal
from app.context.steps.tool_filter import filter_tool_output
from app.core.entries import Entry, Origin
from app.core.folds import FoldKind
from app.core.parts import Blob, TextPart, ToolCallPart, ToolResultPart
from tests.app.context.counts import VaultHere, entry
from tests.app.context.summary.making import facts, ports, proposal, tokens

LOG = "\n".join(f"{n:05} ok" for n in range(9_000)) + "\nERROR: disk /dev/sda1 failed at block 77123\n"


def _round(text: str | Blob, tool: str = "bash") -> tuple[Entry, ...]:
    call = ToolCallPart(call_id="1", name=tool, arguments='{"command": "dmesg"}')
    return (
        entry(0, Origin.USER, TextPart(text="What failed?")),
        entry(1, Origin.ASSISTANT, call),
        entry(2, Origin.TOOL, ToolResultPart(call_id="1", name=tool, text=text)),
    )


def _moment(path: tuple[Entry, ...]) -> tuple[Proposal, TurnFacts]:
    turn = facts(path, target=0.5)
    return proposal(path), replace(
        turn, window_tokens=100_000, answering=path[0].id, unsent_results=frozenset({path[2].id})
    )


async def test_a_result_that_lies_in_the_vault_is_cut_as_one_that_lies_in_its_entry() -> None:
    """M6: its original is stored first, so the filter finds it there."""
    vault = VaultHere()
    inline = _round(LOG)
    blob = await vault.put(LOG.encode(), mime="text/plain", name="bash.txt")
    apart = _round(blob)

    found = [
        await filter_tool_output(*_moment(path), replace(ports(), vault=vault)) for path in (inline, apart)
    ]

    texts: list[str] = []
    for path, result in zip((inline, apart), found, strict=True):
        (fold,) = result.folds
        (part,) = fold.replacement
        assert isinstance(part, ToolResultPart)
        assert isinstance(part.text, str)
        assert (fold.kind, fold.anchor) == (FoldKind.FILTERED, path[2].id)
        assert tokens(part) <= 5_000
        texts.append(part.text.replace(str(part_address(path[2].parts[0])), "here"))
    assert texts[0] == texts[1]
    assert "block 77123" in texts[0]


async def test_what_can_not_be_read_is_not_cut() -> None:
    """C24."""
    lost = Blob(sha256="0" * 64, n_bytes=len(LOG), mime="text/plain", name="bash.txt")

    found = await filter_tool_output(*_moment(_round(lost)), ports())

    assert found.folds == ()


async def test_what_a_sub_agent_hands_over_keeps_its_beginning_and_end() -> None:
    """C28 L2: over 8,000 characters, whatever the window."""
    told = "Done: the parser.\n" + "".join(f"step {n} went well\n" for n in range(480)) + "Files: parser.py\n"

    folds: list[tuple[NewFold, ...]] = []
    for tool in ("delegate", "bash"):
        folds.append((await filter_tool_output(*_moment(_round(told, tool)), ports())).folds)

    (fold,) = folds[0]
    (part,) = fold.replacement
    assert isinstance(part, ToolResultPart)
    assert isinstance(part.text, str)
    assert part.text.startswith("Done: the parser.")
    assert "Files: parser.py" in part.text
    assert "vault://" in part.text
    assert len(part.text) < 3_500
    assert folds[1] == ()  # the same from a command is short enough


async def test_what_an_mcp_server_gives_has_a_limit_in_characters() -> None:
    """C28 L1: where the window would bear more."""
    text = "\n".join(f"row {n} of a table" for n in range(9_000))
    cut: list[bool] = []
    for tool in ("mcp__files__list", "bash"):
        moment, turn = _moment(_round(text, tool))
        found = await filter_tool_output(moment, replace(turn, window_tokens=4_000_000), ports())
        cut.append(bool(found.folds))

    assert cut == [True, False]


async def test_a_server_has_its_own_limit() -> None:
    """C28 L1."""
    text = "\n".join(f"row {n} of a table" for n in range(900))
    cut: list[bool] = []
    for server in ("files", "other"):
        moment, turn = _moment(_round(text, "mcp__files__list"))
        turn = replace(turn, window_tokens=4_000_000, server_chars={server: 2_000})
        cut.append(bool((await filter_tool_output(moment, turn, ports())).folds))

    assert cut == [True, False]
