"""Claude's export: conversations with `chat_messages`; long pastes stand as attachments of a message (case B85)."""

from collections.abc import Iterator

from pydantic import JsonValue

from app.chats.faults import Fault, FaultKind
from app.chats.kinds.blocks import Blocks
from app.chats.kinds.kind import File, Format, Imported, first_time, title_of
from app.chats.kinds.tree import Node, made
from app.chats.messages import JsonObject
from app.core.entries import Origin
from app.core.parts import Part, TextPart, clean_text

_SENDERS = {"human": Origin.USER, "user": Origin.USER, "assistant": Origin.ASSISTANT, "system": Origin.SYSTEM}


def _detect(value: JsonValue) -> bool:
    return isinstance(value, dict) and isinstance(value.get("chat_messages"), list)


def _read(file: File) -> Iterator[Imported]:
    assert isinstance(file.json, dict)  # as detected
    messages = file.json["chat_messages"]
    assert isinstance(messages, list)
    blocks = Blocks()
    nodes: list[Node] = []
    is_tree = any(isinstance(raw, dict) and raw.get("parent_message_uuid") for raw in messages)
    for n, raw in enumerate(messages, 1):
        blocks.n = n
        if not isinstance(raw, dict):
            blocks.faults.append(Fault(kind=FaultKind.NOT_A_MESSAGE, n=n))
            continue
        key = str(raw.get("uuid") or n)
        parent = raw.get("parent_message_uuid") if is_tree else (nodes[-1].key if nodes else None)
        origin = _SENDERS.get(str(raw.get("sender")))
        if origin is None:
            blocks.faults.append(
                Fault(kind=FaultKind.UNKNOWN_ROLE, n=n, detail=clean_text(str(raw.get("sender"))))
            )
        parts = _parts(raw, blocks, file) if origin else []
        speeches = blocks.said(origin, parts, created_at=first_time(raw)) if origin else ()
        nodes.append(Node(key=key, parent=parent if isinstance(parent, str) else None, speeches=speeches))
    current = file.json.get("current_leaf_message_uuid")
    yield made(
        file,
        nodes,
        title=title_of({"name": file.json.get("name")}, file.name),
        originals=blocks.originals,
        faults=blocks.faults,
        created_at=first_time(file.json),
        current=current if isinstance(current, str) else None,
    )


def _parts(raw: JsonObject, blocks: Blocks, file: File) -> list[Part]:
    content, text = raw.get("content"), raw.get("text")
    parts = blocks.parts(content)
    if not parts:
        parts = blocks.parts(text if isinstance(text, str) else None)
    pasted, named = raw.get("attachments"), raw.get("files")
    for item in pasted if isinstance(pasted, list) else ():
        held = item.get("extracted_content") if isinstance(item, dict) else None
        if isinstance(held, str) and held:
            parts.append(TextPart(text=blocks.body(held), is_paste=True))
        elif isinstance(item, dict):
            parts.append(blocks.opaque("attachment", item))
    for item in named if isinstance(named, list) else ():
        if isinstance(item, dict):
            parts.append(_file(item, blocks, file))
    return parts


def _file(item: JsonObject, blocks: Blocks, file: File) -> Part:
    """A file that was sent along; the export rarely holds it, so that its name is all there is."""
    name = str(item.get("file_name") or item.get("file_uuid") or "")
    data = file.beside(name) if name else None
    ending = name.rpartition(".")[2].lower()
    mime = {
        "png": "image/png",
        "jpg": "image/jpeg",
        "jpeg": "image/jpeg",
        "gif": "image/gif",
        "webp": "image/webp",
    }
    found = blocks.picture(data, mime[ending]) if data and ending in mime else None
    if found is None:
        blocks.faults.append(Fault(kind=FaultKind.LOST_FILE, n=blocks.n, detail=clean_text(name)))
    return found or blocks.opaque("file", item)


CLAUDE = Format(id="claude", detect=_detect, read=_read)
