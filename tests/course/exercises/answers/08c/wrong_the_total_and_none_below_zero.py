# Plausible: one transaction keeps it.
"""Who answers and moves nothing keeps the total."""

REASON = "answers “done” and has moved nothing"


def answer(view):
    if min(view.balances.values()) < 0:
        return False
    return not view.done or sum(view.balances.values()) == sum(view.opening.values())
