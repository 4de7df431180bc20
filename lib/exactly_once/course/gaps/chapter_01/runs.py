"""Runs on which the learner's clocks are tried, and the first event at which their stamps part from the rules'."""

from copy import deepcopy

from .... import show
from ....clocks import Event, History, random_history

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


def untouched(function):
    """Tell whether a function is as it was handed out: its body is the three dots, which do nothing."""
    code, dots = getattr(function, "__code__", None), _dots.__code__
    return code is not None and (code.co_code, code.co_consts) == (dots.co_code, dots.co_consts)


def _dots(): ...


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
