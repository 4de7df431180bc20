"""The gaps of chapter 01: how the lines that a learner writes in it are judged."""

import random
from copy import deepcopy
from types import SimpleNamespace

from ... import show
from ...clocks import Event, History, LamportClock, random_history
from ...clocks import VectorClock as Library
from ...errors import CourseError, is_whole
from ...handlers import mutual_exclusion
from ...solutions import library_of
from ..kinds.old_gap import gap, untouched
from ..kinds.reply import right, unsolved, wrong
from ..kinds.run_answer import answers, called

AHEAD = History(  # a receiver that is ahead of the message, one that is behind it, and a chain of two messages
    [
        Event("ann", "local"),
        Event("ann", "local"),
        Event("bob", "send", "m1"),
        Event("ann", "receive", "m1"),
        Event("ann", "send", "m2"),
        Event("cyd", "receive", "m2"),
        Event("cyd", "send", "m3"),
        Event("bob", "receive", "m3"),
    ]
)
RUNS = [AHEAD, *(random_history(2 + seed % 3, 12, seed, messages=0.9) for seed in range(12))]


def stamped(make, named, runs=RUNS):
    """Return the stamps, by place, that clocks give to the events of each run, as they were when they were given.

    `make` is the learner's class; with `named` it is given its process. The last entry of each list says whether they
    are still the same at the end of the run.
    """
    found = []
    for run in runs:
        clocks = {process: make(process) if named else make() for process in run.processes}
        given, kept = {}, {}
        for place in run.causal_order:
            clock = clocks[run[place].process]
            senders = run.senders[place]
            given[place] = clock.receive(given[senders[0]]) if senders else clock.tick()
            kept[place] = deepcopy(given[place])
        found.append([*(kept[place] for place in range(len(run))), kept == given])
    return found


def after_a_receipt(run, place):
    """Tell whether an event comes after a receipt of its process."""
    return any(run.senders[earlier] for earlier in run.rows[run[place].process] if earlier < place)


def first_odd(run, stamps, truth):
    """Return the first place, in the order of causes, whose stamp is not the right one; None when all are right."""
    return next((place for place in run.causal_order if stamps[place] != truth[place]), None)


def drawn(run, place, said, right):
    """Draw a run with the rules' Lamport stamps and what was said at one place."""
    return show.history(run, marked={place: f"{_short(said)}, not {_short(right)}"})


def row(stamp):
    """Return a row of counters in words, such as "3 of ann, 1 of bob"."""
    return ", ".join(f"{count} of {process}" for process, count in sorted(stamp.items())) or "nothing yet"


def _short(stamp):
    if isinstance(stamp, dict):
        return ", ".join(f"{process} {count}" for process, count in sorted(stamp.items()))
    return str(stamp)[:40]


# 01-clock: the receive rule of a Lamport clock, as a method.

CLOCK_KEPT = "receive must also set self.time, since tick goes on from there."


@gap("01-clock", refuses=(LamportClock,))
def check_clock(answer):
    """Stamp runs with the learner's class, and compare with the rules."""
    if untouched(vars(answer).get("receive")):
        return unsolved("your lines")
    for run, (*stamps, _) in zip(RUNS, called(stamped, answer, False), strict=True):
        place = first_odd(run, stamps, run.lamport)
        if place is None:
            continue
        said, name = stamps[place], run.name(place)
        if not run.senders[place]:
            return wrong(
                f"{name} is no receipt, and is stamped {said!r}, not {run.lamport[place]}: "
                + (CLOCK_KEPT if after_a_receipt(run, place) else "leave __init__ and tick as they were."),
                picture=drawn(run, place, said, run.lamport[place]),
            )
        if said is None:
            return wrong(f"At {name}, receive returns nothing: it must return the stamp, as tick does.")
        before = run.previous[place]
        clock, carried = (0 if before is None else run.lamport[before]), run.lamport[run.senders[place][0]]
        return wrong(_why_clock(name, clock, carried, said), picture=drawn(run, place, said, run.lamport[place]))
    return right("Every receipt comes after its send and after what its own process did before.")


