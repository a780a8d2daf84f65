"""What may be opened, and what a person is shown before (U12, B67)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.kit.links import Verdict, host_of, is_link, is_remote_image, judge, plain_tip, visible


@pytest.mark.parametrize(
    "url",
    [
        "file:///bin/sh",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        "ms-msdt:x",
        "\\\\host\\share",
        "//host/share",
        "smb://host/share",
        "qrc:/x",
        "https:///nohost",
        "https://[broken",
        "relative/path",
        "",
        "https://good.example\u202e/moc.live",
        "https://a.example\\@evil.example/",
        "vault://../../../../etc/passwd",
        "vault://9f2c41d7a3b0/..",
        "vault://9f2c41d7a3b0/%2e%2e",
        "vault://9f2c41d7a3b0/a/b",
        "vault:///etc/passwd",
    ],
)
def test_other_schemes_and_crooked_addresses_are_refused(url: str) -> None:
    assert judge(url, known_hosts={"good.example", "a.example"}).verdict is Verdict.REFUSE
    assert not is_link(url)


def test_a_new_host_is_asked_about_and_a_known_one_opens() -> None:
    url = "https://docs.example.org/a?b=c"

    assert judge(url).verdict is Verdict.ASK
    assert judge(url, known_hosts={"docs.example.org"}).verdict is Verdict.OPEN
    assert judge(url, known_hosts={"example.org"}).verdict is Verdict.ASK


def test_the_host_is_the_real_one() -> None:
    assert judge("https://bank.example@evil.example/").host == "evil.example"
    assert host_of("https://аpple.example/") == "xn--pple-43d.example"


def test_mail_is_asked_about_once() -> None:
    assert judge("mailto:a@b.example").verdict is Verdict.ASK
    assert judge("mailto:a@b.example", known_hosts={"mailto:"}).verdict is Verdict.OPEN


def test_a_vault_address_opens_inside() -> None:
    assert judge("vault://9f2c41d7a3b0/季度.log").verdict is Verdict.VAULT


def test_control_characters_that_turn_text_around_are_shown() -> None:
    assert visible("a\u202eb\u2066c\td") == "a‹U+202E›b‹U+2066›c\td"


def test_a_tooltip_shows_markup_as_text() -> None:
    """B67."""
    assert plain_tip("<img src=x><b>title</b>") == "<span>&lt;img src=x&gt;&lt;b&gt;title&lt;/b&gt;</span>"


@given(st.text())
def test_no_text_makes_the_judge_fail_or_opens_unasked(url: str) -> None:
    assert judge(url).verdict is not Verdict.OPEN
    assert not is_remote_image(url) or url.lower().lstrip().startswith("http")


@given(st.text("ab/", min_size=300, max_size=2_000))
def test_however_long_an_address_is_its_host_and_its_end_are_shown(path: str) -> None:
    url = f"https://bank.example/{path}"

    shown = judge(url).target

    assert shown.startswith("https://bank.example/")
    assert shown.endswith(url[-40:])
    assert len(shown) <= 400
