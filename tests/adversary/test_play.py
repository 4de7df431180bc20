"""A person as scheduler: the open steps against the plain search, the reachable ends against the whole graph."""

import random

import pytest

from exactly_once import Job, prove
from exactly_once.adversary import look, simplest, told
from exactly_once.errors import BadInput
from exactly_once.explore import Bounds, Case, Limits, Prover
from exactly_once.handlers import at_least_once, at_most_once
from exactly_once.simulate import ARRIVAL, NETWORK, Decision, Replayer

LIMITS = 200_000, 1_000.0


def pushes(node):
    node.output.push(1)


def counts(node):
    if node.database.increment() is None and not node.output.read():
        node.output.push(1)


def locked(node):
    with node.lock("only"):
        if not node.output.read():
            node.output.push(1)


def chooses(node):
    value = node.choose([1, 2])
    node.positions.load()
    node.output.push(value)


def retries(node):
    from exactly_once import OutcomeUnknown

    try:
        node.output.push(1)
    except OutcomeUnknown:
        node.output.push(1)


def swaps(node):
    version, seen = node.registers.read("owner")
    if seen is None and node.registers.cas("owner", version, 1):
        node.output.push(1)


def messages(node):
    if node.number == 1:
        node.output.push(node.receive()[1])
    else:
        node.send(1, 7)


HANDLERS = {
    "pushes": ([pushes], {"nodes": 2, "crashes": 1}),
    "pushes, late": ([pushes], {"nodes": 1, "crashes": 1, "late_requests": 1, "duplicates": 1}),
    "counts": ([counts], {"nodes": 2, "crashes": 1, "lost_replies": 1}),
    "locked": ([locked], {"nodes": 2, "crashes": 1, "pauses": 1}),
    "chooses": ([chooses], {"nodes": 2, "crashes": 1, "pauses": 1}),
    "retries": ([retries], {"nodes": 1, "crashes": 1, "lost_requests": 1, "lost_replies": 1}),
    "swaps": ([swaps], {"nodes": 2, "crashes": 1, "pauses": 1, "lost_replies": 1}),
    "at least once": ([at_least_once], {"nodes": 1, "crashes": 1, "pauses": 1}),
    "at most once": ([at_most_once], {"nodes": 1, "crashes": 1}),
}
EVERYTHING = dict.fromkeys(("crashes", "pauses", "lost_requests", "lost_replies", "duplicates", "late_requests"), 1)


def plain(handlers, bounds):
    """Return (the search without any merging, its prover)."""
    job = Job(items=bounds.items)
    prover = Prover(Case.within(handlers, job, bounds), Limits(*LIMITS), symmetric=False, merge=False)
    return prover.search(first=False), prover


def numbers_of(late, decision_of):
    """Return the decision of each late request; equal ones arrive in the order in which they were sent."""
    return {decision_of(number): number for number in late}


@pytest.mark.some(ci=1)
@pytest.mark.parametrize("name", HANDLERS)
def test_what_is_open_is_what_the_plain_search_can_do_and_each_can_be_performed(name):
    handlers, faults = HANDLERS[name]
    bounds = Bounds(items=1, **{**EVERYTHING, "nodes": faults["nodes"]})
    rng = random.Random(name)
    search, prover = plain(handlers, bounds)
    try:
        for _ in range(2):
            state, schedule = search.start, []
            for _ in range(18):
                moves = list(search.enabled(state, ordered=True))
                found = {Decision(actor, way.kind, way.option) for actor, way, _ in moves if actor != NETWORK}
                position = look(Case.within(handlers, Job(items=1), bounds), schedule, known=[""] * len(schedule))
                opened = {one for one in position.open if one.kind != ARRIVAL}
                assert opened == found
                arriving = sorted(way.option for actor, way, _ in moves if actor == NETWORK)
                assert sorted(one.actor for one in position.open if one.kind == ARRIVAL) == arriving
                for decision in position.open:
                    Replayer(prover.programs).replay([*schedule, decision])
                if not moves:
                    break
                actor, way, after = rng.choice([move for move in moves if move[0] != NETWORK] or moves)
                if actor == NETWORK:
                    break
                state = after
                schedule.append(Decision(actor, way.kind, way.option))
    finally:
        prover.close()


def graph(search):
    """Return {state: [(takes a fault, next state)]} of the whole graph, and how each state ends the matter."""
    start, nobody = search.start, search.start[2]
    after, waiting, paths = {}, [start], {start: []}
    while waiting:
        state = waiting.pop()
        if state in after:
            continue
        after[state] = []
        if end_of(search, state):
            continue
        for actor, way, found in search.enabled(state, ordered=True):
            found = (*found[:2], nobody, found[3])
            after[state].append((bool(way.cost), found))
            decision = (
                Decision(way.option, ARRIVAL, -1) if actor == NETWORK else Decision(actor, way.kind, way.option)
            )
            if found not in paths:
                paths[found] = [*paths[state], decision]
                waiting.append(found)
    return after, paths