def _why_clock(name, clock, carried, said):
    told = f"At {name} the clock stands at {clock}, the message carries {carried}, and your stamp is {said!r}"
    if not is_whole(said):
        return f"{told}, which is no whole number."
    if said <= carried:
        return f"{told}: the receipt must have a larger stamp than its send."
    if said <= clock:
        return f"{told}: the clock would go back, or stand still."
    return f"{told}: it must be 1 more than the larger of the two, and the next event must go on from there."


# 01-effects-first: which messages are received before they are sent, in the order in which events stand.

SMALL = History([Event("ann", "local"), Event("ann", "send", "m1"), Event("bob", "receive", "m1")])
EFFECTS_FIRST_RUNS = [SMALL, *(random_history(3, 4 + seed, seed, messages=0.9) for seed in range(9))]


def _orders():
    """Return (run, order) pairs, the smallest run first: as it was, backwards, and shuffled."""
    found = []
    for seed, run in enumerate(EFFECTS_FIRST_RUNS):
        places = list(range(len(run)))
        shuffled = random.Random(seed).sample(places, len(places))
        found += [(run, places), (run, places[::-1]), (run, shuffled)]
    return found


@gap("01-effects-first")
def check_effects_first(answer):
    """Ask for the messages of small runs in several orders."""
    cases = _orders()
    found = answers(answer, [[[run[place] for place in order]] for run, order in cases])
    if untouched(answer):
        return unsolved("your lines")
    for (run, order), (fine, said) in zip(cases, found, strict=True):
        expected = library_of("01-effects-first")([run[place] for place in order])
        picture = show.history(run, [event.message or "" for event in run], order=order)
        if not fine:
            return wrong(f"Your lines fail: {said}.", picture=picture)
        if isinstance(said, str) or not isinstance(said, list | tuple | set):
            return wrong(f"Your function gives {said!r:.60}; it gives a list of the messages' names.")
        if sorted(map(str, said)) != sorted(expected):
            return wrong(_why_effects_first(expected, said), picture=picture)
    return right(
        "No clock is needed for this: every message is sent before it is received, whatever the clocks show."
    )


def _why_effects_first(expected, said):
    listed = f"{', '.join(expected)} are" if expected else "no messages are"
    odd = [message for message in said if message not in expected]
    if None in odd:
        return "Your function names None: a local event has no message, so leave it out."
    if odd:
        return f"In this order, {listed} received before they are sent. Your function also gives {odd[0]!r}."
    twice = "more than once" if set(said) == set(expected) else "not all of them"
    return f"In this order, {listed} received before they are sent. Your function gives {said!r:.60}, {twice}."


# 01-explore: the loop of a model checker.

MOST = 5_000  # steps, far more than any of the systems below has


def _reads_then_writes(state, node):
    number, holds = state
    if holds[node] == "done":
        return None
    mine, number = (number + 1, number) if holds[node] is None else ("done", holds[node])
    return number, (*holds[:node], mine, *holds[node + 1 :])


def _counts_up(state, node):
    return None if state[node] == 2 else tuple(count + (place == node) for place, count in enumerate(state))


def _adds(state, node):
    return state + node + 1 if state + node < 2 else None


def _goes_through(state, node):
    return {("shut", 1): "open", ("open", 0): "through"}.get((state, node))


def _goes_round(state, node):
    return None if node else (state + 1) % 3


