"""Exercise 01f: mutual exclusion without a queue and without releases, after Ricart and Agrawala.

Source: G. Ricart and A. K. Agrawala, "An Optimal Algorithm for Mutual Exclusion in Computer Networks", CACM 24(1),
1981: who stands behind in the total order answers at once, who stands before answers when it leaves.
"""

import pandas as pd

from ... import show as drawing
from ...clocks import LamportClock
from ...errors import BadInput
from ...handlers.mutual_exclusion import ENTERS, LEAVES, REQUEST, in_order_of_requests, one_at_a_time
from ...pipeline import Job
from ..kinds.reply import has_dots, right, unsolved, wrong
from ..kinds.run_answer import called, proved
from ..kinds.task import Task

ANSWER = "answer"
WORLDS = (  # how often each node wants to enter (0: it only answers), and how many requests it hears before that
    ((1, 1), (0, 0)),
    ((1, 1), (0, 1)),
    ((2, 2), (0, 0)),
    ((2, 1), (0, 1)),
    ((1, 1, 1), (0, 0, 0)),
    ((1, 1, 1), (0, 0, 1)),
    ((2, 1, 1), (0, 0, 0)),
)
MOMENTS = (  # at node 2: what happens, and the call that tells it; each line is a story of its own
    ("it wants nothing; (1, 1) arrives", [("asked", (1, 1))]),
    ("its own request is (1, 2); (1, 1) arrives", [("wants", (1, 2)), ("asked", (1, 1))]),
    ("its own request is (1, 2); (3, 3) arrives", [("wants", (1, 2)), ("asked", (3, 3))]),
    ("the same, and now it has entered and left", [("wants", (1, 2)), ("asked", (3, 3)), ("leaves",)]),
)


def peers_with(peer_of, rounds, heard_first):
    """Return the program of each node, which enters `rounds[number - 1]` times, and then serves the others.

    Before it wants anything, it has received `heard_first[number - 1]` requests.

    It sends a stamped request to all others, and enters when each has answered. Whom to answer, and when, it leaves
    to `peer_of(number)`.
    """

    def program(node):
        number = node.number
        others = [other for other in range(1, node.nodes + 1) if other != number]
        clock, peer, missing, owed = LamportClock(), peer_of(number), 0, []
        to_come = sum(rounds) - rounds[number - 1]

        def answer(nodes, method):
            for other in _checked(nodes, owed, method):
                node.send(other, [ANSWER, clock.send()])

        def hear():
            nonlocal to_come, missing
            sender, (kind, stamp) = node.receive()
            clock.receive(stamp)
            if kind == ANSWER:
                missing -= 1
            else:
                to_come -= 1
                owed.append(sender)
                answer(peer.asked((stamp, sender)), "asked")

        for _ in range(heard_first[number - 1]):
            hear()
        for _ in range(rounds[number - 1]):
            stamp, missing = clock.send(), len(others)
            peer.wants((stamp, number))
            for other in others:
                node.send(other, [REQUEST, stamp])
            while missing:
                hear()
            node.output.push([ENTERS, number, stamp])
            node.output.push([LEAVES, number, stamp])
            answer(peer.leaves(), "leaves")
        while to_come:
            hear()

    return program


def _checked(nodes, owed, method):
    """Return the nodes to answer in order, and strike them from those that an answer is owed to."""
    if not isinstance(nodes, (list, tuple, set)):
        raise TypeError(f"{method} returned {repr(nodes)[:60]}; it returns a list of the nodes to answer now")
    for node in nodes:
        if node not in owed:
            raise ValueError(f"{method} returned {repr(node)[:60]}, which waits for no answer of this node")
        owed.remove(node)
    return sorted(nodes)


def moments(peer_of):
    """Return the peer's answer at each of `MOMENTS`. An exception of the peer passes through."""
    said = []
    for _, calls in MOMENTS:
        peer = peer_of(2)
        said.append([getattr(peer, method)(*arguments) for method, *arguments in calls][-1])
    return said


def check(answer):
    """Explore every schedule of two nodes and of three, and show the simplest that goes wrong."""
    if has_dots(answer):
        return unsolved("your class")
    if all(said is None for said in _told(answer)):
        return unsolved("the bodies of its methods")
    states = 0
    for rounds, heard_first in WORLDS:
        program = peers_with(answer, rounds, heard_first)
        proof = _explored(program, in_order_of_requests, len(rounds))
        if proof.counterexample is not None:
            worse = _explored(program, one_at_a_time, len(rounds)).counterexample
            found = worse or proof.counterexample
            return wrong(_reason(len(rounds), found), run=found, handler=program)
        if not proof.ok:
            return wrong(f"The search found nothing wrong, and was stopped before its end: {proof}")
        states += proof.states
    return right(
        "Never two inside at once, and all get in, in the order of their requests, with two messages to each other "
        f"node for each entry: {states:,} states explored, of two nodes and of three."
    )


def _explored(program, rule, nodes):
    return proved(program, rule, Job(items=1), nodes=nodes, crashes=0, seconds=60.0)


def _told(answer):
    if not callable(answer):
        raise BadInput(f"The answer is {repr(answer)[:60]}; it is a class with wants, asked and leaves.")
    return called(moments, answer)


def _reason(nodes, found):
    if found.kind == "raised":
        return f"With {nodes} nodes, your code fails: {found.sentence.partition(': ')[2]}"
    waits = "somebody waits for ever. " if found.kind in ("deadlock", "blocked", "endless") else ""
    return f"With {nodes} nodes, {waits}{found.sentence if waits else found.sentence[0].lower() + found.sentence[1:]}"


def show(answer):
    """Say whom node 2 answers in four moments."""
    told = ["not said yet"] * len(MOMENTS) if has_dots(answer) else map(_word, _told(answer))
    rows = [(words, said) for (words, _), said in zip(MOMENTS, told, strict=True)]
    table = pd.DataFrame(rows, columns=["at node 2", "it answers now"])
    return drawing.Picture(drawing.table_html(table), text=table.to_string(index=False))


def _word(said):
    if said is None:
        return "not said yet"
    if not isinstance(said, (list, tuple, set)):
        return str(said)[:60]
    return ", ".join(f"node {node}" for node in said) or "nobody"


TASK = Task(
    answer="Peer",
    show=show,
    check=check,
)
