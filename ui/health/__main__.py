"""This room alone, in its sample states: `python -m ui.health [SAMPLE] [--shot DIR] [--theme dark]`."""

from ui.health.samples import main

main()
