"""The first run on a real application and a real server: what was set up is there after a restart."""

from pathlib import Path

import keyring
import keyring.backends.fail
import pytest

from app.bootstrap.application import Application
from app.settings import Paths
from app.tasks import TaskScope
from tests.simulator import Simulator
from ui.onboarding.view_model import OnboardingViewModel


@pytest.fixture(autouse=True)
def _no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]  # a fixture
    """The machine's own keyring is no place for tests."""
    monkeypatch.setattr(keyring, "get_keyring", keyring.backends.fail.Keyring)


async def test_a_server_that_was_connected_is_there_after_a_restart(tmp_path: Path) -> None:
    paths = Paths(data=tmp_path)
    app = await Application.open(paths)
    async with TaskScope() as tasks, Simulator() as server:
        model = OnboardingViewModel(app, tasks)
        model.choose("compatible")
        model.type(key="sk-simulated-0123", address=f"{server.openai_url}/chat/completions")
        await tasks.wait("first run test")
        report = model.state.report
        model.start()
        await tasks.wait("first run test")
        await tasks.wait("first run secrets")
    await app.aclose()

    again = await Application.open(paths)
    settings = again.settings
    offers = await again.endpoints.offers()
    await again.aclose()

    assert report is not None
    assert report.error is None
    assert settings.has_started
    assert settings.endpoints[0].base_url == server.openai_url
    assert settings.model in {offer.id for offer in offers}
    assert "sk-simulated" not in paths.database.read_bytes().decode("latin-1")