SYSTEMS = {  # in words: (start, step, nodes, invariant)
    "two nodes that read, add one and write": (
        (0, (None, None)),
        _reads_then_writes,
        (0, 1),
        lambda state: state[1] != ("done", "done") or state[0] == 2,
    ),
    "two nodes that count to 2, where the first must not reach 2": (
        (0, 0),
        _counts_up,
        (0, 1),
        lambda state: state[0] < 2,
    ),
    "three nodes that count to 2, where nothing is forbidden": ((0, 0, 0), _counts_up, (0, 1, 2), lambda state: True),
    "a node that opens a door and a node that goes through, which is forbidden": (
        "shut",
        _goes_through,
        (0, 1),
        lambda state: state != "through",
    ),
    "a node that counts 1, 2, 0, 1 for ever and a node that cannot move": (
        1,
        _goes_round,
        (0, 1),
        lambda state: True,
    ),
    "a node that adds 1 and a node that adds 2, where the sum must not become 2": (
        0,
        _adds,
        (0, 1),
        lambda state: state != 2,
    ),
}


def tried(theirs, name):
    """Return (what the learner's explorer finds in a system, how many steps it asked for, the states it judged)."""
    start, step, nodes, invariant = SYSTEMS[name]
    asked, judged = [], []

    def counted(state, node):
        asked.append((state, node))
        if len(asked) > MOST:
            raise CourseError(f"With {name}, your loop goes on and on: it follows states that it has seen before.")
        return step(state, node)

    def noted(state):
        judged.append(state)
        return invariant(state)

    return theirs(start, counted, nodes, noted), len(asked), set(judged)


@gap("01-explore")
def check_explore(answer):
    """Let the learner's explorer look at small systems, and compare with what there is to find."""
    for name, system in SYSTEMS.items():
        found, steps, judged = called(tried, answer, name)
        if not steps:
            return unsolved("your lines")
        shortest, _, states = tried(library_of("01-explore"), name)
        if found is None and shortest is not None:
            return wrong(
                f"With {name}, the schedule {_words_explore(shortest)} breaks the invariant, and your explorer finds "
                "nothing. "
                f"It looked at {len(judged)} of {len(states)} states or more."
            )
        if found is None and judged != states:
            return wrong(
                f"With {name}, your explorer looked at {len(judged)} states, and {len(states)} can be reached."
            )
        if found is not None and (problem := _problem_explore(name, *system, found, shortest)):
            return wrong(problem)
    return right("Your explorer looks once at every state that a schedule reaches, the nearest first.")


def _problem_explore(name, state, step, nodes, invariant, found, shortest):
    if shortest is None:
        return f"With {name}, nothing breaks the invariant, and your explorer says that {found!r:.60} does."
    try:
        for node in found:
            state = step(state, node)
        broken = not invariant(state)
    except (TypeError, ValueError, IndexError):
        broken = False
    if not broken:
        return (
            f"With {name}, your explorer gives {found!r:.60}. As a schedule, node by node, this breaks no invariant."
        )
    if len(found) > len(shortest):
        shorter = _words_explore(shortest)
        return f"With {name}, your explorer gives a schedule of {len(found)} steps, and {shorter} is shorter."
    return ""


def _words_explore(schedule):
    return ", ".join(f"node {node}" for node in schedule)


# 01-one-at-a-time: the invariant of mutual exclusion.

ONE_AT_A_TIME_RUNS = (  # pushes in order: +n when node n enters, -n when node n leaves
    (+1, -1, +2, -2),
    (+1, +2, -1, -2),
    (+2, +1),
    (+2, -2, +1, -1),
    (+1, -1, +1, -1, +2, -2),
    (+1, -1, +1, +2),
    (+1, -1, +2, +3),
    (+3, -3, +1, -1, +2, -2),
)


