"""This room alone, in its sample states: `python -m ui.chat [SAMPLE] [--shot DIR] [--theme dark]`."""

from ui.chat.samples import main

main()
