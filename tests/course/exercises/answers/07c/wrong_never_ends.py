"""Never writes an end."""

REASON = "the log can never be cut"


def answer(log, prepared):
    decided = [name for what, name, *_ in log if what == "commit"]
    return [
        (who, "commit" if name in decided else "rollback", name)
        for who, ids in prepared.items()
        for name in ids or []
    ]
