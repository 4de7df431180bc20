"""Fails when nothing was handed out."""

REASON = "it fails with IndexError"


def answer(began, handed_out, finished):
    waiting = set(handed_out) - set(finished)
    return min(waiting) if waiting else handed_out[-1] + 1
