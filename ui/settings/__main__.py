"""This room alone, in its sample states: `python -m ui.settings [SAMPLE] [--shot DIR] [--theme dark]`."""

from ui.settings.samples import main

main()
