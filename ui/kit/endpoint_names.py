"""Names of endpoints for people: those that came with the program have one in each language."""

from PySide6.QtCore import QCoreApplication

from app.providers.templates import BUILTIN_ENDPOINTS
from app.settings import Endpoint


def endpoint_name(endpoint: Endpoint) -> str:
    is_ours = endpoint in BUILTIN_ENDPOINTS
    return QCoreApplication.translate("Endpoints", endpoint.name) if is_ours else endpoint.name
