"""This room alone, in its sample states: `python -m ui.folding [SAMPLE] [--shot DIR] [--theme dark]`."""

from ui.folding.samples import main

main()