def end_of(search, state):
    """Return "right", "wrong" or "": by the rules of the specification, asked directly."""
    kinds = [search.automaton.states[local].kind for local in state[3]]
    if "raised" in kinds or not search.specification.explains(state[0]):
        return "wrong"
    if all(kind == "ended" for kind in kinds[: search.nodes]):
        return "right" if search.specification.right(state[0]) else "wrong"
    return ""


def can_end_right(search, after, faults):
    """Return the states from which a right end can be reached: backwards, until nothing changes."""
    good = {state for state in after if end_of(search, state) == "right"}
    before = {}
    for state, ways in after.items():
        for fault, found in ways:
            if faults or not fault:
                before.setdefault(found, []).append(state)
    waiting = list(good)
    while waiting:
        for state in before.get(waiting.pop(), ()):
            if state not in good:
                good.add(state)
                waiting.append(state)
    return good


@pytest.mark.some(ci=1)
@pytest.mark.parametrize("name", HANDLERS)
def test_what_a_run_can_come_to_is_what_the_whole_graph_says(name):
    handlers, faults = HANDLERS[name]
    bounds = Bounds(items=1, **{"crashes": 0, **faults})
    search, prover = plain(handlers, bounds)
    try:
        after, paths = graph(search)
        calm, any_way = (can_end_right(search, after, faults) for faults in (False, True))
        said = {state: "open" if state in calm else "fault" if state in any_way else "broken" for state in after}
    finally:
        prover.close()
    known = sorted((path, said[state]) for state, path in paths.items() if not any(d.kind == ARRIVAL for d in path))
    rng = random.Random(name)
    chosen = rng.sample(known, min(30, len(known)))
    for kind in ("open", "fault", "broken"):
        chosen += [pair for pair in known if pair[1] == kind][:5]
    for path, expected in chosen:
        position = look(Case.within(handlers, Job(items=1), bounds), path, known=[""] * len(path))
        assert position.outlook == expected, ".".join(map(told, path))
    proof = prove(handlers, bounds.nodes, 1, **{kind: getattr(bounds, kind) for kind in EVERYTHING})
    assert ("broken" in said.values()) == (proof.counterexample is not None), "as prove has it"
    if proof.counterexample is not None:
        schedule, cost = simplest(Case.within(handlers, Job(items=1), bounds), proof.counterexample.schedule)
        position = look(Case.within(handlers, Job(items=1), bounds), schedule)
        assert position.outlooks.index("broken") == len(schedule)
        left = [sum(int(digit, 16) for digit in f"{state[1]:x}") for state, kind in said.items() if kind == "broken"]
        assert cost.faults == bounds.faults - max(left)


@pytest.mark.not_by_day
def test_once_broken_always_broken_and_right_ends_are_open():
    rng = random.Random(5)
    for name, (handlers, faults) in HANDLERS.items():
        bounds = Bounds(items=1, **{"crashes": 0, **faults})
        schedule = []
        while (position := look(Case.within(handlers, Job(items=1), bounds), schedule)).open and len(schedule) < 40:
            schedule.append(rng.choice(position.open))
        outlooks = position.outlooks
        assert len(outlooks) == len(schedule) + 1
        if "broken" in outlooks:
            assert set(outlooks[outlooks.index("broken") :]) == {"broken"}, name
            assert position.sentence, name
        elif position.ended:
            assert outlooks[-1] == "open", name


def test_a_decision_that_is_not_open_is_refused():
    for schedule in ([Decision(2, "s")], [Decision(0, "a")], [Decision(0, "s", 3)], [Decision(0, "c")] * 2):
        with pytest.raises(BadInput, match="is not open where it stands"):
            look(Case.within([pushes], Job(items=1), Bounds(nodes=2, items=1)), schedule)


def test_nodes_with_different_handlers_are_judged_by_runs_without_faults():
    def sends(node):
        node.send(2, 7)

    def receives(node):
        node.output.push(node.receive()[1])

    handlers = [sends, receives]
    bounds = Bounds(nodes=2, items=1, crashes=1)
    case = Case.within(handlers, Job(items=1), bounds)
    position = look(case)
    assert {told(one) for one in position.open} == {"0s", "0c", "0e", "1c"}, "who waits can only die"
    position = look(case, [Decision(0, "s"), Decision(1, "s", 1), Decision(1, "c")])
    assert position.outlook == "broken", "the message is gone with the incarnation that took it"
    assert "eadlock" in position.sentence


def deeper(node):
    node.positions.load()

    def inner():
        node.state.load()

    inner()


def test_a_life_that_stands_at_a_step_tells_in_which_functions_and_at_which_lines():
    case = Case.within([deeper], Job(items=1), Bounds(1, 1))
    begins = look(case)
    assert begins.replay.pending[0].frames[0] == ("deeper", 2)
    later = look(case, (Decision(0, "s", 0),))
    assert later.replay.pending[0].frames[:2] == (("deeper", 7), ("inner", 2))
