"""The built-in responder: no language model; it answers with sentences of the conversation (Q1, A3).

In this process, always there, and the same answer to the same conversation. Where it has tools it looks first: in
what was folded out of sight, or else in the files of the workspace.
"""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from itertools import pairwise

from app.core.entries import Finish
from app.core.events import Accepted, Finished, GatewayEvent, TextArrived, ToolCallArrived, UsageReported
from app.core.parts import Blob, Body, TextPart, ToolResultPart
from app.core.requests import Message, Request, Role
from app.core.usage import Usage
from app.providers.translate import Blobs
from app.vault.address import find_addresses

BEST = 3
"""How many sentences an answer quotes."""
_MOST_WORDS, _MOST_PATHS = 12, 8
_SLICE = 500
"""Sentences ranked at a stretch: about 2 ms."""

_ENGLISH = (
    "I am the built-in responder, not a language model: I can only quote this conversation.",
    "These sentences have most in common with your message:",
    "Nothing in this conversation shares a word with your message. Set up a provider for real answers.",
)
_CHINESE = (
    "我是内置应答器，不是语言模型，只能引用本对话中的文字。",
    "与你的消息最接近的句子：",
    "本对话中没有与你的消息相关的内容。要得到真正的回答，请先设置一个模型服务商。",
)
_STOP_WORDS = frozenset(
    re.findall(
        r"[a-z]+|[\u3400-\u9fff]",
        "a an and are as at be but by can did do does for from had has have how i in is it its me my of on or "
        "our please she so that the their them there they this to was we were what when where which who why "
        "will with would you your tell 的了是在我你他她它们和与吗呢吧啊什么怎哪请有就都也不这那",
    )
)
_WORD = re.compile(r"[a-z0-9][a-z0-9_./:-]*[a-z0-9]|[a-z0-9]|[\u3400-\u9fff]", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?。！？\n]*(?:[.!?。！？]+(?=\s|$|[\u3400-\u9fff])|[.!?](?=\S)[^.!?。！？\n]*)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    score: float
    place: int
    sentence: str


async def stream(request: Request, blobs: Blobs) -> AsyncGenerator[GatewayEvent, None]:
    """An answer in small pieces, as a model's would come."""
    yield Accepted()
    question = _question(request, blobs)
    if call := _call(request, question, blobs):
        yield call
        yield UsageReported(usage=_usage(request, blobs, call.arguments))
        yield Finished(finish=Finish.TOOL_CALLS)
        return
    intro, lead, nothing = _CHINESE if is_chinese(question) else _ENGLISH
    found = await _best(question, _conversation(request, blobs))
    lines = [f"{lead}\n", *(f"- {item.sentence}" for item in found)] if found else [nothing]
    answer = "\n".join((f"{intro}\n", *lines))
    for at in range(0, len(answer), 24):
        yield TextArrived(text=answer[at : at + 24])
        await asyncio.sleep(0)  # others run between
    yield UsageReported(usage=_usage(request, blobs, answer))
    yield Finished(finish=Finish.STOP)


def _call(request: Request, question: str, blobs: Blobs) -> ToolCallArrived | None:
    """Where to look for the words of the question, once, before it is answered; None: nowhere, or it did."""
    from app.vault.reading import question_words  # no first paint waits for its patterns

    words = question_words(question)[:_MOST_WORDS]
    if not words or request.messages[-1].role is not Role.USER:
        return None
    offered = {tool.name for tool in request.prelude.tools}
    pattern = "|".join(map(re.escape, words))
    texts = (text for message in reversed(request.messages[:-1]) for text in _texts(message, blobs))
    hidden = dict.fromkeys(str(where) for text in texts for where in find_addresses(text))
    if hidden and "file_read" in offered:
        name, arguments = "file_read", {"paths": list(hidden)[:_MOST_PATHS], "pattern": pattern}
    elif "search_files" in offered:
        name, arguments = "search_files", {"pattern": pattern, "ignore_case": True}
    else:
        return None
    return ToolCallArrived(
        index=0, call_id=f"call_{len(request.messages)}", name=name, arguments=json.dumps(arguments)
    )


def is_chinese(text: str) -> bool:
    """Whether a good part of `text` is written in Han characters."""
    n_han = sum("\u3400" <= character <= "\u9fff" for character in text)
    return n_han * 4 >= max(1, len(text.strip()))


def terms(text: str) -> frozenset[str]:
    """What a sentence is about: words without the common ones; pairs of neighbours where Han is written."""
    words = [word.casefold() for word in _WORD.findall(text)]
    single = {word for word in words if word not in _STOP_WORDS and not "\u3400" <= word <= "\u9fff"}
    pairs = {
        first + second
        for first, second in pairwise(words)
        if "\u3400" <= first <= "\u9fff" and "\u3400" <= second <= "\u9fff"
        if not (first in _STOP_WORDS and second in _STOP_WORDS)
    }
    return frozenset(single | pairs)


async def _best(question: str, conversation: Iterator[str]) -> list[_Found]:
    """The sentences nearest to `question`, in the order they were said; of equals the newest."""
    wanted = terms(question)
    found: dict[str, _Found] = {}
    for place, sentence in enumerate(conversation):
        if place % _SLICE == _SLICE - 1:
            await asyncio.sleep(0)
        has = terms(sentence)
        shared = sum(min(len(term), 8) for term in wanted & has)  # long words say more
        if shared and sentence != question.strip():
            score = shared / (1 + len(has) / 40)
            found[sentence] = _Found(score=score, place=place, sentence=sentence)
    best = sorted(found.values(), key=lambda item: (-item.score, -item.place))[:BEST]
    return sorted(best, key=lambda item: item.place)


def _question(request: Request, blobs: Blobs) -> str:
    last = next((message for message in reversed(request.messages) if message.role is Role.USER), None)
    return "\n".join(_texts(last, blobs)) if last else ""


def _conversation(request: Request, blobs: Blobs) -> Iterator[str]:
    """Every sentence but the question's, and what this responder said itself."""
    asked = next((item for item in reversed(request.messages) if item.role is Role.USER), None)
    for message in (item for item in request.messages if item is not asked):
        for text in _texts(message, blobs):
            if text.startswith((_ENGLISH[0], _CHINESE[0])):
                continue
            for match in _SENTENCE.finditer(text):
                if sentence := match[0].strip()[:600]:
                    yield sentence


def _texts(message: Message, blobs: Blobs) -> Iterator[str]:
    for part in message.parts:
        if isinstance(part, TextPart | ToolResultPart):
            yield _text(part.text, blobs)


def _text(body: Body, blobs: Blobs) -> str:
    return blobs[body.sha256].decode(errors="replace") if isinstance(body, Blob) else body


def _usage(request: Request, blobs: Blobs, answer: str) -> Usage:
    """Words stand for tokens here: nothing is billed, and the figure only has to grow with the text."""
    n_prompt = sum(
        len(_WORD.findall(text)) for message in request.messages for text in _texts(message, blobs)
    ) + len(_WORD.findall(request.prelude.system))
    return Usage(prompt_tokens=n_prompt, completion_tokens=len(_WORD.findall(answer)))
