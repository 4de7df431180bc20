"""The exercises and gaps of chapter 11: each with its question, its right answer and its known mistakes."""

from dataclasses import dataclass
from typing import Any

from ... import show as drawing
from ...claims.mutants import totals
from ...claims.properties import findings
from ...errors import BadInput, OutcomeUnknown, what_failed
from ...exercises.kinds.compared import Compared
from ...exercises.kinds.kind import Specified, called
from ...exercises.kinds.proved import Proved, World, sends_nothing
from ...exercises.kinds.reply import right, unsolved, wrong
from ...exercises.kinds.values import Function, OneOf, Values
from ...lockfree.general import PREPARING, Form, drive, follow, general
from ...node import Program
from ...node.access import part_of
from ...node.program import runs_as
from ...node.world import MACHINE
from ...pipeline import Job
from ...simulate import simulate

ITEMS: dict = {}  # {name: item}

# 11a: the smallest batch with which one machine keeps up with its input.

ITEMS["11a"] = Compared(
    form="a function of three numbers, batch(rate, latency, outputs)",
    cases=(  # inputs that arrive in a second, the latency of an operation in ms, outputs of a step
        (10, 1, 1),
        (100, 2, 1),
        (100, 1, 0),
        (200, 2, 1),
        (450, 2, 3),
        (499, 2, 1),
        (500, 2, 1),
        (1000, 2, 0),
        (1, 20, 2),
    ),
    shown=[(100, 2, 1)],
    same=lambda said, right: type(said) is type(right) and said == right,
    praise="A batch shares what the outputs cost. What each input costs by itself, one read, no batch can share: at "
    "1,000 / latency inputs a second one machine is at its end, and only a second machine helps ({count} cases).",
)

# 11b: a mutant of the lock-free handler that breaks one promise and keeps all others.

CLAIMS = ("exactly-once", "heterogeneous", "lock-free", "race-free", "no downtime", "atomic")
FAULTS = (("crashes",), ("lost_replies",))
NOTHING = "follow returned None; return the next stage."
STAGES = "\n".join(
    [
        "['HANDLING', state, positions]",
        f"['{PREPARING}', state, positions, [['output', message]], 0]",
        "['WRITING', state, positions, [['output', message]], 0, index]",
    ]
)


def mutant(theirs):
    """Return the handler with the learner's way to follow a stage."""

    def changed(node, form, stage):
        told = theirs(node, list(stage), lambda stage: follow(node, form, stage))
        if told is None:
            raise BadInput(NOTHING)
        return told

    @runs_as(machine=MACHINE, feeds=("output",))
    def mutant(node):
        drive(node, totals, Form(), follow=changed)

    return mutant


def broken_by(theirs: Any) -> dict[Any, Any]:
    """Return {claim: the check's words} of the claims that the mutant breaks, with one input and two nodes."""
    found = findings(mutant(theirs), general(totals), 2, 1, FAULTS, only=CLAIMS)
    return {name: one.says for name, one in found.items() if not one.holds}


def alone(theirs: Any) -> Any:
    """Return the run of one node with one input."""
    return simulate(mutant(theirs), None, Job(items=1))


def only_one(said: Any) -> Any:
    """Ask each claim of the mutant: the one that was named must break, and no other."""
    claim, theirs = said["claim"], said["follow"]
    run = called(alone, theirs)
    if NOTHING in (run.error or ""):
        return unsolved("the body of your function")
    if run.error:
        return wrong(f"It fails by itself: {what_failed(run.error)}", traceback=run.error)
    broken = called(broken_by, theirs, seconds=60.0)
    others = [name for name in broken if name != claim]
    if not broken:
        return wrong(
            f"All six promises hold within the bounds (two nodes, one input, a crash or a lost reply), {claim!r} too."
        )
    if claim not in broken:
        return wrong(f"It breaks {', '.join(map(repr, others))}, and keeps {claim!r}. {broken[others[0]]}")
    if others:
        return wrong(f"It breaks {claim!r}, and {', '.join(map(repr, others))} as well. {broken[others[0]]}")
    return right(
        f"Only the check of {claim!r} finds it: {broken[claim]} The five others hold, so without this check nobody "
        "would have seen anything."
    )


