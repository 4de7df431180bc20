"""The transfer lab's model: the chosen bank, and the adversary's moves in it. Plain Python."""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ...errors import BadInput, one_of
from ...explore import play, prove
from ...explore.bounds import Bounds
from ...explore.case import Case
from ...explore.proof import Proof
from ...handlers.transfer import STAGES, Bank, in_one_transaction, one_by_one, twice, under_locks
from ...handlers.transfer.bank import ORDERS
from ...simulate.decision import STEP
from ..player.explored import ExploredModel, ExploredState, broken_after

TITLES = {
    "transaction": "One transaction",
    "locks": "Two locks",
    "ordered": "Ordered locks",
    "halves": "One lock at a time",
    "cas": "Two CAS loops",
}
APART = "cas"  # the stage whose accounts are in stores of their own
AUDITORS = {
    "none": None,
    "one by one": one_by_one,
    "under locks": under_locks,
    "in one transaction": in_one_transaction,
    "twice": twice,
}
TOGETHER = "in one transaction"  # the auditor that needs all accounts in one store
THIRD = (("a", "b", 5),)
FAULTS = {"crashes": 1, "pauses": 1}
MOST_STEPS = 60  # of one run of one node: every stage takes fewer
PROVE_SECONDS = 30
QUIET = ("load positions", "save positions", "read record ")  # a mover's own book-keeping


class Claim(NamedTuple):
    """A claim for the explorer: the question, the largest number of crashes, and the rule by its name in `Bank`."""

    question: str
    crashes: int
    rule: str


CLAIMS = {
    "deadlock": Claim("Can they deadlock?", 0, ""),
    "money": Claim("Can money be lost?", 1, "total_in_the_end"),
    "audit": Claim("Can the auditor be fooled?", 0, "audits_right"),
}


class Found(NamedTuple):
    """The explorer's result on a claim: its `Proof`, the counterexample's schedule in the bank's node numbers, and
    the explored nodes.
    """

    proof: Proof
    schedule: tuple
    nodes: tuple


@dataclass(frozen=True)
class Choice:
    """A choice: a stage, the number of movers, an auditor by its name. Raises `BadInput` for an impossible choice."""

    stage: str = "transaction"
    movers: int = 2
    auditor: str = "one by one"

    def __post_init__(self):
        one_of("the stage", self.stage, TITLES)
        one_of("the number of movers", self.movers, (2, 3))
        one_of("the auditor", self.auditor, AUDITORS)
        if self.stage == APART and self.auditor == TOGETHER:
            raise BadInput("The accounts of this stage are in two stores, and no transaction spans both.")

    @property
    def bank(self):
        """The `Bank` of this choice."""
        orders = (*ORDERS, THIRD)[: self.movers]
        return Bank(STAGES[self.stage], orders, apart=self.stage == APART, auditor=AUDITORS[self.auditor])


@dataclass(frozen=True)
class Rule:
    """A rule of a bank by its name, or a rule that always holds, as an invariant that can be sent to another
    process.
    """

    bank: Bank
    name: str

    def __call__(self, view):
        return not self.name or getattr(self.bank, self.name)(view)


@dataclass(frozen=True, kw_only=True)
class TransferState(ExploredState):
    """The further state of the screen: the choice, the explorer's results, and the requested claims."""

    choice: Choice = Choice()
    found: dict = field(default_factory=dict)
    wanted: frozenset = frozenset()


class LocalPlay:
    """The answers of `explore.play` about the course's own handlers: at once, in this process."""

    def __init__(self, programs, job, bounds, rules):
        self.case = Case.within(programs, job, bounds, **(rules or {}))

    def look(self, schedule, known=(), sentence=""):
        """Return the `Position` after a schedule; `play.look` explains `known`, the results for its first parts."""
        return play.look(self.case, schedule, known, sentence)

    def run_out(self, schedule):
        """Return the schedule with the steps to its end without a fault."""
        return play.run_out(self.case, schedule)


