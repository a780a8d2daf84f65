import base64
import json
import random
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.parts import Blob, MediaPart, TextPart, ToolCallPart, ToolResultPart
from app.tokens.estimate import estimate, estimate_part
from app.tokens.exact import Vocabularies, vocabulary_folder

CONVERSATIONS = sorted((Path(__file__).parents[2] / "data" / "conversations").glob("*.json"))
RANDOM = random.Random(1)
RECORDS = [{"id": i, "name": f"user{i}", "email": f"u{i}@example.com", "ok": True} for i in range(500)]
INPUTS = {
    "chinese": "今天天气很好，我们去公园散步。" * 2000,
    "one Han": "汉" * 5000,
    "rare Han": "".join(chr(RANDOM.randrange(0x20000, 0x2A6D0)) for _ in range(3000)),
    "families": "👨‍👩‍👧‍👦" * 500,
    "emoji": "😀🎉🚀❤️👍🏽" * 300,
    "JSON": json.dumps(RECORDS),
    "base64": base64.b64encode(RANDOM.randbytes(30_000)).decode(),
    "Japanese": "今日はとても天気がいいので、公園を散歩しました。" * 200,
    "Korean": "오늘은 날씨가 좋아서 공원에서 산책했습니다. " * 200,
    "Russian": "Сегодня хорошая погода, и мы пошли гулять в парк. " * 200,
    "English": "The weather is fine today, and we went for a walk in the park. " * 200,
}


@pytest.fixture(scope="module")
def vocabularies() -> Vocabularies:
    folder = vocabulary_folder()
    assert folder
    return Vocabularies(folder)


def no_media(part: MediaPart) -> int:
    raise AssertionError(part)


@pytest.mark.parametrize("name", INPUTS)
def test_the_estimate_is_near_the_exact_count_whatever_the_script(
    name: str, vocabularies: Vocabularies
) -> None:
    """Case B23: chars ÷ 4 said a quarter of what Chinese has."""
    text = INPUTS[name]

    assert 0.8 <= estimate(text) / vocabularies.count(text, "o200k") <= 1.5


@pytest.mark.parametrize("path", CONVERSATIONS, ids=lambda path: path.stem)
def test_the_estimate_of_a_real_conversation_is_near_its_count(
    path: Path, vocabularies: Vocabularies
) -> None:
    messages = json.loads(path.read_text(encoding="utf-8"))["messages"]
    texts = [m["content"] for m in messages if isinstance(m.get("content"), str)]
    texts += [call["function"]["arguments"] for m in messages for call in m.get("tool_calls") or ()]

    estimated = sum(map(estimate, texts))

    assert 0.85 <= estimated / sum(vocabularies.count(text, "o200k") for text in texts) <= 1.4


def test_an_image_costs_what_its_formula_says_and_never_its_bytes() -> None:
    """Case B24. Trap: images counted as text."""
    image = MediaPart(
        source=Blob(sha256="0" * 64, n_bytes=1_200_000, mime="image/png", name="a.png"), mime="image/png"
    )

    assert estimate_part(image, lambda _: 765) == 765


def test_a_text_in_the_vault_is_estimated_by_its_size() -> None:
    log = Blob(sha256="0" * 64, n_bytes=400_000, mime="text/plain", name="log")
    data = Blob(sha256="0" * 64, n_bytes=220_000, mime="application/json", name="data")

    assert estimate_part(TextPart(text=log), no_media) == 100_000
    assert estimate_part(ToolResultPart(call_id="1", name="read", text=data), no_media) == 100_000


def test_a_call_counts_its_name_too() -> None:
    call = ToolCallPart(call_id="1", name="read_file", arguments="{}")

    assert estimate_part(call, no_media) == estimate("read_file") + estimate("{}")


def test_nothing_is_no_token_and_a_lone_surrogate_is_one() -> None:
    assert estimate("") == 0
    assert estimate("\ud800") == 1


@given(st.text(alphabet="ab 1\n{汉👪é", max_size=300), st.text(alphabet="ab 1\n{汉👪é"))
def test_typing_on_never_lowers_the_estimate(first: str, second: str) -> None:
    assert estimate(first + second) >= estimate(first)


def test_a_text_takes_no_more_than_twice_what_finding_its_words_takes() -> None:
    """1.3 ms for a hundred kilobytes where a machine has nothing else to do; told in its own measure."""
    text = (INPUTS["chinese"] + INPUTS["English"] * 10)[:60_000]
    took: list[float] = []

    for _ in range(5):
        began_s = time.process_time()
        re.findall(r"\w+", text)
        words_s = time.process_time() - began_s
        began_s = time.process_time()
        estimate(text)
        took.append((time.process_time() - began_s) / words_s)

    assert min(took) < 2
