"""Answers to the exercise 03a."""

from tests.course.answers import Answers

answers = Answers("03a")

# Writes sets, and a bare number where there is one record.
answers.right("as sets").code("""
    answer = {
        ("retry", "last"): {"lost": set(), "doubled": {6, 2}},
        ("retry", "first"): {"lost": {8, 7}, "doubled": 2},
        ("give up", "last"): {"lost": 5, "doubled": {4, 6}},
        ("give up", "first"): {"lost": {7, 5}, "doubled": ()},
    }
""")

# Has it computed by counting, from the plan alone.
answers.right("computed").code("""
    from exactly_once.delivery.prediction import predict
    from exactly_once.faults import Fault, FaultPlan

    sending = FaultPlan([Fault("output.push", 2, "lost reply"), Fault("output.push", 5, "lost request")])
    receiving = FaultPlan([Fault("database.increment", 6, "crash after")])
    answer = {}
    for retry in ("retry", "give up"):
        for position in ("last", "first"):
            times = predict(sending, receiving, retry, position, 8, 3).times
            answer[retry, position] = {
                "lost": [number for number in range(1, 9) if number not in times],
                "doubled": [number for number, count in times.items() if count > 1],
            }
""")

# Believes that a lost request is a lost record even when it is sent again. Plausible: right for three of the four
# settings.
answers.plausible(
    "retry loses",
    ('], "doubled": [2, 4, 5', '5], "doubled": [2'),
    of="batches of numbers",
    reason="its request was lost, and it was sent again",
)

# Believes that a lost acknowledgement doubles even without a second request. Plausible: right for three of the four
# settings.
answers.plausible(
    "giving up doubles",
    ('{"lost": [], "doubled": [2, 4, 5, 6]},', '{"lost": [], "doubled": [2, 6]},'),
    ('{"lost": [5], "doubled": [4, 6]},', '{"lost": [5], "doubled": [2, 4, 6]},'),
    of="batches of numbers",
    reason="and the producer did not send it again",
)

# Looks at the consumer alone: the doubled record in the log is left out.
answers.wrong(
    "forgets the second copy",
    ('{"lost": [], "doubled": [2, 4, 5, 6]},', '{"lost": [], "doubled": [6]},'),
    of="batches of numbers",
    reason="it was sent again, and is in the log twice",
)

# Takes position first for position last.
answers.wrong(
    "position first repeats",
    ('6, 7, 8], "doubled": [2', '], "doubled": [2, 6'),
    of="all of the batch lost",
    reason="whose position was saved first: a record without an effect before the death never has one",
)

# Names a record that was never sent.
answers.wrong(
    "a record that is none",
    ('{"lost": [], "doubled": [2, 4, 5, 6]},', '{"lost": [], "doubled": [2, 6]},'),
    ('{"lost": [7, 8], "doubled": [2]},', '{"lost": [7, 8, 9], "doubled": [2]},'),
    of="batches of numbers",
    reason="between 1 and 8",
)

# Position first: counts the record that had its effect as lost, too.
answers.wrong("all of the batch lost", reason="record 6 is not lost").code("""
    answer = {
        ("retry", "last"): {"lost": [], "doubled": [2, 6]},
        ("retry", "first"): {"lost": [6, 7, 8], "doubled": [2]},
        ("give up", "last"): {"lost": [5], "doubled": [4, 6]},
        ("give up", "first"): {"lost": [5, 7], "doubled": []},
    }
""")

# Cuts batches by the records' numbers, as if nothing in the log were shifted.
answers.wrong("batches of numbers", reason="record 4 is not doubled: it is in the batch 3, 4, 5").code("""
    answer = {
        ("retry", "last"): {"lost": [], "doubled": [2, 4, 5, 6]},
        ("retry", "first"): {"lost": [7, 8], "doubled": [2]},
        ("give up", "last"): {"lost": [5], "doubled": [4, 6]},
        ("give up", "first"): {"lost": [5, 7], "doubled": []},
    }
""")

# Forgets the lost request of the producer that gives up.
answers.wrong("giving up is safe", reason="the producer did not send it again").code("""
    answer = {
        ("retry", "last"): {"lost": [], "doubled": [2, 6]},
        ("retry", "first"): {"lost": [7, 8], "doubled": [2]},
        ("give up", "last"): {"lost": [], "doubled": [4, 6]},
        ("give up", "first"): {"lost": [5, 7], "doubled": []},
    }
""")

# Leaves a setting out.
answers.wrong("one entry missing", reason="it has an entry for each of").code("""
    answer = {("retry", "last"): {"lost": [], "doubled": [2, 6]}}
""")
