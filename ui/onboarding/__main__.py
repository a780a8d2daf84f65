"""This room alone, in its sample states: `python -m ui.onboarding [SAMPLE] [--shot DIR] [--theme dark]`."""

from ui.onboarding.samples import main

main()
