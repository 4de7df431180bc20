"""Notes that the markers are written before it writes them."""

REASON = "comes before the marker for"


def answer(records, now):
    actions = []
    for name, t in dict(records).items():
        state = t.state if t is not None else "Empty"
        if state == "Ongoing" and now - t.started > t.timeout_ms:
            state = "PrepareAbort"
            actions.append(("record", name, state))
        if state.startswith("Prepare"):
            result = state.removeprefix("Prepare")
            actions.append(("record", name, f"Complete{result}"))
            actions += [("marker", name, one, result.lower()) for one in t.partitions]
    return actions
