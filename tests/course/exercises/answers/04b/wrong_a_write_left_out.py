"""Leaves the counter out, to have less to double."""

REASON = "it names each of output, counter, state, positions once"


def corrupts_at(order):
    return "B"


answer = {"order": ("output", "positions", "state"), "corrupts_at": corrupts_at}
