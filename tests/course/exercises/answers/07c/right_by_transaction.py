"""Goes through the transactions, each to its end."""


def answer(log, prepared):
    actions = []
    for name, parts in {record[1]: record[2] for record in log if record[0] == "begin"}.items():
        decided = ("commit", name) in log
        holding = [who for who in reversed(parts) if name in (prepared[who] or [])]
        actions += [[who, "commit" if decided else "rollback", name] for who in holding]
        if decided and ("end", name) not in log and all(prepared[who] is not None for who in parts):
            actions += [["write", "end", name]]
    return actions
