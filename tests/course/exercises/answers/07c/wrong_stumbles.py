"""Does not expect that one is away."""

REASON = "fails with TypeError"


def answer(log, prepared):
    begun = {record[1]: record[2] for record in log if record[0] == "begin"}
    decided = [name for what, name, *_ in log if what == "commit"]
    ended = [name for what, name, *_ in log if what == "end"]
    actions = [
        (who, "commit" if name in decided else "rollback", name) for who, ids in prepared.items() for name in ids
    ]
    return actions + [
        ("write", "end", name)
        for name in decided
        if name not in ended and None not in [prepared[who] for who in begun[name]]
    ]
