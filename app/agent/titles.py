"""A chat's title: from the first message, at no cost where that says enough, else asked of a model (A17)."""

import re

from app.core.ids import ModelId
from app.core.parts import TextPart
from app.core.requests import Message, Prelude, Request, Role, Sampling

_LOOKED_AT = 2_000
"""Characters that are read at most, so that a pasted book costs no more than a line."""
_LONGEST = 60
_FENCE = re.compile(r"```[^\n`]*\n.*?(?:```|\Z)", re.DOTALL)
_NOISE = re.compile(r"<think>.*?(?:</think>|\Z)|<[^<>]{1,200}>|https?://\S+|data:\S+", re.DOTALL)
_SECRET = re.compile(r"\b(?:sk|pk|ghp|gho|xox[abp]|AKIA)[-_A-Za-z0-9]{12,}|\b[A-Za-z0-9+/_-]{40,}\b")
_LANGUAGE = re.compile(r"```([A-Za-z+#]{1,20})")

_ASK = (
    "Give the conversation that this message opens a title of at most six words, in its language. "
    "Answer with the title only.\n\n"
)


def without_noise(text: str) -> str:
    """What of `text` can name a chat: no code, links, markup, thinking or secrets; one line."""
    text = _FENCE.sub(" ", text[:_LOOKED_AT])
    text = _SECRET.sub(" ", _NOISE.sub(" ", text))
    return " ".join(text.split())


def local_title(text: str) -> str:
    """A title made here: the first sentence's beginning, or what kind of thing was pasted. Never empty."""
    plain = without_noise(text)
    if len(plain) < 5:
        language = _LANGUAGE.search(text[:_LOOKED_AT])
        if language:
            return f"{language[1].capitalize()} snippet"
        return plain or "Untitled"
    sentence = re.split(r"(?<=[.!?。！？])\s|[。！？\n]", plain, maxsplit=1)[0].strip(" #*_`>-")
    if len(sentence) <= _LONGEST:
        return sentence.rstrip(".。") or plain[:_LONGEST]
    cut = sentence[:_LONGEST]
    return (cut.rsplit(" ", 1)[0] if " " in cut[20:] else cut).rstrip(",;:，；：") + "…"


def title_request(model: ModelId, text: str) -> Request | None:
    """What to ask a model for a title; None where too little is left to ask about."""
    plain = without_noise(text)
    if len(plain) < 5:
        return None
    message = Message(role=Role.USER, parts=(TextPart(text=_ASK + plain),))
    return Request(
        model=model, prelude=Prelude(system=""), messages=(message,), sampling=Sampling(max_tokens=40)
    )


def as_title(answer: str) -> str:
    """A model's answer as a title; empty where it gave none that can be used."""
    lines = [line.strip(" \t#*_\"'“”«»`.。") for line in _NOISE.sub(" ", answer).splitlines()]
    title = next((line for line in lines if line), "")
    return title if len(title) <= 2 * _LONGEST else ""
