# Plausible: right for a clock at 0.
"""Clock and stamp added up."""

REASON = "larger than both, but the rule goes 1 beyond"


def answer(clock, stamp):
    return clock + stamp + 1