ITEMS["11b"] = Values(
    asks="a promise and a function",
    what="answer",
    fields={"claim": OneOf(CLAIMS), "follow": Function("the node, a stage and as_usual")},
    rule=only_one,
    drawn=lambda said: drawing.spacetime(called(alone, said["follow"])),
    blank=lambda: drawing.Picture(f"<pre>{STAGES}</pre>", text=STAGES),
)

# 11c: two-phase commit on two nodes that share the decision, so that nobody is blocked.

COMMIT = "commit returned"


@dataclass(frozen=True)
class Rows(Job):
    """A job whose registers hold rows before a run begins: `rows` are (name, value, change). Nothing is read.

    `votes` are those of the nodes, which are given in turn.
    """

    rows: tuple = ()
    votes: tuple = ()

    def load_inputs(self, stores):
        """Write the rows."""
        for name, value, _ in self.rows:
            stores["engine"].prepare(part_of(name), "write", [value, None])

    @property
    def wishes(self):
        """The decisions that are right: what some node wishes for. No row may be below zero."""
        return {vote and all(value + by >= 0 for _, value, by in self.rows) for vote in self.votes}


def committer(commit, rows, willing):
    """Return the handler that asks until it knows the result of the change, and writes the result down."""

    def commits(node):
        said = None
        while said is None:
            try:
                said = commit(node.registers, {name: by for name, _, by in rows}, willing)
            except OutcomeUnknown:
                continue
            if not isinstance(said, bool):
                raise BadInput(f"{COMMIT} {said!r}; return True or False.")
        node.registers.cas(f"returned.{node.number}", 0, [said])

    return commits


def all_or_nothing(view, case):
    """A row changes only when the decision is True, and the decision is True only when each row is held or changed.
    It is a node's wish: True if no row would be below zero and this node is willing, and False otherwise. Once any
    node has returned, it has returned the decision, both rows are as decided, and none is held, for ever.
    """
    decision, settled = view.registers.get("decision"), True
    if decision not in (None, *case.wishes):
        return False
    for name, before, change in case.rows:
        row = view.registers[name]
        if row == [before + change, None]:
            allowed = decision is True
        else:
            allowed = row == [before, change] or (row == [before, None] and decision is not True)
        if not allowed:
            return False
        settled = settled and row == [before + change * bool(decision), None]
    told = returned(view)
    return not told or (settled and all(said is decision for said in told))


def returned(view):
    """Return the answer of each node that has returned."""
    return [held[0] for name, held in view.registers.items() if name.startswith("returned.")]


def torn(view, case):
    """Return a sentence on the mistake."""
    decision = view.registers.get("decision")
    told = ", ".join(f"row {name} is {view.registers[name]!r}" for name, *_ in case.rows)
    if decision not in (None, *case.wishes):
        return f"the decision is {decision!r}, and {' or '.join(map(str, case.wishes))} is right: {told}"
    if returned(view):
        return f"a node has returned {returned(view)[0]!r}; the decision is {decision!r}, and {told}"
    return f"the decision is {decision!r}, and {told}"


def world(when, rows, nodes, votes=(True,), **faults):
    """Return a world in which so many nodes commit: nobody may wait for another node."""
    case = Rows(items=1, rows=rows, votes=votes)

    def programs(commit):
        voters = {vote: Program(committer(commit, rows, vote), case) for vote in votes}
        return [voters[votes[place % len(votes)]] for place in range(nodes)]

    return World(when, programs, Specified(all_or_nothing, torn, case), {"lock_free": True, **faults})


GOOD, POOR = (("a", 5, -3), ("b", 1, 3)), (("a", 2, -3), ("b", 1, 3))
SECOND = (("a", 5, -3), ("b", 1, -2))

ITEMS["11c"] = Proved(
    idle=lambda run: sends_nothing(run) or f"{COMMIT} None" in (run.error or ""),
    worlds=[
        world("One node, and nothing goes wrong", GOOD, 1),
        world("One node, and row a would be below zero", POOR, 1),
        world("One node, and row b would be below zero", SECOND, 1),
        world("One node, which is not willing", GOOD, 1, (False,)),
        world("One node, and one crash", GOOD, 1, crashes=1),
        world("One node, and one lost reply", GOOD, 1, lost_replies=1),
        world("Two nodes", GOOD, 2),
        world("Two nodes, and row b would be below zero", SECOND, 2),
        world("Two nodes, one of which is not willing", GOOD, 2, (True, False)),
        world("Two nodes, one of which dies", GOOD, 2, crashes=1),
        world("Two nodes, one of which dies, and row b would be below zero", SECOND, 2, crashes=1),
        world("Two nodes, and one late request", GOOD, 2, late_requests=1),
        world("Two nodes, and one lost request", SECOND, 2, lost_requests=1),
    ],
    praise="When one node stops, the other finds all that it needs in the registers: what is held, and what was "
    "decided ({worlds} worlds, {states} states). No node is blocked, though this is two-phase commit.",
)

