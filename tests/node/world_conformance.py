"""The contract of every world: cases of a handler, a fault plan, a job, and the required result of the run.

`CASES` is for any world: run each case's handler under its plan, and compare `project(run)` with the expected result.
"""

from fractions import Fraction
from typing import Any, NamedTuple

from exactly_once import Fault, FaultPlan, Job, LogSource, Numbers, OutcomeUnknown, Program
from exactly_once.handlers import at_least_once, at_most_once
from exactly_once.lockfree import general, hourly_means
from exactly_once.stores import MemoryStore, decode
from tests.node import conformance_handlers
from tests.node.conformance_handlers import (
    chooser,
    clocked,
    locker,
    messenger,
    one_by_one,
    read_in_time,
    refusals,
    register_contract,
    registered,
    writer,
    written,
)
from tests.node.fault_table import PAIR, READINGS, consumer, diary, producer
from tests.stores.conformance_stores import (
    asking,
    database_contract,
    locked_twice,
    log_contract,
    receiving_late,
    sender,
    silent,
    sleeps_with_a_lock,
    store_contract,
)

ENGINE = MemoryStore("engine")
Job(items=4).load_inputs({"engine": ENGINE})
STREAMS = tuple(Job().start())
READ = {stream: [value for _, value in ENGINE.look(f"input.{stream}", "log")] for stream in STREAMS}  # by hour


class Case(NamedTuple):
    """One case; `expected` names those parts of the projection that must be so."""

    name: str
    handler: Any
    plan: FaultPlan
    job: Job
    expected: dict


def project(run):
    """Return what is left of a run, as plain data that is the same in every world."""
    outputs = [decode(text) for text in run.outcome.outputs]
    return {
        "outputs": outputs,
        "sorted": sorted(outputs, key=str),
        "counter": run.outcome.counter,
        "state": decode(run.outcome.state),
        "positions": decode(run.outcome.positions),
        "others": {part: decode(text) for part, text in run.outcome.others},
        "lives": len(run.trace.lives()),
        "deaths": [(death.life, death.item, death.text) for death in run.trace.deaths()],
        "reached": run.reached,
        "error": (run.error or "").strip().splitlines()[-1:],
    }


def mismatches(case, run):
    """Return {part of the projection: (found, expected)} where a run of a case is not as it must be."""
    found = project(run)
    return {part: (found[part], right) for part, right in case.expected.items() if found[part] != right}


def untruths(run):
    """Return what is wrong with the trace of a run as sentences: a clock that does not grow, a message out of
    order.
    """
    wrong, last, sent = [], {}, {}
    for event in run.trace:
        if event.stamp <= last.get(event.process, 0):
            wrong.append(f"{event.process} has {event.stamp} after {last[event.process]}: {event}")
        last[event.process] = event.stamp
        if event.kind == "send":
            sent[event.message.removesuffix("again")] = event.stamp
        elif event.kind == "receive" and event.stamp <= sent.get(event.message.removesuffix("again"), event.stamp):
            wrong.append(f"received before it was sent, or never sent: {event}")
    nodes = {start.life: start.detail.get("node", 0) for start in run.trace.lives()}
    for node in set(nodes.values()):
        mine = [life for life in nodes if nodes[life] == node]
        dead = [f"takeover {death.life}>{death.life + 1}" for death in run.trace.deaths() if death.life in mine]
        successors = [start.message for start in run.trace.lives() if start.life in mine and start.kind == "receive"]
        if successors != dead[: len(successors)]:
            wrong.append(f"of node {node} {dead} died and {successors} were taken over")
    if len(set(nodes.values())) == 1 and all(fault.kind != "pause" for fault in run.plan.faults):
        dead = [death.life for death in run.trace.deaths()]
        successors = [start.life for start in run.trace.lives() if start.kind == "receive"]
        if successors != [life + 1 for life in dead][: len(successors)]:
            wrong.append(f"incarnations {dead} died and incarnations {successors} took over")
    return wrong


def average(*hours):
    """Return the average of both streams over these hours, counted as often as they are named."""
    values = [READ[stream][hour - 1] for hour in hours for stream in STREAMS]
    return Fraction(sum(values), len(values))


