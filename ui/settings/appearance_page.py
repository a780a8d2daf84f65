"""The page of looks."""

from functools import partial

from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.kit.inputs import LineInput
from ui.kit.theme import MAX_ZOOM_PERCENT, MIN_ZOOM_PERCENT, Theme
from ui.settings.fields import FieldsPage
from ui.settings.rows import button, label
from ui.settings.view_model import SettingsViewModel

_ZOOM_STEP = 10
_ZOOM_PX = 64


class ZoomField(QWidget):
    """Percent typed or stepped."""

    def __init__(self, typed: LineInput) -> None:
        super().__init__()
        self.input = typed
        typed.setAccessibleName(self.tr("Zoom in percent"))
        self.smaller, self.larger = button("−"), button("+")
        self.smaller.setAccessibleName(self.tr("Smaller"))
        self.larger.setAccessibleName(self.tr("Larger"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for part in (self.smaller, typed, label("%"), self.larger):
            row.addWidget(part)
        self.setFocusProxy(typed)


class AppearancePage(FieldsPage):
    def __init__(self, model: SettingsViewModel, theme: Theme) -> None:
        super().__init__("appearance", model, theme)
        self.set_title(self.tr("Appearance"))
        self.theme_choice = self.add_segments(
            "theme",
            self.tr("Theme"),
            (
                ("system", self.tr("As the system")),
                ("light", self.tr("Light")),
                ("dark", self.tr("Dark")),
            ),
        )
        typed = self.add_number(
            "zoom_percent",
            self.tr("Zoom"),
            self.tr("Text and everything with it, 80 to 200 percent"),
            control=ZoomField,
        )
        zoom = typed.parentWidget()
        assert isinstance(zoom, ZoomField)
        self.zoom = zoom
        theme.changed.connect(self._fit_zoom)
        self._fit_zoom()
        self.zoom.smaller.clicked.connect(partial(self._step_zoom, -_ZOOM_STEP))
        self.zoom.larger.clicked.connect(partial(self._step_zoom, _ZOOM_STEP))
        self.motion = self.add_switch(
            "reduce_motion", self.tr("Reduce motion"), self.tr("Nothing slides or grows; it is simply there")
        )
        self.notifies = self.add_switch(
            "notifies",
            self.tr("Notifications"),
            self.tr("When a long answer is there, or something waits for you, while you are elsewhere"),
        )
        self.finish()

    def _fit_zoom(self) -> None:
        self.zoom.input.setFixedWidth(round(self._theme.px(_ZOOM_PX)))

    def _step_zoom(self, by: int) -> None:
        at = self._model.state.settings.zoom_percent + by
        self._model.change("zoom_percent", max(MIN_ZOOM_PERCENT, min(MAX_ZOOM_PERCENT, at)))
