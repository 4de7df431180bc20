"""The table: every kind of fault, in every world, leaves the same trace and the same outcome, or is refused.

The faults that each runner carries out, and its refusals:

- simulate: every kind, with `until`, `node` and `lives`; it refuses a node that is not there.
- prove: every kind but a crash-stop, at every step; `until` is what it tries out. A crash after a step is one before
  the next.
- replay: what a schedule holds; it refuses a token that does not fit.
- run_on_cluster: every kind but a crash-stop, by signals and a file. It refuses a crash-stop, since Spark starts a
  killed task again, an executor to kill where there is none, more tasks than slots, a node that is not there.
- replay_on_cluster: what a schedule holds; who crashes is killed. It refuses a token that does not fit, and more
  tasks than slots.
- LiveRun: a crash at a crash point. It refuses all others, since a person arms it while the run goes on, and a step
  is over before anybody could aim; and several nodes, since one verdict follows one node.

`ROWS` are for any runner: `decisive(run)` and `left(run)` of a run must be what the row says.
"""

from typing import Any, NamedTuple

from exactly_once import Job, LogSource, Numbers, OutcomeUnknown, Partition, Program
from exactly_once.faults import KINDS, LASTING, Fault, FaultPlan
from exactly_once.stores import decode


class Row(NamedTuple):
    """One fault, its required events in the trace, and the result.

    `told` is what befell lives, in order: (life, verb, text). `output` is what stands there at the end, in this order
    unless a woken life and its successor push at once; `lives` is how many wrote that they began.
    """

    name: str
    programs: Any
    plan: FaultPlan
    told: list
    output: list
    heard: list
    lives: int

    @property
    def fault(self):
        """The one fault of the row's plan."""
        return self.plan.faults[0]


JOB = Job(items=2)
READINGS = Partition("readings")


def diary(node):
    """Push each hour, and write down in another store which lives began, and which outcomes nobody knew."""
    node.store("diary").append("lives", "begun")
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        node.crash_point("A")
        try:
            node.output.push(items[0].hour)
        except OutcomeUnknown:
            node.store("diary").append("heard", "unknown")
        node.positions.save(positions)


def producer(node):
    """Append all numbers to the partition; it meets no fault."""
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        node.output.push(items[0].value, items[0].key)
        node.positions.save(positions)


def consumer(node):
    """Push each record, and write down in another store which lives began, and which outcomes nobody knew."""
    node.store("diary").append("lives", "begun")
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        for item in items:
            node.crash_point("A")
            try:
                node.output.push(item.value)
            except OutcomeUnknown:
                node.store("diary").append("heard", "unknown")
            node.positions.save(positions)


PAIR = [
    Program(consumer, LogSource(READINGS), "output", "consumer"),
    Program(producer, Numbers(2), READINGS, "producer"),
]
LEFT = {  # kind: (the output, what was heard, how many lives) of a fault at the first push
    "crash": ([1, 2], [], 2),
    "crash before": ([1, 2], [], 2),
    "crash after": ([1, 1, 2], [], 2),
    "lost request": ([2], ["unknown"], 1),
    "lost reply": ([1, 2], ["unknown"], 1),
    "duplicated request": ([1, 1, 2], [], 1),
    "late request": ([2, 1], ["unknown"], 1),
    "pause": ([1, 1, 2, 2], [], 2),
}
LONG = 999


def told_of(fault, life):
    """Return what befalls lives by a fault that strikes this one."""
    if fault.deadly:
        place = f"at {fault.at}" if fault.kind == "crash" else fault.place
        return [(life, "dies", f"SIGKILL {place}")]
    wakes = [(life, "wakes", "wakes up")] if fault.kind == "pause" else []
    return [(life, "fault", fault.kind), *wakes]


def faults():
    """Yield (at, kind, until) for every kind, at the places where it can strike, and with and without an end."""
    for kind in sorted(
        KINDS.keys() - {"crash-stop"}
    ):  # one world's alone: tests/handlers/test_into_another_system.py
        at = ["A"] if kind == "crash" else ["output.push"]
        at += ["A"] if kind == "pause" else []
        for place in at:
            for until in [None, 2, LONG] if kind in LASTING else [None]:
                yield place, kind, until


def rows():
    """Yield all rows: one node, and a consumer that waits for a producer."""
    for at, kind, until in faults():
        for programs, node in ((diary, None), (diary, 1), (PAIR, 1)):
            fault = Fault(at, 1, kind, until=until, node=node)
            life = 1
            if programs is PAIR and (kind, until) == ("pause", 2):
                continue  # the producer's steps count, too: whether the next life has begun by then is open
            output, heard, lives = LEFT[kind]
            if kind == "duplicated request" and until == LONG:
                output = [1, 2, 1]
            if kind == "late request" and until == 2:
                output = [1, 2]
            where = "a consumer" if programs is PAIR else f"node {node}" if node else "any node"
            name = f"{kind} at {at} until {until} of {where}"
            yield Row(name, programs, FaultPlan((fault,)), told_of(fault, life), output, heard, lives)


def decisive(run):
    """Return what befell lives, in order, as (which life of its node, verb, text): nodes begin in any order."""
    node_of = {start.life: start.detail.get("node", 0) for start in run.trace.lives()}
    nth = {life: sum(1 for one in node_of if one <= life and node_of[one] == node_of[life]) for life in node_of}
    return [
        (nth[event.life], event.verb, event.text) for event in run.trace if event.verb in ("fault", "dies", "wakes")
    ]


def left(run):
    """Return (the output, what was heard, how many lives wrote that they began)."""
    others = {part: decode(text) for part, text in run.outcome.others}
    return (
        [decode(text) for text in run.outcome.outputs],
        others.get("diary.heard", []),
        len(others["diary.lives"]),
    )


def wrongs(row, run):
    """Return what is not as a row says, as a list."""
    output, heard, lives = left(run)
    at_once = row.fault.kind == "pause" or (row.programs is PAIR and row.fault.until == 2)
    same = (lambda values: sorted(values)) if at_once else (lambda values: values)
    found = {
        "error": (run.error, None),
        "reached": (run.reached, True),
        "told": (decisive(run), row.told),
        "output": (same(output), same(row.output)),
        "heard": (heard, row.heard),
        "lives": (lives, row.lives),
        "began": (len(run.trace.lives()), row.lives + (row.programs is PAIR)),
    }
    return {name: pair for name, pair in found.items() if pair[0] != pair[1]} | arrivals_wrong(row, run)


def arrivals_wrong(row, run):
    """Return what is wrong with the arrivals at the output: how many came of the one request that was struck."""
    arrived = [event for event in run.trace if event.process == "output" and event.kind == "receive"]
    if row.fault.kind not in ("late request", "duplicated request"):
        return {}
    first = [event for event in arrived if event.item == 1]
    many = 1 if row.fault.kind == "late request" else 2
    steps = {(event.life, event.step) for event in first}
    return {} if len(first) == many and len(steps) == 1 else {"arrivals": [str(event) for event in arrived]}


ROWS = list(rows())
ON_CLUSTER = [row for row in ROWS if row.fault.node is None or (row.programs is PAIR and row.fault.until is None)]