def at(offset):
    """Return positions with this offset in each stream."""
    return dict.fromkeys(STREAMS, offset)


def hours(*named):
    """Return the window's readings at the end, as the outcome tells them, for hours as often as they are named."""
    return sorted([hour, stream, READ[stream][hour - 1]] for hour in named for stream in STREAMS)


def crash(point, item, lives=None):
    """Return the plan of one crash."""
    return FaultPlan.crash(point, item, lives=lives)


def fault(at, item, kind, **more):
    """Return the plan of one fault at a step."""
    return FaultPlan((Fault(at, item, kind, **more),))


RIGHT = [average(1), average(1, 2), average(1, 2, 3), average(1, 2, 3, 4)]
FOUR, TWO, THREE = Job(items=4), Job(items=2), Job(items=3)
WHOLE = {"positions": at(4), "state": hours(1, 2, 3, 4), "counter": 2}


def article():
    """The article's handler, as it is, with a crash at each point, and in at-most-once."""
    yield Case("no fault", at_least_once, FaultPlan(), FOUR, {"outputs": RIGHT, **WHOLE, "lives": 1, "deaths": []})
    for point, outputs, counter in (("A", RIGHT, 2), ("B", RIGHT[:3] + RIGHT[2:], 2), ("E", RIGHT, 2)):
        died = {"lives": 2, "deaths": [(1, 3, f"SIGKILL at {point}")], "reached": True}
        expected = {"outputs": outputs, **WHOLE, "counter": counter, **died}
        yield Case(f"crash at {point}", at_least_once, crash(point, 3), FOUR, expected)
    expected = {"outputs": RIGHT[:3] + RIGHT[2:], **WHOLE, "counter": 3, "lives": 2}
    yield Case("crash at C", at_least_once, crash("C", 3), FOUR, expected)
    again = [average(1, 2, 3, 3), average(1, 2, 3, 3, 4)]
    expected = {"outputs": RIGHT[:3] + again, "counter": 3, "state": hours(1, 2, 3, 3, 4), "positions": at(4)}
    yield Case("crash at D", at_least_once, crash("D", 3), FOUR, expected)
    unreached = {"outputs": RIGHT, **WHOLE, "lives": 1, "deaths": [], "reached": False}
    yield Case("B is not reached at item 1", at_least_once, crash("B", 1), FOUR, unreached)
    yield Case("no item 9", at_least_once, crash("A", 9), FOUR, unreached)
    lost = {"outputs": [*RIGHT[:2], RIGHT[3]], **WHOLE, "counter": 1, "lives": 2}
    yield Case("at most once, crash at C", at_most_once, crash("C", 3), FOUR, lost)
    out = {"outputs": [*RIGHT[:2], average(1, 2, 4)], "state": hours(1, 2, 4), "positions": at(4), "counter": 1}
    yield Case("at most once, crash at B", at_most_once, crash("B", 3), FOUR, out)
    window = {
        "outputs": [average(1), average(1, 2), average(2, 3), average(3, 4)],
        "state": hours(3, 4),
        "counter": 0,
    }
    yield Case("a window of two hours", at_least_once, FaultPlan(), Job(items=4, duration=2), window)


