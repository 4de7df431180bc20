"""Writes a marker to the first partition alone."""

REASON = "comes before the marker for output-"


def answer(records, now):
    actions = []
    for name, t in dict(records).items():
        state = t.state if t is not None else "Empty"
        if state == "Ongoing" and now - t.started > t.timeout_ms:
            state = "PrepareAbort"
            actions.append(("record", name, state))
        if state.startswith("Prepare"):
            result = state.removeprefix("Prepare")
            actions += [("marker", name, one, result.lower()) for one in t.partitions[:1]]
            actions.append(("record", name, f"Complete{result}"))
    return actions
