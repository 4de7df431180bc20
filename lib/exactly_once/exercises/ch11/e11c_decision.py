"""Exercise 11c: two-phase commit on two nodes that share the decision, so that nobody is blocked."""

from dataclasses import dataclass

from ...errors import BadInput, OutcomeUnknown
from ...node import Program
from ...node.access.handles import part_of
from ...stores.codec import encode
from ..ch08.bank import Accounts
from ..kinds.kind import Specified
from ..kinds.proved import Proved, World, sends_nothing

COMMIT = "commit returned"
NOTHING = f"{COMMIT} None"  # the result of a function without a body
CHANGE = {"a": -3, "b": 3}
ABLE, UNABLE = {"a": 5, "b": 1}, {"a": 2, "b": 1}
SECOND_UNABLE, AWAY = {"a": 5, "b": 1}, {"a": -3, "b": -2}


@dataclass(frozen=True)
class Case:
    """Two rows with their opening values, the change of each, and the nodes' votes, which are given in turn."""

    opening: tuple
    change: tuple
    votes: tuple

    @property
    def fits(self):
        """Tell whether no row would be below zero."""
        return all(value + by >= 0 for (_, value), (_, by) in zip(self.opening, self.change, strict=True))

    @property
    def wishes(self):
        """The decisions that are right: what some node wishes for."""
        return {self.fits and vote for vote in self.votes}

    def after(self, committed):
        """Return the rows as they are to be afterwards."""
        return {
            name: value + by * committed
            for (name, value), (_, by) in zip(self.opening, self.change, strict=True)
        }  # fmt: skip


def case(opening, change, *votes):
    """Return the `Case` of two dictionaries; without `votes`, each node is willing."""
    return Case(tuple(opening.items()), tuple(change.items()), votes or (True,))


def committer(commit, change, willing):
    """Return the handler that asks until it knows the result of the change, and writes the result down."""

    def commits(node):
        said = None
        while said is None:
            try:
                said = commit(node.registers, dict(change), willing)
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
    held = view.registers
    decision, rows = held.get("decision"), {name: held[name] for name, _ in case.opening}
    if decision not in (None, *case.wishes) or not all(is_row(row) for row in rows.values()):
        return False
    before, after, change = case.after(False), case.after(True), dict(case.change)
    for name, (value, why) in rows.items():
        is_held, is_changed = [value, why] == [before[name], change[name]], [value, why] == [after[name], None]
        if not (is_held or is_changed) and (decision is True or [value, why] != [before[name], None]):
            return False
        if is_changed and decision is not True:
            return False
    told = [said for name, (said,) in returned(view)]
    settled = {name: [value, None] for name, value in case.after(bool(decision)).items()}
    return not told or (all(said is decision for said in told) and rows == settled)


def is_row(row):
    """Tell whether a register holds a row, [value, held]."""
    return isinstance(row, list) and len(row) == 2 and type(row[0]) is int


def returned(view):
    """Return (register, [answer]) of each node that has returned."""
    return [(name, held) for name, held in view.registers.items() if name.startswith("returned.")]


def objection(view, case):
    """Return a sentence on the mistake."""
    held = view.registers
    decision, rows = held.get("decision"), {name: held[name] for name, _ in case.opening}
    told = ", ".join(f"row {name} is {row!r}" for name, row in rows.items())
    if decision not in (None, *case.wishes):
        return f"the decision is {decision!r}, and {' or '.join(map(str, case.wishes))} is right: {told}"
    if returned(view):
        return f"a node has returned {returned(view)[0][1][0]!r}; the decision is {decision!r}, and {told}"
    return f"the decision is {decision!r}, and {told}"


def programs(commit, of, nodes):
    """Return the programs of a number of nodes."""
    rows = Accounts(tuple(("engine", part_of(name), encode([value, None])) for name, value in of.opening))
    voters = {vote: Program(committer(commit, of.change, vote), rows) for vote in of.votes}
    return [voters[of.votes[place % len(of.votes)]] for place in range(nodes)]


GOOD, POOR, SECOND = case(ABLE, CHANGE), case(UNABLE, CHANGE), case(SECOND_UNABLE, AWAY)
AGAINST, SPLIT = case(ABLE, CHANGE, False), case(ABLE, CHANGE, True, False)
WORLDS = (  # when that is, the case, how many nodes, the faults
    ("One node, and nothing goes wrong", GOOD, 1, {}),
    ("One node, and row a would be below zero", POOR, 1, {}),
    ("One node, and row b would be below zero", SECOND, 1, {}),
    ("One node, which is not willing", AGAINST, 1, {}),
    ("One node, and one crash", GOOD, 1, {"crashes": 1}),
    ("One node, and one lost reply", GOOD, 1, {"lost_replies": 1}),
    ("Two nodes", GOOD, 2, {}),
    ("Two nodes, and row b would be below zero", SECOND, 2, {}),
    ("Two nodes, one of which is not willing", SPLIT, 2, {}),
    ("Two nodes, one of which dies", GOOD, 2, {"crashes": 1}),
    ("Two nodes, one of which dies, and row b would be below zero", SECOND, 2, {"crashes": 1}),
    ("Two nodes, and one late request", GOOD, 2, {"late_requests": 1}),
    ("Two nodes, and one lost request", SECOND, 2, {"lost_requests": 1}),
)


def world(when, of, nodes, faults):
    """Return one of `WORLDS` as it is proved: nobody may wait for another node."""
    rule = Specified(all_or_nothing, objection, of)
    return World(when, lambda answer: programs(answer, of, nodes), rule, {"lock_free": True, **faults})


def no_body(run):
    """Tell whether nothing was asked of a register."""
    return sends_nothing(run) or (bool(run.error) and NOTHING in run.error)


TASK = Proved(
    answer="commit",
    tier="challenge",
    form="a function, commit(registers, change, willing)",
    idle=no_body,
    worlds=[world(*one) for one in WORLDS],
    praise="When one node stops, the other finds all that it needs in the registers: what is held, and what was "
    "decided ({worlds} worlds, {states} states). No node is blocked, though this is two-phase commit.",
)
