"""`doctor`: what is installed, where things lie, what is wrong and how to mend it."""

import argparse

from app.cli.command import FAILED, OK, Command, print_json
from app.settings import Paths


async def _doctor(given: argparse.Namespace, paths: Paths) -> int:
    from app.doctor import State, examine

    found = await examine(paths)
    worst = max((finding.state for _, finding in found), key=list(State).index)
    if given.json:
        print_json(
            {
                "state": worst.value,
                "data": str(paths.data),
                "checks": [
                    {
                        "name": name,
                        "state": finding.state.value,
                        "text": finding.text,
                        "mend": finding.mend,
                    }
                    for name, finding in found
                ],
            }
        )
    else:
        for name, finding in found:
            print(f"{finding.state.value:<4}  {name:<15} {finding.text}")
            if finding.mend:
                print(f"{'':22}→ {finding.mend}")
    return FAILED if worst is State.BAD else OK


DOCTOR = Command(
    name="doctor",
    help="Tell what is installed, where things lie, what is wrong and how to mend it.",
    add_arguments=lambda _: None,
    run=_doctor,
)