def lives():
    """Which lives a fault strikes, and a fresh start for each."""
    wanted = {"outputs": [*RIGHT[:3], *RIGHT[2:]], "lives": 2, "reached": True}
    yield Case("the first that gets there", at_least_once, crash("B", None), FOUR, wanted)
    wanted = {"outputs": [*RIGHT[:3], RIGHT[2], *RIGHT[2:]], "lives": 3, "reached": True}
    yield Case("each of the named incarnations", at_least_once, crash("B", 3, lives=(1, 2)), FOUR, wanted)
    wanted = {"outputs": RIGHT, "lives": 1, "reached": False}
    yield Case("an incarnation that does not come", at_least_once, crash("B", 3, lives=(2,)), FOUR, wanted)
    two = FaultPlan((Fault("B", 3), Fault("B", 3)))
    wanted = {"outputs": [*RIGHT[:3], RIGHT[2], *RIGHT[2:]], "lives": 3, "reached": True}
    yield Case("two faults at one place", at_least_once, two, FOUR, wanted)
    for name in ("a_default_argument", "an_attribute"):
        wanted = {"outputs": [1, 2, 1, 2], "lives": 2}
        yield Case(f"{name} dies with its incarnation", written(name), crash("A", 2), THREE, wanted)
    wanted = {"outputs": [1, 2, 2, 3], "counter": 1, "lives": 2, "error": [], "state": "unwound"}
    yield Case("last wishes have no effect", written("last_wishes"), crash("A", 2), THREE, wanted)
    wanted = {"outputs": [1, 1, 2, 3], "counter": 1, "lives": 2, "state": "unwound", "positions": at(3)}
    yield Case("nor do those of the first pass", written("last_wishes"), crash("A", 1), THREE, wanted)
    yield Case("no escape", written("no_escape"), crash("A", 2), THREE, {"outputs": [1, 2, 2, 3], "lives": 2})


STEP_BY_STEP = {
    # step: (item, outputs and counter when life 1 dies before it, outputs and counter when it dies after it)
    "positions.load": (None, [1, 2], 2, [1, 2], 2),
    "state.load": (None, [1, 2], 2, [1, 2], 2),
    "input.read": (2, [1, 2], 2, [1, 2], 2),
    "choose": (2, [1, 2], 2, [1, 2], 2),
    "output.push": (2, [1, 2], 2, [1, 2, 2], 2),
    "database.increment": (2, [1, 2, 2], 2, [1, 2, 2], 3),
    "state.save": (2, [1, 2, 2], 3, [1, 2, 2], 3),
    "positions.save": (2, [1, 2, 2], 3, [1, 2], 2),
}


def steps():
    """A crash before and after each step, and messages lost or doubled, with handlers that retry and that give up."""
    for step, (item, before, counted, after, counted_after) in STEP_BY_STEP.items():
        doubled = [1, 2, 2] if step == "state.save" else [1, 2]
        for kind, outputs, counter in (("crash before", before, counted), ("crash after", after, counted_after)):
            state = doubled if kind == "crash after" else [1, 2]
            state = [1, 2, 2] if step == "positions.save" and kind == "crash before" else state
            wanted = {"outputs": outputs, "counter": counter, "state": state, "lives": 2, "reached": True}
            wanted["deaths"] = [(1, item, f"SIGKILL {kind.removeprefix('crash ')} {step}")]
            yield Case(f"{kind} {step}", writer(), fault(step, item, kind), TWO, wanted)
    right = {"outputs": [1, 2], "counter": 2, "state": [1, 2], "positions": at(2)}
    for step in STEP_BY_STEP:
        if step == "choose":
            continue
        item = STEP_BY_STEP[step][0]
        twice = {"output.push": {"outputs": [1, 2, 2]}, "database.increment": {"counter": 3}}.get(step, {})
        alone = {**right, "lives": 1, "reached": True, "deaths": []}
        yield Case(f"lost request of {step}, retried", writer(1), fault(step, item, "lost request"), TWO, alone)
        for kind in ("lost reply", "duplicated request"):
            yield Case(f"{kind} of {step}, retried", writer(1), fault(step, item, kind), TWO, {**alone, **twice})
        for kind, crash_kind in (("lost request", "crash before"), ("lost reply", "crash after")):
            like = next(case for case in steps_of_crashes() if case.name == f"{crash_kind} {step}")
            wanted = {part: like.expected[part] for part in ("outputs", "counter", "state", "lives", "reached")}
            yield Case(f"{kind} of {step}, given up", writer(), fault(step, item, kind), TWO, wanted)
    wanted = {"outputs": [1, "caught", 2], "counter": 1, "lives": 1}
    plan = fault("database.increment", 1, "lost request")
    yield Case("an unknown outcome can be caught", writer(0, OutcomeUnknown), plan, TWO, wanted)
    wanted = {"outputs": [1, 2], "counter": 2, "lives": 1, "reached": False}
    yield Case("a step not taken", writer(), fault("output.push", 3, "lost reply"), TWO, wanted)


