"""ChatGPT's export: a tree of nodes under `mapping`; pictures lie as files beside it, in the ZIP."""

from collections.abc import Iterator
from datetime import datetime

from pydantic import JsonValue

from app.chats.faults import Fault, FaultKind
from app.chats.kinds.blocks import Blocks
from app.chats.kinds.kind import File, Format, Imported, time_of, title_of
from app.chats.kinds.tree import Node, Speech, made
from app.chats.messages import ORIGINS, JsonObject
from app.chats.originals import text_of
from app.core.entries import Origin
from app.core.ids import ModelId
from app.core.parts import Part, TextPart, ThinkingPart, clean_text

_THOUGHTS = ("thoughts", "reasoning_recap")
_MIMES = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif", b"RIFF": "image/webp"}


def _detect(value: JsonValue) -> bool:
    return isinstance(value, dict) and isinstance(value.get("mapping"), dict)


def _read(file: File) -> Iterator[Imported]:
    assert isinstance(file.json, dict)  # as detected
    mapping = file.json["mapping"]
    assert isinstance(mapping, dict)
    reader = _Reader(file, mapping)
    nodes = [
        node for key, raw in mapping.items() if isinstance(raw, dict) and (node := reader.node(key, raw))
    ]
    current = file.json.get("current_node")
    yield made(
        file,
        reader.whole(nodes),
        title=title_of(file.json, file.name) if isinstance(file.json.get("title"), str) else file.name,
        originals=reader.blocks.originals,
        faults=reader.blocks.faults,
        created_at=time_of(file.json.get("create_time")),
        current=current if isinstance(current, str) else None,
    )


