"""Reads the log from its end, and writes each marker twice."""


def answer(records, now):
    seen, actions = set(), []
    for name, t in reversed(records):
        if name in seen:
            continue
        seen.add(name)
        if t is None:
            continue
        state = t.state
        if state == "Ongoing" and now - t.started > t.timeout_ms:
            actions.append(["record", name, "PrepareAbort"])
            state = "PrepareAbort"
        if state in ("PrepareCommit", "PrepareAbort"):
            result = "commit" if state == "PrepareCommit" else "abort"
            actions += [["marker", name, one, result] for one in [*t.partitions, *t.partitions]]
            actions.append(["record", name, "CompleteCommit" if result == "commit" else "CompleteAbort"])
    return actions
