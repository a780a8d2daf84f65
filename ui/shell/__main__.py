"""This room alone, in its sample states: `python -m ui.shell [SAMPLE] [--shot DIR] [--theme dark]`."""

from ui.shell.samples import main

main()
