"""Answers to the exercise 14b."""

from tests.course.answers import Answers

ONE, WEAKER = '"one region": ("offset_in_sink", 8)', '"one region, twice allowed": ("offset_in_sink", 8)'
FAR, FAR_WEAKER = '"a far database": ("structured_streaming", 25)', '("at_least_once", 24)'
answers = Answers("14b")

# Two strategies cost the same there, and both keep the promise.
answers.right("as dear as the other", (FAR_WEAKER, '("idempotent_output", 24)'))

answers.right("by search").code("""
    from exactly_once.costs import counted, predicted

    BEST = {"one region": ["offset_in_sink", 500, 0.005, 0.005]}
    BEST["one region, twice allowed"] = BEST["one region"]
    BEST["a far database"] = ["structured_streaming", 990, 0.001, 0.02]
    BEST["a far database, twice allowed"] = ["idempotent_output", 990, 0.001, 0.02]
    BEST["no take-over"] = ["lock_free", 200, 0.001, 0.001]


    def needed(name, rate, near, database):
        cost = predicted(counted(name), lambda store, verb: database if store == "database" else near)
        return [name, cost.partitions(rate)]


    answer = {budget: needed(*best) for budget, best in BEST.items()}
""")

# What most people believe: a weaker promise is cheaper.
answers.plausible(
    "weaker is cheaper",
    (WEAKER, '"one region, twice allowed": ("at_least_once", 13)'),
    reason="takes 25 ms a record, so it needs 13 partitions. But offset_in_sink keeps it, too, and needs 8",
)

# The handler's own two operations, without the sink's three.
answers.plausible(
    "the sink is free",
    (ONE, '"one region": ("offset_in_sink", 5)'),
    reason="5 partitions make 333 records a second, and 500 are needed",
)

# Kafka's transactions do not reach the database.
answers.plausible(
    "transactions do it",
    (ONE, '"one region": ("transactional", 35)'),
    reason="the counter is 4 and should be 3",
)

answers.wrong(
    "as near", (FAR, '"a far database": ("offset_in_sink", 41)'), reason="But structured_streaming keeps it, too"
)
answers.wrong("at most once loses nothing", (FAR_WEAKER, '("at_most_once", 24)'), reason="is missing from the output")
answers.wrong(
    "numbered output", (FAR, '"a far database": ("idempotent_output", 24)'), reason="the counter is 4 and should be 3"
)
answers.wrong("one too many", (ONE, '"one region": ("offset_in_sink", 9)'), reason="So 8 partitions are enough")
answers.wrong(
    "two drivers", ('("lock_free", 4)', '("structured_streaming", 2)'), reason="gives up 6 times in 4 records"
)
answers.wrong("fenced twins", ('("lock_free", 4)', '("two_phase", 1)'), reason="again and again, without an end")
answers.wrong("naive twins", ('("lock_free", 4)', '("at_least_once", 1)'), reason="in the output more than once")
