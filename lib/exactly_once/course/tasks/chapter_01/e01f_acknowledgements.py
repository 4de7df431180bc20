"""Exercise 01f: the condition to enter, in Lamport's mutual exclusion among three nodes."""

import pandas as pd

from .... import show as drawing
from ....errors import BadInput
from ....handlers.mutual_exclusion import in_order_of_requests, mutual_exclusion, one_at_a_time
from ....pipeline import Job
from ..reply import has_dots, right, unsolved, wrong
from ..run_answer import answers, proved
from ..task import Task

WORLDS = ((1, 1), (2, 2), (1, 1, 0), (2, 1, 0))  # how often each node wants to enter; 0: it only acknowledges
MOMENTS = [
    ([(1, 1), [(1, 1)], {2: 0, 3: 0}], "nobody has answered yet"),
    ([(1, 1), [(1, 1)], {2: 3, 3: 0}], "one of the two others has answered"),
    ([(1, 1), [(1, 1), (1, 2)], {2: 3, 3: 2}], "both have, and node 2 has a request as well"),
    ([(1, 2), [(1, 1), (1, 2)], {1: 4, 3: 2}], "the same, at node 2"),
]


def check(answer):
    """Explore every schedule of two nodes and of three, and show the simplest that goes wrong."""
    if has_dots(answer):
        return unsolved("your function")
    if all(fine and said is None for fine, said in _told(answer)):
        return unsolved("the body of your function")
    states = 0
    for rounds in WORLDS:
        program = mutual_exclusion(rounds, condition=answer)
        proof = _explored(program, in_order_of_requests, rounds)
        if proof.counterexample is not None:
            worse = _explored(program, one_at_a_time, rounds).counterexample
            found = worse or proof.counterexample
            return wrong(_reason(len(rounds), found), run=found, handler=program)
        if not proof.ok:
            return wrong(f"The search found nothing wrong, and was stopped before its end: {proof}")
        states += proof.states
    return right(
        f"Never two inside at once, and all get in, in the order of their requests: {states} states explored."
    )


def _explored(program, rule, rounds):
    return proved(program, rule, Job(items=1), nodes=len(rounds), crashes=0, seconds=60.0)


def _told(answer):
    if not callable(answer):
        raise BadInput(f"The answer is {str(answer)[:60]!r}; it is a function of request, queue and heard.")
    return answers(answer, [moment for moment, _ in MOMENTS])


def _reason(nodes, found):
    waits = "somebody waits for ever. " if found.kind in ("deadlock", "blocked", "endless") else ""
    return f"With {nodes} nodes, {waits}{found.sentence if waits else found.sentence[0].lower() + found.sentence[1:]}"


def show(answer):
    """Say what this function answers in four moments."""
    told = [(True, None)] * len(MOMENTS) if has_dots(answer) else _told(answer)
    rows = [
        (str(request), str(queue), str(heard), words, _word(fine, said))
        for ((request, queue, heard), words), (fine, said) in zip(MOMENTS, told, strict=True)
    ]
    table = pd.DataFrame(rows, columns=["request", "queue", "heard", "in words", "may it enter?"])
    return drawing.Picture(drawing.table_html(table), text=table.to_string(index=False))


def _word(fine, said):
    if not fine:
        return f"fails with {said}"
    return "not said yet" if said is None else "yes" if said else "no"


TASK = Task(
    title="mutual exclusion with one acknowledgement too few",
    answer="may_enter",
    show=show,
    check=check,
    hints=(
        "Two things can go wrong if a node enters: somebody else is inside, or somebody else's request comes before. "
        "What does the queue say about both, and whose requests may be missing in it?",
        "A request that is on its way is not in the queue yet. Which message from that node would tell you that "
        "nothing earlier is on its way from it?",
        "A message with a stamp later than your own request: what that node sent before has arrived, since messages "
        "between two nodes keep their order, and what it sends from now on is later still. From how many nodes do "
        "you need this?",
        "Two parts joined by and: your request is the smallest in the queue, min(queue) == request; and every stamp "
        "in heard.values() is larger than request[0].",
    ),
)
