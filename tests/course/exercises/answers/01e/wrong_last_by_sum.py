# Plausible: right for one version.
"""The latest write wins, by the sum of the entries."""

REASON = "what was written there is lost, and nobody is told"


def answer(versions):
    return [max(versions, key=lambda version: sum(version[1].values()))]