def steps_of_crashes():
    """Yield the cases of `steps` up to the last crash."""
    for case in steps():
        if not case.name.startswith("crash"):
            return
        yield case


def contract():
    """What Node's docstring promises besides."""
    yield Case("a loop for ever ends with its inputs", written("for_ever"), FaultPlan(), THREE,
               {"outputs": [1, 2, 3], "lives": 1, "error": [], "positions": None})  # fmt: skip
    yield Case("past the end", written("past_the_end"), FaultPlan(), TWO,
               {"outputs": [True, at(0), "after"], "lives": 1, "error": []})  # fmt: skip
    yield Case("what was saved is a copy", written("mutations"), FaultPlan(), TWO,
               {"outputs": [[1], [1]], "state": hours(1, 1, 2), "positions": at(2)})  # fmt: skip
    yield Case("nothing", written("nothing"), FaultPlan(), TWO,
               {"outputs": [], "counter": 0, "state": None, "positions": None, "lives": 1, "error": []})  # fmt: skip
    first = [[1, stream, READ[stream][0]] for stream in STREAMS]
    yield Case("what it is given", written("what_it_is_given"), FaultPlan(), Job(items=1, duration=5, threshold=9),
               {"outputs": [[5, 9, 0, at(0)], first]})  # fmt: skip
    yield Case("nonsense is refused", refusals, FaultPlan(), TWO,
               {"outputs": [[], [[0, None]] * 2], "state": None, "positions": None, "error": []})  # fmt: skip
    yield Case("choices", chooser, FaultPlan(), TWO, {"outputs": [[7, None, "only"], True]})
    yield Case("a clock", clocked, FaultPlan(), TWO, {"outputs": [True]})
    every = sorted(([1, hour, stream] for hour in (1, 2, 3) for stream in STREAMS), key=str)
    yield Case("as it comes", one_by_one, FaultPlan(), Job(items=3, arrival="as it comes"),
               {"sorted": every, "positions": at(3), "lives": 1})  # fmt: skip
    yield Case("processing time", read_in_time, FaultPlan(), Job(items=3, time="processing"),
               {"outputs": [True] * 3, "positions": at(3), "lives": 1})  # fmt: skip
    error = ["ZeroDivisionError: division by zero"]
    yield Case("a handler that raises", written("division"), FaultPlan(), TWO,
               {"outputs": [1], "lives": 1, "deaths": [], "error": error})  # fmt: skip
    yield Case("a handler that raises after a death", written("division"), fault("output.push", 1, "crash after"),
               TWO, {"outputs": [1, 1], "lives": 2, "error": error})  # fmt: skip
    yield Case("a handler that exits", written("exit"), FaultPlan(), TWO,
               {"outputs": ["before"], "lives": 1, "error": ["SystemExit: enough"]})  # fmt: skip


def registers():
    """Versioned cells: their answers, and the result after the loss of a message or the crash of an incarnation."""
    told = [[[0, None], False, True], [False, [1, [1, "x"]], [0, None]], [True, True, [3, "y"]], [[0, None]] * 3]
    told += [[at(0), True, False, True]]
    yield Case("what registers answer", register_contract, FaultPlan(), TWO, {"outputs": told, "error": []})
    once, twice = {"outputs": [1, 2, ["version", 2]]}, {"outputs": [1, 2, 2, ["version", 2]]}
    for step, before in (("register.read", once), ("register.cas", twice)):
        item = 2 if step == "register.cas" else None
        for kind, outcome in (("crash before", before), ("crash after", once)):
            died = {
                "lives": 2,
                "deaths": [(1, item, f"SIGKILL {kind.removeprefix('crash ')} {step}")],
                "reached": True,
            }
            yield Case(f"{kind} {step}", registered(), fault(step, item, kind), TWO, {**outcome, **died})
        for kind, outcome in (("lost request", before), ("lost reply", once)):
            given_up = {**outcome, "lives": 2, "reached": True}
            yield Case(f"{kind} of {step}, given up", registered(), fault(step, item, kind), TWO, given_up)
        for kind in ("lost request", "lost reply", "duplicated request"):
            alone = {**once, "lives": 1, "deaths": [], "reached": True}
            yield Case(f"{kind} of {step}, retried", registered(1), fault(step, item, kind), TWO, alone)