class _Reader:
    def __init__(self, file: File, mapping: JsonObject) -> None:
        self.blocks = Blocks()
        self._file, self._mapping = file, mapping
        self._thoughts: dict[str, list[Part]] = {}
        """Of nodes that hold nothing but reasoning, for the answer that follows."""

    def node(self, key: str, raw: JsonObject) -> Node | None:
        parent = raw.get("parent")
        message = raw.get("message")
        parts: tuple[Speech, ...] = ()
        if isinstance(message, dict):
            self.blocks.n += 1
            parts = self._speeches(key, message)
        return Node(key=key, parent=parent if isinstance(parent, str) else None, speeches=parts)

    def whole(self, nodes: list[Node]) -> list[Node]:
        """The nodes; a parent that a node doesn't name is found by its children, and reasoning joins its answer."""
        parents: dict[str, str] = {}
        for key, raw in self._mapping.items():
            below = raw.get("children") if isinstance(raw, dict) else None
            for child in below if isinstance(below, list) else ():
                if isinstance(child, str):
                    parents.setdefault(child, key)
        named = [
            Node(key=node.key, parent=node.parent or parents.get(node.key), speeches=node.speeches)
            for node in nodes
        ]
        return list(self._joined(named))

    def _joined(self, nodes: list[Node]) -> Iterator[Node]:
        below: dict[str | None, list[Node]] = {}
        for node in nodes:
            below.setdefault(node.parent, []).append(node)
        carried: dict[str, list[Part]] = {}
        by_key = {node.key: node for node in nodes}
        for node in nodes:
            if node.key in self._thoughts and self._next_speaks(node, below):
                carried[node.key] = self._thoughts[node.key]
        for node in nodes:
            if node.key in carried:
                yield Node(key=node.key, parent=node.parent, speeches=())
                continue
            before: list[Part] = []
            at, seen = node.parent, set[str]()
            while at in carried and at not in seen:
                seen.add(at)
                before[:0] = carried[at]
                at = by_key[at].parent
            yield _with_thoughts(node, before)

    def _next_speaks(self, node: Node, below: dict[str | None, list[Node]]) -> bool:
        """Whether an answer of the assistant follows, and nothing else, so that reasoning can stand in it."""
        seen = {node.key}
        while len(following := below.get(node.key, ())) == 1:
            node = following[0]
            if node.key in seen:
                return False
            seen.add(node.key)
            if node.key not in self._thoughts:
                return bool(node.speeches) and node.speeches[0].origin is Origin.ASSISTANT
        return False

    def _speeches(self, key: str, message: JsonObject) -> tuple[Speech, ...]:
        author, content = message.get("author"), message.get("content")
        role = author.get("role") if isinstance(author, dict) else None
        origin = ORIGINS.get(role) if isinstance(role, str) else None
        if origin is None:
            self.blocks.faults.append(
                Fault(kind=FaultKind.UNKNOWN_ROLE, n=self.blocks.n, detail=str(role or ""))
            )
            return ()
        name = author.get("name") if isinstance(author, dict) else None
        at = time_of(message.get("create_time"))
        model = _model(message)
        held = content if isinstance(content, dict) else _plain(content)
        kind = held.get("content_type")
        recipient = message.get("recipient")
        if origin is Origin.ASSISTANT and _is_tool(recipient):
            call = self.blocks.call(key, recipient, _text(held))
            return self.blocks.said(origin, [call], created_at=at, model=model)
        parts = self._parts(held)
        if origin is Origin.TOOL:
            return self._result(key, parts, name, at=at)
        if kind in _THOUGHTS:
            self._thoughts[key] = parts
        return self.blocks.said(origin, parts, created_at=at, model=model)

    def _result(
        self, key: str, parts: list[Part], name: JsonValue, *, at: datetime | None
    ) -> tuple[Speech, ...]:
        texts = [
            text_of(part.text, self.blocks.originals.bytes_of) for part in parts if isinstance(part, TextPart)
        ]
        others = [part for part in parts if not isinstance(part, TextPart)]
        if not texts and not others:
            return ()
        found = self.blocks.result(self._call_above(key), "\n\n".join(texts), name=name)
        return (Speech(origin=Origin.TOOL, parts=(*found, *others), created_at=at),)

    def _call_above(self, key: str) -> str:
        """The node of the call that a result answers; the one before, or before other results of it."""
        seen: set[str] = set()
        while key not in seen:
            seen.add(key)
            node = self._mapping.get(key)
            above = node.get("parent") if isinstance(node, dict) else None
            parent = self._mapping.get(above) if isinstance(above, str) else None
            message = parent.get("message") if isinstance(parent, dict) else None
            if not isinstance(above, str) or not isinstance(message, dict):
                break
            if _is_tool(message.get("recipient")):
                return above
            author = message.get("author")
            if not isinstance(author, dict) or author.get("role") != "tool":
                break
            key = above
        return "none"

    def _parts(self, content: JsonObject) -> list[Part]:
        kind = content.get("content_type")
        match kind:
            case "text" | "multimodal_text" | None:
                parts = content.get("parts")
                held = parts if isinstance(parts, list) else [_text(content)]
                return [part for item in held for part in self._part(item)]
            case "code" | "execution_output" | "system_error" | "tether_quote" | "tether_browsing_display":
                return self.blocks.parts(_text(content))
            case "thoughts":
                return list(self._reasoning(content.get("thoughts")))
            case "reasoning_recap":
                return []  # "Thought for 8 seconds"
            case "user_editable_context" | "model_editable_context":
                names = ("user_profile", "user_instructions", "model_set_context")
                texts = [text for name in names if isinstance(text := content.get(name), str) and text]
                return self.blocks.parts("\n\n".join(texts))
            case _:
                return [self.blocks.opaque(str(kind), content)]

    def _reasoning(self, thoughts: JsonValue) -> Iterator[Part]:
        for item in thoughts if isinstance(thoughts, list) else ():
            if isinstance(item, dict):
                texts = [text for name in ("summary", "content") if isinstance(text := item.get(name), str)]
                if any(texts):
                    yield ThinkingPart(text=self.blocks.body("\n\n".join(filter(None, texts))))

    def _part(self, item: JsonValue) -> list[Part]:
        match item:
            case {"content_type": "image_asset_pointer", "asset_pointer": str(pointer)}:
                return [self._picture(pointer, item)]
            case {"content_type": "audio_transcription", "text": str(text)}:
                return self.blocks.parts(text)
            case {"content_type": str(kind)}:
                return [self.blocks.opaque(kind, item)]
            case _:
                return self.blocks.parts(item)

    def _picture(self, pointer: str, item: JsonObject) -> Part:
        """`file-service://file-X` and `sediment://file_X` name a file that begins so."""
        data = self._file.beside(pointer.rpartition("//")[2])
        mime = next((mime for start, mime in _MIMES.items() if data and data.startswith(start)), "")
        found = self.blocks.picture(data, mime) if data and mime else None
        if found is None:
            self.blocks.faults.append(
                Fault(kind=FaultKind.LOST_FILE, n=self.blocks.n, detail=clean_text(pointer))
            )
        return found or self.blocks.opaque("image_asset_pointer", item)


def _with_thoughts(node: Node, before: list[Part]) -> Node:
    if not before or not node.speeches:
        return node
    first, *rest = node.speeches
    joined = Speech(
        origin=first.origin,
        parts=(*before, *first.parts),
        created_at=first.created_at,
        model=first.model,
    )
    return Node(key=node.key, parent=node.parent, speeches=(joined, *rest))


def _plain(content: JsonValue) -> JsonObject:
    return {"content_type": "text", "parts": [content] if isinstance(content, str) else []}


def _is_tool(recipient: JsonValue) -> bool:
    return isinstance(recipient, str) and recipient not in ("all", "", "assistant")


def _text(content: JsonObject) -> str:
    for name in ("text", "result"):
        if isinstance(found := content.get(name), str):
            return found
    parts = content.get("parts")
    return "\n\n".join(item for item in parts if isinstance(item, str)) if isinstance(parts, list) else ""


def _model(message: JsonObject) -> ModelId | None:
    metadata = message.get("metadata")
    slug = metadata.get("model_slug") if isinstance(metadata, dict) else None
    return ModelId(f"chatgpt/{clean_text(slug)}") if isinstance(slug, str) and slug else None


CHATGPT = Format(id="chatgpt", detect=_detect, read=_read)
