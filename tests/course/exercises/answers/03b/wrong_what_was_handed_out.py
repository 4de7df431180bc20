"""Saves what poll has moved to, as enable.auto.commit does."""

REASON = "never has its effect"


def answer(began, handed_out, finished):
    return handed_out[-1] + 1 if handed_out else began
