# %% 06b in order of commits → in the order of the offsets
def answer(log, high):
    held, firsts, shown = {}, {}, []
    for offset, (kind, producer, value) in enumerate(log[:high]):
        if kind == "data" and producer:
            firsts.setdefault(producer, offset)
            held.setdefault(producer, []).append((offset, value))
        elif kind == "data":
            shown.append((offset, value))
        else:
            firsts.pop(producer)
            done = held.pop(producer)
            shown += done if kind == "commit" else []
    stable = min([high, *firsts.values()])
    return stable, [value for offset, value in shown if offset < stable]

# %% 06b last decided → the smallest of the high watermark
def answer(log, high):
    markers = [offset for offset, entry in enumerate(log[:high]) if entry[0] != "data"]
    stable = max(markers) + 1 if markers else 0
    return stable, [value for kind, _, value in log[:stable] if kind == "data"]

# %% 06d every record → right is []
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

# %% 06d says words → returns ['complete pay']
def answer(records, now):
    return [f"complete {name}" for name, t in dict(records).items()]

# %% 06-shown hides for good → the producer's next transaction may be committed
def answer(entries, aborted):
    return [
        value
        for offset, producer, kind, value in entries
        if kind == "record" and not any(one == producer and first <= offset for one, first in aborted)
    ]
