"""S8: what is left of the old part of a chat becomes a summary, when the free steps did not make room enough.

Trigger: over the target when asked for, or at stage full between turns (a send waits for no summary there, M9),
and in any case at stage emergency or where the summary itself is asked for. Effect: one run fold from after the first user entry to before the tail; user
entries are covered too. Bounds: `cover.py`; what must stay inside gets a `whole` fold after it (M5). Smaller than
what it stands for, or not made at all (C7).
"""

import asyncio
from dataclasses import replace

from app.context.budget import Stage
from app.context.facts import Trigger, TurnFacts
from app.context.ledger import updated
from app.context.originals import run_text
from app.context.ports import StepPorts, Writer
from app.context.proposal import Proposal
from app.context.reading import Item, Shown
from app.context.redaction import redact_all
from app.context.step import StepResult
from app.context.summary.audit import audit, mended
from app.context.summary.composing import Material, compose, map_texts
from app.context.summary.exact_values import ValueKind, as_lines, lost, values_of
from app.context.summary.extractive import extracted
from app.context.summary.fields import KeptSummary
from app.context.summary.files_now import tokens_wanted
from app.context.summary.language import language_of
from app.context.summary.merge import merged
from app.context.summary.notes import first_sentence
from app.context.summary.progress import TOTAL_S
from app.context.summary.run import Run, folds_of, proposed_summary, run_of
from app.context.summary.writer import Asking, Written, write_summary
from app.core.entries import Entry, Origin
from app.core.errors import WorkerDied
from app.core.parts import TextPart, ThinkingPart, body_of

_WAIT_S = 20.0
"""A turn that stands at 90 % waits no longer for a model (C18)."""
_REREAD_SHARE = 0.25
"""Of the room: as much is kept free for the files that S9 reads again, where there are any."""
_FLOOR_TOKENS, _FLOOR_SHARE = 800, 0.15
"""What a summary may have where the rest fills the target already."""
_ATTEMPTS = 3
_NEAR = 0.97
_MOST_VALUES = 20
"""Of one item that is folded already."""


async def summarise(context: Proposal, turn: TurnFacts, ports: StepPorts) -> StepResult:
    """Sum up the run with the model that writes, or by rule where there is none."""
    run = await asyncio.to_thread(run_of, context, turn) if is_due(context, turn) else None
    if run is None:
        return StepResult()
    material = await asyncio.to_thread(material_of, context, turn, run)
    kept, why = await _written(context, material, ports)
    return await folded(kept, material, context, ports, why=why)


def is_due(context: Proposal, turn: TurnFacts) -> bool:
    if not turn.target_tokens or proposed_summary(context):
        return False
    if turn.stage is Stage.EMERGENCY or turn.wants_summary:
        return True
    over = turn.request_tokens(context) > turn.target_tokens
    is_full_and_idle = turn.stage is Stage.FULL and turn.trigger is Trigger.IDLE
    return over and (is_full_and_idle or turn.trigger in (Trigger.MANUAL, Trigger.EMERGENCY))


def material_of(context: Proposal, turn: TurnFacts, run: Run) -> Material:
    """All that rules find in the run; linear in it, and too long for the window's loop."""
    own = (entry.text for entry in context.path if entry.origin is Origin.USER)
    language, language_name = language_of(own, otherwise=turn.language)
    texts = (body for entry in context.path for part in entry.parts if isinstance(body := body_of(part), str))
    return Material(
        run=run,
        turn=turn,
        language=language,
        language_name=language_name,
        ledger=updated(turn.ledger, context.path, turn.gleaned),
        values=values_of(run.entries),
        pseudonyms=redact_all(texts, hides_personal_data=turn.hides_personal_data),
    )


async def folded(
    kept: KeptSummary, material: Material, context: Proposal, ports: StepPorts, *, why: str
) -> StepResult:
    """The summary in its place, as long as there is room for, or nothing where it would not be smaller."""
    kept = map_texts(kept, material.redacted)
    run, turn = material.run, material.turn
    covered = sum(map(turn.item_tokens, run.covered))
    beside = sum(map(turn.item_tokens, run.beside)) + turn.family.message_tokens
    room = turn.target_tokens - turn.fixed_tokens - beside
    room -= await tokens_wanted(turn, ports.files, most=round(_REREAD_SHARE * max(room, 0)))
    room = max(room, min(_FLOOR_TOKENS, round(_FLOOR_SHARE * covered)))
    text = await _fitted(kept, material, room, ports)
    folds = folds_of(run, (TextPart(text=text),), context, turn)
    if turn.request_tokens(context.with_folds(folds)) >= turn.request_tokens(context):
        return StepResult(
            candidates=len(run.covered), why="A summary would not be smaller than what it stands for."
        )
    return StepResult(
        folds=folds,
        candidates=len(run.covered),
        why=why,
        summary=kept.model_dump_json(),
    )


async def _fitted(kept: KeptSummary, material: Material, room: int, ports: StepPorts) -> str:
    """Composed by our count, then measured exactly; again with less or more where the two differ."""
    limit = room
    best = ""
    for _ in range(_ATTEMPTS):
        text = await asyncio.to_thread(compose, kept, material, limit)
        used = await exact_tokens(text, material.turn, ports)
        if used <= room or not best:
            best = text
        if _NEAR * room <= used <= room:
            break
        wanted = round(limit * _NEAR * room / max(used, 1))
        if used <= room and wanted <= limit * (2 - _NEAR):
            break  # there is no more to say
        limit = min(wanted, 2 * room)
    return best


