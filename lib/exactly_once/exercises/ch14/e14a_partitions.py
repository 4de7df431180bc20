"""Exercise 14a: how many partitions a rate needs, from the operations of each node and the stores' latency."""

from html import escape

from ...show import Picture
from ..kinds.cases import Cases, sketched

FAR = {"checkpoint": 1, "engine": 1, "database": 20}
NEAR = dict.fromkeys(FAR, 5)
CASES = (  # the operations a record of each node, by store; ms of an operation, by store; records a second
    ([{"engine": 1}], {"engine": 5}, 200),
    ([{"engine": 4, "database": 1}], NEAR, 40),
    ([{"engine": 4, "database": 1}], NEAR, 41),
    ([{"engine": 4, "database": 1}], FAR, 100),
    ([{"engine": 2}, {"engine": 1, "database": 2}], NEAR, 500),
    ([{"engine": 17}, {"database": 3}], {"engine": 5, "database": 5}, 100),
    ([{"engine": 17}, {"database": 3}], {"engine": 1, "database": 20}, 100),
    ([{"checkpoint": 3, "engine": 2, "database": 1}], FAR, 990),
    ([{"engine": 1}], {"engine": 1}, 2000),
)


def partitions(nodes, latency, rate):
    """Return the smallest number of partitions with which even the slowest node keeps up."""
    slowest = max(milliseconds(nodes, latency))
    return -(-rate * slowest // 1000)


def milliseconds(nodes, latency):
    """Return how long each node takes for a record."""
    return [sum(count * latency[store] for store, count in node.items()) for node in nodes]


def in_words(nodes, latency, rate):
    """Return a case in words."""
    asked = "; ".join(
        f"node {number} asks {', '.join(f'{store} {count}×' for store, count in node.items())}"
        for number, node in enumerate(nodes, 1)
    )
    each = ", ".join(f"{store} {ms} ms" for store, ms in latency.items())
    return f"For a record {asked} ({each}), with {rate} records a second"


def objection(nodes, latency, rate, said):
    """Return a sentence on the mistake in one answer, or None."""
    should = partitions(nodes, latency, rate)
    if said == should and not isinstance(said, bool):
        return None
    each = ", ".join(f"node {number}: {ms} ms" for number, ms in enumerate(milliseconds(nodes, latency), 1))
    start = f"{in_words(nodes, latency, rate)} it returns {said!r}; {should} are right. A record takes: {each}."
    return f"{start} One partition makes {1000 / max(milliseconds(nodes, latency)):,.1f} records a second."


def drawn(nodes, latency, rate, said, told=True):
    """Return the picture of one case and of an answer to it."""
    words = (
        f"{in_words(nodes, latency, rate)}. Yours: {said}." + told * f" Right: {partitions(nodes, latency, rate)}."
    )
    return Picture(f"<p>{escape(words)}</p>", text=words)


TASK = Cases(
    answer="partitions",
    tier="warm-up",
    form="a function, partitions(nodes, latency, rate)",
    cases=CASES,
    example=CASES[4],
    oracle=partitions,
    objection=objection,
    draw=drawn,
    sketch=sketched(drawn, CASES[4]),
    fails=lambda nodes, latency, rate, said: f"{in_words(nodes, latency, rate)} it fails with {said}.",
    praise="A record takes as long as the slowest node takes for its operations, one after the other; what the other "
    "nodes do meanwhile is free ({count} cases).",
)
