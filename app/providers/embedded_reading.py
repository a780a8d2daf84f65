"""How the embedded model calls a tool: of the files that a question names it chooses one to read, or none (Q1).

With `tools` in its request a model of 135M weights answers in words, whatever was asked. Held by a grammar to what the
question itself names it chooses well enough: of ten questions with a name or something like it, the file of five of six,
and none for two of four. A name that is no file costs one failed reading. Which tool of several it can't tell.
"""

import json
import re

from app.core.events import ToolCallArrived
from app.core.parts import Blob, Body, TextPart, ToolResultPart
from app.core.requests import Message, Prelude, Request, Role, Sampling
from app.providers.translate import Blobs

_READ = "file_read"
TOOLS = (_READ, "list_files")
"""What it is given; the second is never called, and tells that the person has chosen a folder."""
_NONE = "none"
_NAMED = re.compile(r"[\w~./-]*[./][\w~-]+")
_MOST_NAMES = 8
_MOST_CHARS = 12_000
"""Of what was read: with the conversation it has to fit into 8,192 tokens."""
_SYSTEM = "Which file must be read to answer? Say none if the question is not about a file."
_EXAMPLES = (
    ("What does plan.txt say about the budget?", "plan.txt"),
    ("Is Node.js older than Python 3.0?", _NONE),
    ("Read src/main.py and explain it.", "src/main.py"),
    ("Round 3.75 to one digit.", _NONE),
    ("Summarise README.md", "README.md"),
)


def names_in(request: Request, question: str) -> tuple[str, ...]:
    """What of a new question may be a file; empty where the person has chosen no folder, or it was looked up."""
    offered = {tool.name for tool in request.prelude.tools}
    if not offered.issuperset(TOOLS) or request.messages[-1].role is not Role.USER:
        return ()
    return tuple(dict.fromkeys(_NAMED.findall(question)))[:_MOST_NAMES]


def choosing(request: Request, question: str) -> Request:
    """The question which file is to be read, after examples; `form_of` says how it is answered."""
    turns = [(Role.USER, question)]
    for asked, file in reversed(_EXAMPLES):
        turns[:0] = [(Role.USER, asked), (Role.ASSISTANT, json.dumps({"file": file}))]
    messages = tuple(Message(role=role, parts=(TextPart(text=text),)) for role, text in turns)
    sampling = Sampling(max_tokens=60, temperature=0.0)
    return Request(model=request.model, prelude=Prelude(system=_SYSTEM), messages=messages, sampling=sampling)


def form_of(names: tuple[str, ...]) -> dict[str, object]:
    """The schema that the answer to `choosing` is held to."""
    file = {"enum": [*names, _NONE]}
    schema = {"type": "object", "properties": {"file": file}, "required": ["file"]}
    return {"type": "json_schema", "json_schema": {"schema": schema}}


def call_of(answer: str, request: Request) -> ToolCallArrived | None:
    """The call that an answer to `choosing` comes to; None: it wants none, or was cut off."""
    try:
        file = json.loads(answer)["file"]
    except (ValueError, LookupError, TypeError):
        return None
    if file == _NONE:
        return None
    call_id = f"call_{len(request.messages)}"
    return ToolCallArrived(index=0, call_id=call_id, name=_READ, arguments=json.dumps({"paths": [file]}))


def read_before(messages: tuple[Message, ...], blobs: Blobs) -> str:
    """What the calls after the newest message of the person gave, cut; empty: nothing."""
    texts: list[str] = []
    for message in reversed(messages):
        if message.role is Role.USER:
            break
        texts[:0] = [
            _text(part.text, blobs)
            for part in message.parts
            if isinstance(part, ToolResultPart) and not part.is_error
        ]
    return "\n".join(texts)[:_MOST_CHARS]


def _text(body: Body, blobs: Blobs) -> str:
    return blobs[body.sha256].decode(errors="replace") if isinstance(body, Blob) else body
