"""The report of `python -m exactly_once clocks FILE`: every event's stamps, and the number of concurrent pairs."""

import json


def report(histories):
    """Return the report on (name, `History`) pairs, ready for JSON.

    `processes`: their names. `concurrent_pairs`, `ordered_pairs`: how many pairs of events of one execution are
    concurrent, and how many are not. `executions`: the same numbers for each, with its name and number of events, and
    `completed_clocks`, the number of a ShiViz log's own clocks that lacked an entry of their causes and are completed
    here. `events`, in the file's order: `process`, `index` (the n-th event there, from 1), `kind`, `message` and
    `redelivery` if it has them, `lamport`, `vector` (without zeros), `order` (its place from 1 in the total order by
    stamp and process name), `line` of the file, and `execution` if the file has several.
    """
    executions, events, processes = [], [], {}
    for name, history in histories:
        processes |= dict.fromkeys(history.processes)
        pairs, concurrent = len(history) * (len(history) - 1) // 2, history.concurrent_pairs()
        numbers = {"concurrent_pairs": concurrent, "ordered_pairs": pairs - concurrent}
        size = {"name": name, "events": len(history)}
        executions.append(size | numbers | {"completed_clocks": history.completed})
        events += [event if len(histories) == 1 else {"execution": name, **event} for event in _events(history)]
    totals = {key: sum(each[key] for each in executions) for key in ("concurrent_pairs", "ordered_pairs")}
    return {"processes": list(processes), **totals, "executions": executions, "events": events}


def _events(history):
    order = {place: number for number, place in enumerate(history.total_order(), 1)}
    for place, event in enumerate(history):
        found = {"process": event.process, "index": history.index[place], "kind": event.kind}
        if event.message is not None:
            found["message"] = event.message
        if event.redelivery:
            found["redelivery"] = True
        stamps = {"lamport": history.lamport[place], "vector": history.vectors[place], "order": order[place]}
        yield found | stamps | ({"line": event.line} if event.line else {})


def report_text(histories):
    """Return the report as JSON, each event on a line of its own."""
    found = report(histories)
    events = ",\n".join(f"    {json.dumps(event)}" for event in found.pop("events"))
    head = json.dumps(found, indent=2).removesuffix("\n}")
    return f'{head},\n  "events": [\n{events}\n  ]\n}}'
