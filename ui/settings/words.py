"""Why a value was not taken, as a sentence that stands at its field."""

from PySide6.QtCore import QObject

from ui.settings.state import Problem


class ProblemWords(QObject):
    def sentence(self, problem: Problem) -> str:
        match problem.kind:
            case "greater_than_equal":
                return self.tr("At least {limit}.").format(limit=problem.limit)
            case "less_than_equal":
                return self.tr("At most {limit}.").format(limit=problem.limit)
            case "int_parsing" | "int_type" | "int_from_float":
                return self.tr("A whole number, please.")
            case "value_error":
                return self.tr("An address looks like https://host/v1.")
            case "name_missing":
                return self.tr("It needs a name.")
            case "address_missing":
                return self.tr("It needs an address.")
            case "headers":
                return self.tr("One header per line, as Name: value.")
            case "proxy":
                return self.tr("A proxy starts with http://, https:// or socks5://.")
            case _:
                return self.tr("This value cannot be used.")
