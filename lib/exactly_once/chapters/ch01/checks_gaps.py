"""The gaps of chapter 01: two clocks, effects before their causes, a model checker's loop, and an invariant."""

import random
from copy import deepcopy
from types import SimpleNamespace
from typing import Any

from ...clocks import LamportClock, VectorClock, random_history
from ...exercises.kinds.compared import Compared
from ...handlers import mutual_exclusion

ITEMS: dict = {}  # {name: item}


def ask_clock(answer: Any, script: list[Any], *process: str) -> list[Any]:
    """Call a clock, for each entry of a script: `tick()` for None, `receive(stamp)` for a stamp.

    Return its answers, as they are after one more event: an answer must not change.
    """
    clock, script = answer(*process), deepcopy(script)
    given = [clock.tick() if stamp is None else clock.receive(stamp) for stamp in script]
    clock.tick()
    return given


def calls(script: list[Any], *process: str) -> str:
    """Return the calls of a script in words."""
    told = ", ".join("tick()" if stamp is None else f"receive({stamp!r})" for stamp in script)
    return f"{process[0]}'s clock, asked for {told}," if process else f"A clock, asked for {told},"


# 01-clock: the receive rule of a Lamport clock, as a method.

ITEMS["01-clock"] = Compared(
    cases=(  # events one after the other: None, or the stamp of the message that is received
        ([None, None],),
        ([5],),
        ([5, None],),
        ([None, None, None, 1],),
        ([None, None, 2],),
        ([None, 4, None, 3, 9, None],),
    ),
    ask=ask_clock,
    told=calls,
    nothing=(),
    refuses=(LamportClock,),
    praise="Every receipt comes after its send and after what its own process did before.",
)

# 01-effects-first: which messages are received before they are sent, in the order in which events stand.


def orders():
    """Return the events of small runs, each as it was, backwards and shuffled."""
    found = []
    for seed in range(10):
        events = list(random_history(2 + (seed > 0), 2 + seed, seed, messages=0.9))
        found += [(events,), (events[::-1],), (random.Random(seed).sample(events, len(events)),)]
    return found


ITEMS["01-effects-first"] = Compared(
    cases=orders,
    told=lambda events: f"With {', '.join(one.kind + ' ' + str(one.message) for one in events)} your function",
    why="name each message whose receipt stands before its send",
    same=lambda said, right: isinstance(said, list | tuple | set) and sorted(map(str, said)) == sorted(right),
    praise="No clock is needed for this: every message is sent before it is received, whatever the clocks show.",
)

# 01-explore: the loop of a model checker.

MOST = 5_000  # steps, far more than any of the systems below has


def reads_then_writes(state: tuple[Any, ...], node: Any) -> tuple[Any, ...] | None:
    """Let a node read a number, and then write one more."""
    number, holds = state
    if holds[node] == "done":
        return None
    mine, number = (number + 1, number) if holds[node] is None else ("done", holds[node])
    return number, (*holds[:node], mine, *holds[node + 1 :])


def counts_up(state: tuple[int, ...], node: Any) -> tuple[Any, ...] | None:
    """Let a node count to 2."""
    return None if state[node] == 2 else tuple(count + (place == node) for place, count in enumerate(state))


SYSTEMS = {  # in words: (start, step, nodes, invariant)
    "two nodes that read, add one and write": (
        (0, (None, None)),
        reads_then_writes,
        (0, 1),
        lambda state: state[1] != ("done", "done") or state[0] == 2,
    ),
    "two nodes that count to 2, and the first must not": ((0, 0), counts_up, (0, 1), lambda state: state[0] < 2),
    "three nodes that count to 2, where nothing is forbidden": ((0, 0, 0), counts_up, (0, 1, 2), lambda state: True),
    "a node that opens a door and a node that goes through, which is forbidden": (
        "shut",
        lambda state, node: {("shut", 1): "open", ("open", 0): "through"}.get((state, node)),
        (0, 1),
        lambda state: state != "through",
    ),
    "a node that counts 1, 2, 0, 1 for ever and a node that cannot move": (
        1,
        lambda state, node: None if node else (state + 1) % 3,
        (0, 1),
        lambda state: True,
    ),
    "a node that adds 1 and a node that adds 2, where the sum must not become 2": (
        0,
        lambda state, node: state + node + 1 if state + node < 2 else None,
        (0, 1),
        lambda state: state != 2,
    ),
}


