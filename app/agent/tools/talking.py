"""`ask_user` and `note`: what the model wants to know from the person, and what it wants to keep."""

from typing import Literal

from pydantic import BaseModel, Field

from app.agent.tools.tool import BuiltIn, Given, Place
from app.core.approvals import Access, Consent, Wish


class AskUser(BaseModel):
    question: str = Field(min_length=1, description="One question, with all that is needed to answer it.")
    choices: list[str] = Field(
        default_factory=list, max_length=6, description="Answers to choose from, if any."
    )


class Note(BaseModel):
    text: str = Field(min_length=1, max_length=2_000)
    kind: Literal["finding", "decision", "blocked", "next"] = "finding"


async def _ask_user(wanted: AskUser, place: Place) -> Given:
    wish = Wish(tool="ask_user", access=Access.NONE, what=wanted.question, choices=tuple(wanted.choices))
    reply = await place.ask(wish)
    if reply.consent is Consent.REFUSED:
        return Given(text="The person does not want to answer this. Go on as you think best, or stop.")
    return Given(text=reply.text)


async def _note(wanted: Note, place: Place) -> Given:
    return Given(text="Noted.")


ASK_USER = BuiltIn(
    name="ask_user",
    description="Ask the person, and wait for the answer. Only for what you can't find out or decide yourself.",
    arguments=AskUser,
    deed=_ask_user,
)
NOTE = BuiltIn(
    name="note",
    description="Write down a finding, a decision, what blocks you or what comes next; it outlives compression.",
    arguments=Note,
    deed=_note,
)
