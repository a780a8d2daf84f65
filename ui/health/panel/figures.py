"""Figures as the panel writes them."""

from datetime import datetime

from PySide6.QtCore import QLocale, QObject

from ui.kit.figures import compact

_MINUTE_S, _HOUR_S, _DAY_S = 60, 3600, 86_400


class Figures(QObject):
    """In the present language and locale."""

    def tokens(self, n: float, locale: QLocale) -> str:
        """152.1K; negative with a minus sign."""
        whole = round(n)
        return f"−{compact(-whole, locale)}" if whole < 0 else compact(whole, locale)

    def share(self, share: float | None, locale: QLocale) -> str:
        return "–" if share is None else f"{locale.toString(100 * share, 'f', 1)} %"

    def times(self, factor: float | None, locale: QLocale) -> str:
        return "–" if factor is None else f"× {locale.toString(factor, 'f', 1)}"

    def span(self, ms: float, locale: QLocale) -> str:
        if ms < 1000:
            return self.tr("{n} ms").format(n=locale.toString(round(ms)))
        return self.tr("{n} s").format(n=locale.toString(ms / 1000, "f", 1))

    def size(self, n_bytes: int, locale: QLocale) -> str:
        return locale.formattedDataSize(n_bytes, 1, QLocale.DataSizeFormat.DataSizeSIFormat)

    def ago(self, then: datetime, now: datetime) -> str:
        seconds = max(0, round((now - then).total_seconds()))
        if seconds < _MINUTE_S:
            return self.tr("just now")
        if seconds < _HOUR_S:
            return self.tr("%n min ago", "", seconds // _MINUTE_S)
        if seconds < _DAY_S:
            return self.tr("%n h ago", "", seconds // _HOUR_S)
        return self.tr("%n day(s) ago", "", seconds // _DAY_S)
