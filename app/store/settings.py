"""Settings as stored: one row per value, for the app or for one chat (A7)."""

import json
from typing import cast

from pydantic import JsonValue, ValidationError
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlmodel import Session, col, delete, select

from app.core.errors import StoreError
from app.core.ids import ChatId
from app.settings import Settings
from app.store import rows
from app.store.stored_settings import readable
from app.store.tables import SettingRow


class StoredSettings:
    def __init__(self, session: Session) -> None:
        self._session = session

    def of_app(self) -> Settings:
        return readable(self._values(""))

    def of_chat(self, chat_id: ChatId) -> dict[str, JsonValue]:
        return self._values(chat_id)

    def save(self, *, name: str, value: JsonValue, chat: ChatId | None = None) -> None:
        """
        Raises:
            StoreError: there is no such setting, or it does not take this value.
        """
        if name not in Settings.model_fields:
            raise StoreError(f"There is no setting {name!r}.", name=name)
        try:
            # The other values stand as they are; what is wrong with them is not this setting's fault.
            self.of_app().layered({name: value})
        except ValidationError as error:
            sentence = str(error.errors()[0]["msg"])
            raise StoreError(f"{name!r} does not take this value: {sentence}.", name=name) from error
        row = {"scope": chat or "", "name": name, "value": rows.to_json(value)}
        self._session.exec(
            upsert(SettingRow).values(row).on_conflict_do_update(index_elements=["scope", "name"], set_=row)
        )

    def forget(self, chat_id: ChatId, name: str | None = None) -> None:
        """Back to the app's value for `name`, or for all of the chat's."""
        query = delete(SettingRow).where(col(SettingRow.scope) == chat_id)
        self._session.exec(query if name is None else query.where(col(SettingRow.name) == name))

    def _values(self, scope: str) -> dict[str, JsonValue]:
        found = self._session.exec(select(SettingRow).where(col(SettingRow.scope) == scope))
        return {row.name: cast("JsonValue", json.loads(row.value)) for row in found}