def messages():
    """Messages: their order, and what is left when one, or the life that sends or receives it, is lost."""
    told = [[[1, 1], [1, "two"], [1, [3, [4]]], [1, None]]]
    yield Case(
        "what messages come back as", conformance_handlers.messages, FaultPlan(), TWO, {"outputs": told, "error": []}
    )
    right, again = {"outputs": [[1, 1], [1, 2]]}, {"outputs": [[1, 1], [1, 1]]}
    yield Case("messages, no fault", messenger(), FaultPlan(), TWO, {**right, "lives": 1, "deaths": []})
    ways = {"message.send": (right, again), "message.receive": (again, right)}  # not done, done and not known
    for step, (before, after) in ways.items():
        for kind, left in (("crash before", before), ("crash after", after)):
            died = {"lives": 2, "deaths": [(1, 1, f"SIGKILL {kind.removeprefix('crash ')} {step}")], "reached": True}
            yield Case(f"{kind} {step}", messenger(), fault(step, 1, kind), TWO, {**left, **died})
        for kind, left in (("lost request", before), ("lost reply", after)):
            yield Case(f"{kind} of {step}, given up", messenger(), fault(step, 1, kind), TWO, {**left, "lives": 2})
    for step, kind, left in (
        ("message.send", "lost request", right), ("message.send", "lost reply", again),
        ("message.send", "duplicated request", again), ("message.receive", "lost request", right),
        ("message.receive", "duplicated request", right),
    ):  # fmt: skip
        yield Case(f"{kind} of {step}, retried", messenger(1), fault(step, 1, kind), TWO, {**left, "lives": 1})


def locks():
    """Locks: a life that ends, gives up or dies has let go of them."""
    end = [True, [False, 1, 1]]
    right, twice = {"outputs": [1, 2, *end], "error": []}, {"outputs": [1, 1, 2, *end], "error": []}
    yield Case("locks, no fault", locker(), FaultPlan(), TWO, {**right, "lives": 1, "deaths": []})
    yield Case("a death with a lock", locker(), crash("A", 1), TWO, {**right, "lives": 2, "reached": True})
    for step, before, after in (("lock.acquire", right, right), ("lock.release", twice, twice)):
        for kind, left in (("crash before", before), ("crash after", after)):
            died = {"lives": 2, "deaths": [(1, 1, f"SIGKILL {kind.removeprefix('crash ')} {step}")], "reached": True}
            yield Case(f"{kind} {step}", locker(), fault(step, 1, kind), TWO, {**left, **died})
        for kind, left in (("lost request", before), ("lost reply", after)):
            yield Case(f"{kind} of {step}, given up", locker(), fault(step, 1, kind), TWO, {**left, "lives": 2})
        for kind in ("lost request", "lost reply", "duplicated request"):
            yield Case(f"{kind} of {step}, retried", locker(1), fault(step, 1, kind), TWO, {**right, "lives": 1})


def with_number(state, inputs):
    """Pass a value on, or the mean of an hour's readings, and count the steps."""
    (value,) = inputs if len(inputs) == 1 else [sum(item.value for item in inputs) / Fraction(2)]
    return state + 1, [value]


