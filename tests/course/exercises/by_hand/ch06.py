"""Answers by hand to chapter 06."""

from . import right, wrong

right(
    "06a",
    "by tables",
    """
    ALLOWED = {
        "append": lambda known: (known, 2**15),
        "add": lambda known: (known, known),
        "marker": lambda known: (known + 1, 2**15),
    }
    UNKNOWN = {"append": "accept", "add": "INVALID_PRODUCER_ID_MAPPING", "marker": "accept"}


    def answer(request, epoch, known):
        if known is None:
            return UNKNOWN[request]
        least, most = ALLOWED[request](known)
        if least <= epoch <= most:
            return "accept"
        return "PRODUCER_FENCED" if request == "add" else "INVALID_PRODUCER_EPOCH"
""",
)

right(
    "06b",
    "from behind",
    """
    def answer(log, high):
        fate, stable, found = {}, high, []
        for offset in range(high - 1, -1, -1):
            kind, producer, value = log[offset]
            if kind != "data":
                fate[producer] = kind
            elif producer is None or fate.get(producer) == "commit":
                found.append((offset, value))
            elif producer not in fate:
                stable = offset
        first = {}
        for offset, (kind, producer, _) in enumerate(log[:high]):
            if kind == "data" and producer:
                first.setdefault(producer, offset)
            elif kind != "data":
                first.pop(producer)
        stable = min([high, *first.values()])
        return stable, tuple(value for offset, value in reversed(found) if offset < stable)
""",
)

wrong(
    "06b",
    "in order of commits",
    "in the order of the offsets",
    """
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
""",
)

wrong(
    "06b",
    "last decided",
    "the smallest of the high watermark",
    """
    def answer(log, high):
        markers = [offset for offset, entry in enumerate(log[:high]) if entry[0] != "data"]
        stable = max(markers) + 1 if markers else 0
        return stable, [value for kind, _, value in log[:stable] if kind == "data"]
""",
)

right(
    "06d",
    "decides for all first",
    """
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
""",
)

right(
    "06d",
    "from behind",
    """
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
""",
)

wrong(
    "06d",
    "every record",
    "right is []",
    """
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
""",
)

wrong(
    "06d",
    "says words",
    "returns ['complete pay']",
    """
    def answer(records, now):
        return [f"complete {name}" for name, t in dict(records).items()]
""",
)

right(
    "06g",
    "by a table",
    """
    ENDS = ("commitTransaction", "abortTransaction")
    LAST = {
        None: "seek",
        "ProducerFencedException": "close",
        "IllegalGenerationException": "close",
    }


    def answer(call, error):
        if call in ENDS and error == "TimeoutException":
            return call
        return LAST.get(error, "abortTransaction")
""",
)

right(
    "06-shown",
    "looks back at each entry",
    """
    def answer(entries, aborted):
        values = []
        markers = {}
        for offset, producer, kind, _ in entries:
            if kind == "abort":
                markers.setdefault(producer, []).append(offset)
        spans = []
        for producer, first in aborted:
            end = min((m for m in markers.get(producer, ()) if m > first), default=float("inf"))
            spans.append((producer, first, end))
        for offset, producer, kind, value in entries:
            if kind == "record" and not any(p == producer and first <= offset < end for p, first, end in spans):
                values.append(value)
        return values
""",
)

wrong(
    "06-shown",
    "hides for good",
    "the producer's next transaction may be committed",
    """
    def answer(entries, aborted):
        return [
            value
            for offset, producer, kind, value in entries
            if kind == "record" and not any(one == producer and first <= offset for one, first in aborted)
        ]
""",
)

right(
    "06-surplus",
    "by a set",
    """
    WHERE = {
        "database.increment": ("crash after", "lost reply"),
        "transaction.offsets": ("crash before", "crash after"),
        "transaction.end": ("crash before",),
    }


    def answer(step, kind):
        return int(kind in WHERE.get(step, ()))
""",
)

right(
    "06-together",
    "counter first",
    """
    from exactly_once.node.access.transactions import CHANGELOG, GROUP, OUTPUT


    def answer(node):
        producer = node.transactions.producer("averages")
        producer.init_transactions()
        positions = node.transactions.positions()
        window = node.transactions.state()
        while node.running(positions):
            items, next_positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            producer.begin_transaction()
            if len(window) > node.threshold:
                node.database.increment()
            producer.send_offsets_to_transaction(next_positions, GROUP)
            producer.send(CHANGELOG, [window])
            producer.send(OUTPUT, [window.average()])
            producer.commit_transaction()
            positions = next_positions
""",
)
