"""The adversary's model: a way whose scheduler is the learner, and the proof beside it. Plain Python."""

from dataclasses import dataclass

from ...errors import BadInput, whole
from ...explore.case import bounded
from ...explore.proof import Proof
from ...explore.search.outlook import BROKEN
from ...sandbox import prove_safely
from ...sandbox.prove_safely import SafePlay
from ..player.explored import ExploredModel, ExploredState

PROVE_SECONDS = 60


@dataclass(frozen=True, kw_only=True)
class AdversaryState(ExploredState):
    """The state of the screen. `simplest` is (schedule, `Cost`) of the simplest way to break the handler, once it is
    known. `asked` is True once the learner may know the result of `prove`.
    """

    states: int = 0
    proof: Proof | None = None
    simplest: tuple = ()
    asked: bool = False


class AdversaryModel(ExploredModel):
    """The learner as scheduler of handlers in the child process; `prove` runs beside it, there too."""

    what = "The adversary"
    first_state = AdversaryState()
    source = SafePlay

    def actions(self):
        """Return the actions that `do` knows, by name."""
        return super().actions() | {
            "ask": lambda _: self.update(asked=True),
            "simplest": lambda _: self._show_simplest(),
        }

    def do(self, action, value=None):
        """Have one action of the learner carried out, after the actions before it; the proof is stopped at once."""
        if action == "stop_proof":
            self.work.stop()
        else:
            super().do(action, value)

    def stand(self, way, at, **changes):
        """Stand after the first `at` decisions; who has come to a right end may know what `prove` found."""
        super().stand(way, at, **changes)
        if self.state.position.ended and self.state.position.outlook != BROKEN:
            self.update(asked=True)

    def _show_simplest(self):
        if not self.state.simplest:
            raise BadInput("There is no schedule to show: none was found that breaks this handler.")
        self.update(asked=True)
        self.show(self.state.simplest[0])

    def prove(self, work):
        """Search for a schedule that breaks the handler, and for the simplest one."""
        proof = prove_safely(
            self.handlers if len(self.handlers) > 1 else self.handlers[0],
            job=self.job,
            seconds=PROVE_SECONDS,
            progress=lambda states: self.update(states=states),
            stopped=work.stopped,
            **{name: number for name, number in self.bounds.json().items() if name != "items"},
            **self.rules,
        )
        found = proof.counterexample
        self.update(proof=proof, states=proof.states, simplest=self.play.simplest(found.schedule) if found else ())


def adversary_model(handler, nodes, items, job, rules, faults):
    """Return the `AdversaryModel` of a handler, or a list of them, within bounds. Raises `BadInput` for bad ones."""
    nodes = len(handler) if nodes is None and isinstance(handler, (list, tuple)) else 2 if nodes is None else nodes
    whole("the number of nodes", nodes, least=1)
    case = bounded(handler, nodes, items, job, faults)
    rules = {name: rule for name, rule in rules.items() if rule}
    return AdversaryModel(case.handlers, case.job, case.bounds, rules)
