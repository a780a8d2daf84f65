"""Every sentence of the chat's list of items, in the present language."""

import json
from collections.abc import Sequence
from math import ceil
from typing import assert_never, cast

from PySide6.QtCore import QLocale, QObject

from app.core.entries import Entry, Finish, Origin
from app.core.events import HookFailed, Pause
from app.core.ids import ModelId
from app.core.parts import Blob, MediaPart
from app.core.records import Alert, AlertKind, RequestRecord
from ui.chat.live import Live, LiveCall, Phase
from ui.chat.pastes import Paste
from ui.chat.prospect import Prospect, Switch
from ui.chat.state import ChatState, Compressed, Kin, Reverting
from ui.kit.figures import compact, money, percent, window_share
from ui.kit.items import Action, DividerItem, NoticeItem, ReasoningItem, Tone
from ui.kit.links import visible
from ui.kit.steps import StepWords

_TITLE_CHARS = 200
_MOST_PATHS = 12
_COMMAND_CHARS = 80
_PARSED_CHARS = 4_000
"""Longer arguments are shown as they are: this is done while the list is painted."""


class ChatWords(QObject):
    """A `QObject` so that its sentences are found for translation."""

    # -- under a message

    def copy(self) -> Action:
        return Action(id="copy", label=self.tr("Copy"), icon="copy")

    def edit(self) -> Action:
        return Action(id="edit", label=self.tr("Edit"), icon="edit")

    def save(self) -> Action:
        return Action(id="save", label=self.tr("Save as…"), icon="download")

    def retry(self) -> Action:
        return Action(id="retry", label=self.tr("Retry"), icon="retry")

    def figures(
        self, entry: Entry, record: RequestRecord | None = None, failed: ModelId | None = None
    ) -> str:
        """Who answered instead of whom, how it ended if not well, first token, share from the cache, price, tokens."""
        found = [self._end(entry.finish)] if entry.finish else []
        if failed and entry.model:
            instead = self.tr("{model} answered, since {failed} failed")
            found.insert(0, instead.format(model=_name(entry.model), failed=_name(failed)))
        locale = QLocale()
        if record and record.time_to_first_token_s is not None:
            seconds = locale.toString(record.time_to_first_token_s, "f", 1)
            found.append(self.tr("{s} s to first token").format(s=seconds))
        usage = (record and record.usage) or entry.usage
        if usage and usage.cached_tokens:
            share = percent(usage.cached_tokens / max(usage.prompt_tokens, 1))
            found.append(self.tr("{share}% cached").format(share=share))
        if record and record.cost_usd:
            found.append(money(record.cost_usd, locale))
        if usage and not usage.is_estimate:
            found.append(self.tr("{n} in").format(n=compact(usage.prompt_tokens, locale)))
            found.append(self.tr("{n} out").format(n=compact(usage.completion_tokens, locale)))
        return " · ".join(filter(None, found))

    def pinned(self) -> str:
        return self.tr("pinned")

    def with_agents(self, usd: float) -> str:
        """What the sub-agents of a turn cost; empty: nothing that is known."""
        return self.tr("sub-agents {price}").format(price=money(usd, QLocale())) if usd else ""

    def _end(self, finish: Finish) -> str:
        match finish:
            case Finish.STOPPED:
                return self.tr("stopped")
            case Finish.FAILED:
                return self.tr("cut off")
            case Finish.INTERRUPTED:
                return self.tr("interrupted when the program ended")
            case Finish.LENGTH:
                return self.tr("ended at the length limit")
            case Finish.REFUSED:
                return self.tr("refused by the provider")
            case Finish.STOP | Finish.TOOL_CALLS:
                return ""
            case _:
                assert_never(finish)

    # -- what goes on

    def status(self, live: Live, why: str) -> str:
        """What the answer under way is doing. `why`: the reason of a retry, in words."""
        seconds = live.phase_s
        match live.phase:
            case Phase.SENDING:
                text = self.tr("Sending")
            case Phase.QUEUED:
                return self._queued(live)
            case Phase.STARTING:
                text = self.tr("Starting what talks to models")
            case Phase.WAITING | Phase.WRITING:
                text = self._waiting(live)
            case Phase.THINKING:
                text = self.tr("Thinking")
            case Phase.FOLDING:
                text = self.tr("Making room: {step}").format(step=StepWords().name(live.compacting))
            case Phase.WORKING:
                text = self.tr("Tools are at work")
            case Phase.ASKING:
                return self.tr("Waiting for you")
            case Phase.RETRYING:
                return self._retrying(live, why)
            case _:
                assert_never(live.phase)
        return self.tr("{what}, {s} s").format(what=text, s=seconds) if seconds else f"{text} …"

    def _waiting(self, live: Live) -> str:
        if live.instead is None:
            return self.tr("Waiting for the first words")
        name = _name(live.instead.model)
        return self.tr("The first model failed; waiting for {name}").format(name=name)

    def _queued(self, live: Live) -> str:
        assert live.queued
        left = ceil(live.queued.in_s) - live.phase_s
        if left <= 0:  # it was as long at least: others may go first
            return self.tr("Waiting for the provider's limit") + " …"
        return self.tr("The provider's limit is reached: sent in {s} s").format(s=left)

    def _retrying(self, live: Live, why: str) -> str:
        assert live.retry
        left = max(0, ceil(live.retry.in_s) - live.phase_s)
        again = self.tr("Trying again in {s} s ({n} of {of})")
        return f"{why} " + again.format(s=left, n=live.retry.attempt, of=live.retry.of)

    def beside(self, state: ChatState) -> str:
        """What is told beside the ring, where it is seen wherever one reads; empty: nothing."""
        if state.compressing is not None:
            return self.compressing(state.compressing, state.compressing_s)
        if state.live:
            return self.status(state.live, "") if state.live.phase is Phase.FOLDING else ""
        return self.switch(state.switch) if state.switch else ""

    def switch(self, switch: Switch) -> str:
        """What the next message meets at a model that is not the last one's."""
        locale = QLocale()
        match switch.prospect:
            case Prospect.FITS:
                text = self.tr("{used} of {window}: fits")
            case Prospect.COMPRESSES:
                text = self.tr("{used} of {window}: will compress")
            case Prospect.UNKNOWN:
                text = self.tr("{used}, window unknown")
            case _:
                assert_never(switch.prospect)
        window = compact(switch.window_tokens, locale)
        found = [text.format(used=compact(switch.used_tokens, locale), window=window)]
        if switch.writes_cache and switch.cost_usd is None:
            found.append(self.tr("prompt cache written anew"))
        elif switch.writes_cache:
            price = "$" + locale.toString(switch.cost_usd or 0, "f", 2)
            found.append(self.tr("prompt cache written anew, ≈ {price}").format(price=price))
        return " · ".join(found)

    def compressing(self, step: str, seconds: int) -> str:
        """Args: `seconds`: since it began."""
        text = self.tr("Compressing")
        if step:
            text = self.tr("Compressing: {step}").format(step=StepWords().name(step))
        return self.tr("{what}, {s} s").format(what=text, s=seconds) if seconds else f"{text} …"

    def compressed(self, told: Compressed) -> DividerItem:
        """The line where a compression was made: what it covered, what it won, and the way back."""
        locale = QLocale()
        folded = self.tr("Folded %n message(s) · {before} → {after} tokens", "", told.n_messages)
        text = folded.format(
            before=compact(told.tokens_before, locale),
            after=compact(told.tokens_after, locale),
        )
        if told.is_undone:
            undone = self.tr("undone")
            return DividerItem(text=f"{text} · {undone}")
        ways = [Action(id="originals", label=self.tr("Originals")), Action(id="undo", label=self.tr("Undo"))]
        if told.has_summary:
            ways.insert(0, Action(id="summary", label=self.tr("Summary")))
        return DividerItem(text=text, actions=tuple(ways))

    def fork(self) -> Action:
        return Action(id="fork", label=self.tr("Fork from here"), icon="fork")

    def kin(self, kin: Kin) -> DividerItem:
        """The line where this chat left another one, or another one left it."""
        title = visible(kin.title) or self.tr("New chat")
        text = self.tr("Forked from “{title}”") if kin.is_parent else self.tr("Fork: “{title}”")
        return DividerItem(text=text.format(title=title), actions=(Action(id="kin", label=self.tr("Open")),))

    def delete(self) -> Action:
        return Action(id="delete", label=self.tr("Delete message"), icon="trash")

    def deleted(self) -> DividerItem:
        """The line where a message was."""
        return DividerItem(
            text=self.tr("Message deleted"), actions=(Action(id="undo", label=self.tr("Undo")),)
        )

    def unanswered(self) -> str:
        return self.tr("This message has no answer yet.")

    def unfinished(self) -> str:
        return self.tr("The work on your message ended before its answer.")

    def go_on(self) -> Action:
        return Action(id="go_on", label=self.tr("Continue"), icon="retry")

    def revert(self) -> Action:
        return Action(id="revert", label=self.tr("Revert file changes…"), icon="undo")

    def noted(self, alerts: Sequence[Alert]) -> DividerItem:
        """What was worth a word about a request, as a line."""
        return DividerItem(text=" · ".join(map(self._alert, alerts)))

    def _alert(self, alert: Alert) -> str:
        locale = QLocale()
        match alert.kind:
            case AlertKind.SURGE:
                return self.tr("{n} tokens more in one step").format(n=compact(round(alert.amount), locale))
            case AlertKind.SOFT:
                return self.tr("{n}% of the window is used").format(n=window_share(alert.amount))
            case AlertKind.HARD if not alert.amount:
                return self.tr("The model refused the length of this request")
            case AlertKind.HARD:
                return self.tr("{n}% of the window is used: hardly any room is left").format(
                    n=window_share(alert.amount)
                )
            case AlertKind.SLOW:
                times = locale.toString(alert.amount, "f", 1)
                return self.tr("The first words took {n} times as long as usual here").format(n=times)
            case AlertKind.LOOP:
                return self.tr("It goes round in circles")
            case _:
                assert_never(alert.kind)

    def reverting(self, wanted: Reverting) -> NoticeItem:
        """What would be taken back of a turn's changes to files, or what was."""
        done = wanted.done
        close = Action(id="revert_not", label=self.tr("Close") if done else self.tr("Cancel"))
        if done is None:
            title = self.tr("Take back what this turn changed in %n file(s)?", "", len(wanted.paths))
            sure = Action(id="revert_now", label=self.tr("Revert"), icon="undo")
            return NoticeItem(title=title, text=_few(wanted.paths), tone=Tone.WARNING, actions=(close, sure))
        told = (
            (self.tr("As before: {files}"), done.restored),
            (self.tr("Removed, since the turn had made them: {files}"), done.removed),
            (self.tr("Left alone, since they were changed again or are out of reach: {files}"), done.left),
        )
        lines = [text.format(files=", ".join(paths)) for text, paths in told if paths]
        tone = Tone.WARNING if done.left else Tone.HEALTHY
        return NoticeItem(
            title=self.tr("Taken back"), text=visible("\n".join(lines)), tone=tone, actions=(close,)
        )

    def paused(self, why: Pause, n_requests: int) -> NoticeItem:
        """A turn waits for the person to say whether it goes on."""
        if why is Pause.LOOP:
            title = self.tr("It goes round in circles")
            text = self.tr("It was told so, and does the same again. Say what it should do, or let it go on.")
        else:
            title = self.tr("It asked the model %n time(s)", "", n_requests)
            text = self.tr("Everything so far is kept. It goes on where it stands, if you want that.")
        return NoticeItem(title=title, text=text, tone=Tone.WARNING, actions=(self.go_on(),))

    # -- hooks

    def hooks(self, failed: tuple[HookFailed, ...]) -> ReasoningItem:
        """A line that can be opened: whose fault, and that the turn went on."""
        title = self.tr("%n hook(s) of yours failed; the turn went on", "", len(failed))
        return ReasoningItem(title=title, text="\n\n".join(map(self._hook, failed)))

    def _hook(self, failed: HookFailed) -> str:
        if failed.code is None:
            seconds = QLocale().toString(failed.timeout_s, "g", 4)
            how = self.tr("had not ended after {s} s, and was ended").format(s=seconds)
        elif failed.code < 0:
            how = self.tr("could not be started")
        else:
            how = self.tr("ended with exit code {code}").format(code=failed.code)
        last = f"\n\n    {visible(failed.text)}" if failed.text else ""
        command = visible(failed.command[:_COMMAND_CHARS]).replace("`", "'")
        return f"`{command}` {how}{last}"

    # -- what isn't plain text

    def aside(self, origin: Origin) -> str:
        """The folded line of what the person usually need not read."""
        if origin is Origin.SYSTEM:
            return self.tr("System text")
        if origin is Origin.NOTE:
            return self.tr("Note to the model")
        return self.tr("Reasoning")

    def hidden_reasoning(self) -> str:
        return self.tr("Reasoning that the provider keeps to itself")

    def unsupported(self) -> str:
        return self.tr("Unsupported part")

    def result_of(self, name: str) -> str:
        """Of a result whose call is not in this chat."""
        return self.tr("Result of {name}").format(name=name) if name else self.tr("Result of a tool")

    def call(self, name: str, arguments: str) -> str:
        """One line that says what was called with what."""
        return f"{name}  {_plain(arguments)}"[:_TITLE_CHARS].rstrip()

    def under_way(self, call: LiveCall) -> str:
        """What a call is doing that has no result yet."""
        if call.wish:
            return self.tr("waits for you")
        if not call.has_started:
            return self.tr("begins")
        return self.tr("{s} s").format(s=QLocale().toString(call.ran_s)) if call.ran_s else self.tr("runs")

    def length(self, n_chars: int) -> str:
        return self.tr("{n} characters").format(n=QLocale().toString(n_chars)) if n_chars else ""

    def chip(self, source: Blob | str, part: MediaPart | None) -> str:
        """The name of an attachment, and its size: a picture's in pixels."""
        name = source.name if isinstance(source, Blob) else source
        if isinstance(source, Blob) and part is None:
            return f"{name} · {QLocale().formattedDataSize(source.n_bytes)}"
        return f"{name} · {part.width_px}×{part.height_px}" if part and part.width_px else name

    def paste(self) -> str:
        return self.tr("Pasted text")

    def extent(self, n_lines: int, n_bytes: int) -> str:
        """How much a pasted text is."""
        lines = self.tr("%n line(s)", "", n_lines) if n_lines > 1 else ""
        return " · ".join(filter(None, (lines, QLocale().formattedDataSize(n_bytes))))

    def pasted(self, paste: Paste) -> str:
        """What a chip in the composer says."""
        lines = self.tr("%n line(s)", "", paste.n_lines) if paste.n_lines > 1 else ""
        media = paste.media
        name = self.chip(media.source, media) if media else paste.name or self.paste()
        tokens = self.tr("≈ {n} tokens").format(n=compact(paste.n_tokens, QLocale()))
        return " · ".join(filter(None, (visible(name), lines, tokens if paste.n_tokens else "")))


