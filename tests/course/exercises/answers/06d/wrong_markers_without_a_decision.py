"""Writes abort markers for what is over its time, and no decision."""

REASON = "Nothing is decided yet"


def answer(records, now):
    actions = []
    for name, t in dict(records).items():
        state = t.state if t is not None else "Empty"
        if state == "Ongoing" and now - t.started > t.timeout_ms:
            state = "PrepareAbort"
        if state.startswith("Prepare"):
            result = state.removeprefix("Prepare")
            actions += [("marker", name, one, result.lower()) for one in t.partitions]
            actions.append(("record", name, f"Complete{result}"))
    return actions
