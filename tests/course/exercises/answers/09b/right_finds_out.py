"""Looks into the cell when no answer comes, and reads the hint again before it moves it."""

import contextlib

from exactly_once.errors import OutcomeUnknown


def surely(ask, *what):
    while True:
        try:
            return ask(*what)
        except OutcomeUnknown:
            pass


def answer(registers, name, value):
    index = surely(registers.read, f"{name}.hint")[1] or 0
    while True:
        version, held = surely(registers.read, f"{name}.{index}")
        if version == 0:
            with contextlib.suppress(OutcomeUnknown):
                registers.cas(f"{name}.{index}", 0, value)
        elif held == value:
            break
        else:
            index += 1
    at, hint = surely(registers.read, f"{name}.hint")
    if (hint or 0) <= index:
        with contextlib.suppress(OutcomeUnknown):
            registers.cas(f"{name}.hint", at, index + 1)
    return index
