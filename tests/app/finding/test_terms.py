"""Tests of what the index is told of a text, and of what is looked for (U15)."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.parts import TextPart, ToolCallPart, ToolResultPart
from app.finding.found import Place, texts_in
from app.finding.terms import LONGEST_WORD, fold, terms_of
from app.finding.wanted import Term, Wanted, snippet_of

_SIGNS = st.text(alphabet="ab Éz9_-(\n。你好吗的数据テスト한글ß İﬁＡ😀\u0301", max_size=60)


@given(_SIGNS)
def test_a_folded_text_has_each_sign_where_it_stood(text: str) -> None:
    assert len(fold(text)) == len(text)
    assert fold(fold(text)) == fold(text)


@given(_SIGNS)
def test_no_term_would_be_cut_by_the_index(text: str) -> None:
    """Its tokenizer parts at every sign of ASCII that is neither letter nor digit."""
    assert [term for term in terms_of(text) if not re.fullmatch(r"[a-z0-9\x80-\U0010ffff]+", term)] == []


@given(_SIGNS, _SIGNS)
def test_what_parts_of_a_text_hold_the_whole_holds(before: str, after: str) -> None:
    assert terms_of(f"{before}\n{after}") == terms_of(before) | terms_of(after)


def test_words_lose_case_accents_and_width_and_chinese_comes_in_pairs() -> None:
    found = terms_of("Résumé ＡＢＣ file_read 你好吗 x86-64")

    assert found == {"resume", "abc", "file", "read", "你", "好", "吗", "你好", "好吗", "x86", "64"}


def test_a_text_whose_accents_stand_alone_is_the_same_to_the_index() -> None:
    assert terms_of(unicodedata.normalize("NFD", "Über café")) == terms_of("Über café")


def test_words_without_end_are_known_by_their_beginning() -> None:
    assert terms_of("a" * 5_000 + "b") == {"a" * LONGEST_WORD}


@given(st.lists(st.sampled_from(("alpha", "数据", "beta9", "的")), min_size=2, max_size=40))
def test_a_long_text_is_cut_at_no_word(words: list[str]) -> None:
    text = " ".join(words)

    assert terms_of(f"{text} " * 2_000) == terms_of(text)


def test_the_last_sign_typed_may_go_on_and_those_before_it_do_not() -> None:
    terms = Wanted.of("file_rea GPT模型 a").terms()

    assert terms == (
        (Term(text="file", is_begun=False), Term(text="rea", is_begun=True)),
        (Term(text="gpt", is_begun=False), Term(text="模型", is_begun=False)),
        (Term(text="a", is_begun=False),),
    )


@pytest.mark.parametrize(
    ("typed", "text", "is_there"),
    [
        ("round invo", "The invoice is rounded once.", True),
        ("ound", "The invoice is rounded once.", False),  # no word begins so
        ('"is rounded"', "It is  rounded.", True),
        ('"rounded is"', "It is rounded.", False),
        ('"half a phr', "half a phrase", True),
        ("c++", "C and C++", True),
        ("c++", "C and C", False),
        ("你好吗", "他说你好吗", True),
        ("好你", "他说你好吗", False),
        ("gpt", "用GPT写", True),
        ("RÉSUMÉ", "my resume", True),
    ],
)
def test_each_word_must_stand_as_it_was_typed_from_where_a_word_begins(
    typed: str, text: str, is_there: bool
) -> None:
    assert Wanted.of(typed).is_in(fold(text)) is is_there


@given(_SIGNS, st.text(alphabet="ab 你好9(", max_size=8))
def test_marks_lie_in_the_snippet_and_hold_a_word(text: str, typed: str) -> None:
    wanted = Wanted.of(typed)
    snippet = snippet_of(text * 5, fold(text * 5), wanted)

    assert all(0 <= start < end <= len(snippet.text) for start, end in snippet.marks)
    assert "\n" not in snippet.text
    assert bool(snippet.marks) or not (wanted.words and wanted.is_in(fold(text)))


def test_a_snippet_begins_where_most_of_the_words_stand_together() -> None:
    text = "alpha " + "x " * 400 + "here alpha meets beta " + "y " * 400

    snippet = snippet_of(text, fold(text), Wanted.of("alpha beta"))

    assert "alpha meets beta" in snippet.text
    assert (snippet.text[0], snippet.text[-1]) == ("…", "…")


def test_texts_of_an_entry_are_told_by_what_they_are() -> None:
    call = ToolCallPart(call_id="c", name="file_read", arguments='{"path": "a"}')
    parts = (TextPart(text="said"), call, ToolResultPart(call_id="c", name="file_read", text="gave"))

    assert list(texts_in(parts)) == [
        (Place.SAID, "said"),
        (Place.CALL, 'file_read {"path": "a"}'),
        (Place.RESULT, "gave"),
    ]