async def exact_tokens(text: str, turn: TurnFacts, ports: StepPorts) -> int:
    try:
        (used,) = await ports.text.count((text,), turn.family.tokenizer)
    except WorkerDied:
        return turn.tokens(TextPart(text=text))
    return used


# ---- the fields, by a model or by rule


async def _written(context: Proposal, material: Material, ports: StepPorts) -> tuple[KeptSummary, str]:
    """The fields, and how they came about in words."""
    run, turn = material.run, material.turn
    given = KeptSummary.model_validate_json(turn.summary) if turn.summary else None
    if given and given.history == run.history:
        return given, "The summary is the one that was looked at."
    offline = await asyncio.to_thread(by_rule, material)
    if given:  # what was said since is in no field of it
        kept = merged(given, offline).model_copy(update={"history": run.history})
        return kept, "The summary is the one that was looked at, with what was said since."
    prompt = ports.prompts.get(f"summary.{material.language}") or ports.prompts.get("summary.en")
    if ports.writer is None or turn.is_offline or not prompt:
        return offline, "A summary was made by rule, without a model."
    asking = Asking(
        prompt=prompt,
        language=material.language,
        language_name=material.language_name,
        focus=material.hidden(turn.intent.topic or turn.intent.goal),
    )
    written = await _asked(asking, material, ports.writer, ports)
    if written.summary is None:
        return offline, f"{written.why} The summary was made by rule instead."
    if not written.is_whole:
        # What came before the stop is completed by rule, so that nothing of the rest is lost (C19).
        kept = merged(written.summary, offline).model_copy(
            update={"history": run.history, "is_offline": True}
        )
        return kept, f"{written.why} The rest of the summary was made by rule."
    fields = mended(written.summary, turn.touches)
    kept = KeptSummary.model_validate({**dict(fields), "history": run.history, "is_offline": False})
    return kept, f"The old part of the chat was summed up. {ports.writer.why}".strip()


async def _asked(asking: Asking, material: Material, writer: Writer, ports: StepPorts) -> Written:
    """One try, and a second that names what the first lacked; the better one (C13)."""
    run, turn = material.run, material.turn
    texts = await asyncio.to_thread(_texts, material)
    elsewhere = "\n".join(body for part in run.kept_parts if isinstance(body := body_of(part), str))
    waits = turn.trigger in (Trigger.SEND, Trigger.EMERGENCY)
    ends_s = ports.clock.monotonic() + (_WAIT_S if waits else TOTAL_S)
    best: Written | None = None
    best_score = 0.0
    for _ in range(2):
        written = await write_summary(
            texts,
            asking,
            writer=writer,
            clock=ports.clock,
            count=lambda text: round(turn.ratio * material.tokens(text)),
            former=run.former,
            until=next((entry.text for entry in reversed(run.entries) if entry.text.strip()), ""),
            total_s=ends_s - ports.clock.monotonic(),
        )
        if not written.is_whole or written.summary is None:
            return best or written
        checked = await asyncio.to_thread(
            audit,
            mended(written.summary, turn.touches),
            _new_entries(run),
            elsewhere=elsewhere,
            hidden=material.pseudonyms.hidden,
        )
        if best is None or checked.score > best_score:
            best, best_score = written, checked.score
        if checked.passes or not checked.demands:
            break
        asking = replace(asking, demands=checked.demands)
    assert best
    return best


def by_rule(material: Material) -> KeptSummary:
    """C18's summary, from what was said, never from a summary's text alone (C14)."""
    run, turn = material.run, material.turn
    former = run.former if run.former and not run.former.is_offline else None
    entries = _new_entries(run) if former else run.entries
    fields = mended(extracted(entries, ledger=material.ledger, touches=turn.touches), turn.touches)
    fields = fields.model_copy(update=_asked_for(run))
    kept = merged(former, fields) if former else KeptSummary.model_validate(dict(fields))
    return kept.model_copy(update={"history": run.history, "is_offline": True})


def _asked_for(run: Run) -> dict[str, str]:
    """The chat's goal and its open request, which as a rule stand whole before and after the run."""
    beside = [entry for item in run.beside if isinstance(item, Shown) for entry in item.entries]
    first, *others = [entry.text for entry in beside if entry.origin is Origin.USER and entry.text] or [""]
    found = {"user_goal": first, "active_task": others[-1] if others else ""}
    return {name: first_sentence(text) for name, text in found.items() if text}


def _new_entries(run: Run) -> tuple[Entry, ...]:
    return tuple(entry for item in run.before for entry in item.entries)


def _texts(material: Material) -> list[str]:
    """What is new, an item a text, as it stood before this compaction, without secrets."""
    return [material.hidden(_text(item)) for item in material.run.before]


def _text(item: Item) -> str:
    """As it is shown; of what is folded already, the exact values of the original too (C17)."""
    if isinstance(item, Shown):
        shown = run_text(
            [
                replace(entry, parts=tuple(part for part in parts if not isinstance(part, ThinkingPart)))
                for entry, parts in zip(item.entries, item.parts, strict=True)
            ]
        )
        if not any(item.folds):
            return shown
    else:
        bodies = (body_of(part) for part in item.fold.replacement)
        shown = "\n".join(body for body in bodies if isinstance(body, str))
    missing = [value for value in lost(values_of(item.entries), shown) if value.kind is not ValueKind.BAN]
    return f"{shown}\n{as_lines(missing[-_MOST_VALUES:])}" if missing else shown
