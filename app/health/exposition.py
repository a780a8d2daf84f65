"""Metrics of chats as Prometheus reads them (A18): its text format is these few lines, so no library stands for them.

Names: no title and no word of a chat, only its id and its model.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from app.core.ids import ChatId, ModelId
from app.core.records import AlertKind, RequestKind, RequestRecord
from app.health.metrics import alerts_of, size

BUCKETS_S = (0.1, 0.5, 1, 2.5, 5, 10, 30)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def exposition(
    requests: Sequence[RequestRecord],
    windows: Mapping[ChatId, int],
    circles: Mapping[tuple[ChatId, ModelId], int],
) -> str:
    """
    Args:
        requests: Of all chats since the program began, oldest first, so that what is counted only grows.
        windows: Tokens, by chat; a chat that is missing has no thresholds.
        circles: How often a model of a chat was told that it goes round in them: no record of a request tells that.
    """
    answers: dict[tuple[ChatId, str], list[RequestRecord]] = {}
    alerts: Counter[tuple[ChatId, str, AlertKind]] = Counter()
    of_chat: dict[ChatId, list[RequestRecord]] = {}
    for item in requests:
        if item.kind is RequestKind.ANSWER:
            answers.setdefault((item.chat_id, item.model), []).append(item)
            of_chat.setdefault(item.chat_id, []).append(item)
    for chat_id, made in of_chat.items():
        models = {item.id: item.model for item in made}
        for alert in alerts_of(made, window_tokens=windows.get(chat_id, 0)):
            alerts[chat_id, models[alert.request], alert.kind] += 1
    for (chat_id, model), n in circles.items():
        alerts[chat_id, model, AlertKind.LOOP] += n
    lines = [
        *_head("context_tokens", "gauge", "Tokens of the last request."),
        *(_line("context_tokens", key, size(made[-1])) for key, made in answers.items()),
        *_head(
            "context_growth_tokens", "gauge", "Tokens of the last request more than of the one before it."
        ),
        *(
            _line("context_growth_tokens", key, size(made[-1]) - size(made[-2]))
            for key, made in answers.items()
            if len(made) > 1
        ),
        *_head("context_alerts_total", "counter", "What was worth a word."),
        *(
            _line("context_alerts_total", key, alerts[(*key, kind)], type=kind)
            for key in answers
            for kind in AlertKind
        ),
        *_head("time_to_first_token_seconds", "histogram", "From sending to the first token."),
        *(line for key, made in answers.items() for line in _histogram(key, made)),
    ]
    return "\n".join(lines) + "\n"


def _histogram(key: tuple[ChatId, str], made: Iterable[RequestRecord]) -> Iterator[str]:
    name = "time_to_first_token_seconds"
    times = [item.time_to_first_token_s for item in made if item.time_to_first_token_s is not None]
    for most_s in BUCKETS_S:
        yield _line(f"{name}_bucket", key, sum(time <= most_s for time in times), le=f"{most_s:g}")
    yield _line(f"{name}_bucket", key, len(times), le="+Inf")
    yield _line(f"{name}_sum", key, sum(times))
    yield _line(f"{name}_count", key, len(times))


def _head(name: str, kind: str, words: str) -> tuple[str, str]:
    return f"# HELP palimpsest_{name} {words}", f"# TYPE palimpsest_{name} {kind}"


def _line(name: str, key: tuple[ChatId, str], value: float, **more: str) -> str:
    labels = {"chat": key[0], "model": key[1], **more}
    shown = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
    return f"palimpsest_{name}{{{shown}}} {value:.10g}"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
