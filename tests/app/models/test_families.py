import pytest

from app.core.parts import Blob, MediaPart
from app.models.families import (
    ANTHROPIC,
    OPENAI,
    UNKNOWN,
    Cache,
    CacheKind,
    Family,
    Replay,
    cache_minimum,
    family_of,
    media_tokens,
)
from app.models.registry import ModelFacts


@pytest.mark.parametrize(
    ("kind", "name", "family"),
    [
        ("openai", "gpt-4o-2024-08-06", "openai"),
        ("openai", "gpt-5.1", "openai-reasoning"),
        ("openai", "o3-mini", "openai-reasoning"),
        ("anthropic", "claude-sonnet-4-20250514", "anthropic"),
        ("openrouter", "anthropic/claude-sonnet-4.5", "anthropic"),
        ("bedrock", "us.anthropic.claude-opus-4-5-20251101-v1:0", "anthropic"),
        ("gemini", "models/gemini-2.5-pro", "gemini"),
        ("gemini", "gemini-3-pro-preview", "gemini-3"),
        ("ollama", "gemma3:4b", "gemma"),
        ("deepseek", "deepseek-chat", "deepseek"),
        ("dashscope", "qwen-plus", "qwen"),
        ("zai", "glm-4.6", "glm"),
        ("moonshot", "kimi-k2.5", "kimi"),
        ("compatible", "xiaomi/mimo-v2-flash", "mimo"),
        ("minimax", "MiniMax-M2", "minimax"),
        ("xai", "grok-4.3", "grok"),
        ("mistral", "codestral-2508", "mistral"),
        ("ollama", "llama3:8b", "llama"),
        ("groq", "openai/gpt-oss-120b", "gpt-oss"),
        ("compatible", "not-claude", "unknown"),
        ("compatible", "my-gpt-notes", "unknown"),
        ("builtin", "extractive", "unknown"),
    ],
)
def test_a_model_belongs_to_the_family_that_its_whole_name_says(kind: str, name: str, family: str) -> None:
    """A5: not by the first substring that fits."""
    assert family_of(kind, name).id == family


def test_a_cache_is_counted_on_only_where_it_is() -> None:
    assert family_of("anthropic", "claude-sonnet-4-5").cache.kind is CacheKind.MARKERS
    assert family_of("compatible", "claude-sonnet-4-5").cache == Cache()
    assert family_of("ollama", "qwen3:8b").cache == Cache()


@pytest.mark.parametrize(
    ("name", "minimum"),
    [
        ("claude-sonnet-4-5", 1024),
        ("claude-opus-4-5-20251101", 4096),
        ("claude-opus-4.6", 4096),
        ("claude-opus-4-7", 2048),
        ("claude-3-5-haiku-latest", 2048),
    ],
)
def test_the_smallest_cached_prompt_depends_on_the_model(name: str, minimum: int) -> None:
    """P3."""
    assert cache_minimum(family_of("anthropic", name), name, ModelFacts()) == minimum


def test_the_registry_knows_the_smallest_cached_prompt_better() -> None:
    assert cache_minimum(ANTHROPIC, "claude-opus-5", ModelFacts(cache_minimum_tokens=512)) == 512


@pytest.mark.parametrize(
    ("name", "replay"),
    [
        ("claude-sonnet-4-5", Replay.LOOP),
        ("claude-opus-4-20250514", Replay.LOOP),
        ("claude-opus-4-1", Replay.LOOP),
        ("claude-3-opus-latest", Replay.LOOP),
        ("claude-opus-4-5@20251101", Replay.ALWAYS),
        ("us.anthropic.claude-opus-4-5-20251101-v1:0", Replay.ALWAYS),
        ("anthropic/claude-opus-4.6", Replay.ALWAYS),
        ("claude-opus-4-8", Replay.ALWAYS),
        ("claude-opus-5", Replay.ALWAYS),
        ("claude-sonnet-4-6", Replay.ALWAYS),
        ("claude-sonnet-5", Replay.ALWAYS),
        ("claude-haiku-4-5", Replay.LOOP),
        ("claude-haiku-5-5", Replay.ALWAYS),
        ("claude-fable-5", Replay.ALWAYS),
    ],
)
def test_signed_thinking_goes_back_within_the_tool_loop_or_for_good(name: str, replay: Replay) -> None:
    """S1: what the provider itself leaves out is not sent again; what it keeps is, since its cache holds it."""
    family = family_of("anthropic", name)
    thinking = family.thinking

    assert (family.id, thinking.replay, thinking.is_signed) == ("anthropic", replay, True)
    assert thinking.is_left_out is (replay is Replay.LOOP)


@pytest.mark.parametrize(
    ("name", "is_bound", "has_budget"),
    [
        ("claude-opus-4-5", False, True),
        ("claude-opus-4-6", False, False),
        ("claude-sonnet-4-6", False, False),
        ("claude-opus-5-20260801", False, False),
        ("claude-fable-5", False, False),
        ("claude-fable-5-1", True, False),
        ("claude-opus-5-5", True, False),
        ("us.anthropic.claude-sonnet-5-5-v1:0", True, False),
        ("claude-haiku-5.5", True, False),
        ("claude-opus-6", True, False),
        ("claude-opus-latest", True, False),
    ],
)
def test_what_binds_thinking_to_what_stood_before_it_is_known_by_name(
    name: str, is_bound: bool, has_budget: bool
) -> None:
    """S1: https://platform.claude.com/docs/en/build-with-claude/preserved-thinking"""
    thinking = family_of("anthropic", name).thinking

    assert (thinking.is_bound, thinking.has_budget) == (is_bound, has_budget)


def image(width: int, height: int, mime: str = "image/png", n_bytes: int = 1_200_000) -> MediaPart:
    blob = Blob(sha256="0" * 64, n_bytes=n_bytes, mime=mime, name="a")
    return MediaPart(source=blob, mime=mime, width_px=width, height_px=height)


@pytest.mark.parametrize(
    ("family", "size", "tokens"),
    [
        (OPENAI, (512, 512), 255),
        (OPENAI, (1024, 1024), 765),
        (OPENAI, (4096, 2048), 85 + 170 * 6),
        (ANTHROPIC, (750, 100), 100),
        (ANTHROPIC, (4000, 3000), 1600),
        (family_of("gemini", "gemini-2.5-pro"), (384, 384), 258),
        (family_of("gemini", "gemini-2.5-pro"), (1500, 700), 516),
        (UNKNOWN, (280, 280), 100),
        (OPENAI, (0, 0), 765),
        (ANTHROPIC, (0, 0), 1600),
    ],
)
def test_an_image_costs_what_its_provider_charges(family: Family, size: tuple[int, int], tokens: int) -> None:
    """Case B24: 1.2 MB of base64 were counted as 398,000 tokens."""
    assert media_tokens(family, image(*size)) == tokens


def test_a_sound_costs_by_its_length_and_not_its_base64() -> None:
    assert (
        media_tokens(family_of("gemini", "gemini-2.5-pro"), image(0, 0, mime="audio/mp3", n_bytes=1_600_000))
        == 3200
    )


def test_what_a_model_does_not_take_costs_the_sentence_that_goes_out_for_it() -> None:
    """S2: a chat of screenshots at a model of text only was folded far below its target."""
    picture = image(900, 563)

    assert media_tokens(family_of("deepseek", "deepseek-chat"), picture) < 60 < media_tokens(OPENAI, picture)
