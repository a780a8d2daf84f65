"""Who writes a summary, in which parts, and which answers count."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.ports import Reply
from app.context.summary.fields import KeptSummary
from app.context.summary.writer import (
    Asking,
    Choice,
    Offer,
    Way,
    Written,
    answer_room,
    choose_writer,
    in_parts,
    why_not,
    write_summary,
)
from app.core.entries import Finish
from app.core.errors import ContextTooLong, RateLimited
from app.tokens.estimate import estimate
from tests.app.context.summary.making import FILLER, PROMPTS, ScriptedWriter, answer, case, reply
from tests.fakes import FakeClock

_ASKING = Asking(prompt=PROMPTS["summary.en"], language="en", language_name="English")
_MAIN = Offer(window_tokens=200_000, input_price=3.0)


async def _write(writer: ScriptedWriter, texts: list[str], former: KeptSummary | None = None) -> Written:
    return await write_summary(
        texts, _ASKING, writer=writer, clock=FakeClock(), count=estimate, former=former
    )


# ---- which model


def test_a_warm_prefix_is_cheapest_when_its_tokens_are() -> None:
    """C17."""
    lite = Offer(window_tokens=200_000, input_price=1.0)

    warm = choose_writer(
        90_000, main=_MAIN, lite=lite, prefix_tokens=100_000, cached_tokens=99_000, cached_price=0.3
    )
    cold = choose_writer(90_000, main=_MAIN, lite=lite, prefix_tokens=100_000)

    assert (warm.way, warm.cost) == (Way.WARM, 99_000 * 0.3 + 1_000 * 3.0)
    assert (cold.way, cold.cost) == (Way.LITE, 90_000)


def test_what_is_written_has_its_price_too() -> None:
    """C17: a cheap cached prefix is no reason where the model's own words are dear."""
    main = Offer(window_tokens=200_000, input_price=3.0, output_price=15.0)
    lite = Offer(window_tokens=200_000, input_price=0.25, output_price=1.0)

    choice = choose_writer(
        90_000, main=main, lite=lite, prefix_tokens=100_000, cached_tokens=100_000, cached_price=0.2
    )

    assert choice.way is Way.LITE


def test_a_prefix_that_nearly_fills_its_window_is_not_gone_on_from() -> None:
    choice = choose_writer(90_000, main=_MAIN, prefix_tokens=161_000, cached_tokens=161_000, cached_price=0.1)

    assert choice.way is Way.MAIN


@pytest.mark.parametrize(
    ("window", "way", "n_parts"),
    [(125_000, Way.LITE, 1), (124_999, Way.LITE, 2), (50_000, Way.LITE, 2), (49_999, Way.MAIN, 1)],
)
def test_a_lite_model_reads_in_one_piece_in_two_or_not_at_all(window: int, way: Way, n_parts: int) -> None:
    """C17: the ratio shield."""
    choice = choose_writer(100_000, main=_MAIN, lite=Offer(window_tokens=window, input_price=0.1))

    assert (choice.way, choice.n_parts) == (way, n_parts)
    assert ("too small" in choice.why) == (way is Way.MAIN)


def test_a_run_longer_than_any_window_goes_in_parts() -> None:
    """Case B29: never "no way out"."""
    choice = choose_writer(150_000, main=Offer(window_tokens=8_192, input_price=1.0))

    assert isinstance(choice, Choice)
    assert choice.n_parts >= 150_000 / 8_192


# ---- in which parts


async def test_every_request_fits_the_window_of_the_model_that_writes() -> None:
    """Case B29: a long history after a switch to a small window."""
    told = case("B29")
    window = told["switch"]["to"]
    texts = [FILLER * 20 for _ in range(told["history_tokens"] // estimate(FILLER * 20))]
    writer = ScriptedWriter([answer()], window_tokens=window)

    written = await _write(writer, texts)

    assert written.is_whole
    assert written.n_parts == len(writer.requests) > 1
    for system, text, most in writer.requests:
        assert estimate(system) + estimate(text) + most <= window
    assert sum(text.count(FILLER.strip()) for _, text, _ in writer.requests) == 20 * len(texts)


@given(st.lists(st.text(alphabet="ab \n", max_size=400), max_size=12), st.integers(10, 80))
def test_parts_hold_every_character(texts: list[str], room: int) -> None:
    parts = in_parts(texts, room, estimate)

    assert "".join("".join(parts).split()) == "".join("".join(texts).split())
    assert all(estimate(part) <= room + 2 * len(texts) for part in parts)


async def test_each_part_is_told_what_was_found_before_it() -> None:
    writer = ScriptedWriter(
        [answer(key_findings=["first"]), answer(key_findings=["second"])], window_tokens=9_000
    )

    written = await _write(writer, [FILLER * 150, FILLER * 150], KeptSummary(next_steps=("sing",)))

    assert "<summary_so_far>" in writer.requests[0][1]
    assert '"first"' in writer.requests[1][1]
    assert written.summary
    assert written.summary.next_steps == ("sing",)


async def test_a_window_that_holds_nothing_is_told() -> None:
    written = await _write(ScriptedWriter([answer()], window_tokens=600), [FILLER])

    assert written == Written(
        summary=None, n_read=0, n_parts=1, why="The model's window is too small to write a summary."
    )


async def test_what_was_read_before_a_failure_is_kept() -> None:
    """C19."""
    writer = ScriptedWriter([answer(), RateLimited("Too many requests")], window_tokens=9_000)

    written = await _write(writer, [FILLER * 150] * 2)

    assert (written.n_read, written.n_parts) == (1, 2)
    assert written.summary
    assert not written.is_whole
    assert "Too many requests" in written.why


# ---- which answers count


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (reply(""), "The model's summary was empty."),
        (reply("   \n"), "The model's summary was empty."),
        (reply("I'm sorry, I can't help with that."), "The model's answer was no summary."),
        (reply("## Goal\nfix the", Finish.LENGTH), "The model's summary was cut off."),
        (reply(answer(), Finish.LENGTH), "The model's summary was cut off."),
        (reply(answer(), Finish.REFUSED), "The model's answer was no summary."),
        (reply("Error: service unavailable"), "The model's answer was no summary."),
        (RateLimited("429"), "The model that writes the summary failed: 429"),
    ],
)
async def test_a_bad_answer_is_no_summary_and_says_why(said: Reply | Exception, why: str) -> None:
    """C21, case B35."""
    written = await _write(ScriptedWriter([said]), [FILLER])

    assert written.summary is None
    assert written.why == why


