"""Answers to the exercise 06f."""

from tests.course.answers import Answers

given = """
    import contextlib
    from exactly_once.errors import OutcomeUnknown
    from exactly_once.log.errors import ConcurrentTransactions, InvalidProducerEpoch, UnstableOffsetCommit

    ASK_AGAIN = (OutcomeUnknown, ConcurrentTransactions, UnstableOffsetCommit)


    def answered(ask, *what):
        while True:
            try:
                return ask(*what)
            except ASK_AGAIN:
                pass
"""
answers = Answers("06f", given)

# Lets the coordinator decide by an abort when it has not heard of its commit.
answers.right("aborts an unheard commit").code("""
    def answer(cluster):
        me = answered(cluster.init)
        while True:
            position = answered(cluster.position)
            record = cluster.read(position)
            if record is None:
                return
            try:
                cluster.send(*me, "upper", record.upper())
                cluster.send(*me, "length", len(record))
                cluster.offsets(*me, position + 1)
                me = cluster.end(*me, "commit")
            except (OutcomeUnknown, ConcurrentTransactions, InvalidProducerEpoch):
                me = answered(cluster.end, *me, "abort")
""")

# Takes all records into one transaction, offsets first.
answers.right("all in one").code("""
    def answer(cluster):
        me = answered(cluster.init)
        while True:
            position = first = answered(cluster.position)
            try:
                while (record := cluster.read(position)) is not None:
                    position += 1
                    cluster.offsets(*me, position)
                    cluster.send(*me, "upper", record.upper())
                    cluster.send(*me, "length", len(record))
            except (OutcomeUnknown, ConcurrentTransactions, InvalidProducerEpoch):
                me = answered(cluster.end, *me, "abort")
                continue
            if position == first:
                return
            me = answered(cluster.end, *me, "commit")
""")

# After anything unheard it begins anew, with another init; a refused epoch is its end.
answers.right("begins anew", of="aborts an unheard commit").diff("""
    +            cluster.send(*me, "length", len(record))
                 cluster.send(*me, "upper", record.upper())
    -            cluster.send(*me, "length", len(record))
    @@
    -        except (OutcomeUnknown, ConcurrentTransactions, InvalidProducerEpoch):
    -            me = answered(cluster.end, *me, "abort")
    +        except (OutcomeUnknown, ConcurrentTransactions):
    +            me = answered(cluster.init)
""")

# Begins anew whenever its epoch is refused. Plausible: right when nothing goes wrong.
answers.plausible(
    "fences back",
    ("(OutcomeUnknown, ConcurrentTransactions, InvalidProducerEpoch)", "Exception"),
    ('end, *me, "abort"', "init"),
    of="aborts an unheard commit",
    reason="fences its successor",
)

# Asks for the position before init, and counts on from there. Plausible: right when nothing goes wrong.
answers.plausible(
    "position before init",
    ("me = answered(cluster.init)", "position = answered(cluster.position)"),
    ("position = 0", "me = answered(cluster.init)"),
    of="begins at zero",
    reason="twice",
)

# Tries again after every error. Plausible: right when nothing goes wrong.
answers.plausible("never gives up", of="aborts an unheard commit", reason="has made 100 requests").diff("""
    -            me = cluster.end(*me, "commit")
    -        except (OutcomeUnknown, ConcurrentTransactions, InvalidProducerEpoch):
    -            me = answered(cluster.end, *me, "abort")
    +            me = answered(cluster.end, *me, "commit")
    +        except Exception:
    +            with contextlib.suppress(Exception):
    +                me = answered(cluster.end, *me, "abort")
""")

# Begins with the first record in every life. Plausible: right when nothing goes wrong.
answers.plausible("begins at zero", reason="twice").code("""
    def answer(cluster):
        me = answered(cluster.init)
        position = 0
        while (record := cluster.read(position)) is not None:
            try:
                cluster.send(*me, "upper", record.upper())
                cluster.send(*me, "length", len(record))
                cluster.offsets(*me, position + 1)
                result = "commit"
            except (OutcomeUnknown, ConcurrentTransactions, InvalidProducerEpoch):
                result = "abort"
            me = answered(cluster.end, *me, result)
            position += result == "commit"
""")

# Takes silence for success. Plausible: right when nothing goes wrong.
answers.plausible("commits what it has not heard", reason="did not change together").code("""
    def heard(ask, *what):
        with contextlib.suppress(OutcomeUnknown):
            ask(*what)


    def answer(cluster):
        me = answered(cluster.init)
        while True:
            position = answered(cluster.position)
            record = cluster.read(position)
            if record is None:
                return
            result = "abort"
            try:
                heard(cluster.send, *me, "upper", record.upper())
                heard(cluster.send, *me, "length", len(record))
                heard(cluster.offsets, *me, position + 1)
                result = "commit"
            except (ConcurrentTransactions, InvalidProducerEpoch):
                pass
            me = answered(cluster.end, *me, result)
""")

# Takes the next record after an abort, as a consumer does whose position nobody sets back. Plausible: right when
# nothing goes wrong.
answers.plausible("goes on after an abort", reason="Nothing but a refusal of its epoch is a reason to stop").code("""
    def answer(cluster):
        me = answered(cluster.init)
        position = answered(cluster.position)
        while (record := cluster.read(position)) is not None:
            position += 1
            try:
                cluster.send(*me, "upper", record.upper())
                cluster.send(*me, "length", len(record))
                cluster.offsets(*me, position)
                result = "commit"
            except (OutcomeUnknown, ConcurrentTransactions, InvalidProducerEpoch):
                result = "abort"
            me = answered(cluster.end, *me, result)
""")

