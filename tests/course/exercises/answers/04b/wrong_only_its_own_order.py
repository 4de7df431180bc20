"""Knows a letter for its own order alone."""

REASON = "it fails with KeyError"


def corrupts_at(order):
    return {("output", "counter", "positions", "state"): "D"}[order]


answer = {"order": ("output", "counter", "positions", "state"), "corrupts_at": corrupts_at}
