"""Answers to the exercise 06b."""

from tests.course.answers import Answers

answers = Answers("06b")

# Goes through the log from its end, where each transaction's fate stands first.
answers.right("from behind").code("""
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
""")

# Labels each entry with its transaction first, and looks the labels up.
answers.right("in two passes").code("""
    def answer(log, high):
        number, label, fate = {}, {}, {}
        for offset, (kind, producer, _) in enumerate(log):
            if producer is None:
                continue
            label[offset] = number.setdefault(producer, (producer, offset))
            if kind != "data":
                fate[number.pop(producer)] = kind if offset < high else "open"
        undecided = [first for _, first in set(label.values()) if fate.get((_, first), "open") == "open"]
        stable = min([*undecided, high])
        shown = []
        for offset, (kind, _, value) in enumerate(log[:stable]):
            if kind == "data" and fate.get(label.get(offset), "commit") == "commit":
                shown.append(value)
        return stable, shown
""")

# Hides all records of a producer that has aborted something. Plausible: right as long as each producer has one
# transaction.
answers.plausible("hides a producer", reason="was committed at").code("""
    def answer(log, high):
        began, aborted = {}, set()
        for offset, (kind, producer, _) in enumerate(log[:high]):
            if kind == "data" and producer:
                began.setdefault(producer, offset)
            elif kind != "data":
                began.pop(producer)
                if kind == "abort":
                    aborted.add(producer)
        stable = min([high, *began.values()])
        return stable, [value for kind, who, value in log[:stable] if kind == "data" and who not in aborted]
""")

# Reads up to the high watermark. Plausible: right as long as no transaction is open.
answers.plausible("high watermark", reason="transaction begins there and is open").code("""
    def answer(log, high):
        aborted = {producer for kind, producer, _ in log if kind == "abort"}
        return high, [value for kind, who, value in log[:high] if kind == "data" and who not in aborted]
""")

# Takes a marker beyond the high watermark for a decision. Plausible: right as long as everything is replicated.
answers.plausible("markers that may be lost", reason="not below the high watermark").code("""
    def answer(log, high):
        began, spans = {}, []
        for offset, (kind, producer, _) in enumerate(log):
            if kind == "data" and producer:
                began.setdefault(producer, offset)
            elif kind != "data":
                spans.append((producer, began.pop(producer), offset, kind))
        stable = min([high, *began.values()])
        hidden = [(who, a, z) for who, a, z, kind in spans if kind == "abort"]
        return stable, [
            value
            for offset, (kind, who, value) in enumerate(log[:stable])
            if kind == "data" and not any(who == each and a <= offset < z for each, a, z in hidden)
        ]
""")

# Shows a None for each marker.
answers.wrong(
    "shows markers",
    ('kind, _, value in log[:stable] if kind == "data"', "_, _, value in log[:stable]"),
    of="shows what was aborted",
    reason="No record has this value: markers take an offset",
)

# Hides open transactions, and goes on reading behind them.
answers.wrong("each producer for itself", reason="the last stable offset is 0").code("""
    def answer(log, high):
        opened = {}
        for kind, producer, value in log[:high]:
            if kind == "data" and producer:
                opened.setdefault(producer, []).append(value)
            elif kind == "commit":
                opened.pop(producer)
            elif kind == "abort":
                opened[producer] = opened.get(producer, [])
        hidden = [value for values in opened.values() for value in values]
        return high, [value for kind, _, value in log[:high] if kind == "data" and value not in hidden]
""")

# Shows a transaction where its marker stands.
answers.wrong("in order of commits", reason="in the order of the offsets").code("""
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
""")

# Stops behind the last marker.
answers.wrong("last decided", reason="All transactions that begin below the high watermark are decided").code("""
    def answer(log, high):
        markers = [offset for offset, entry in enumerate(log[:high]) if entry[0] != "data"]
        stable = max(markers) + 1 if markers else 0
        return stable, [value for kind, _, value in log[:stable] if kind == "data"]
""")

# Returns the offset alone.
answers.wrong("one number", reason="return a pair").code("""
    def answer(log, high):
        return high
""")

# Stops where it should, and shows aborted records.
answers.wrong("shows what was aborted", reason="aborted at").code("""
    def answer(log, high):
        began = {}
        for offset, (kind, producer, _) in enumerate(log[:high]):
            if kind == "data" and producer:
                began.setdefault(producer, offset)
            elif kind != "data":
                began.pop(producer)
        stable = min([high, *began.values()])
        return stable, [value for kind, _, value in log[:stable] if kind == "data"]
""")

answers.wrong(
    "hides values",
    reason="does not show 'tea'",
).diff("""
    +    hidden = [log[at][2] for who, a, z in gone for at in range(a, z) if log[at][1] == who]
         shown = [
    @@
    -        and not any(who == producer and a <= offset < z for who, a, z in gone)
    +        and value not in hidden
""")