def ask_explore(answer: Any, name: str) -> str | None:
    """Return in words what an explorer finds in a system; None for one that asks for no step."""
    start, step, nodes, invariant = SYSTEMS[name]
    asked, judged = [], []

    def counted(state: Any, node: Any) -> Any:
        asked.append(node)
        if len(asked) > MOST:
            raise RecursionError
        return step(state, node)

    def noted(state: Any) -> bool:
        judged.append(state)
        return invariant(state)

    try:
        found = answer(start, counted, nodes, noted)
    except RecursionError:
        return f"nothing, and goes on and on: it has asked for {MOST:,} steps"
    if not asked:
        return None
    if found is None:
        return f"nothing, after {counted_in(set(judged), 'state')}"
    state = start
    for node in found:
        state = None if state is None else step(state, node)
    if state is None or invariant(state):
        return f"{found!r:.60}, and as a schedule, node by node, this breaks no invariant"
    return f"a schedule of {counted_in(found, 'step')} that breaks the invariant"


def counted_in(some: Any, name: str) -> str:
    """Return how many there are, with the name of one."""
    return f"{len(some)} {name}{'s' * (len(some) != 1)}"


ITEMS["01-explore"] = Compared(
    cases=[(name,) for name in SYSTEMS],
    ask=ask_explore,
    told=lambda name: f"With {name}, your explorer",
    praise="Your explorer looks once at every state that a schedule reaches, the nearest first.",
)

# 01-one-at-a-time: the invariant of mutual exclusion.


def moments():
    """Return the beginnings of some runs, the shortest first; n is the entry of node n, and -n its leaving."""
    runs = ((1, -1, 2, -2), (1, 2), (2, 1), (2, -2, 1, -1), (1, -1, 1, -1, 2, -2), (1, -1, 1, 2), (1, -1, 2, 3))
    found = {run[:end] for run in runs for end in range(len(run) + 1)}
    outputs = [
        [["enters" if move > 0 else "leaves", abs(move), 2 * place + 1] for place, move in enumerate(run)]
        for run in sorted(found, key=lambda run: (len(run), run))
    ]
    return [(SimpleNamespace(outputs=each, done=False),) for each in outputs]


def ask_invariant(answer, view):
    """Tell whether the learner's invariant holds: it says nothing, or something true that is no text."""
    said = answer(view)
    return said is None or (bool(said) and not isinstance(said, str))


ITEMS["01-one-at-a-time"] = Compared(
    cases=moments,
    ask=ask_invariant,
    told=lambda view: (
        f"The output is {', '.join(f'{what} {node}' for what, node, _ in view.outputs) or 'empty'}; your invariant"
    ),
    nothing=(...,),
    refuses=(mutual_exclusion.one_at_a_time, mutual_exclusion.in_order_of_requests),
    praise="The explorer asks your invariant at every moment of every schedule, even before the first push.",
)

# 01-vector-clock: the receipt of a message by a vector clock (Mattern 1989, Fidge 1988).


def same_rows(said: Any, right: list[dict[str, int]]) -> bool:
    """Tell whether rows count the same; a process that counts 0 may be left out."""
    return (
        all(isinstance(row, dict) for row in said)
        and [{process: count for process, count in row.items() if count} for row in said] == right
    )


ITEMS["01-vector-clock"] = Compared(
    cases=(  # events of ann one after the other: None, or the row of the message that is received
        ([None, None], "ann"),
        ([{"bob": 1}], "ann"),
        ([{"bob": 1}, None], "ann"),
        ([None, None, {"bob": 2, "ann": 2}], "ann"),
        ([{"bob": 3}, {"cyd": 2, "bob": 1}], "ann"),
        ([None, {"bob": 1, "cyd": 4}, None, {"bob": 5, "ann": 2, "cyd": 3}, {"cyd": 9}, None], "ann"),
    ),
    ask=ask_clock,
    told=calls,
    same=same_rows,
    nothing=(),
    refuses=(VectorClock,),
    praise="Each row counts exactly the events in the past of its own event, and that event.",
)
