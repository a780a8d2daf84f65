"""Secrets leave as pseudonyms, come back exactly, and hashes stay what they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.redaction import Pseudonyms, has_secret, redact, redact_all
from app.core.parts import body_of
from tests.app.context.counts import conversation
from tests.app.context.summary.making import case_path

_SECRETS = {
    "aws_key": "AKIAIOSFODNN7EXAMPLE",
    "payment_key": "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "ai_key": "sk-ant-api03-abcdefGHIJKL0123456789mnop",
    "code_host_token": "ghp_" + "0123456789abcdefghijABCDEFGHIJ456789",
    "message_token": "xoxb-" + "123456789012-abcdefGHIJKL",
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
}
_PERSONAL = {
    "id_card": "11010519491231002X",
    "bank_card": "4111 1111 1111 1111",
    "ssn": "123-45-6789",
    "phone": "13812345678",
    "email": "li.wei@mail.example.org",
    "address": "12 Rose Garden Street",
}
_HARMLESS = (
    "4d6bb2b3a9c0f1e2d3c4b5a697887766554433aa",
    "123e4567-e89b-12d3-a456-426614174000",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "vault://9f86d081884c/history.md",
    "git@github.com:owner/project.git",
    "call_MS60qsjtf94tP7pv3hJP8qVK",
    "./Library/Application Support/Code/2025-12-08T23-22-21-320Z",
    "api_key=os.environ['OPENAI_API_KEY']",
    "password = get_password(user)",
    'token: "<your-token-here>"',
    "max_tokens=4096",
    "110105194912310021",  # the check digit is wrong
    "4111 1111 1111 1112",  # fails Luhn
    "2024-01-02 10:30:00",
    "com.example.application.SomeVeryLongClassNameFactoryBuilder2",
)


@pytest.mark.parametrize(("kind", "secret"), _SECRETS.items())
def test_a_credential_becomes_a_pseudonym(kind: str, secret: str) -> None:
    """C16."""
    text, known = redact(f"use {secret} here")

    assert text == f"use ⟦secret:{kind}:1⟧ here"
    assert known.revealed(text) == f"use {secret} here"


@pytest.mark.parametrize(
    "text",
    [
        "DATABASE_URL=postgres://app:s3cr3tPw@db.example.com/main",
        "curl -H 'Authorization: Bearer abcDEF123456ghiJKL789' x",
        "curl -H 'X-Api-Key: 9aX8bY7cZ6dW5'",
        "STRIPE_SECRET=whatEver12345!",
        '{"password": "hunter2-and-more!"}',
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----",
        "密码是 Hunter2!x",
        "the value x9Fk2LmQ8rTz4VbN7wYc1DgH5jPs3AeU is it",
    ],
)
def test_a_secret_is_known_by_where_it_stands(text: str) -> None:
    hidden, known = redact(text)

    assert "⟦secret:" in hidden
    assert known.revealed(hidden) == text


@pytest.mark.parametrize(("kind", "value"), _PERSONAL.items())
def test_personal_data_is_hidden_unless_the_chat_says_otherwise(kind: str, value: str) -> None:
    hidden, _ = redact(f"It is {value}.")
    shown, _ = redact(f"It is {value}.", hides_personal_data=False)

    assert hidden == f"It is ⟦personal:{kind}:1⟧."
    assert shown == f"It is {value}."


@pytest.mark.parametrize("text", _HARMLESS)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert redact(f"see {text} there")[0] == f"see {text} there"


def test_the_first_in_the_transcript_is_the_first_everywhere() -> None:
    """C16: numbered by first occurrence, so that any later text says the same."""
    first, second = "AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPL2"
    known = redact_all([f"a {first}", f"b {second} {first}"])

    text, _ = redact(f"{second} then {first}", known)

    assert text == "⟦secret:aws_key:2⟧ then ⟦secret:aws_key:1⟧"
    assert known.hidden(f"only {second}") == "only ⟦secret:aws_key:2⟧"


def test_keys_in_tool_output_and_arguments_are_found() -> None:
    """Case B39."""
    path = case_path("B39")
    bodies = [body for entry in path for part in entry.parts if isinstance(body := body_of(part), str)]

    hidden = "\n".join(redact(body, redact_all(bodies))[0] for body in bodies)

    for secret in ("abcDEF123456ghiJKL789", "s3cr3tPw", "sk-test-0000", "AAAA/BBBB+CCCC", "MIIB"):
        assert secret not in hidden


_pieces = st.one_of(
    st.text(max_size=20),
    st.sampled_from([*_SECRETS.values(), *_PERSONAL.values(), *_HARMLESS, "⟦secret:aws_key:1⟧", "\\n", "="]),
)


@given(st.lists(_pieces, max_size=8).map(" ".join))
def test_redaction_is_undone_exactly_and_twice_changes_nothing(text: str) -> None:
    text = text.replace("⟦", "[")
    hidden, known = redact(text)

    assert known.revealed(hidden) == text
    assert redact(hidden, known) == (hidden, known)
    assert redact(hidden)[0] == hidden


def test_a_pseudonym_that_nobody_made_stays_as_it_is() -> None:
    assert Pseudonyms().revealed("⟦secret:aws_key:7⟧") == "⟦secret:aws_key:7⟧"
    assert has_secret("AKIAIOSFODNN7EXAMPLE")
    assert not has_secret("13812345678")


def test_real_chats_hold_hardly_anything_that_is_taken_for_a_secret() -> None:
    for name in ("memorybank-zh", "minisweagent-astropy__astropy-12907", "tau-airline-14-sessions"):
        bodies = [
            body for e in conversation(name) for part in e.parts if isinstance(body := body_of(part), str)
        ]

        assert redact_all(bodies, hides_personal_data=False).by_value == {}