def _moments():
    """Return the beginnings of the runs, up to the first in which two are inside; the shortest first."""
    found = {()}
    for run in ONE_AT_A_TIME_RUNS:
        for end in range(1, len(run) + 1):
            found.add(run[:end])
            if sum(move // abs(move) for move in run[:end]) > 1:
                break
    return sorted(found, key=lambda run: (len(run), run))


def outputs(run):
    """Return what a node pushes to the output, for each move of a run."""
    return [["enters" if move > 0 else "leaves", abs(move), 2 * place + 1] for place, move in enumerate(run)]


@gap(
    "01-one-at-a-time",
    refuses=(
        mutual_exclusion.one_at_a_time,
        mutual_exclusion.in_order_of_requests,
    ),
)
def check_one_at_a_time(answer):
    """Ask about every moment of some runs."""
    moments = _moments()
    views = [SimpleNamespace(outputs=outputs(run), done=False) for run in moments]
    found = answers(answer, views)
    if untouched(answer):
        return unsolved("your lines")
    for run, view, (fine, said) in zip(moments, views, found, strict=True):
        told = f"The output is {_words_one_at_a_time(run)}"
        if not fine:
            return wrong(f"{told}, and your lines fail: {said}.")
        holds = said is None or (bool(said) and not isinstance(said, str))
        true = library_of("01-one-at-a-time")(view) is True
        if holds and not true:
            return wrong(f"{told}: two nodes are inside at once, and your invariant gives {said!r}.")
        if not holds and true:
            return wrong(f"{told}: two nodes were never inside at once, and your invariant gives {said!r:.60}.")
    return right("The explorer asks your invariant at every moment of every schedule, even before the first push.")


def _words_one_at_a_time(run):
    moves = [f"{'enters' if move > 0 else 'leaves'} {abs(move)}" for move in run]
    return ", ".join(moves) or "still empty"


# 01-vector-clock: the receipt of a message by a vector clock (Mattern 1989, Fidge 1988).

VECTOR_CLOCK_KEPT = "receive must also change self.row, since tick goes on from there."


@gap("01-vector-clock", refuses=(Library,))
def check_vector_clock(answer):
    """Stamp runs with the learner's class, and compare with the rules."""
    if untouched(vars(answer).get("receive")):
        return unsolved("your lines")
    for run, (*stamps, same) in zip(RUNS, called(stamped, answer, True), strict=True):
        rows = [_without_zeros(stamp) for stamp in stamps]
        place = first_odd(run, rows, run.vectors)
        if place is None and not same:
            return wrong(
                "The rows are right when they are given, and change afterwards: your receive returns "
                "the dictionary in which the clock goes on counting. Return a copy, as tick does."
            )
        if place is None:
            continue
        said, name = rows[place], run.name(place)
        if not run.senders[place]:
            return wrong(
                f"{name} is no receipt, and its row is {said!r:.60}: "
                + (VECTOR_CLOCK_KEPT if after_a_receipt(run, place) else "leave __init__ and tick as they were."),
                picture=drawn(run, place, said, run.vectors[place]),
            )
        if said is None:
            return wrong(f"At {name}, receive returns nothing: it must return the row, as tick does.")
        before = {} if run.previous[place] is None else run.vectors[run.previous[place]]
        carried = run.vectors[run.senders[place][0]]
        reason = _why_vector_clock(run[place].process, before, carried, said)
        told = f"At {name} the clock knows {row(before)}, and the message carries {row(carried)}."
        return wrong(f"{told} {reason}", picture=drawn(run, place, said, run.vectors[place]))
    return right("Each row counts exactly the events in the past of its own event, and that event.")


def _without_zeros(stamp):
    return {process: count for process, count in stamp.items() if count} if isinstance(stamp, dict) else stamp


def _why_vector_clock(own, before, carried, said):
    if not isinstance(said, dict):
        return f"Your receive returns {said!r:.60}; give a row, a dictionary of processes and counts, as tick does."
    for process, count in before.items():
        if said.get(process, 0) < count:
            return f"Your row counts {said.get(process, 0)} of {process}: the clock forgets what it knew."
    for process, count in carried.items():
        if said.get(process, 0) < count:
            return f"Your row counts {said.get(process, 0)} of {process}: it does not learn what the message knows."
    if said.get(own, 0) == before.get(own, 0):
        return f"Your row still counts {said.get(own, 0)} of {own}: the receipt is itself an event of {own}, too."
    return f"Your row is {row(said)}: it counts events that neither this clock nor the message knows."
