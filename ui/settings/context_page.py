"""The page of the context: how full the default model's window may get, and what is done then; nothing to set but whether."""

from PySide6.QtCore import QLocale, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.context.budget import STARTS, Stage, room_for_answer
from app.providers.catalogue import OfferedModel
from ui.kit.controls import Card
from ui.kit.theme import FontRole, Theme
from ui.settings.fields import FieldsPage
from ui.settings.models.list_model import ModelTable
from ui.settings.models.state import ModelsState, offer
from ui.settings.models.view_model import ModelsViewModel
from ui.settings.rows import button, label
from ui.settings.state import SettingsState
from ui.settings.view_model import SettingsViewModel

_BAR_PX, _GAP_PX = 12, 6
_SHARED = (Stage.WATCH, Stage.LIGHT, Stage.FULL, Stage.EMERGENCY)


class StagesBar(QWidget):
    """The window from empty to full, with where each stage begins; read aloud as the words below it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._marks: tuple[tuple[float, str], ...] = ()
        self._restyle()
        theme.changed.connect(self._restyle)

    def draw(self, marks: tuple[tuple[float, str], ...]) -> None:
        """`marks`: share of the window, and what stands below it; from the left."""
        self._marks = marks
        self.setAccessibleName(" · ".join(words for _, words in marks))
        self.update()

    def _restyle(self) -> None:
        self.setFont(self._theme.font(FontRole.SMALL))
        self.setFixedHeight(round(self._theme.px(_BAR_PX + _GAP_PX)) + self.fontMetrics().height())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens, height = self._theme.tokens, self._theme.px(_BAR_PX)
        colors = (tokens.healthy, tokens.healthy, tokens.healthy, tokens.warning, tokens.critical)
        edges = (0.0, *(share for share, _ in self._marks), 1.0)
        painter = QPainter(self)
        for start, end, color in zip(edges, edges[1:], colors, strict=False):
            painter.fillRect(QRectF(start * self.width(), 0, (end - start) * self.width(), height), color)
        painter.setPen(tokens.muted)
        right, base = 0, round(height + self._theme.px(_GAP_PX)) + self.fontMetrics().ascent()
        for share, words in self._marks:
            wide = self.fontMetrics().horizontalAdvance(words)
            at = min(max(round(share * self.width()) - wide // 2, right), self.width() - wide)
            if at >= right:  # one that finds no room is said below
                painter.drawText(at, base, words)
                right = at + wide + self.fontMetrics().averageCharWidth()


class ContextPage(FieldsPage):
    def __init__(self, models: ModelsViewModel, model: SettingsViewModel, theme: Theme) -> None:
        super().__init__("context", model, theme)
        self._models = models
        self._table = ModelTable(self.locale(), self)
        self.also = self.tr("threshold, window, compression, summary")
        self.set_title(
            self.tr("Context"),
            self.tr("Nothing here needs changing. All of it follows from the model; this page shows how."),
        )
        card = Card()
        self.model_line, self.bar = label("", wraps=True), StagesBar(theme)
        within = QVBoxLayout(card)
        within.setContentsMargins(14, 12, 14, 12)
        within.setSpacing(10)
        within.addWidget(self.model_line)
        within.addWidget(self.bar)
        self.column.addWidget(card)
        self.switch = self.add_switch(
            "compresses",
            self.tr("Compress by itself"),
            self.tr("Free steps first; a summary only when they don't suffice"),
        )
        self.why_button = button(self.tr("Why so"), "link")
        self.why_button.setCheckable(True)
        self.why_button.toggled.connect(self._show_why)
        self.why = label("", "small", wraps=True)
        self.why.hide()
        self.column.addWidget(self.why_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addWidget(self.why)
        self.finish()
        models.changed.connect(self.draw_models)
        self.draw_models(models.state)

    def draw(self, state: SettingsState) -> None:
        super().draw(state)
        self.draw_models(self._models.state)

    def draw_models(self, state: ModelsState) -> None:
        found = offer(state, self._model.state.settings.model)
        window = found.window.tokens if found else 0
        self.bar.setVisible(bool(window))
        self.model_line.setText(
            self._model_words(found) if found else self.tr("No default model is chosen yet.")
        )
        self.bar.draw(tuple((STARTS[stage], self._mark(stage, window)) for stage in _SHARED))
        self.why.setText("\n".join(self._reasons(found)))

    def _show_why(self, is_open: bool) -> None:  # noqa: FBT001  # the signal's argument
        self.why.setVisible(is_open)

    def _model_words(self, found: OfferedModel) -> str:
        if not found.window.tokens:
            return self.tr("{model} · its window is not known: set it under Models").format(model=found.name)
        return f"{found.name} · {self._table.window_words(found)}"

    def _mark(self, stage: Stage, window: int) -> str:
        names = {
            Stage.WATCH: self.tr("watch"),
            Stage.LIGHT: self.tr("light"),
            Stage.FULL: self.tr("full"),
            Stage.EMERGENCY: self.tr("emergency"),
        }
        tokens = f" · {QLocale().toString(round(STARTS[stage] * window / 1000))}K" if window else ""
        return f"{STARTS[stage]:.0%} {names[stage]}{tokens}"

    def _reasons(self, found: OfferedModel | None) -> list[str]:
        """A sentence a line, with the figures of the model."""
        window = found.window.tokens if found else 0
        room = room_for_answer(window, found.facts.max_output_tokens if found else None)
        share = {stage: f"{start:.0%}" for stage, start in STARTS.items()}
        lines = [
            self.tr("What counts is the next request, as the provider will count it, with your draft."),
            self.tr("From {share} of the window on it is watched, and nothing is changed.").format(
                share=share[Stage.WATCH]
            ),
            self.tr(
                "From {share} on old results are shortened, if that pays: a change in what the provider keeps"
                " in its cache costs more than it saves, unless many requests follow."
            ).format(share=share[Stage.LIGHT]),
            self.tr("From {share} on room is made in any case, with a summary if need be.").format(
                share=share[Stage.FULL]
            ),
            self.tr("From {share} on a message waits until there is room.").format(
                share=share[Stage.EMERGENCY]
            ),
        ]
        if window:
            kept = self.tr("{n} tokens are kept free for the answer.")
            lines.append(kept.format(n=QLocale().toString(room)))
        return lines
