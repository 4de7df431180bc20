"""Writes all decisions first, then all markers, then all completions."""

RESULTS = {"PrepareCommit": "commit", "PrepareAbort": "abort"}


def answer(records, now):
    newest = {name: t for name, t in dict(records).items() if t is not None}
    late = [n for n, t in newest.items() if t.state == "Ongoing" and now > t.started + t.timeout_ms]
    results = {name: RESULTS[t.state] for name, t in newest.items() if t.state in RESULTS}
    results |= dict.fromkeys(late, "abort")
    return (
        [("record", name, "PrepareAbort") for name in late]
        + [("marker", name, one, result) for name, result in results.items() for one in newest[name].partitions]
        + [("record", name, f"Complete{result.title()}") for name, result in results.items()]
    )
