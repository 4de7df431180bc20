"""Answers to the exercise 05d."""

from tests.course.answers import Answers

given = """
    def forgets(headers, place):
        cut = {who: (epoch, kept[-1:]) for who, (epoch, kept) in rebuild({}, headers[:place]).items()}
        before, after = rebuild({}, headers), rebuild(cut, headers[place:])
        return [batch[0] for who in before for batch in before[who][1] if batch not in after[who][1]]


    def rebuild(snapshot, headers):
        known = dict(snapshot)
        for offset, producer, epoch, first, count in headers:
            if producer is not None:
                before, batches = known.get(producer, (epoch, []))
                kept = batches if before == epoch else []
                known[producer] = (epoch, [*kept, (offset, first, count)][-5:])
        return known
"""
answers = Answers("05d", given)

# Reads each producer's headers from the newest to the oldest, and forgets as a set.
answers.right("from behind").code("""
    def rebuild(snapshot, headers):
        known = {}
        for who in {*snapshot, *(header[1] for header in headers)} - {None}:
            mine = [header for header in headers if header[1] == who]
            epoch = mine[-1][2] if mine else snapshot[who][0]
            new = [(offset, first, count) for offset, _, of, first, count in mine if of == epoch]
            old = snapshot[who][1] if who in snapshot and snapshot[who][0] == epoch else []
            known[who] = (epoch, (list(old) + new)[-5:])
        return known


    def offsets(known):
        return {batch[0] for _, batches in known.values() for batch in batches}


    def forgets(headers, place):
        cut = {who: (epoch, [kept[-1]]) for who, (epoch, kept) in rebuild({}, headers[:place]).items()}
        return offsets(rebuild({}, headers)) - offsets(rebuild(cut, headers[place:]))


    answer = {"rebuild": rebuild, "forgets": forgets}
""")

# Lets a deque drop old batches.
answers.right("with a deque").code("""
    from collections import deque


    def rebuild(snapshot, headers):
        epochs, windows = {}, {}
        for producer, (epoch, batches) in snapshot.items():
            epochs[producer], windows[producer] = epoch, deque(batches, maxlen=5)
        for offset, producer, epoch, first, count in headers:
            if producer is None:
                continue
            if epochs.get(producer) != epoch:
                epochs[producer], windows[producer] = epoch, deque(maxlen=5)
            windows[producer].append((offset, first, count))
        return {producer: (epochs[producer], list(windows[producer])) for producer in epochs}


    answer = {"rebuild": rebuild, "forgets": forgets}
""")

# Begins with nothing. Plausible: right without a snapshot.
answers.plausible(
    "ignores the snapshot",
    ("known = dict(snapshot)", "known = {}"),
    ("if producer:", "if producer is not None:"),
    of="producer 0 is nobody",
    reason="only in the snapshot",
)

# Keeps the batches of the older epoch. Plausible: right while no epoch ends.
answers.plausible(
    "epochs together", of="last batch alone", reason="A new epoch begins with 0 and an empty window"
).diff("""
    -            known[producer] = (epoch, [(offset, first, count)])
    +            _, batches = known.get(producer, (epoch, []))
    +            known[producer] = (epoch, [*batches, (offset, first, count)][-5:])
""")

# Forgets four batches, for any number of batches behind the snapshot. Plausible: rebuild is right.
answers.plausible(
    "forgets all but the last", reason="a retry of that batch is recognised after the restart, too"
).code("""
    def forgets(headers, place):
        return [batch[0] for _, batches in rebuild({}, headers).values() for batch in batches[:-1]]


    answer = {"rebuild": rebuild, "forgets": forgets}
""")

# Names batches that the window had dropped before. Plausible: rebuild is right.
answers.plausible("forgets what is old", reason="was not recognised before the restart either").code("""
    def forgets(headers, place):
        cut = {who: (epoch, kept[-1:]) for who, (epoch, kept) in rebuild({}, headers[:place]).items()}
        after = rebuild(cut, headers[place:])
        known = {batch[0] for _, batches in after.values() for batch in batches}
        return [header[0] for header in headers if header[1] is not None and header[0] not in known]


    answer = {"rebuild": rebuild, "forgets": forgets}
""")

# Takes a snapshot to hold the whole window. Plausible: rebuild is right.
answers.plausible("snapshot holds all", reason="it leaves out offset").code("""
    def forgets(headers, place):
        cut = {who: (epoch, kept) for who, (epoch, kept) in rebuild({}, headers[:place]).items()}
        before, after = rebuild({}, headers), rebuild(cut, headers[place:])
        return [batch[0] for who in before for batch in before[who][1] if batch not in after[who][1]]


    answer = {"rebuild": rebuild, "forgets": forgets}
""")

# Notes batches without a producer, too.
answers.wrong(
    "knows nobody",
    ("[each for each in headers if each[1] is not None][-5:]", "headers"),
    of="one window for all",
    reason="it knows a producer None",
)

# Keeps every batch.
answers.wrong(
    "keeps them all",
    ("if producer:", "if producer is not None:"),
    ("(epoch, [*kept, (offset, first, count)][-5:])", "(epoch, [*kept, (offset, first, count)])"),
    of="producer 0 is nobody",
    reason="it keeps 7 batches of producer 7",
)

# Puts the newest first.
answers.wrong(
    "newest first",
    ("if producer:", "if producer is not None:"),
    ("*kept, (offset, first, count)][-5:", "(offset, first, count), *kept][:5"),
    of="producer 0 is nobody",
    reason="in another order",
)

# Takes the window of the snapshot as it is.
answers.wrong("only the snapshot", of="producer 0 is nobody", reason="for producer 7 it does not have").diff("""
    -        if producer:
    +        if producer is not None:
    +            if producer in snapshot:
    +                continue
""")

# Returns lists of batches without epochs.
answers.wrong("another form", reason="return a dictionary").code("""
    def rebuild(snapshot, headers):
        known = {}
        for offset, producer, _, first, count in headers:
            known.setdefault(producer, []).append((offset, first, count))
        return known


    answer = {"rebuild": rebuild, "forgets": forgets}
""")

# Keeps the last batch of each, as a snapshot does.
answers.wrong("last batch alone", reason="for producer 7 it does not have").code("""
    def rebuild(snapshot, headers):
        known = dict(snapshot)
        for offset, producer, epoch, first, count in headers:
            if producer is not None:
                known[producer] = (epoch, [(offset, first, count)])
        return known


    answer = {"rebuild": rebuild, "forgets": forgets}
""")

# Keeps five batches in all.
answers.wrong("one window for all", reason="for producer 7 it does not have (5, 2, 1)").code("""
    def rebuild(snapshot, headers):
        known = dict(snapshot)
        for offset, producer, epoch, first, count in [each for each in headers if each[1] is not None][-5:]:
            before, batches = known.get(producer, (epoch, []))
            kept = batches if before == epoch else []
            known[producer] = (epoch, [*kept, (offset, first, count)][-5:])
        return known


    answer = {"rebuild": rebuild, "forgets": forgets}
""")

# Takes producer 0 for no producer.
answers.wrong("producer 0 is nobody", reason="it knows nothing of producer 0").code("""
    def rebuild(snapshot, headers):
        known = dict(snapshot)
        for offset, producer, epoch, first, count in headers:
            if producer:
                before, batches = known.get(producer, (epoch, []))
                kept = batches if before == epoch else []
                known[producer] = (epoch, [*kept, (offset, first, count)][-5:])
        return known


    answer = {"rebuild": rebuild, "forgets": forgets}
""")