def _few(paths: tuple[str, ...]) -> str:
    """One a line; of many the first."""
    more = f"\n… + {len(paths) - _MOST_PATHS}" if len(paths) > _MOST_PATHS else ""
    return visible("\n".join(paths[:_MOST_PATHS])) + more


def _name(model: ModelId) -> str:
    """As the header calls it."""
    return model.partition("/")[2]


def _plain(arguments: str) -> str:
    """Arguments without their JSON: the value of a lone one, else `name: value` pairs."""
    line = " ".join(arguments[:_PARSED_CHARS].split())
    if len(arguments) > _PARSED_CHARS:
        return line
    try:
        found = cast("object", json.loads(arguments))
    except ValueError:
        return line
    if not isinstance(found, dict):
        return line
    values = {str(name): _value(value) for name, value in cast("dict[object, object]", found).items()}
    if len(values) == 1:
        return next(iter(values.values()))
    return ", ".join(f"{name}: {value}" for name, value in values.items())


def _value(value: object) -> str:
    """A text as it is, of a list its texts or what its items are called, all else as JSON."""
    if isinstance(value, list):
        names = [_named(item) for item in cast("list[object]", value)]
        if all(names):
            return ", ".join(names)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return " ".join(text.split())


def _named(item: object) -> str:
    title = cast("dict[str, object]", item).get("title") if isinstance(item, dict) else item
    return " ".join(title.split()) if isinstance(title, str) else ""
