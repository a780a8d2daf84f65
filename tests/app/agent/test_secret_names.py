"""Names that tell of secrets are known by whole words, and only those (A13)."""

from pathlib import Path, PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.paths import Roots, Use, Why, holds_keys, is_sensitive
from tests.app.agent.test_paths import Place, place, why

__all__ = ["place"]


@pytest.mark.parametrize(
    "path",
    [
        ".env", ".env.local", ".envrc", "conf/.env.production", "credentials", "credentials.json", "aws_credentials.csv",
        "client_secret.json", "clientSecret.json", "CLIENT-SECRET.JSON", "secrets.yaml", "my.secrets.toml", "password.txt",
        "Passwords.xlsx", "passwd", "api_token", "token.json", "tokens.txt", "accessToken.txt", "id_rsa", "id_rsa.pub",
        "id_ed25519", "id_ed25519_work", ".ssh/config", ".gnupg/x", ".aws/config", "home/.ssh/known_hosts", ".netrc", ".npmrc",
        "server.pem", "server.key", "store.jks", "vault.kdbx", "login.keychain-db", ".local/share/keyrings/x",
        "secrets/db.txt", "k8s/.secrets/a", "run/credentials/x.json", ".git-credentials", "TOKEN", "sEcReTs.txt",
        "ｓｅｃｒｅｔｓ.txt", "ｉｄ_rsa", "id_\u200brsa", "𝐭𝐨𝐤𝐞𝐧.txt", "id_rsa.", ".env ", ".ENV", "Server.KEY", ".SSH/x",
    ],
)  # fmt: skip
def test_names_of_secrets_are_known_by_their_words(place: Place, path: str) -> None:
    assert is_sensitive(PurePath(path))
    assert why(place.roots, path) is Why.SENSITIVE
    assert why(place.roots, path, Use.WRITE) is Why.SENSITIVE


@pytest.mark.parametrize(
    "path",
    [
        "tokenizer_config.json", "tokenizer.json", "secretary_notes.md", "deck.keynote", "keyboard.md", "monkey.txt",
        "environment.yml", "env.py", ".env.example", "passworded.txt", "app/tokens/estimate.py", "app/store/secrets.py",
        "tests/test_token.py", "design-tokens.css", "secretsanta.md", "credentialing.md", "keys.md", "my.keys", "key",
        "pem.txt", "README.md", "token/README.md", "src/secrets/reader.rs", "passport.pdf", "accredentials.md",
    ],
)  # fmt: skip
def test_names_that_only_hold_such_letters_pass(place: Place, path: str) -> None:
    assert not is_sensitive(PurePath(path))
    assert why(place.roots, path) is None


def test_a_folder_of_sources_about_tokens_is_open_and_one_of_secrets_is_not(place: Place) -> None:
    (place.workspace / "tokens").mkdir()
    (place.workspace / "secrets").mkdir()

    assert why(place.roots, "tokens") is None
    assert why(place.roots, "secrets") is Why.SENSITIVE


@given(st.text("aé1-_ (", max_size=12), st.sampled_from(["secret", "token", "password"]))
def test_a_word_counts_at_every_edge_and_in_every_case(around: str, word: str) -> None:
    assert is_sensitive(PurePath(f"x-{word}_{around}"))

    assert is_sensitive(PurePath(f"{word.upper()}.txt"))
    assert not is_sensitive(PurePath(f"x{word}y.txt"))


def test_a_link_counts_by_its_own_name_and_by_where_it_leads(place: Place) -> None:
    (place.workspace / ".env").write_text("A=1")
    (place.workspace / "notes.txt").symlink_to(".env")
    (place.workspace / "token").symlink_to("a.txt")

    assert why(place.roots, "notes.txt") is Why.SENSITIVE
    assert why(place.roots, "token") is Why.SENSITIVE


def test_keys_are_told_from_what_is_called_after_secrets() -> None:
    assert holds_keys(PurePath("/h/.ssh/config"))
    assert holds_keys(PurePath("a/server.pem"))
    assert not holds_keys(PurePath("secrets.txt"))
    assert not holds_keys(PurePath())


def test_a_workspace_may_itself_be_called_after_secrets(tmp_path: Path) -> None:
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "a.txt").write_text("x")

    assert why(Roots(workspace=tmp_path / "secrets"), "a.txt") is None