def lock_free():
    """The lock-free handler: whatever strikes its writes, the same is left."""
    means = {"outputs": [average(1), average(2), average(3)], "state": None, "positions": None, "reached": True}
    yield Case("lock-free, no fault", hourly_means, FaultPlan(), THREE, {**means, "lives": 1})
    for kind in ("crash before", "crash after", "lost request", "lost reply", "duplicated request"):
        wanted = {**means, "lives": 2 if kind.startswith("crash") else 1}
        yield Case(f"lock-free, {kind} of a cas", hourly_means, fault("register.cas", 2, kind), THREE, wanted)
    machine = general(with_number, 0)
    left = {**means, "state": 3, "positions": at(3)}
    yield Case("the general form, no fault", machine, FaultPlan(), THREE, {**left, "lives": 1})
    for kind in ("crash before", "crash after", "lost request", "lost reply", "duplicated request", "late request"):
        wanted = {**left, "lives": 2 if kind.startswith("crash") else 1}
        yield Case(f"the general form, {kind} of a cas", machine, fault("store.cas", 2, kind), THREE, wanted)
    chain = [general(with_number, 0, inputs=("means",), name="second"), general(with_number, 0, outputs=("means",))]
    for name, plan in (("no fault", FaultPlan()), ("a crash", fault("input.read", 2, "crash after", node=1))):
        yield Case(f"a chain of machines, {name}", chain, plan, THREE,
                   {"sorted": means["outputs"], "state": 3, "error": [], "reached": True})  # fmt: skip


def other_stores():
    """Stores of any name and the log: their answers and their refusals."""
    told = [None, [1, "a"], True, False, [2, "b"], 0, 1, [1, [2]], [[2]], [], 5, -2, -2, 0, [0, None]]
    told += [[True, 2, 8, 8], None, [3, "d"], [1, [2], 3], 8]
    others = {"counter.a": 2, "counter.b": 1, "mine.c": "d", "mine.l": [1, [2], 3], "mine.n": 8}
    yield Case("what stores answer", store_contract, FaultPlan(), TWO,
               {"outputs": [told, True], "counter": 1, "others": others, "error": []})  # fmt: skip
    told = [[True, ["a"], 0, [0, None], False, None, None, True, False, False, 2, [1, "new"], True, [], True, []]]
    told.append([True, None, "a", "kept", True, True, "ProducerFenced"])
    yield Case("what a database and the engine's transactions answer", database_contract, FaultPlan(), TWO,
               {"outputs": [told[0], "pushed", told[1]], "counter": 2, "state": "kept", "error": []})  # fmt: skip
    records = [[0, None, "a"], [1, "k", "b"], [2, None, "c"], [3, None, "d"]]
    heard = [True, True, "OutOfOrderSequence", "OffsetOutOfRange", "LeaderNotAvailable", "LeaderNotAvailable"]
    told = [[0, None, 3, records, ["b", "c"], [], None, None, 2, None], [*heard, ["a", "b", "c", "d", "e"]]]
    yield Case("what the log answers", log_contract, FaultPlan(), TWO,
               {"outputs": [*told, [[5, 0, 1, 2, 3, 4], 0]], "error": []})  # fmt: skip


DONE = {
    # step: (the part that it changes, what is left when the first one is done once, twice, and once more after the
    # end)
    "store.write": ("s.c", 2, 2, 1),
    "store.append": ("s.l", [1, 2], [1, 1, 2], [1, 2, 1]),
    "store.add": ("s.n", 3, 4, 4),
    "store.cas": ("s.c", 2, 2, 2),
    "store.transact": ("s.l", [1, 2], [1, 2], [1, 2]),
    "log.append": (
        "log.p",
        [[None, 1], [None, 2]],
        [[None, 1], [None, 1], [None, 2]],
        [[None, 1], [None, 2], [None, 1]],
    ),
    "log.commit": ("log.p, the offset of group g", 2, 2, 1),
    "database.increment": ("counter.k", 2, 3, 3),
    "register.cas": ("the end", [None, 2], [None, 2], [None, 2]),
    "state.save": ("state", 2, 2, 1),
}


def left(step, value):
    """Return what a case of one of these steps expects of its part."""
    part = DONE[step][0]
    if part in ("state",):
        return {part: value}
    return {"outputs": [value]} if part == "the end" else {"others": {part: value}}


def _others(step, value):
    """Return the whole of what is left besides outputs: a transaction changes two parts."""
    found = left(step, value)
    if "others" in found and step == "store.transact":
        found["others"]["s.c"] = value[-1]
    if step == "log.commit":
        found["outputs"] = [[2, None]]
        found["others"]["log.p"] = []
    return found


