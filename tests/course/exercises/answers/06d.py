"""Answers to the exercise 06d."""

from tests.course.answers import Answers

answers = Answers("06d")

# Writes all decisions first, then all markers, then all completions.
answers.right("decides for all first").code("""
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
""")

# Reads the log from its end, and writes each marker twice.
answers.right("from behind").code("""
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
""")

# Aborts everything that is open. Plausible: a coordinator that has died has lost its memory.
answers.plausible(
    "aborts what is open",
    ('"Ongoing" and now - t.started > t.timeout_ms', '"Ongoing"'),
    ("partitions[:1]", "partitions"),
    of="one marker",
    reason="Its producer is alive, as far as anybody knows",
)

# Leaves an open transaction to its producer for ever. Plausible: right as long as nobody stalls.
answers.plausible("forgets the time", reason="is left open").code("""
    def answer(records, now):
        actions = []
        for name, t in dict(records).items():
            if t is not None and t.state.startswith("Prepare"):
                result = t.state.removeprefix("Prepare")
                actions += [("marker", name, one, result.lower()) for one in t.partitions]
                actions.append(("record", name, f"Complete{result}"))
        return actions
""")

# Looks at the last record of the log alone.
answers.wrong(
    "last record alone",
    ("dict(records).items()", "records[-1:]"),
    ("partitions[:1]", "partitions"),
    of="one marker",
    reason="is left",
)

# Does not expect that an id was forgotten.
answers.wrong(
    "stumbles over tombstones",
    ('state = t.state if t is not None else "Empty"', "state = t.state"),
    ("partitions[:1]", "partitions"),
    of="one marker",
    reason="fails with AttributeError",
)

# Takes each record for the newest.
answers.wrong(
    "every record",
    ("for name, t in dict(records).items():", "for name, t in records:"),
    ('if state == "Ongoing" and now', 'if state == "Ongoing" and (name, t) == records[-1] and now'),
    ("partitions[:1]", "partitions"),
    of="one marker",
    reason="so there is no decision to complete",
)

# Notes that the markers are written before it writes them.
answers.wrong("completes first", reason="comes before the marker for").diff("""
    -            for partition in t.partitions:
    -                actions.append(("marker", name, partition, result.lower()))
                 actions.append(("record", name, f"Complete{result}"))
    +            actions += [("marker", name, one, result.lower()) for one in t.partitions]
""")

# Writes abort markers for expired transactions, and no decision.
answers.wrong("markers without a decision", reason="Nothing is decided yet").diff("""
    -            actions.append(("record", name, state))
    @@
    -            for partition in t.partitions:
    -                actions.append(("marker", name, partition, result.lower()))
    +            actions += [("marker", name, one, result.lower()) for one in t.partitions]
""")

# Writes the markers, and not that they are written.
answers.wrong("never completes", reason="or the log for the record that all are written").diff("""
    -            result = state.removeprefix("Prepare")
    -            for partition in t.partitions:
    -                actions.append(("marker", name, partition, result.lower()))
    -            actions.append(("record", name, f"Complete{result}"))
    +            actions += [("marker", name, one, state.removeprefix("Prepare").lower()) for one in t.partitions]
""")

# Aborts each incomplete transaction.
answers.wrong("aborts what is not complete", reason="is decided, and the producer may have been told so").code("""
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
""")

# Writes a marker to the first partition alone.
answers.wrong("one marker", reason="comes before the marker for output-").code("""
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
""")

# Describes the necessary steps in words.
answers.wrong("says words", reason="give ('record', id, state)").code("""
    def answer(records, now):
        return [f"complete {name}" for name, t in dict(records).items()]
""")

answers.wrong("one time-out for all", ("t.timeout_ms", "60_000"), reason="and may take 10000")
