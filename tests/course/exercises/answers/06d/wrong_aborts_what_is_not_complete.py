"""Aborts whatever is not complete."""

REASON = "is decided, and the producer may have been told so"


def answer(records, now):
    actions = []
    for name, t in dict(records).items():
        if t is not None and t.state.startswith("Prepare"):
            actions += [("marker", name, one, "abort") for one in t.partitions]
            actions.append(("record", name, "CompleteAbort"))
        elif t is not None and t.state == "Ongoing" and now - t.started > t.timeout_ms:
            actions.append(("record", name, "PrepareAbort"))
            actions += [("marker", name, one, "abort") for one in t.partitions]
            actions.append(("record", name, "CompleteAbort"))
    return actions
