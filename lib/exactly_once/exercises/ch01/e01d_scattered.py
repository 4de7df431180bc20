"""Exercise 01d: the total order of a run, from the scattered logs of its processes."""

from collections import Counter
from html import escape

from ... import show as drawing
from ...clocks import History
from ..kinds.cases import Cases
from .runs import run_of, small_runs

EXAMPLE = run_of("b receive m1, b send m2, a local, a send m1, a receive m2")


def logs_of(history):
    """Return the events of each process in the order of its log: {process: [(kind, message), …]}."""
    return {
        process: [(history[place].kind, history[place].message) for place in row]
        for process, row in history.rows.items()
    }


def runs():
    """Return the runs to try, the smallest first, each with its processes in several orders."""
    found = []
    for run in [*small_runs(), EXAMPLE]:
        rows = [[run[place] for place in row] for row in run.rows.values()]
        found += [History.merge(rows), *([History.merge(rows[::-1])] if len(rows) > 1 else [])]
    return [(run,) for run in sorted(found, key=len)]


def right_order(history):
    """Return the right order: (stamp, process) of each event."""
    return [(history.lamport[place], history[place].process) for place in history.total_order()]


def _order(said):
    """Return a function's result as a list of pairs, or None for another object."""
    try:
        return [(stamp, process) for stamp, process in said]
    except (TypeError, ValueError):
        return None


def _words(run):
    logs = {
        process: ", ".join(kind if message is None else f"{kind} {message}" for kind, message in log)
        for process, log in logs_of(run).items()
    }
    return "; ".join(f"{process}: {log}" for process, log in logs.items())


def objection(run, said):
    """Return a sentence on the mistake in one order, or None."""
    expected, order = right_order(run), _order(said)
    if order == expected:
        return None
    return f"{_reason(expected, said if order is None else order)} The logs are: {_words(run)}."


def _reason(expected, said):
    if not isinstance(said, list) or (said and not isinstance(said[0], tuple)):
        return f"Your function gives {str(said)[:80]!r}; it should give a list of pairs (stamp, process)."
    if Counter(process for _, process in said) != Counter(process for _, process in expected):
        return (
            f"{len(expected)} events went in, and {_several(len(said))} came out; each comes once, with its process."
        )
    if Counter(said) == Counter(expected):
        ties = [stamp for stamp, _ in said] == [stamp for stamp, _ in expected]
        if ties:
            return f"Where stamps are equal, the process's name decides: {_list(expected)}, and not {_list(said)}."
        return f"The stamps are right, and the order is not: smaller stamps come first. You have {_list(said)}."
    return f"The stamps are not those of the three rules: {_list(expected)}, and not {_list(said)}."


def _several(count):
    return f"{count}" if count else "none"


def _list(order):
    shown = ", ".join(f"({stamp!r}, {process!r})" for stamp, process in order[:8])
    return f"[{shown}{', …' if len(order) > 8 else ''}]"


def sketch(told):
    """Draw the example, with the order of this function in words."""
    picture = drawing.history(EXAMPLE)
    words = "No order yet."
    for fine, said in told or ():
        words = f"Your order: {said}" if fine else f"Your function fails with {said}"
    words = f"The logs: {logs_of(EXAMPLE)}. {words}"
    return drawing.Picture(f"{picture.html}<p>{escape(words)}</p>", picture.table, words)


TASK = Cases(
    answer="total_order",
    form="a function of the logs",
    cases=runs,
    arguments=lambda run: [logs_of(run)],
    oracle=right_order,
    objection=objection,
    fails=lambda run, said: f"Your function fails with {said} on these logs: {_words(run)}.",
    draw=lambda run, said: drawing.history(run),
    sketch=sketch,
    praise="The same order as every process would find, from {count} sets of logs, whichever log came first.",
    example=(EXAMPLE,),
)
