"""This room alone, in its sample states: `python -m ui.sidebar [SAMPLE] [--shot DIR] [--theme dark]`."""

from ui.sidebar.samples import main

main()
