"""What touches the present question is found before the run goes."""

from app.context.summary.recall import recall
from app.tokens.estimate import estimate
from tests.app.context.histories import path_of
from tests.app.context.summary.making import assistant, call, talk, user

_PATH = path_of(
    [
        user("Let us talk about the weather for a while."),
        assistant("The invoice of Gerlinde is due on 2026-03-04."),
        *call("search", '{"q": "Gerlinde"}', "Gerlinde lives in Ghent\nnothing else is known"),
        user("Thanks, that is all for now."),
    ]
)


def test_lines_that_share_rare_words_with_the_question_come_back_in_order() -> None:
    """S5."""
    facts = recall(_PATH, "When is Gerlinde's invoice due? Gerlinde", room_tokens=500, tokens=estimate)

    assert facts == ("The invoice of Gerlinde is due on 2026-03-04.", "Gerlinde lives in Ghent")


def test_there_are_at_most_five_and_they_fit() -> None:
    path = talk(40)

    facts = recall(path, "continue with part 17 and the fox", room_tokens=200, tokens=estimate)

    assert 0 < len(facts) <= 5
    assert sum(map(estimate, facts)) <= 200


def test_where_one_line_fits_it_is_the_one_with_the_rarest_word() -> None:
    ports = [assistant(f"The harbour of ship {n} is open.") for n in range(6)]
    wanted = "The gateway stands on the hill."
    path = path_of([user("Hello."), *ports, assistant(wanted), *ports])

    facts = recall(path, "gateway and harbour?", room_tokens=estimate(wanted) + 2, tokens=estimate)

    assert facts == (wanted,)


def test_no_question_recalls_nothing() -> None:
    assert recall(_PATH, "ok", room_tokens=500, tokens=estimate) == ()
