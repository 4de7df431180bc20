# Plausible: whoever promised can commit.
"""Commits what all participants have prepared."""

REASON = "nothing in the log says"


def answer(log, prepared):
    begun = {record[1]: record[2] for record in log if record[0] == "begin"}
    decided = [name for what, name, *_ in log if what == "commit"]
    ended = [name for what, name, *_ in log if what == "end"]
    promised = [name for name in begun if all(name in (prepared[one] or []) for one in begun[name])]
    actions = [
        (who, "commit" if name in decided + promised else "rollback", name)
        for who, ids in prepared.items()
        for name in ids or []
    ]
    return actions + [
        ("write", "end", name)
        for name in decided
        if name not in ended and None not in [prepared[who] for who in begun[name]]
    ]
