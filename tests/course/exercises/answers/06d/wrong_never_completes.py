"""Writes the markers, and not that they are written."""

REASON = "or the log for the record that all are written"


def answer(records, now):
    actions = []
    for name, t in dict(records).items():
        state = t.state if t is not None else "Empty"
        if state == "Ongoing" and now - t.started > t.timeout_ms:
            state = "PrepareAbort"
            actions.append(("record", name, state))
        if state.startswith("Prepare"):
            actions += [("marker", name, one, state.removeprefix("Prepare").lower()) for one in t.partitions]
    return actions
