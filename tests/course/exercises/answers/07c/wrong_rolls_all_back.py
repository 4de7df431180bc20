"""Rolls back whatever is in doubt."""

REASON = "is to be committed"


def answer(log, prepared):
    begun = {record[1]: record[2] for record in log if record[0] == "begin"}
    decided = [name for what, name, *_ in log if what == "commit"]
    ended = [name for what, name, *_ in log if what == "end"]
    actions = [(who, "rollback", name) for who, ids in prepared.items() for name in ids or []]
    return actions + [
        ("write", "end", name)
        for name in decided
        if name not in ended and None not in [prepared[who] for who in begun[name]]
    ]
