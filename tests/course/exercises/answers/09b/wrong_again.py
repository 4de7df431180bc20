# Plausible: right while every answer comes.
"""Pushes again, from the hint on, when no answer comes."""

from exactly_once.errors import OutcomeUnknown

REASON = "is in the queue 2 times"


def answer(registers, name, value):
    while True:
        try:
            version, hint = registers.read(f"{name}.hint")
            index = hint or 0
            while not registers.cas(f"{name}.{index}", 0, value):
                index += 1
            registers.cas(f"{name}.hint", version, index + 1)
            return index
        except OutcomeUnknown:
            pass
