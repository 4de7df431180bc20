"""Gap 01-explore: the loop of a model checker."""

from ....errors import CourseError
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import called
from ..registry import Gap

MOST = 5_000  # steps, far more than any of the systems below has


def explore(start, step, nodes, invariant):
    """Return the shortest schedule after which the invariant does not hold, or None if there is none."""
    found, frontier = {start: ()}, [start]
    while frontier:
        state = frontier.pop(0)
        if not invariant(state):
            return found[state]
        for node in nodes:
            after = step(state, node)
            if after is not None and after not in found:
                found[after] = (*found[state], node)
                frontier.append(after)
    return None


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
    "the two that read, add one and write": (
        (0, (None, None)),
        _reads_then_writes,
        (0, 1),
        lambda state: state[1] != ("done", "done") or state[0] == 2,
    ),
    "two that count to 2, where the first must not get there": (
        (0, 0),
        _counts_up,
        (0, 1),
        lambda state: state[0] < 2,
    ),
    "two that count to 2, and nothing is forbidden": ((0, 0), _counts_up, (0, 1), lambda state: True),
    "one that goes through a door, which it must not, and one that opens it": (
        "shut",
        _goes_through,
        (0, 1),
        lambda state: state != "through",
    ),
    "one that goes round 1, 2, 0, 1 for ever, and one that cannot move": (1, _goes_round, (0, 1), lambda state: True),
    "one that adds 1 to a number and one that adds 2, where it must not become 2": (
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
            raise CourseError(f"Among {name}, your loop goes on and on: it follows states that it has seen before.")
        return step(state, node)

    def noted(state):
        judged.append(state)
        return invariant(state)

    return theirs(start, counted, nodes, noted), len(asked), set(judged)


def check(answer):
    """Let the learner's explorer look at small systems, and compare with what there is to find."""
    for name, system in SYSTEMS.items():
        found, steps, judged = called(tried, answer, name)
        if not steps:
            return unsolved("your lines")
        shortest, _, states = tried(explore, name)
        if found is None and shortest is not None:
            return wrong(
                f"Among {name}, the schedule {_words(shortest)} breaks the invariant, and yours finds nothing. "
                f"It looked at {len(judged)} of {len(states)} states or more."
            )
        if found is None and judged != states:
            return wrong(f"Among {name}, yours looked at {len(judged)} states, and {len(states)} can be reached.")
        if found is not None and (problem := _problem(name, *system, found, shortest)):
            return wrong(problem)
    return right("Every state that any schedule reaches is looked at once, the nearest first.")


def _problem(name, state, step, nodes, invariant, found, shortest):
    if shortest is None:
        return f"Among {name}, nothing breaks the invariant, and yours says that {found!r:.60} does."
    try:
        for node in found:
            state = step(state, node)
        broken = not invariant(state)
    except (TypeError, ValueError, IndexError):
        broken = False
    if not broken:
        return f"Among {name}, yours gives {found!r:.60}; as a schedule, node by node, this breaks no invariant."
    if len(found) > len(shortest):
        return f"Among {name}, yours gives a schedule of {len(found)} steps, and {_words(shortest)} is shorter."
    return ""


def _words(schedule):
    return ", ".join(f"node {node}" for node in schedule)


GAP = Gap(
    title="the loop of a model checker",
    judge=check,
    library=explore,
    hints=(
        "From `state`, each node may be the next to take a step: `for node in nodes`. `step(state, node)` gives the "
        "state after it, or None if that node has ended.",
        "A state that is in `found` needs no second look. A new one goes into `found`, and to the end of `frontier`.",
        "What `found` holds for the new state is the schedule that leads there: that of `state`, then `node`, which "
        "is `(*found[state], node)`.",
    ),
)
