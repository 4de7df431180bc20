"""Writes the ends before it commits."""

REASON = "is still prepared in the"


def answer(log, prepared):
    decided = [name for what, name, *_ in log if what == "commit"]
    ended = [name for what, name, *_ in log if what == "end"]
    actions = [("write", "end", name) for name in decided if name not in ended]
    return actions + [
        (who, "commit" if name in decided else "rollback", name)
        for who, ids in prepared.items()
        for name in ids or []
    ]
