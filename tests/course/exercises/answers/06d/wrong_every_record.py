"""Takes each record for the newest."""

REASON = "so there is no decision to complete"


def answer(records, now):
    actions = []
    for name, t in records:
        state = t.state if t is not None else "Empty"
        if state == "Ongoing" and (name, t) == records[-1] and now - t.started > t.timeout_ms:
            state = "PrepareAbort"
            actions.append(("record", name, state))
        if state.startswith("Prepare"):
            result = state.removeprefix("Prepare")
            actions += [("marker", name, one, result.lower()) for one in t.partitions]
            actions.append(("record", name, f"Complete{result}"))
    return actions
