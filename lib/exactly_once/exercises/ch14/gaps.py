"""The gaps of chapter 14: how the lines that a learner writes in it are judged."""

from math import isclose

from ...errors import is_number
from ..kinds.by_cases import by_cases
from ..kinds.gap import gap, untouched
from ..kinds.reply import right, unsolved

# 14-sure: whether the rounds of a comparison tell which of two is faster.

SURE = ("less", "more", "not sure")
FEWEST = 6  # rounds: so many coins show the same side once in 32 throws, less than 5 %
ROUNDS = (  # the seconds of the base and of the case, round by round, and the right word
    ((5, 5, 5, 5, 5, 5, 5), (2, 2, 2, 2, 2, 2, 2), "less"),
    ((5, 5, 5, 5, 5, 5, 5), (9, 8, 9, 8, 9, 8, 9), "more"),
    ((5, 6, 5, 6, 5, 6, 5), (3, 3, 3, 3, 3, 3, 8), "not sure"),
    ((1, 2, 3, 4, 5, 6, 7), (2, 3, 4, 5, 6, 7, 8), "more"),  # the computer gets slower, and both with it
    ((8, 7, 6, 5, 4, 3), (7, 6, 5, 4, 3, 2), "less"),
    ((5, 5, 5, 5, 5), (9, 9, 9, 9, 9), "not sure"),  # too few
    ((5, 5, 5), (1, 1, 1), "not sure"),
    ((5, 5, 5, 5, 5, 5), (5, 6, 6, 6, 6, 6), "not sure"),  # one tie
    ((1, 1, 1, 1, 1, 90, 1), (2, 2, 2, 2, 2, 2, 2), "not sure"),
    ((4, 4, 4, 4, 4, 4, 4, 4), (5, 5, 5, 5, 5, 5, 5, 5), "more"),
)


def _rounds(base, case):
    return [{"base": one, "case": other} for one, other in zip(base, case, strict=True)]


@gap("14-sure")
def check_sure(answer):
    """Ask about comparisons, some of which say less than they seem to."""

    def objection(base, case, wanted, said):
        if said == wanted:
            return None
        if said not in SURE:
            return f" returns {said!r}; return one of {', '.join(map(repr, SURE))}."
        pairs = list(zip(base, case, strict=True))
        if len(base) < FEWEST:
            why = f"{len(base)} rounds agree by chance more often than once in twenty times"
        elif wanted == "not sure":
            why = "not all rounds are on the same side"
        else:
            why = f"compare within a round: in each of {len(pairs)} the case took {wanted} than the base"
        return f" returns {said!r}; it is {wanted!r}: {why}."

    return by_cases(
        answer,
        ROUNDS,
        told=lambda base, case, _: f"The base took {list(base)}, the case {list(case)}. Your function",
        objection=objection,
        arguments=lambda base, case, _: [_rounds(base, case), "case", "base"],
    ) or right(f"Right for {len(ROUNDS)} comparisons. A computer that gets slower slows both sides of a round.")


# 14-interval: the shortest time between two commits at which a pipeline keeps up, and is not busy all the time.

INTERVALS = (  # records/s, seconds a record, seconds a commit, the part of its time in use, the right one
    (1000, 0.0005, 0.005, 1, 0.01),
    (1000, 0.0005, 0.05, 0.7, 0.25),
    (1000, 0.0005, 0.05, 0.6, 0.5),
    (100, 0.005, 0.1, 0.7, 0.5),
    (1000, 0.002, 0.005, 0.9, None),
    (1000, 0.0005, 0.005, 0.5, None),
    (10, 0.01, 0.09, 0.7, 0.15),
    (1500, 0.0006, 0.02, 0.95, 0.4),
    (1500, 0.0006, 0.02, 0.7, None),
)


@gap("14-interval")
def check_interval(answer):
    """Ask about pipelines, among them such as no interval helps."""
    if untouched(answer):
        return unsolved("your lines")

    def objection(rate, record, commit, use, wanted, said):
        if wanted is None:
            why = f"the records alone take {rate * record:.2g} s of each second, and {use:.2g} s may be used"
            return None if said is None else f" returns {said!r}; right is None: {why}."
        if not is_number(said):
            return f" returns {said!r}; right is {wanted} s."
        if isclose(said, wanted, rel_tol=0.001):
            return None
        spent = rate * said * record + commit
        return (
            f" returns {said:.4g}; right is {wanted} s. In {said:.4g} s, {rate * said:.4g} records arrive; they and "
            f"the commit take {spent:.4g} s, and {use * said:.4g} s may be used."
        )

    return by_cases(
        answer,
        INTERVALS,
        told=lambda *case: f"interval{case[:4]!r}",
        objection=objection,
        arguments=lambda *case: list(case[:4]),
        nothing=(...,),
    ) or right(
        "A commit may take what the records leave of the time in use; where they leave nothing, no interval helps."
    )


