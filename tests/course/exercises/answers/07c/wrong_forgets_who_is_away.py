# Plausible: right while everybody is there.
"""Takes a participant that is away for one that holds nothing."""

REASON = "it may hold"


def answer(log, prepared):
    decided = [name for what, name, *_ in log if what == "commit"]
    ended = [name for what, name, *_ in log if what == "end"]
    actions = [
        (who, "commit" if name in decided else "rollback", name)
        for who, ids in prepared.items()
        for name in ids or []
    ]
    return actions + [("write", "end", name) for name in decided if name not in ended]
