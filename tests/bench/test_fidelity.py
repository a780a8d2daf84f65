"""The probes of the fidelity bench ask for an answer beside its key, and for nothing less."""

from tests.bench.fidelity import Probe, figures, plain

PROBE = Probe(kind="auto_json", answer="hat253", keys=frozenset({"flight_number"}))


def test_an_answer_far_from_its_key_does_not_count() -> None:
    assert PROBE.stands_in(plain('{"flight_number": "HAT253"}'))
    assert not PROBE.stands_in(plain(f"flight_number {'x' * 300} HAT253"))
    assert not PROBE.stands_in(plain("HAT253"))


def test_of_a_sentence_most_words_must_stand_together() -> None:
    probe = Probe(
        kind="dataset", answer="", keys=frozenset({"capa", "barsavi", "crime", "lord"}), is_free=True
    )

    assert probe.stands_in("the crime lord is capa barsavi")
    assert not probe.stands_in(f"the crime lord {'x ' * 400} is capa barsavi")


async def test_a_compressed_conversation_keeps_to_its_target_and_every_probe_is_reachable() -> None:
    found = await figures("tau2-retail-single")

    assert found.tokens <= found.target
    assert all(found.reachable)
    assert found.expired == found.direct
    assert all(found.expired_reachable)
    assert sum(found.direct) > max(hits for hits, _ in (found.plain["the last quarter"],))
