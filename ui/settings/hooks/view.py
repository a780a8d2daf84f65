"""The page of hooks: what is run when, with what outcome when tried; nothing runs before it was turned on (A16)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from app.agent.hooks import REFUSES
from app.core.errors import AppError
from app.settings import Hook, HookEvent
from ui.kit.controls import Switch
from ui.kit.inputs import LineInput, TextInput
from ui.kit.links import visible
from ui.kit.theme import Theme
from ui.settings.hooks.state import EVENTS, HookForm, HooksState, Tried
from ui.settings.hooks.view_model import HooksViewModel
from ui.settings.rows import Choice, FormCard, Page, button, label

_SHOWN_LINES = 6


class HookCard(QFrame):
    """One hook; a new one is made for each that is shown, since a list has no names."""

    def __init__(self, model: HooksViewModel, theme: Theme, hook: Hook, index: int, event: str) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.hook = hook
        self._event = event
        self.command = label(visible(hook.command), "code", wraps=True)
        self.command.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.switch = Switch(theme)
        self.warning = label(
            self.tr(
                "This command would run on your computer with your rights, in every chat, and is told what is said"
                " there. Turn it on only if you know what it does."
            ),
            "warning",
            wraps=True,
        )
        self.outcome, self.said = label("", "muted", wraps=True), label("", "code", wraps=True)
        self.allow_button, self.leave_button = (
            button(self.tr("Turn it on"), "primary"),
            button(self.tr("Leave it off")),
        )
        self.try_button, self.edit_button = button(self.tr("Try")), button(self.tr("Edit"))
        self.remove_button = button(self.tr("Remove"))
        self.stop_button = button(self.tr("Stop"))
        self._question = label(self.tr("Remove it?"))
        self.yes_button, self.no_button = button(self.tr("Remove"), "danger"), button(self.tr("Keep"))
        self._calm = (self.try_button, self.edit_button, self.remove_button)
        self._lay_out()
        for act in (*self._calm, self.stop_button, self.allow_button, self.yes_button):
            act.setAccessibleName(f"{act.text()} {hook.command[:40]}")
        self.switch.setAccessibleName(self.tr("{command} is on").format(command=hook.command[:40]))
        self.switch.clicked.connect(partial(self._switch, model, index))
        self.allow_button.clicked.connect(model.allow)
        self.leave_button.clicked.connect(model.leave)
        self.try_button.clicked.connect(partial(model.try_out, index))
        self.stop_button.clicked.connect(model.stop)
        self.edit_button.clicked.connect(partial(model.edit, index))
        self.remove_button.clicked.connect(partial(model.ask_removal, index))
        self.yes_button.clicked.connect(model.remove)
        self.no_button.clicked.connect(model.leave)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(label(self._event, "heading"), 1)
        head.addWidget(self.switch)
        foot = QHBoxLayout()
        for part in (self.allow_button, self.leave_button, *self._calm, self.stop_button):
            foot.addWidget(part)
        for part in (self._question, self.yes_button, self.no_button):
            foot.addWidget(part)
        foot.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 12, 12)
        column.addLayout(head)
        for part in (self.command, self.warning, self.outcome, self.said):
            column.addWidget(part)
        column.addLayout(foot)

    def draw(self, state: HooksState, index: int) -> None:
        is_allowing, is_removing = state.allowing == index, state.removing == index
        is_trying, tried = state.trying == index, state.tried.get(index)
        self.switch.setChecked(self.hook.enabled)
        self.warning.setVisible(is_allowing)
        for part in (self.allow_button, self.leave_button):
            part.setVisible(is_allowing)
        for part in (self._question, self.yes_button, self.no_button):
            part.setVisible(is_removing)
        for part in self._calm:
            part.setVisible(not (is_allowing or is_removing))
        self.try_button.setVisible(not (is_allowing or is_removing or is_trying))
        self.try_button.setEnabled(state.trying is None)
        self.stop_button.setVisible(is_trying)
        self.outcome.setText(self._outcome(tried) if tried else "")
        self.outcome.setVisible(tried is not None)
        lines = visible(tried.outcome.text).splitlines() if tried else []
        self.said.setText("\n".join(lines[:_SHOWN_LINES]) + ("\n…" if len(lines) > _SHOWN_LINES else ""))
        self.said.setVisible(bool(lines))
        for waits, part in ((is_allowing, self.leave_button), (is_removing, self.no_button)):
            if waits and not self.isAncestorOf(self.window().focusWidget() or self):
                part.setFocus(Qt.FocusReason.OtherFocusReason)

    def _outcome(self, tried: Tried) -> str:
        code, seconds = tried.outcome.code, self.locale().toString(tried.took_s, "f", 1)
        if code is None:
            text = self.tr("Tried: it had not ended after {s} s, and was ended")
        elif code < 0:
            text = self.tr("Tried: it could not be started")
        elif code == 0:
            text = self.tr("Tried: it ended well after {s} s")
        elif code == REFUSES and self.hook.event == "before_tool":
            text = self.tr("Tried: it would refuse the call, after {s} s")
        else:
            text = self.tr("Tried: it ended with exit code {code} after {s} s; a turn goes on all the same")
        return text.format(s=seconds, code=code)

    def _switch(self, model: HooksViewModel, index: int) -> None:
        is_on = self.switch.isChecked()
        self.switch.setChecked(self.hook.enabled)  # until it is
        model.switch(index, is_on=is_on)


class HookFormView(FormCard):
    """Draws a `HookForm` and tells the view model of every key typed."""

    def __init__(self, model: HooksViewModel, events: dict[HookEvent, str]) -> None:
        super().__init__()
        self._model = model
        self._shown: HookForm | None = None
        self.event_ = Choice(tuple(events.items()))
        self.command, self.timeout = TextInput(placeholder="notify-send Palimpsest"), LineInput()
        self.command.enter_submits = False
        self.command.setProperty("role", "boxed")
        for row, (title, control) in enumerate(
            (
                (self.tr("When"), self.event_),
                (self.tr("Command"), self.command),
                (self.tr("Patience in seconds"), self.timeout),
            )
        ):
            name = label(title)
            name.setBuddy(control)
            control.setAccessibleName(title)
            self.grid.addWidget(name, row, 0)
            self.grid.addWidget(control, row, 1)
        self.event_.view().setAccessibleName(self.tr("When"))
        told = self.tr(
            "It is run by sh in the chat's folder, with what happened as JSON on its standard input. What it"
            " prints is told to the model; before a tool, exit code 2 refuses the call."
        )
        self.column.addWidget(label(told, "small", wraps=True))
        self.problem = label("", "critical", wraps=True)
        self.column.addWidget(self.problem)
        self.cancel_button, self.save_button = button(self.tr("Cancel")), button(self.tr("Save"), "primary")
        foot = QHBoxLayout()
        foot.addStretch()
        foot.addWidget(self.cancel_button)
        foot.addWidget(self.save_button)
        self.column.addLayout(foot)
        self.event_.chosen.connect(self._choose)
        self.command.textChanged.connect(self._type)
        self.command.cancelled.connect(model.close_form)
        self.timeout.textChanged.connect(self._type)
        self.timeout.submitted.connect(model.save)
        self.timeout.cancelled.connect(model.close_form)
        self.save_button.clicked.connect(model.save)
        self.cancel_button.clicked.connect(model.close_form)

    def draw(self, state: HooksState) -> None:
        form = state.form
        self.setVisible(form is not None)
        if form is None:
            self._shown = None
            return
        if self._shown is None or self._shown.index != form.index:
            self._shown = None  # what is filled in here was not typed
            self.event_.show_value(form.event)
            self.command.set_text(form.command)
            self.timeout.setText(form.timeout_s)
        self._shown = form
        self.title.setText(self.tr("Add a hook") if form.index is None else self.tr("Edit the hook"))
        problems = {
            "command": self.tr("It needs a command."),
            "timeout": self.tr("More than 0 seconds, at most 600."),
            "": "",
        }
        self.problem.setText(problems[state.problem])
        self.problem.setVisible(bool(state.problem))

    def _choose(self, event: str) -> None:
        if self._shown:
            self._model.type(replace(self._shown, event=next(each for each in EVENTS if each == event)))

    def _type(self) -> None:
        if self._shown:
            command, timeout_s = self.command.text(), self.timeout.text()
            self._model.type(replace(self._shown, command=command, timeout_s=timeout_s))


class HooksPage(Page):
    def __init__(self, model: HooksViewModel, *, theme: Theme, say: Callable[[AppError], str]) -> None:
        super().__init__()
        self._model, self._theme, self._say = model, theme, say
        self.cards: list[HookCard] = []
        self.set_title(
            self.tr("Hooks"),
            self.tr(
                "Commands of yours that are run when something happens in a turn. None is on before you turn it on;"
                " one that fails is told in the chat, and the turn goes on."
            ),
        )
        self.add_button = button(self.tr("Add a hook"), "primary")
        self.column.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.form = HookFormView(model, self._events())
        self.failure = label("", "critical", wraps=True)
        self.none = label(self.tr("There are none yet."), "muted")
        self._cards = QVBoxLayout()
        for part in (self.form, self.failure, self.none):
            self.column.addWidget(part)
        self.column.addLayout(self._cards)
        self.column.addStretch()
        self.add_button.clicked.connect(model.begin)
        model.changed.connect(self.draw)
        self.draw(model.state)

    def search_words(self) -> str:
        commands = (card.hook.command for card in self.cards)
        return " ".join((self.title, *commands, self.tr("script, event, command, automation"))).casefold()

    def draw(self, state: HooksState) -> None:
        was_open = self.form.isVisibleTo(self)
        self.form.draw(state)
        if state.form and not was_open:
            self.form.command.setFocus(Qt.FocusReason.OtherFocusReason)
            self.ensureWidgetVisible(self.form)
        self.failure.setText(self._say(state.failure) if state.failure else "")
        self.failure.setVisible(state.failure is not None)
        self.none.setVisible(not state.hooks and state.form is None)
        if tuple(card.hook for card in self.cards) != state.hooks:
            self._make_cards(state.hooks)
        for index, card in enumerate(self.cards):
            card.draw(state, index)

    def _make_cards(self, hooks: tuple[Hook, ...]) -> None:
        for card in self.cards:
            card.hide()  # it goes only when the loop runs
            card.deleteLater()
        events = self._events()
        self.cards = [
            HookCard(self._model, self._theme, hook, index, events[hook.event])
            for index, hook in enumerate(hooks)
        ]
        for card in self.cards:
            self._cards.addWidget(card)

    def _events(self) -> dict[HookEvent, str]:
        return {
            "before_send": self.tr("Before a message is sent"),
            "after_answer": self.tr("After an answer"),
            "before_tool": self.tr("Before a tool is used"),
            "after_tool": self.tr("After a tool was used"),
            "after_compaction": self.tr("After a compression"),
        }
