"""Who does small work: the lite model that was chosen, else the cheapest of the same key (A5)."""

from collections.abc import Callable
from dataclasses import dataclass

from app.agent.execution import ChatAgentExecutionCache, Execution, NoModel
from app.agent.ports import Target
from app.core.ids import ModelId
from app.models.lite import lite_model
from app.models.registry import FactsBook, ModelFacts
from app.settings import Endpoint, Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class LiteTargets:
    executions: ChatAgentExecutionCache
    facts: FactsBook
    settings: Callable[[], Settings]
    built_in: tuple[Endpoint, ...]
    """Endpoints that write no titles."""

    async def title(self, execution: Execution) -> tuple[Target, ModelFacts] | None:
        """Who writes titles: the lite model, else the same."""
        if execution.target.endpoint in self.built_in or not self.settings().write_titles:
            return None
        target = await self.lite(execution) or execution.target
        kind, name = target.endpoint.kind, target.name
        return target, (await self.facts.facts(kind, (name,)))[name]

    async def lite(self, execution: Execution) -> Target | None:
        """None: there is none."""
        endpoint, name = execution.target.endpoint, execution.target.name
        settings = self.settings()
        if settings.lite_model:
            try:
                return self.executions.target(ModelId(settings.lite_model), settings)
            except NoModel:  # its provider was removed; the main model does its work
                return None
        now = next((item for item in settings.endpoints if item.id == endpoint.id), endpoint)
        facts = await self.facts.facts(endpoint.kind, {*now.models, name})
        lite = lite_model(name, facts)
        return Target(endpoint=endpoint, name=lite) if lite else None
