"""The person's language is told by the script of their own words."""

import pytest

from app.context.summary.language import THEIR_OWN, language_of


def test_the_script_tells_the_language() -> None:
    """Case B41."""
    assert language_of(["请始终用中文回答。文件是 src/auth/login.py。", "继续"]) == ("zh", "中文 (Chinese)")
    assert language_of(["これはテストです"])[0] == "ja"
    assert language_of(["안녕하세요"])[0] == "ko"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("请看 abcdefgh", "zh"),
        ("请看 abcdefghi", "en"),
        ("の abcdefghi", "ja"),
        ("の abcdefghij", "en"),
        ("한국 abcdefgh", "ko"),
    ],
)
def test_a_fifth_of_the_letters_tells_and_a_tenth_where_they_are_kana(text: str, code: str) -> None:
    """Names and code stay Latin in any language."""
    assert language_of([text])[0] == code


def test_a_language_of_latin_letters_is_described() -> None:
    assert language_of(["Por favor, continue em português."]) == ("en", THEIR_OWN)


def test_code_and_silence_tell_nothing() -> None:
    assert language_of(["```\nprint('hello world')\n```", "123"], otherwise="zh")[0] == "zh"
