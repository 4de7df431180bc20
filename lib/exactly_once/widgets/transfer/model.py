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
    """A claim for the explorer: the question, the faults, and the rule by its name in `Bank`."""

    question: str
    faults: dict
    rule: str


CLAIMS = {
    "deadlock": Claim("Can they deadlock?", {"crashes": 0}, ""),
    "money": Claim("Can money be lost?", {"crashes": 1}, "total_in_the_end"),
    "audit": Claim("Can the auditor be fooled?", {"crashes": 0}, "audits_right"),
}


class Found(NamedTuple):
    """The explorer's result on a claim: its `Proof`, the schedule of all nodes, and the asked nodes."""

    proof: Proof
    schedule: tuple
    nodes: tuple


@dataclass(frozen=True)
class Choice:
    """A choice: a stage, the number of movers, an auditor by its name."""

    stage: str = "transaction"
    movers: int = 2
    auditor: str = "one by one"

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
    wanted: tuple = ()


class OwnPlay:
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
    source = OwnPlay
    stuck = "Nobody comes to an end from here. Undo, or kill one of those who wait."

    def __init__(self, choice, changed=None):
        self.first_state = TransferState(choice=choice)
        super().__init__(*_played(choice), changed=changed)

    def actions(self):
        """Return the actions that `do` knows, by name."""
        return super().actions() | {
            "undo": lambda _: self.go(self._stop(-1)),
            "redo": lambda _: self.go(self._stop(1)),
            "run": lambda value: self._run(int(value)),
            "show": lambda value: self._show(value),
            "ask": lambda value: self._ask(value),
            "stage": lambda value: self._choose(stage=one_of("the stage", value, TITLES)),
            "movers": lambda value: self._choose(movers=one_of("the number of movers", int(value), (2, 3))),
            "auditor": lambda value: self._choose(auditor=one_of("the auditor", value, AUDITORS)),
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
        choice = replace(self.state.choice, **changes)
        if choice.stage == APART and choice.auditor == TOGETHER:
            if "auditor" in changes:
                raise BadInput("These accounts are in two stores, and no transaction spans both.")
            choice = replace(choice, auditor="one by one")
        if choice == self.state.choice:
            return
        self.open(*_played(choice))
        self.update(**vars(TransferState(choice=choice, busy=self.state.busy)))
        self.begin()
        self.work_ahead()

    def _stop(self, step):
        """Return the nearest stop before or after the present place."""
        stops, at = self.stops, self.state.at
        later = [stop for stop in stops if (stop > at if step > 0 else stop < at)]
        return at if not later else later[0] if step > 0 else later[-1]

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

    def _run(self, actor):
        """Let one node continue until it has ended, or has to wait."""
        way = self.state.way[: self.state.at]
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
        self.update(wanted=tuple({*self.state.wanted, claim}))

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
        """Return the `Found` of a claim: of all concerned, or of one mover where several deadlock first."""
        claim, movers, auditor = CLAIMS[name], tuple(range(choice.movers)), choice.movers
        others = (auditor,) if name == "audit" or (choice.auditor == "under locks" and name == "deadlock") else ()
        for nodes in ((*movers, *others), (0, *others)):
            proof = prove(
                [choice.bank.programs[node] for node in nodes],
                invariant=Rule(choice.bank, claim.rule),
                seconds=PROVE_SECONDS,
                stopped=work.stopped,
                **claim.faults,
            )
            found = proof.counterexample
            if name == "deadlock" or found is None or found.kind != "deadlock":
                break
        schedule = tuple(one._replace(actor=nodes[one.actor]) for one in found.schedule) if found else ()
        return Found(proof, schedule, nodes)


def _played(choice):
    """Return (programs, no job, bounds, rules) of a choice, in the form of the adversary's model."""
    programs = choice.bank.programs
    return programs, None, Bounds.of(len(programs), 1, FAULTS), {"invariant": Rule(choice.bank, "total_in_the_end")}


def is_quiet(text):
    """Tell whether a step is a mover's book-keeping, which does not touch the bank."""
    return text.startswith(QUIET)


def transfer_model(stage="transaction", movers=2, auditor="one by one"):
    """Return the `TransferModel` of a choice. Raises `BadInput` for an impossible choice."""
    one_of("the stage", stage, TITLES)
    one_of("the number of movers", movers, (2, 3))
    one_of("the auditor", auditor, AUDITORS)
    if stage == APART and auditor == TOGETHER:
        raise BadInput("The accounts of this stage are in two stores, and no transaction spans both.")
    return TransferModel(Choice(stage, movers, auditor))