# 11-aside: an input that the function cannot digest is set aside, and the state stays as it was.


def digest(state: dict[str, list[int]] | None, inputs: list[Any]) -> tuple[dict[str, list[Any]], list[str]]:
    """Add an order to the list in the state, and send the list's length; fails for 0, after it has been added."""
    [order] = inputs
    state = {"seen": []} if state is None else state
    state["seen"].append(order)
    return state, [f"{len(state['seen'])} orders, {12 // order} each"]


def ask_aside(answer: Any, state: Any, inputs: Any) -> Any:
    """Wrap our function with the learner's, call it, and return the result as lists."""
    found = answer(digest)(state, inputs)
    return None if found is None else [found[0], list(found[1])]


ITEMS["11-aside"] = Compared(
    cases=((None, [3]), ({"seen": [3]}, [0]), (None, [0]), ({"seen": [3]}, ["x"]), ({"seen": [3]}, [])),
    ask=ask_aside,
    told=lambda state, inputs: f"With the state {state!r} and the inputs {inputs!r} your function",
    praise="No twin stops at the input: it is in the second queue, and the state is as it was.",
)

# 11-decide: each node gets the same decision, at each call.


def deciding(answer, wish):
    """Return the program of a node that asks for the decision twice, and writes the answers down."""

    def handler(node):
        for again in range(2):
            told = None
            while told is None:
                try:
                    told = [answer(node.registers, wish)]
                except OutcomeUnknown:
                    continue
            node.registers.cas(f"told.{node.number}.{again}", 0, told)

    return Program(handler, Job(items=1))


def wishing(when: str, *wishes: str, **bounds: Any) -> World:
    """Return the world of a node for each wish: all get the same decision, and it is one node's wish."""

    def one_decision(view):
        told = [held[0] for name, held in view.registers.items() if name.startswith("told.")]
        if odd := [one for one in told if one not in wishes]:
            return f"a node was told {odd[0]!r}, which nobody wished"
        return len(set(told)) <= 1 or "one node was told 'commit', and another one 'abort'"

    return World(when, lambda answer: [deciding(answer, wish) for wish in wishes], one_decision, bounds)


BOTH = ("commit", "abort")

ITEMS["11-decide"] = Proved(
    worlds=[
        wishing("One node that wishes to commit", "commit", lock_free=True),
        wishing("One node that wishes to abort", "abort", lock_free=True),
        wishing("Two nodes with different wishes", *BOTH, lock_free=True),
        wishing("Two nodes with different wishes, of which one dies", *BOTH, crashes=1),
        wishing("Two nodes with different wishes, and a lost reply", *BOTH, lost_replies=1),
        wishing("Two nodes with different wishes, and a late request", *BOTH, late_requests=1),
    ],
    praise="The first `cas` decides. The answer is what the register holds, whatever a node's own `cas` returned. "
    "No node waits for another.",
)

# 11-grows: an observer of a queue sees it grow, and nothing else.


ITEMS["11-grows"] = Compared(
    cases=[  # what an observer saw, look by look
        ([[*look] for look in seen.split("|")],)
        for seen in ("", "a", "a|ab", "a|", "a|a", "a|ba", "ab|acd", "|a||a", "a|ab|abc|acb", "|ab|abc")
    ],
    same=lambda said, right: bool(said) == right,
    praise="Each look begins with all that the look before it saw. That is the whole check.",
)

# 11-years: until some pair of a fleet is struck in one batch.

ITEMS["11-years"] = Compared(
    cases=((1, 10, 1), (1, 10, 1000), (2, 10, 1), (1, 60, 1), (4, 30, 50)),  # mishaps a day, batch in s, pairs
    praise="One pair is struck every 23.7 years, one of a thousand pairs every 8.6 days.",
)
