"""Leaves in doubt what is not decided."""

REASON = "is left in doubt"


def answer(log, prepared):
    begun = {record[1]: record[2] for record in log if record[0] == "begin"}
    decided = [name for what, name, *_ in log if what == "commit"]
    ended = [name for what, name, *_ in log if what == "end"]
    actions = [(who, "commit", name) for who, ids in prepared.items() for name in ids or [] if name in decided]
    return actions + [
        ("write", "end", name)
        for name in decided
        if name not in ended and None not in [prepared[who] for who in begun[name]]
    ]