class TransferModel(ExploredModel):
    """The learner as scheduler of a bank. A mover's book-keeping is no move: it is done as soon as possible.

    The `Bank` is the explorer's own: `explore.play` computes each position, and `prove` checks each claim.
    """

    what = "The transfer lab"
    source = LocalPlay
    stuck = "Nobody comes to an end from here. Undo, or kill one of those who wait."

    def __init__(self, choice, changed=None):
        self.first_state = TransferState(choice=choice)
        super().__init__(*_played(choice), changed=changed)

    def actions(self):
        """Return the actions that `do` knows, by name."""
        return super().actions() | {
            "undo": self._undo,
            "redo": self._redo,
            "run": self._run,
            "show": self._show,
            "ask": self._ask,
            "stage": lambda value: self._choose(stage=value),
            "movers": lambda value: self._choose(movers=int(value)),
            "auditor": lambda value: self._choose(auditor=value),
        }

    @property
    def bank(self):
        """The `Bank` on the screen."""
        return self.state.choice.bank

    @property
    def stops(self):
        """The numbers of decisions after which the learner can choose a node, in order."""
        full, way = self.state.full, self.state.way
        quiet = [is_quiet(text) and one.kind == STEP for text, one in zip(full.replay.texts, way, strict=True)]
        return [number for number in range(len(way) + 1) if number == len(way) or not quiet[number]]

    def _choose(self, **changes):
        if changes.get("stage") == APART and self.state.choice.auditor == TOGETHER:
            changes["auditor"] = "one by one"
        choice = replace(self.state.choice, **changes)
        if choice == self.state.choice:
            return
        self.open(*_played(choice))
        self.update(**vars(TransferState(choice=choice, busy=self.state.busy)))
        self.begin()
        self.work_ahead()

    def _undo(self, _):
        at = self.state.at
        self.go(max((stop for stop in self.stops if stop < at), default=at))

    def _redo(self, _):
        at = self.state.at
        self.go(min((stop for stop in self.stops if stop > at), default=at))

    def begin(self):
        """Start again, behind the first book-keeping."""
        way = self._settled(())
        self.stand(way, len(way))

    def take(self, way, **changes):
        """Stand after these decisions, and after the book-keeping behind them."""
        super().take(self._settled(way), **changes)

    def _settled(self, way):
        """Return a way with all the possible book-keeping behind it."""
        while True:
            position = self.after(way)
            quiet = [one.actor for one in position.replay.pending if is_quiet(one.event.text) and not one.asleep]
            steps = [one for one in position.open if one.kind == STEP and one.actor in quiet]
            if not steps:
                return way
            way = (*way, steps[0])

    def _run(self, value):
        """Let one node continue until it has ended, or has to wait."""
        actor, way = int(value), self.state.way[: self.state.at]
        before = way
        for _ in range(MOST_STEPS):
            step = next((one for one in self.after(way).open if (one.actor, one.kind) == (actor, STEP)), None)
            if step is None:
                break
            way = self._settled((*way, step))
        if way == before:
            raise BadInput(f"Node {actor + 1} cannot go on here: it waits, or it has ended.")
        self.take(way)

    def _ask(self, claim):
        one_of("the claim", claim, CLAIMS)
        self.update(wanted=self.state.wanted | {claim})

    def _show(self, claim):
        found = self.state.found.get(one_of("the claim", claim, CLAIMS))
        if found is None or not found.schedule:
            raise BadInput("There is no schedule to show: the explorer has found none.")
        broken = broken_after(self.after(found.schedule).outlooks)
        self.show(self._settled(found.schedule[:broken]))

    def prove(self, work):
        """Have the explorer check each claim."""
        choice = self.state.choice
        for name in CLAIMS:
            if name == "audit" and choice.auditor == "none":
                continue
            found = self._asked(choice, name, work)
            if work.stopped():
                return
            with self.lock:
                if self.work is work:
                    self.update(found=self.state.found | {name: found})

    def _asked(self, choice, name, work):
        """Return the `Found` of a claim. Check all movers; if a deadlock hides the answer, check mover 1 alone."""
        claim, movers, auditor = CLAIMS[name], tuple(range(choice.movers)), choice.movers
        others = (auditor,) if name == "audit" or (choice.auditor == "under locks" and name == "deadlock") else ()
        for nodes in ((*movers, *others), (0, *others)):
            proof = prove(
                [choice.bank.programs[node] for node in nodes],
                invariant=Rule(choice.bank, claim.rule),
                seconds=PROVE_SECONDS,
                stopped=work.stopped,
                crashes=claim.crashes,
            )
            found = proof.counterexample
            if name == "deadlock" or found is None or found.kind != "deadlock":
                break
        schedule = tuple(one._replace(actor=nodes[one.actor]) for one in found.schedule) if found else ()
        return Found(proof, schedule, nodes)


def _played(choice):
    """Return the arguments of `ExploredModel` for a choice."""
    programs = choice.bank.programs
    return programs, None, Bounds.of(len(programs), 1, FAULTS), {"invariant": Rule(choice.bank, "total_in_the_end")}


def is_quiet(text):
    """Tell whether a step is a mover's book-keeping, which does not touch the bank."""
    return text.startswith(QUIET)
