"""Exercise 07d: a consumer of payments at read committed, with an index for each partition."""

import itertools
from html import escape

import pandas as pd

from ... import show as drawing
from ...errors import BadInput, what_failed
from ...explore import prove
from ...faults import FaultPlan
from ...sandbox import prove_safely
from ...simulate import simulate
from ..kinds.reply import has_dots, right, unsolved, wrong
from ..kinds.run_answer import SECONDS, called
from ..kinds.task import Task
from .bank import CASES, banks, rule_of

LEVELS = ("read committed", "repeatable read")
NOT_ENDED = "commit it or roll it back before the next one begins"


def alone(answer, case):
    """Return the run of one node over a case, when nothing goes wrong."""
    return called(simulate, banks(answer, LEVELS[0], case, nodes=1), FaultPlan())


def first_failing(answer):
    """Return ((place, level, nodes) of the first case that is not proved, or None; the states until then)."""
    states = 0
    for nodes, (place, case), level in itertools.product((1, 2), enumerate(CASES), LEVELS):
        proof = prove(
            banks(answer, level, case, nodes), invariant=rule_of(case), crashes=case.crashes, seconds=SECONDS
        )
        states += proof.states
        if not proof.ok:
            return (place, level, nodes), states
    return None, states


def check(answer):
    """Explore each case on one node, and then on two nodes at once, at both levels, in every schedule."""
    if has_dots(answer):
        return unsolved("your function")
    if not callable(answer):
        raise BadInput(f"The answer is {repr(answer)[:80]}; it is a function of a session and a payment.")
    failing, states = called(first_failing, answer, seconds=2 * SECONDS)
    if failing is not None:
        place, level, nodes = failing
        case, programs = CASES[place], banks(answer, level, CASES[place], nodes)
        proof = prove_safely(programs, invariant=rule_of(case), crashes=case.crashes, seconds=SECONDS)
        if proof.counterexample is None:
            return wrong(f"It does not finish ({case.words}, {level}): {proof.stopped}.")
        return _against(proof.counterexample, programs, case, level)
    return right(
        "Every payment takes effect once or not at all, no account pays money that it does not have, and no node "
        f"waits for ever: {len(CASES)} cases at {len(LEVELS)} levels, one node and two, every schedule "
        f"({states:,} states)."
    )


def _against(found, programs, case, level):
    if NOT_ENDED in found.sentence and len(programs) == 1 and len(found.steps) <= 2:
        return unsolved("the body of your function, with a commit or a rollback on every way out,")
    nodes = "one node" if len(programs) == 1 else "two nodes at once"
    said = found.sentence[0].lower() + found.sentence[1:]
    return wrong(f"At {level}, {nodes}, {case.words}: {said}", found, programs, picture=drawing.side_by_side(found))


def show(answer):
    """Draw the statements of one node that carries out the payments of a case."""
    case = CASES[3]
    if has_dots(answer):
        told = [(one.partition, one.number, f"{one.pays} pays {one.gets} {one.amount}") for one in case.payments]
        return drawing.Picture("", pd.DataFrame(told, columns=["partition", "number", "payment"]))
    if not callable(answer):
        raise BadInput(f"The answer is {repr(answer)[:80]}; it is a function of a session and a payment.")
    run = alone(answer, case)
    heard = {event.step: event.text for event in run.trace if event.verb == "reply"}
    rows = [
        (event.text, heard.get(event.step, ""))
        for event in run.trace
        if event.kind == "send" and "asked" in event.detail
    ]
    rows = rows if run.error else rows[:-2]  # at its end the node asks whether it has ended its transaction
    table = pd.DataFrame(rows, columns=["statement", "answer"])
    words = ", then ".join(f"{one.pays} pays {one.gets} {one.amount}" for one in case.payments)
    error = what_failed(run.error) if run.error else ""
    title = f"One node, nobody else: {words}"
    return drawing.Picture(
        f'<p class="eo-h">{title}</p>{drawing.table_html(table)}<p class="eo-bad">{escape(error)}</p>',
        text=f"{title}\n{table.to_string(index=False)}\n{error}",
    )


TASK = Task(
    answer="apply",
    show=show,
    check=check,
)
