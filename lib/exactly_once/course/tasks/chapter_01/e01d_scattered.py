"""Exercise 01d: the total order of a run, from the scattered logs of its processes."""

from collections import Counter
from html import escape

from .... import show as drawing
from ....clocks import History
from ..cases import CasesTask
from .runs import run_of, small_runs

EXAMPLE = run_of("b receive m1, b send m2, a local, a send m1, a receive m2")


def logs_of(history):
    """Return what each process wrote down: {process: [(kind, message), …]}, in the order in which the log has
    them.
    """
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
    """Return what is to be found: (stamp, process) of each event."""
    return [(history.lamport[place], history[place].process) for place in history.total_order()]


def _order(said):
    """Return what a function gave as a list of pairs, or None if it is none."""
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
    """Return a sentence on what is wrong with one order, or None."""
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
    """Draw the example, and say in which order this function puts it."""
    picture = drawing.history(EXAMPLE)
    words = "No order yet."
    for fine, said in told or ():
        words = f"Your order: {said}" if fine else f"Your function fails with {said}"
    words = f"The logs: {logs_of(EXAMPLE)}. {words}"
    return drawing.Picture(f"{picture.html}<p>{escape(words)}</p>", picture.table, words)


TASK = CasesTask(
    title="recover the total order from scattered logs",
    answer="total_order",
    signature="a function of the logs",
    cases=runs,
    arguments=lambda run: [logs_of(run)],
    oracle=right_order,
    objection=objection,
    fails=lambda run, said: f"Your function fails with {said} on these logs: {_words(run)}.",
    draw=lambda run, said: drawing.history(run),
    sketch=sketch,
    praise="The same order as every process would find, from {count} sets of logs, whichever log came first.",
    example=(EXAMPLE,),
    hints=(
        "Two steps: give every event its stamp, then sort. Python sorts pairs by the first entry, and where that is "
        "equal by the second.",
        "The logs of the processes come one by one, so a receipt can come before its send. How do you stamp a "
        "receipt whose message has no stamp yet? You cannot: leave it, go on with another log, and come back.",
        "Keep for each process how far you are, and its clock; keep the stamps of messages sent so far. Go round the "
        "processes again and again: stamp events until a receipt has to wait, then take the next process. Stop when "
        "a whole round brought nothing.",
        "while anything was stamped in the last round: for each process: while it has an event left, and that is no "
        "receipt of a message without a stamp: stamp it (1 more than the clock, or than the larger of the two), note "
        "(stamp, process), and if it is a send, note the message's stamp. In the end: sorted(noted).",
    ),
)