def test_a_time_out_is_told() -> None:
    assert why_not(None) == "The model that writes the summary took too long."


def test_the_room_for_an_answer_is_a_fifth_of_the_run_within_bounds() -> None:
    """C35."""
    assert answer_room(1_000, 200_000) == 2_000
    assert answer_room(20_000, 200_000) == 4_000
    assert answer_room(900_000, 200_000) == 6_000
    assert answer_room(900_000, 6_000) == 1_000


def test_the_prompt_names_fields_language_and_focus() -> None:
    """Case B41."""
    system = Asking(
        prompt=PROMPTS["summary.zh"],
        language="zh",
        language_name="中文 (Chinese)",
        focus="登录",
        demands=("src/a.py",),
    ).system()

    assert "中文 (Chinese)" in system
    assert '"blocked_items"' in system
    assert "登录\n- src/a.py" in system
    assert "{" not in system.replace('{"what": …, "why": …}', "").replace('{"error": …, "fix": …}', "")


# ---- a writer that counts otherwise


def _of_window(tokens: int) -> Callable[[str], str]:
    """Answers what has at most so many tokens, three for each character; refuses the rest."""

    def answered(text: str) -> str:
        if 3 * len(text) > tokens:
            raise ContextTooLong("Too long.")
        return answer(key_findings=[text[-60:]])

    return answered


async def test_what_a_writer_finds_too_long_is_halved_and_nothing_left_out() -> None:
    """Chinese, which a model with another vocabulary refused at a third of what we take for its window.

    Trap: too long to be compacted.
    """
    text = "\n".join(f"第{n}条：用户确认退款金额为{n * 37}元，下周一之前处理完毕。" for n in range(300))
    writer = ScriptedWriter([_of_window(16_000)], window_tokens=16_000)

    written = await _write(writer, [text])

    read = "".join(asked for _, asked, _ in writer.requests if 3 * len(asked) <= 16_000)
    assert written.is_whole
    assert all(f"第{n}条" in read for n in range(300))


async def test_a_writer_that_refuses_whatever_is_halved_is_not_asked_for_ever() -> None:
    writer = ScriptedWriter([ContextTooLong("Too long.")])

    written = await _write(writer, [FILLER])

    assert written.summary is None
    assert len(writer.requests) == 3


# ---- on the warm prefix


@dataclass
class Warm:
    """`WarmWriter` with one answer; remembers what it was told."""

    said: str | Exception
    asked: list[str] = field(default_factory=list[str])

    async def go_on(self, instruction: str, *, max_tokens: int, on_progress: Callable[[], None]) -> Reply:
        self.asked.append(instruction)
        on_progress()
        if isinstance(self.said, Exception):
            raise self.said
        return reply(self.said)


async def test_on_its_warm_prefix_a_model_is_told_where_to_end_and_given_nothing_anew() -> None:
    warm = Warm(answer(user_goal="Warm"))
    writer = ScriptedWriter([answer()], warm=warm)

    written = await write_summary(
        [FILLER], _ASKING, writer=writer, clock=FakeClock(), count=estimate, until="And then\nwe go on."
    )

    assert written.summary
    assert written.summary.user_goal == "Warm"
    assert written.is_whole
    assert writer.requests == []
    assert "“And then we go on.”" in warm.asked[0]
    assert FILLER not in warm.asked[0]


@pytest.mark.parametrize("said", ["Sure, I go on with the work!", "", RateLimited("Too many requests")])
async def test_what_is_no_summary_on_the_warm_prefix_is_written_from_the_text(said: str | Exception) -> None:
    """C21: a model in the middle of a chat may answer that instead."""
    writer = ScriptedWriter([answer(user_goal="Cold")], warm=Warm(said))

    written = await _write(writer, [FILLER])

    assert written.summary
    assert written.summary.user_goal == "Cold"
