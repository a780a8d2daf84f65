"""When a sealed part may change (architecture.md; C2, C7, P6, P9)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cache.terms import Terms
from app.context.budget import Fill, Projection, Stage, fill_of, room_for_answer
from app.context.engine import expected_requests
from app.context.facts import CacheFacts, Trigger
from app.context.plan import MANUAL_TARGET, Situation, decide, pays
from app.core.entries import Origin
from app.core.ids import ChatId, CompactionId
from app.core.parts import TextPart
from app.core.records import Compaction
from app.models.families import OPENAI, CacheKind
from app.models.window import Window, WindowSource
from tests.app.context.counts import context_of, entry, record

N = 100_000
CLAUDE = Terms(kind=CacheKind.MARKERS, read=0.1, write=1.25)


def fill(tokens: int, window_tokens: int = N) -> Fill:
    projection = Projection(
        estimated_tokens=tokens,
        projected_tokens=tokens,
        projected_upper_tokens=tokens,
        ratio=1.0,
        has_base=True,
    )
    source = WindowSource.REGISTRY if window_tokens else WindowSource.UNKNOWN
    window = Window(tokens=window_tokens, source=source)
    return fill_of(projection, window, OPENAI, max_output_tokens=4_096, weights={})


def situation(tokens: int, window_tokens: int = N, *, has_expired: bool = False) -> Situation:
    return Situation(
        fill=fill(tokens, window_tokens),
        cache=CacheFacts(is_cold=has_expired, is_written=has_expired),
        n_sealed=7,
        floor_tokens=5_000,
        expected_requests=10,
    )


def saved(before: int, after: int) -> Compaction:
    return Compaction(
        id=CompactionId("c"),
        chat_id=ChatId("chat"),
        rev=1,
        trigger="send",
        reason="",
        tokens_before=before,
        tokens_after=after,
        elapsed_ms=1.0,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def test_below_its_stages_nothing_is_rewritten_and_what_was_sent_is_sealed() -> None:
    decision = decide(situation(45_000))

    assert not decision.rewrites
    assert decision.n_sealed == 7


def test_without_a_cache_room_is_made_as_soon_as_much_can_be_won() -> None:
    """P6: what nobody keeps is read anew by each request, so that each token less is saved at once."""
    much, little = (replace(situation(55_000), light_tokens=tokens) for tokens in (40_000, 54_000))

    assert decide(much).rewrites
    assert not decide(little).rewrites
    assert not decide(replace(much, cache=CacheFacts(terms=CLAUDE, is_written=True))).rewrites


def test_at_seventy_percent_it_is_rewritten_down_to_forty_five() -> None:
    decision = decide(situation(71_000))

    assert (decision.trigger, decision.target_tokens, decision.n_sealed) == (Trigger.SEND, 45_000, 0)


def test_at_ninety_percent_it_is_an_emergency_even_where_compressing_is_switched_off() -> None:
    decision = decide(replace(situation(91_000), is_automatic=False))

    assert decision.trigger is Trigger.EMERGENCY
    assert decision.target_tokens == 45_000


def test_a_refusal_for_length_is_an_emergency_at_any_use() -> None:
    assert decide(replace(situation(20_000), has_overflowed=True)).trigger is Trigger.EMERGENCY


def test_what_the_person_asks_for_runs_at_any_use_down_to_a_quarter() -> None:
    decision = decide(replace(situation(40_000), is_asked_for=True))

    assert (decision.trigger, decision.target_tokens) == (Trigger.MANUAL, MANUAL_TARGET * N)


def test_once_the_cache_has_expired_rewriting_starts_at_thirty_percent() -> None:
    assert decide(situation(30_000, has_expired=True)).rewrites
    assert not decide(situation(29_999, has_expired=True)).rewrites
    assert not decide(situation(31_000)).rewrites


def test_where_that_did_not_pay_lately_it_starts_at_forty() -> None:
    late = replace(situation(39_999, has_expired=True), backed_off=0.1)

    assert not decide(late).rewrites
    assert decide(replace(late, fill=fill(40_000))).rewrites


def test_an_expired_cache_is_no_reason_where_less_than_a_tenth_could_be_shortened() -> None:
    """C7: else each pause takes a little more of what is left."""
    cold = situation(45_000, has_expired=True)

    assert decide(replace(cold, light_tokens=40_000)).rewrites
    assert not decide(replace(cold, light_tokens=41_000)).rewrites


def test_two_that_saved_little_pause_what_an_expired_cache_would_rewrite() -> None:
    """C7."""
    little = saved(46_000, 45_000)
    cold = replace(situation(45_000, has_expired=True), compactions=(little, little))

    assert not decide(cold).rewrites
    assert decide(replace(cold, fill=fill(61_000))).rewrites


def test_where_no_request_was_taken_yet_each_further_try_folds_nothing_more() -> None:
    """A first request that keeps failing, or one rewritten a moment ago: no cache has ever held it."""
    never = CacheFacts(is_cold=True)

    assert not decide(replace(situation(49_000), cache=never)).rewrites
    assert decide(replace(situation(50_000), cache=never)).rewrites


def test_a_light_compression_that_does_not_pay_is_due_for_later() -> None:
    """P9: a hot cache holds it back."""
    decision = decide(replace(situation(52_000), expected_requests=1, cache=CacheFacts(terms=CLAUDE)))

    assert not decision.rewrites
    assert decision.is_due


def test_a_hot_rewrite_is_judged_by_what_it_can_win_and_by_what_stays_before_it() -> None:
    """P6: 60,000 tokens of which all but 2,000 were shortened long ago are not rewritten for those."""
    hot = replace(situation(60_000), expected_requests=50, cache=CacheFacts(is_written=True, terms=CLAUDE))

    assert decide(replace(hot, light_tokens=20_000)).rewrites
    assert not decide(replace(hot, light_tokens=58_000)).rewrites
    assert not decide(replace(hot, light_tokens=50_000)).rewrites
    assert decide(replace(hot, light_tokens=50_000, unchanged_tokens=45_000)).rewrites


def test_once_the_cache_has_expired_it_is_rewritten_down_to_thirty_percent() -> None:
    """All is written anew in any case, and each later request reads what is left."""
    assert decide(situation(60_000, has_expired=True)).target_tokens == 30_000
    assert decide(situation(31_000, has_expired=True)).target_tokens == 27_900


def test_a_full_compaction_that_a_send_could_not_finish_is_finished_between_turns() -> None:
    """S8, M9: a send waits for no summary, and without one each next send rewrote 60 % of the window for little."""
    short, enough = saved(72_000, 60_000), saved(72_000, 47_000)
    idle = replace(situation(61_000), is_idle=True, expected_requests=1, cache=CacheFacts(terms=CLAUDE))

    decision = decide(replace(idle, compactions=(short,)))

    assert (decision.stage, decision.target_tokens) == (Stage.FULL, 45_000)
    assert not decide(replace(idle, compactions=(short,), is_idle=False)).rewrites
    assert not decide(replace(idle, compactions=(enough,))).rewrites
    assert not decide(replace(idle, compactions=(replace(short, summary="{}"),))).rewrites
    assert not decide(replace(idle, compactions=(short, replace(short, trigger="idle")))).rewrites


def test_the_reason_fits_what_is_known_of_the_cache() -> None:
    """A family without a cache has none that is hot or has expired."""
    calm = situation(20_000)
    late = situation(31_000, has_expired=True)
    dear = replace(situation(52_000), expected_requests=1)

    assert decide(calm).why == "There is room enough."
    assert decide(late).why == "The prompt cache has expired, so rewriting costs nothing more."
    without, hot = (CacheFacts(is_written=written, terms=CLAUDE) for written in (False, True))
    assert decide(replace(dear, cache=without)).why == "Compressing would not pay yet."
    assert decide(replace(dear, cache=hot)).why == "A hot cache is worth more than the room."


def test_off_means_that_nothing_runs_by_itself_below_ninety_percent() -> None:
    assert not decide(replace(situation(80_000), is_automatic=False)).rewrites


def test_an_unknown_window_is_never_acted_on_by_share() -> None:
    """Cases B28, B32: a window that nobody knows is not invented."""
    decision = decide(situation(500_000, window_tokens=0))

    assert not decision.rewrites
    assert "not known" in decision.why


def test_a_fixed_part_over_the_line_starts_no_loop_and_says_so() -> None:
    """Case B27: system and tools fill the window, and an empty chat would be compacted for ever."""
    decision = decide(replace(situation(29_100, 40_000), floor_tokens=29_050))

    assert not decision.rewrites
    assert decision.why


@pytest.mark.parametrize(
    ("window_tokens", "max_output_tokens"), [(16_384, 0), (16_384, None), (8_192, 65_536), (0, None)]
)
def test_three_short_messages_are_compacted_in_no_window(
    window_tokens: int, max_output_tokens: int | None
) -> None:
    """Case B28: the room for an answer never takes the window."""
    assert room_for_answer(window_tokens, max_output_tokens) <= window_tokens // 8
    assert not decide(situation(30, window_tokens, has_expired=True)).rewrites


def test_two_compressions_that_saved_little_pause_the_next_until_the_chat_has_grown() -> None:
    """C7. Trap: keeping by the number of messages."""
    little = (saved(72_000, 70_000), saved(73_000, 71_000))
    waiting = decide(replace(situation(74_000), compactions=little))
    grown = decide(replace(situation(87_000), compactions=little))
    once = decide(replace(situation(74_000), compactions=(saved(72_000, 45_000), little[0])))

    assert once.rewrites
    assert not waiting.rewrites
    assert "saved little" in waiting.why
    assert grown.rewrites


@given(tokens=st.integers(1, 2 * N), has_expired=st.booleans(), requests=st.integers(0, 200))
def test_a_rewrite_always_aims_below_what_there_is_and_tells_why(
    tokens: int, has_expired: bool, requests: int
) -> None:
    decision = decide(replace(situation(tokens, has_expired=has_expired), expected_requests=requests))

    assert decision.why
    if decision.rewrites:
        assert decision.target_tokens < tokens


def test_a_rewrite_pays_where_it_costs_no_more_than_half_of_what_it_saves() -> None:
    """P6: writing 30,000 for 1.25 each, in place of reading 60,000 for 0.1, costs 31,500; a request saves 3,000."""
    hot = replace(situation(60_000), cache=CacheFacts(terms=CLAUDE))

    assert pays(replace(hot, expected_requests=21), target=30_000)
    assert not pays(replace(hot, expected_requests=20), target=30_000)
    assert not pays(replace(hot, expected_requests=21, writer_tokens=100), target=30_000)


@given(requests=st.integers(0, 100))
def test_what_pays_for_few_requests_pays_for_more(requests: int) -> None:
    few = replace(situation(60_000), expected_requests=requests)

    if pays(few, target=30_000):
        assert pays(replace(few, expected_requests=requests + 10), target=30_000)


def test_what_a_rewrite_leaves_unchanged_is_read_from_the_cache_and_makes_it_pay_sooner() -> None:
    """P6: of 30,000 the first 10,000 are read for 0.1, so that it costs 20,000 instead of 31,500."""
    hot = replace(situation(60_000), cache=CacheFacts(terms=CLAUDE), unchanged_tokens=10_000)

    assert pays(replace(hot, expected_requests=14), target=30_000)
    assert not pays(replace(hot, expected_requests=13), target=30_000)


def test_a_head_longer_than_the_target_is_written_by_no_rewrite() -> None:
    hot = replace(situation(60_000), cache=CacheFacts(terms=CLAUDE), expected_requests=5)

    assert pays(replace(hot, unchanged_tokens=30_000), target=30_000)
    assert pays(replace(hot, unchanged_tokens=50_000), target=30_000)


def test_as_many_requests_are_expected_as_came_since_the_last_pause_and_the_last_rewrite() -> None:
    """P6: soon after a rewrite another one has little time to pay for itself before the next."""
    start = datetime(2026, 1, 1, tzinfo=UTC)
    one = record(context_of(entry(0, Origin.USER, TextPart(text="Hi."))), estimated=9, reported=9)
    minutes = (0, 1, 2, 60, 61, 62, 63)
    made = [replace(one, created_at=start + timedelta(minutes=at)) for at in minutes]

    assert expected_requests(made) == 4
    assert expected_requests(made, since=start + timedelta(minutes=1)) == 4
    assert expected_requests(made, since=start + timedelta(minutes=61, seconds=30)) == 2
