# Plausible: right while everybody is there.
"""Waits until everybody is there."""

REASON = "is left in doubt"


def answer(log, prepared):
    decided = [name for what, name, *_ in log if what == "commit"]
    ended = [name for what, name, *_ in log if what == "end"]
    if None in prepared.values():
        return []
    actions = [
        (who, "commit" if name in decided else "rollback", name) for who, ids in prepared.items() for name in ids
    ]
    return actions + [("write", "end", name) for name in decided if name not in ended]
