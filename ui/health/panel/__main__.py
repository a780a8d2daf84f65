"""This room alone, in its sample states: `python -m ui.health.panel [SAMPLE] [--shot DIR] [--theme dark]`."""

from ui.health.panel.samples import main

main()