# Sends again until it is answered. Plausible: right when nothing goes wrong.
answers.plausible("sends again", reason="twice").code("""
    def answer(cluster):
        me = answered(cluster.init)
        while True:
            position = answered(cluster.position)
            record = cluster.read(position)
            if record is None:
                return
            try:
                answered(cluster.send, *me, "upper", record.upper())
                answered(cluster.send, *me, "length", len(record))
                answered(cluster.offsets, *me, position + 1)
                result = "commit"
            except InvalidProducerEpoch:
                result = "abort"
            me = answered(cluster.end, *me, result)
""")

# Leaves every error to the next life. Plausible: right when nothing goes wrong.
answers.plausible("stops at silence", reason="Nothing but a refusal of its epoch is a reason to stop").code("""
    def answer(cluster):
        me = cluster.init()
        while (record := cluster.read(position := cluster.position())) is not None:
            cluster.send(*me, "upper", record.upper())
            cluster.send(*me, "length", len(record))
            cluster.offsets(*me, position + 1)
            me = cluster.end(*me, "commit")
""")

# Reads InvalidTxnState as: it has ended already. Plausible: right when nothing goes wrong.
answers.plausible("takes what was aborted for done", reason="not done").code("""
    from exactly_once.log.errors import InvalidTxnState


    def answer(cluster):
        me = answered(cluster.init)
        position = answered(cluster.position)
        while (record := cluster.read(position)) is not None:
            try:
                cluster.send(*me, "upper", record.upper())
                cluster.send(*me, "length", len(record))
                cluster.offsets(*me, position + 1)
                result = "commit"
            except (OutcomeUnknown, ConcurrentTransactions, InvalidProducerEpoch):
                result = "abort"
            try:
                me = answered(cluster.end, *me, result)
            except InvalidTxnState:
                result = "commit"
            position += result == "commit"
""")

# Saves the position behind the commit, outside of the transaction.
answers.wrong("saves the position beside", of="aborts an unheard commit", reason="did not change together").diff("""
    -            cluster.offsets(*me, position + 1)
    -            me = cluster.end(*me, "commit")
    @@
                 me = answered(cluster.end, *me, "abort")
    +            continue
    +        me = answered(cluster.end, *me, "commit")
    +        answered(cluster.save, position + 1)
""")

# Goes on with the epoch of init.
answers.wrong(
    "keeps its epoch",
    of="aborts an unheard commit",
    reason="and nothing had happened to it: its requests were refused",
).diff("""
                 return
    +        result = "abort"
    @@
    -            me = cluster.end(*me, "commit")
    +            result = "commit"
             except (OutcomeUnknown, ConcurrentTransactions, InvalidProducerEpoch):
    -            me = answered(cluster.end, *me, "abort")
    +            pass
    +        answered(cluster.end, *me, result)
""")

# Leaves the position out.
answers.wrong("forgets the position", reason="the committed position is 0").code("""
    def answer(cluster):
        me = answered(cluster.init)
        position = answered(cluster.position)
        while (record := cluster.read(position)) is not None:
            cluster.send(*me, "upper", record.upper())
            cluster.send(*me, "length", len(record))
            me = answered(cluster.end, *me, "commit")
            position += 1
""")

# Forgets to commit.
answers.wrong("never commits", reason="Nothing but a refusal of its epoch is a reason to stop").code("""
    def answer(cluster):
        me = answered(cluster.init)
        for position in range(2):
            record = cluster.read(position)
            cluster.send(*me, "upper", record.upper())
            cluster.send(*me, "length", len(record))
            cluster.offsets(*me, position + 1)
""")

# Commits each output by itself.
answers.wrong("one transaction each", reason="did not change together").code("""
    def answer(cluster):
        me = answered(cluster.init)
        while True:
            position = answered(cluster.position)
            record = cluster.read(position)
            if record is None:
                return
            cluster.send(*me, "upper", record.upper())
            me = answered(cluster.end, *me, "commit")
            cluster.send(*me, "length", len(record))
            cluster.offsets(*me, position + 1)
            me = answered(cluster.end, *me, "commit")
""")

# Counts in a global, which no process keeps when it dies.
answers.wrong("remembers in a global", reason="changes something outside of it").code("""
    DONE = []


    def answer(cluster):
        me = answered(cluster.init)
        while (record := cluster.read(len(DONE))) is not None:
            try:
                cluster.send(*me, "upper", record.upper())
                cluster.send(*me, "length", len(record))
                cluster.offsets(*me, len(DONE) + 1)
                result = "commit"
            except (OutcomeUnknown, ConcurrentTransactions, InvalidProducerEpoch):
                result = "abort"
            me = answered(cluster.end, *me, result)
            DONE.extend(["done"] * (result == "commit"))
""")

# Writes to an output that there is not.
answers.wrong("writes elsewhere", reason="There is no output 'output'").code("""
    def answer(cluster):
        me = answered(cluster.init)
        cluster.send(*me, "output", "TEA")
""")
