"""Why a value was not taken, as a sentence that stands at its field."""

from PySide6.QtCore import QObject

from ui.settings.state import Problem


class ProblemWords(QObject):
    def sentence(self, problem: Problem) -> str:
        whole_number = self.tr("A whole number, please.")
        number = self.tr("A number, please.")
        sentences = {
            "greater_than_equal": self.tr("At least {limit}."),
            "less_than_equal": self.tr("At most {limit}."),
            "int_parsing": whole_number,
            "int_type": whole_number,
            "int_from_float": whole_number,
            "float_parsing": number,
            "float_type": number,
            "finite_number": number,
            "value_error": self.tr("An address looks like https://host/v1."),
            "name_missing": self.tr("It needs a name."),
            "address_missing": self.tr("It needs an address."),
            "headers": self.tr("One header per line, as Name: value."),
            "proxy": self.tr("A proxy starts with http://, https:// or socks5://."),
            "model_twice": self.tr("This model is in the list already."),
            "model_itself": self.tr("This is the default model: it is asked first anyway."),
        }
        unknown = self.tr("This value cannot be used.")
        return sentences.get(problem.kind, unknown).format(limit=problem.limit)
