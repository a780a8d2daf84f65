"""What the tests of chats share: the conversations, an import without a store, and generated conversations."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import strategies as st
from pydantic import JsonValue

from app.chats.formats import Imported, read_chunks
from app.context.ports import ChatContents
from app.core.entries import Chat, Entry
from app.core.ids import ChatId, EntryId

CONVERSATIONS = sorted(
    (Path(__file__).parent.parent.parent / "data" / "conversations").glob("*.json"),
    key=lambda path: path.name,
)

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def conversation(name: str) -> Path:
    return next(path for path in CONVERSATIONS if path.stem == name)


def imported(value: JsonValue | bytes, *, name: str = "file.json") -> Imported:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    (found,) = read_chunks([data], name=name)
    return found


def stored(found: Imported) -> ChatContents:
    """The chat as a store gives it back."""
    depths: dict[EntryId | None, int] = {None: -1}
    entries: list[Entry] = []
    for rev, new in enumerate(found.entries, start=1):
        depths[new.id] = depths[new.parent_id] + 1
        entries.append(
            Entry(
                id=new.id,
                parent_id=new.parent_id,
                rev=rev,
                depth=depths[new.id],
                origin=new.origin,
                parts=new.parts,
                created_at=new.created_at or NOON,
                model=new.model,
                finish=new.finish,
                usage=new.usage,
                provider_fields=new.provider_fields,
            )
        )
    chat = Chat(
        id=ChatId("c"),
        title=found.title,
        created_at=found.created_at or NOON,
        updated_at=NOON,
        rev=len(entries),
        head=found.head,
        model=found.model,
        source=found.source,
    )
    return ChatContents(chat=chat, entries=tuple(entries), folds=(), pins=(), deletions=())


# Every character but half an emoji and NUL, which the border cleans.
texts = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=60
) | st.sampled_from(["", "x" * 50, "y" * 70_000, "```\n````\n```"])
values: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
_urls = st.sampled_from(
    [
        "https://example.org/a.png",
        "data:image/png;base64,iVBORw0KGgo=",
        "data:image/png;base64,iVBORw0KGgp=",  # bits that a second encoding would not give back
        "data:image/gif;base64,not base64!",
        "data:text/plain,x",
        "",
    ]
)


Strategy = st.SearchStrategy[JsonValue]


def _dict(optional: Mapping[str, Strategy] | None = None, **fields: Strategy) -> Strategy:
    return st.fixed_dictionaries(fields, optional=optional or {})


_any: Strategy = texts | values
_block: Strategy = (
    _dict(type=st.just("text"), text=texts)
    | _dict(image_url=_dict(url=_urls), type=st.just("image_url"))
    | values
)
_call: Strategy = (
    _dict(id=_any, type=st.just("function"), function=_dict(name=texts, arguments=_any)) | values
)
_blocks: Strategy = st.lists(_block, max_size=3)
_calls: Strategy = st.lists(_call, max_size=3)
_role: Strategy = st.sampled_from(["user", "assistant", "tool", "system", "developer", "function"])
_odd = {"content": _any, "tool_calls": values, "tool_call_id": _any, "name": _any, "refusal": values}
_usual = {"content": texts | _blocks, "reasoning_content": texts, "tool_calls": _calls, "tool_call_id": texts}


@st.composite
def _messages(draw: st.DrawFn) -> JsonValue:
    fields = draw(_dict(_usual, role=_role) | _dict(_odd, role=_role))
    assert isinstance(fields, dict)
    return {key: fields[key] for key in draw(st.permutations(list(fields)))}


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """A conversation file in some form and some style, odd messages among them."""
    messages: list[JsonValue] = [{"role": "user", "content": "first"}]
    messages += draw(st.lists(_messages() | values, max_size=6))
    value: JsonValue = messages
    if draw(st.booleans()):
        envelope: dict[str, JsonValue] = {
            **draw(st.dictionaries(texts, values, max_size=3)),
            "messages": messages,
        }
        value = {key: envelope[key] for key in draw(st.permutations(list(envelope)))}
    style = draw(
        st.sampled_from([(1, (",", ": ")), (4, (",", ": ")), ("\t", (",", ": ")), (None, (",", ":"))])
    )
    text = json.dumps(value, indent=style[0], separators=style[1], ensure_ascii=draw(st.booleans()))
    return (text + draw(st.sampled_from(["", "\n"]))).encode()
