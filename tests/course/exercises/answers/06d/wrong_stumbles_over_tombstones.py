"""Does not expect that an id was forgotten."""

REASON = "fails with AttributeError"


def answer(records, now):
    actions = []
    for name, t in dict(records).items():
        state = t.state
        if state == "Ongoing" and now - t.started > t.timeout_ms:
            state = "PrepareAbort"
            actions.append(("record", name, state))
        if state.startswith("Prepare"):
            result = state.removeprefix("Prepare")
            actions += [("marker", name, one, result.lower()) for one in t.partitions]
            actions.append(("record", name, f"Complete{result}"))
    return actions
