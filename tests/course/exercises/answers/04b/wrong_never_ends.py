"""Looks for the letter in a loop that never leaves."""

REASON = "had not come to an end"


def corrupts_at(order):
    while True:
        order = order[::-1]


answer = {"order": ("output", "counter", "positions", "state"), "corrupts_at": corrupts_at}