def operations():
    """Each operation that changes something, with each fault: lost, doubled, late, and a death before and after
    it.
    """
    for step, (_, once, twice, after) in DONE.items():
        alone, died = {"lives": 1, "reached": True, "error": []}, {"lives": 2, "reached": True, "error": []}
        yield Case(f"alone: {step}, no fault", asking(step), FaultPlan(), TWO, {**_others(step, once), "lives": 1})
        for kind, value in (("crash before", once), ("crash after", twice)):
            wanted = {
                **_others(step, value),
                **died,
                "deaths": [(1, 1, f"SIGKILL {kind.removeprefix('crash ')} {step}")],
            }
            yield Case(f"alone: {kind} {step}", asking(step), fault(step, 1, kind), TWO, wanted)
        for kind, value in (("lost request", once), ("lost reply", twice), ("duplicated request", twice)):
            wanted = {**_others(step, value), **alone}
            yield Case(f"alone: {kind} of {step}, retried", asking(step, 1), fault(step, 1, kind), TWO, wanted)
        wanted = {**_others(step, after), **alone}
        yield Case(
            f"alone: late request of {step}, retried", asking(step, 1), fault(step, 1, "late request"), TWO, wanted
        )
        plan = fault(step, 1, "duplicated request", until=999)
        yield Case(f"alone: second copy of {step} after the end", asking(step), plan, TWO, wanted)
        wanted = {**_others(step, twice), **alone}
        yield Case(f"alone: late request of {step} before the next, retried", asking(step, 1),
                   fault(step, 1, "late request", until=1), TWO, wanted)  # fmt: skip
        given_up = {**_others(step, after if step != "store.write" and step != "state.save" else 1), **died}
        yield Case(
            f"alone: late request of {step} of a dead incarnation",
            asking(step),
            fault(step, 1, "late request"),
            TWO,
            given_up,
        )


def in_flight():
    """Requests without waiting: their replies and their results."""
    plus, minus = [[None, 1], [None, -1]], [[None, 2], [None, -2]]
    cases = {
        None: ([[0, 1], [2, 3]], [*plus, *minus]),
        "lost request": ([["unknown", 0], [1, 2]], [plus[1], *minus]),
        "lost reply": ([["unknown", 1], [2, 3]], [*plus, *minus]),
        "duplicated request": ([[0, 2], [3, 4]], [plus[0], *plus, *minus]),
        "late request": ([["unknown", 0], [1, 2]], [plus[1], *minus, plus[0]]),
    }
    for kind, (outputs, records) in cases.items():
        wanted = {"outputs": outputs, "others": {"log.p": records}, "lives": 1}
        yield Case(f"in flight, {kind}", sender, fault("log.send", 1, kind) if kind else FaultPlan(), TWO, wanted)
    overtaken = {"outputs": [["unknown", 0], [2, 3]], "others": {"log.p": [plus[1], plus[0], *minus]}}
    yield Case("in flight, overtaken", sender, fault("log.send", 1, "late request", until=1), TWO, overtaken)
    for kind in ("crash before", "crash after"):
        wanted = {"outputs": [[2, 3], [4, 5]], "others": {"log.p": [*plus, *plus, *minus]}, "lives": 2}
        yield Case(f"{kind} an acknowledgement", sender, fault("log.acknowledgement", 1, kind), TWO, wanted)


def late_and_blocking():
    """Late requests for what has to wait, or is for one life: they are dropped; a release names its acquisition."""
    right = {"lives": 1, "reached": True}
    yield Case("a late acquire", locked_twice, fault("lock.acquire", 1, "late request"), TWO,
               {**right, "outputs": [1, True, 2, True]})  # fmt: skip
    yield Case("a late acquire of a lock that is held", locked_twice,
               fault("lock.acquire", 1, "late request", until=1), TWO,
               {**right, "outputs": [1, True, 2, True]})  # fmt: skip
    plan = fault("lock.release", 1, "late request", until=5)
    yield Case("a late release of an earlier acquisition", locked_twice, plan, TWO,
               {**right, "outputs": [1, "unknown", 2, True]})  # fmt: skip
    for first, until, found in ((True, 1, "b"), (True, None, "a"), (False, 1, "b"), (False, None, "b")):
        name = f"a late take, {'with' if first else 'without'} a message, until {until}"
        wanted = {**right, "outputs": ["unknown", [1, found]]}
        yield Case(
            name, receiving_late(first), fault("message.receive", None, "late request", until=until), TWO, wanted
        )


