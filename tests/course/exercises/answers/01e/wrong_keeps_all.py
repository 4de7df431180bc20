"""Drops nothing."""

REASON = "comes back"


def answer(versions):
    return [each for place, each in enumerate(versions) if each not in versions[:place]]
