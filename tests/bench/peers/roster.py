"""Who is measured, and what was set; what is not named here is the library's own default."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    name: str
    module: str
    """Of this room."""
    way: str
    settings: str
    package: str = ""
    """Empty: the project itself."""

    @property
    def is_own(self) -> bool:
        return not self.package


_SUMMARY = "trigger = budget, keep = budget less the summary's cap, our counter"

PEERS = {
    peer.name: peer
    for peer in (
        Peer(
            name="Palimpsest",
            module="own",
            way="offline",
            settings="the program's own steps, asked for the budget; no model writes",
        ),
        Peer(
            name="Palimpsest with a model",
            module="own",
            way="with_a_model",
            settings="as above; the stub is there to write a summary",
        ),
        Peer(
            name="LangChain trim_messages",
            module="of_langchain",
            way="trim_messages",
            package="langchain-core",
            settings='max_tokens = budget, our counter; the documented strategy "last", start_on "human", include_system',
        ),
        Peer(
            name="LangChain summarization",
            module="of_langchain",
            way="summarization",
            package="langchain",
            settings=_SUMMARY,
        ),
        Peer(
            name="LangChain summarization, untrimmed",
            module="of_langchain",
            way="summarization_of_all",
            package="langchain",
            settings=f"{_SUMMARY}; trim_tokens_to_summarize = None",
        ),
        Peer(
            name="deepagents",
            module="of_deepagents",
            way="summarization",
            package="deepagents",
            settings=f"{_SUMMARY}; its factory's trim None; arguments cut by the same trigger; files on disk",
        ),
        Peer(
            name="headroom",
            module="of_headroom",
            way="compress",
            package="headroom-ai",
            settings="model_limit = budget; its text model is off, as its weights are in no package",
        ),
        Peer(
            name="headroom, strongest",
            module="of_headroom",
            way="compress_most",
            package="headroom-ai",
            settings="as above; profile agent-90, the person's messages and recent ones too, target_ratio 0.25",
        ),
        Peer(
            name="LiteLLM trim_messages",
            module="of_litellm",
            way="trim_messages",
            package="litellm",
            settings="max_tokens = budget, by its own counter",
        ),
        Peer(
            name="apodex",
            module="of_apodex",
            way="tiered",
            package="apodex-agent-core",
            settings="relief_target = budget, by its own counter; 5 results and 16 messages kept, results spilled to files",
        ),
        Peer(
            name="hermes",
            module="of_hermes",
            way="compress",
            package="hermes-agent",
            settings="a window that the conversation fills, so that tail and summary come to about the budget",
        ),
    )
}

FILTERS = {
    peer.name: peer
    for peer in (
        Peer(name="Palimpsest's filters", module="own", way="filtered", settings="5,000 tokens a result"),
        replace(PEERS["headroom"], name="headroom's", settings="as above; it gives up after 20 s"),
    )
}
"""Who looks into what one tool said; the others cut it, write it to a file, or leave it."""