def pauses():
    """A life that sleeps, and what it does when it wakes up after the end; and what befalls it then."""
    begun = {"diary.lives": ["begun", "begun"]}
    for place in ("A", "output.push", "positions.save"):
        for until in (None, 999):
            outputs = [1, 1, 2, 2] if place == "positions.save" else [1, 2, 1, 2]
            wanted = {"outputs": outputs, "others": begun, "positions": at(2), "lives": 2, "reached": True}
            yield Case(f"a pause at {place} until {until}", diary, fault(place, 1, "pause", until=until), TWO, wanted)
    dies = FaultPlan((Fault("A", 1, "pause"), Fault("output.push", 1, "crash before", lives=(1,))))
    yield Case("a sleeper that dies after it woke up", diary, dies, TWO,
               {"outputs": [1, 2], "lives": 2, "deaths": [(1, 1, "SIGKILL before output.push")]})  # fmt: skip
    again = FaultPlan((Fault("A", 1, "pause"), Fault("A", 2, "pause", lives=(1,))))
    yield Case("a sleeper that sleeps again", diary, again, TWO,
               {"outputs": [1, 2, 1, 2], "lives": 2, "others": begun, "reached": True})  # fmt: skip
    for until in (None, 999):
        yield Case(f"a pause with a lock that the next incarnation waits for, until {until}", sleeps_with_a_lock,
                   fault("A", None, "pause", until=until), TWO,
                   {"sorted": ["in", "in", "out", "out"], "lives": 2, "error": []})  # fmt: skip
    two = FaultPlan((Fault("A", 1, "pause"), Fault("A", 1, "pause", lives=(2,))))
    yield Case("two sleepers", diary, two, TWO,
               {"outputs": [1, 2, 1, 2, 1, 2], "lives": 3,
                "others": {"diary.lives": ["begun"] * 3}})  # fmt: skip


def several_nodes():
    """A producer and a consumer over a partition: the consumer waits, finds the end, dies, and hears twice."""
    right = {"outputs": [1, 2], "others": {"diary.lives": ["begun"], "producer.positions": {"numbers": 2},
                                           "log.readings": [["north", 1], ["south", 2]]}}  # fmt: skip
    yield Case("a log is read to its end", PAIR, FaultPlan(), TWO, {**right, "lives": 2, "error": []})
    yield Case("a consumer that dies between push and save", PAIR, fault("output.push", 1, "crash after", node=1),
               TWO, {"outputs": [1, 1, 2], "lives": 3, "reached": True})  # fmt: skip
    yield Case("a producer that dies between push and save", PAIR, fault("output.push", 1, "crash after", node=2),
               TWO, {"outputs": [1, 1, 2], "lives": 3, "reached": True})  # fmt: skip
    both = FaultPlan((Fault("output.push", 2, "crash after", node=1), Fault("output.push", 1, "crash after", node=2)))
    yield Case("both die", PAIR, both, TWO, {"outputs": [1, 1, 2, 2], "lives": 4, "reached": True})
    two = [PAIR[0], PAIR[1], Program(producer, Numbers(1), READINGS, "another")]
    yield Case("two writers", two, FaultPlan(), TWO, {"sorted": [1, 1, 2], "lives": 3, "error": []})
    ended = [
        Program(consumer, LogSource(READINGS), "output", "consumer"),
        Program(silent, Numbers(1), READINGS, "silent"),
    ]
    yield Case("a log that stays empty", ended, FaultPlan(), TWO, {"outputs": [], "lives": 2, "error": []})


CASES = [
    *article(), *lives(), *steps(), *contract(), *registers(), *messages(), *locks(), *lock_free(), *other_stores(),
    *operations(), *in_flight(), *late_and_blocking(), *pauses(), *several_nodes(),
]  # fmt: skip
