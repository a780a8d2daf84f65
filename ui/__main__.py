"""The program: `python -m ui`, and what the installed command runs."""

import sys

from app.core.loading import loading


def main() -> int:
    """Returns the exit code. `--worker NAME` is one of the program's own child processes, which draws nothing."""
    if sys.argv[1:3] == ["--worker", "pdf"]:
        from ui.pdf import main as print_pages

        return print_pages()
    if sys.argv[1:2] == ["--worker"]:
        from app.worker import main as work

        work(sys.argv[1:])
        return 0
    with loading():  # a tenth of a start is the collector, looking at modules that come to stay
        from ui.main import main as show
    return show()


if __name__ == "__main__":
    sys.exit(main())
