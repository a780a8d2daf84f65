"""The providers page (A2, A4, TS6): a set-up that works on the first try, and keys that stay where they belong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.settings import Endpoint
from app.store.secrets import Place, Reason, SecretsState
from tests.ui.settings.conftest import Opener, Shown, settled
from ui.settings.providers.form_view import FormView
from ui.settings.providers.state import EndpointForm, endpoint_of, form_of, problem_in, unused_id

JAN = Endpoint(
    id="jan", kind="jan", name="Jan", base_url="http://127.0.0.1:1337/v1", needs_key=False, models=("a", "b")
)


async def add(shown: Shown, kind: str) -> FormView:
    shown.view.providers.templates[kind].click()
    await settled()
    return shown.view.providers.form


async def test_a_provider_is_added_with_its_key_in_the_keyring_and_nowhere_else(opened: Opener) -> None:
    shown = await opened(endpoints=())
    form = await add(shown, "anthropic")
    assert form.key.hasFocus()

    QTest.keyClicks(form.key, "sk-ant-secret-9Zz8")
    QTest.keyClick(form.key, Qt.Key.Key_Return)
    await settled()

    assert shown.app.secrets.values["anthropic"] == "sk-ant-secret-9Zz8"
    assert "9Zz8" not in shown.app.settings.model_dump_json()
    assert not form.isVisible()
    assert shown.app.settings.endpoints[0].models == ("large", "small")
    words = shown.view.providers.cards["anthropic"].words()
    assert "works" in words
    assert "•••• 9Zz8" in words
    assert "secret" not in words


async def test_an_edited_provider_keeps_its_key_unless_a_new_one_is_typed(opened: Opener) -> None:
    shown = await opened()
    shown.view.providers.cards["openai"].edit_button.click()
    form = shown.view.providers.form
    assert form.key.text() == ""
    assert form.key.placeholderText() == "•••••••• 7Qx2, kept"

    form.name.setText("Work")
    form.save_button.click()
    await settled()

    assert shown.app.settings.endpoint("openai") == Endpoint(
        id="openai",
        kind="openai",
        name="Work",
        base_url="https://api.openai.com/v1",
        models=("gpt-4.1", "gpt-4.1-mini"),
    )
    assert shown.app.secrets.values["openai"] == "sk-sample-key-7Qx2"


async def test_a_test_says_in_words_what_is_wrong_and_is_forgotten_when_the_key_changes(
    opened: Opener,
) -> None:
    shown = await opened(endpoints=())
    form = await add(shown, "anthropic")
    form.key.setText("wrong")

    form.test_button.click()
    await settled()
    said = form.check.text()
    form.key.setText("sk-right")
    after_typing = form.check.text()
    form.test_button.click()
    await settled()

    assert said == "✕ Anthropic did not accept the key."
    assert after_typing == ""
    assert "works" in form.check.text()
    assert "214 ms" in form.check.text()
    assert shown.app.settings.endpoints == ()


@pytest.mark.parametrize(
    ("field", "text", "sentence"),
    [
        ("name", "", "It needs a name."),
        ("base_url", "", "It needs an address."),
        ("base_url", "ftp://host", "An address looks like https://host/v1."),
        ("base_url", "http://127.0.0.1:99999", "An address looks like https://host/v1."),
        ("base_url", "https://[::1", "An address looks like https://host/v1."),
        ("headers", "no colon here", "One header per line, as Name: value."),
        ("proxy", "host:8080", "A proxy starts with http://, https:// or socks5://."),
    ],
)
async def test_what_is_missing_is_said_at_its_field_and_the_cursor_goes_there(
    opened: Opener, field: str, text: str, sentence: str
) -> None:
    shown = await opened(endpoints=())
    form = await add(shown, "compatible")
    form.name.setText("Mine")
    form.base_url.setText("https://llm.example.org/v1")
    if field == "proxy":
        form.proxy.setCurrentIndex(2)
        form.proxy.activated.emit(2)
    inputs: dict[str, QWidget] = {
        "name": form.name,
        "base_url": form.base_url,
        "headers": form.headers,
        "proxy": form.proxy_url,
    }
    if field == "headers":
        form.headers.set_text(text)
    else:
        getattr(form, "proxy_url" if field == "proxy" else field).setText(text)

    form.save_button.click()
    await settled()

    assert form.problems() == {field: sentence}
    assert inputs[field].hasFocus()
    assert shown.app.settings.endpoints == ()


async def test_an_address_is_taken_as_it_is_pasted_and_the_final_one_is_shown(opened: Opener) -> None:
    shown = await opened(endpoints=())
    form = await add(shown, "compatible")
    form.name.setText("Mine")

    form.base_url.setText("llm.example.org/v1/chat/completions")
    shown_address = form.final.text()
    form.headers.set_text("X-Team: blue\nX-Tier : 2")
    form.key.setText("sk-x")
    form.save_button.click()
    await settled()

    assert shown_address == "Requests go to https://llm.example.org/v1"
    endpoint = shown.app.settings.endpoints[0]
    assert endpoint.base_url == "https://llm.example.org/v1"
    assert endpoint.headers == {"X-Team": "blue", "X-Tier": "2"}


async def test_a_server_on_this_computer_is_added_with_one_press(opened: Opener) -> None:
    shown = await opened(servers=(JAN,))

    QTest.keyClick(shown.view.providers.found["jan"], Qt.Key.Key_Return)
    await settled()

    assert shown.app.settings.endpoint("jan") == JAN
    assert shown.view.providers.found == {}
    assert "works" in shown.view.providers.cards["jan"].words()


async def test_removing_asks_first_and_takes_the_key_along(opened: Opener) -> None:
    shown = await opened()
    card = shown.view.providers.cards["openai"]

    card.remove_button.click()
    assert card.no_button.hasFocus()
    card.no_button.click()
    assert shown.app.settings.endpoint("openai") is not None
    card.remove_button.click()
    card.yes_button.click()
    await settled()

    assert shown.app.settings.endpoint("openai") is None
    assert "openai" not in shown.app.secrets.values
    assert "openai" not in shown.view.providers.cards


async def test_a_failing_key_leads_to_its_field(opened: Opener) -> None:
    shown = await opened("about")

    shown.view.show_endpoint("openai")

    assert shown.view.page == "providers"
    assert shown.view.providers.form.key.hasFocus()


async def test_without_a_keyring_the_choice_is_offered_where_the_key_is_typed(opened: Opener) -> None:
    shown = await opened(endpoints=())
    shown.app.secrets.state = SecretsState(place=Place.SESSION, reason=Reason.LOCKED)
    form = await add(shown, "openai")
    keeping = form.keeping
    assert keeping.sentence.text().startswith("The system's keyring is locked.")
    assert "until the program ends" in keeping.sentence.text()

    keeping.retry_button.click()
    await settled()

    assert keeping.sentence.text() == "Kept in your system's keyring."
    assert not keeping.passphrase.isVisible()


async def test_escape_closes_the_form_before_it_closes_the_settings(opened: Opener) -> None:
    shown = await opened(endpoints=())
    form = await add(shown, "openai")

    QTest.keyClick(form.key, Qt.Key.Key_Escape)

    assert not form.isVisible()
    assert shown.closed == []


async def test_where_to_get_a_key_opens_the_providers_page(opened: Opener) -> None:
    shown = await opened(endpoints=())
    form = await add(shown, "deepseek")

    form.key_link.click()

    assert shown.links == ["https://platform.deepseek.com/api_keys"]


async def test_the_form_is_walked_through_from_top_to_bottom(opened: Opener) -> None:
    shown = await opened(endpoints=())
    form = await add(shown, "openai")
    form.name.setFocus()

    seen: list[QWidget | None] = []
    for _ in range(11):
        seen.append(QApplication.focusWidget())
        QTest.keyClick(QApplication.focusWidget() or form, Qt.Key.Key_Tab)

    assert seen == [
        form.name,
        form.base_url,
        form.key,
        form.key_link,
        form.headers,
        form.proxy,
        form.ca_file,
        form.browse,
        form.test_button,
        form.cancel_button,
        form.save_button,
    ]


WORDS = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=12)


@st.composite
def endpoints(draw: st.DrawFn) -> Endpoint:
    return Endpoint(
        id=draw(WORDS),
        kind=draw(st.sampled_from(["openai", "compatible", "anthropic"])),
        name=draw(WORDS),
        base_url=f"https://{draw(WORDS).lower()}.org/v1",
        headers=draw(st.dictionaries(WORDS, WORDS, max_size=3)),
        proxy=draw(st.sampled_from(["", "direct", "socks5://localhost:1080"])),
        ca_file=draw(st.sampled_from(["", "ca.pem"])),
        models=tuple(draw(st.lists(WORDS, max_size=3))),
    )


@given(endpoints())
def test_an_endpoint_that_is_edited_and_saved_unchanged_is_the_same(endpoint: Endpoint) -> None:
    form = form_of(endpoint, "7Qx2")

    assert problem_in(form) is None
    assert endpoint_of(form, (endpoint,)) == endpoint


@given(st.lists(st.sampled_from(["openai", "openai2", "openai3", "jan"]), max_size=4))
def test_a_new_endpoint_never_takes_the_id_of_another(taken: list[str]) -> None:
    endpoints = tuple(Endpoint(id=name, kind="openai", name=name) for name in taken)

    assert unused_id("openai", endpoints) not in taken


@given(st.builds(EndpointForm, name=st.text(), base_url=st.text(), headers=st.text(), proxy_url=st.text()))
def test_whatever_is_typed_is_an_endpoint_or_has_a_problem(form: EndpointForm) -> None:
    if problem_in(form) is None:
        assert endpoint_of(form, ()).name