# 14-waits: how long each record waits until a read_committed reader sees it.

WAITS = (  # the records in the log, (when, whose), when each transaction ends, the right waits
    ([(0, "a")], {"a": 1}, [1]),
    ([(0, "a"), (1, "a"), (2, "a")], {"a": 3}, [3, 2, 1]),
    ([(0, "a"), (1, "b")], {"a": 5, "b": 2}, [5, 4]),
    ([(0, "b"), (1, "a")], {"a": 5, "b": 2}, [2, 4]),
    ([(0, "a"), (1, "b"), (2, "c"), (7, "c")], {"a": 6, "b": 2, "c": 8}, [6, 5, 6, 1]),
    ([(0, "c"), (1, "a"), (2, "b"), (3, "c")], {"a": 2, "b": 4, "c": 3}, [3, 2, 2, 1]),
    ([], {}, []),
    ([(3, "a"), (4, "b"), (9, "b")], {"a": 63, "b": 10}, [60, 59, 54]),
)


@gap("14-waits")
def check_waits(answer):
    """Ask about logs with one transaction, with two in turn, and with a stalled one."""

    def objection(records, ends, wanted, said):
        found = list(said) if isinstance(said, (list, tuple)) else None
        if found is None or len(found) != len(records) or not all(map(is_number, found)):
            return f" returns {said!r}; return a list with the seconds of each record, here {wanted}."
        for number, (mine, should) in enumerate(zip(found, wanted, strict=True)):
            if mine != should:
                when, whose = records[number]
                held = "" if when + should == ends[whose] else ": a record before it is of one that ends later"
                return (
                    f" has {mine} s for record {number}, of transaction {whose!r}, sent at {when} s; it is seen at "
                    f"{when + should} s, so right is {should}{held}."
                )
        return None

    return by_cases(
        answer,
        WAITS,
        told=lambda *case: f"until_seen{case[:2]!r}",
        objection=objection,
        arguments=lambda records, ends, _: [list(records), dict(ends)],
        nothing=(None, ...),
    ) or right("No record is seen before all that stand before it in the log are decided.")


# 14-most: how many records a second several partitions take, if each has a host of its own.

KEYS = (  # the share of each key in the input, its partition, records/s of one host, the right number
    ({"a": 1.0}, {"a": 0}, 100, 100),
    ({"a": 0.5, "b": 0.5}, {"a": 0, "b": 1}, 100, 200),
    ({"a": 0.5, "b": 0.5}, {"a": 0, "b": 0}, 100, 100),
    ({"a": 0.25, "b": 0.25, "c": 0.25, "d": 0.25}, {"a": 0, "b": 1, "c": 2, "d": 3}, 100, 400),
    ({"a": 0.5, "b": 0.25, "c": 0.25}, {"a": 0, "b": 1, "c": 2}, 100, 200),
    ({"a": 0.4, "b": 0.3, "c": 0.2, "d": 0.1}, {"a": 0, "b": 1, "c": 1, "d": 0}, 50, 100),
    ({"a": 0.8, "b": 0.1, "c": 0.1}, {"a": 2, "b": 5, "c": 7}, 100, 125),
)


@gap("14-most")
def check_most(answer):
    """Ask about inputs with keys of equal and of unequal shares."""

    def objection(shares, places, rate, wanted, said):
        if is_number(said) and isclose(said, wanted, rel_tol=0.001):
            return None
        loads = {place: sum(shares[key] for key in shares if places[key] == place) for place in places.values()}
        place, load = max(loads.items(), key=lambda each: each[1])
        return (
            f" returns {said!r}; right is {wanted}: partition {place} gets {load:.0%} of the input, and its host "
            f"handles {rate} records a second."
        )

    return by_cases(
        answer,
        KEYS,
        told=lambda *case: f"most{case[:3]!r}",
        objection=objection,
        arguments=lambda shares, places, rate, _: [dict(shares), dict(places), rate],
        nothing=(None, ...),
    ) or right("The partition with the largest share sets the pace for all of them.")
