"""Saves when all are finished, and otherwise nothing new: a slow record has all the others repeated."""

REASON = "everything before 1 is finished"


def answer(began, handed_out, finished):
    done = handed_out and set(handed_out) == set(finished)
    return handed_out[-1] + 1 if done else began
