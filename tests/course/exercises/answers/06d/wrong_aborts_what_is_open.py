# Plausible: a coordinator that has died has lost its memory.
"""Aborts everything that is open."""

REASON = "Its producer is alive, as far as anybody knows"


def answer(records, now):
    actions = []
    for name, t in dict(records).items():
        state = t.state if t is not None else "Empty"
        if state == "Ongoing":
            state = "PrepareAbort"
            actions.append(("record", name, state))
        if state.startswith("Prepare"):
            result = state.removeprefix("Prepare")
            actions += [("marker", name, one, result.lower()) for one in t.partitions]
            actions.append(("record", name, f"Complete{result}"))
    return actions
