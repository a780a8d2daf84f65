"""Whether this computer reaches a network, as far as the system says."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QNetworkInformation


class Online(QObject):
    """Signals:
    changed(bool): the computer came online or went offline; never sent where the system can't tell.
    """

    changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        if QNetworkInformation.loadBackendByFeatures(QNetworkInformation.Feature.Reachability):
            QNetworkInformation.instance().reachabilityChanged.connect(self._tell)

    def _tell(self, reachability: QNetworkInformation.Reachability) -> None:
        self.changed.emit(reachability is not QNetworkInformation.Reachability.Disconnected)
