"""The ladder without its screen: the proved cells, the predictions, the open cell, and the proofs under way."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from ...errors import BadInput, one_of
from ...explore import tokens
from ...explore.parts import PARTS, PartProofs, prove_parts
from ...handlers import STRATEGIES
from ...node.program import checked_handler, deployment_of
from ...pipeline import Job
from ...sandbox import pool as sandbox
from ...sandbox import prove_safely
from ...verdict import Verdict, ideal_outcomes, judge
from ..base.model import BackgroundWork, BaseState

JOB = Job(items=3, duration=2, threshold=2)  # one hour is not counted, one is counted, one leaves the window
FAULTS = {
    "crash": "crashes",
    "lost request": "lost_requests",
    "lost reply": "lost_replies",
    "duplicated request": "duplicates",
    "late request": "late_requests",
    "pause": "pauses",
}  # {title of a column: its bound}
LATER = ("lock_free", "structured_streaming")  # chapters 10 and 12 have them
ROWS = tuple(name for name in STRATEGIES if name not in LATER)
STANDINGS = ("right", "damaged", "unknown")
SECONDS = 60


@dataclass(frozen=True)
class Cell:
    """One strategy under one fault of a kind. `marks` are {part: "right", "damaged" or "unknown"}.

    `found` are the proofs and `verdicts` the judged run of each damaged part; None and empty for a cell that was
    proved in another chapter, and kept. `states` is the number of explored states.
    """

    marks: dict[str, str]
    states: int
    found: PartProofs | None = None
    verdicts: dict[str, Verdict] = field(default_factory=dict)

    @property
    def damaged(self):
        """The parts that some schedule damages."""
        return tuple(part for part in PARTS if self.marks[part] == "damaged")


@dataclass(frozen=True)
class LadderState(BaseState):
    """The state of the screen. It is replaced as a whole, so that a reader never sees half a change.

    `cells` maps (strategy, fault) to its `Cell`; `open` is the cell on the screen, `part` the part whose proof is
    drawn; `held` tells that the cell stays open while the pointer goes elsewhere. `said` maps a fault to the strategy
    that was predicted as the first to stand. `proving` is the cell under proof, `seen` its states so far; `progress`
    is (number of proved cells, number of wanted cells) while several are wanted.
    """

    cells: dict
    said: dict = field(default_factory=dict)
    open: tuple | None = None
    held: bool = False
    part: str = "output"
    proving: tuple | None = None
    seen: int = 0
    progress: tuple | None = None


class LadderModel(BackgroundWork):
    """The cells, and the queue of wanted cells.

    `strategies` are the rows from the lowest rung: names of `STRATEGIES`, and handlers of the learner's own; all
    strategies but those of `LATER` by default. `kept` is an earlier argument of `keep(kept)`: {cell: {"marks",
    "states", "of"}} as plain data; entries of another handler, or for other bounds, do not count. Raises `BadInput`
    for an unknown strategy.
    """

    what = "The ladder"
    looks = ("look", "shown")

    def __init__(self, strategies=None, kept=None, keep=lambda kept: None, changed=None, prover=prove_safely):
        self.handlers = _handlers(ROWS if strategies is None else strategies)
        self.strategies = tuple(self.handlers)
        self.keep, self.prover, self._wanted, self._begun = keep, prover, [], False
        self._done = 0  # cells that the work under way has proved
        self._kept = {name: entry for name, entry in (kept or {}).items() if self._is_kept(name, entry)}
        cells = {
            tuple(name.split("|")): Cell(dict(entry["marks"]), entry["states"]) for name, entry in self._kept.items()
        }
        super().__init__(LadderState(cells), changed)

    def actions(self):
        """Return the actions that `do` knows, by name."""
        return {
            "shown": lambda _: self.shown(),
            "look": lambda value: self.look(self.checked(value)),
            "focus": lambda value: self.look(self.checked(value), hold=False),
            "cell": lambda value: self.click(self.checked(value)),
            "prove": lambda value: self.open(self.checked(value)),
            "part": lambda part: self.update(part=one_of("the part", part, PARTS)),
            "all": lambda _: self.want(),
            "stop": lambda _: self.stop(),
        }

    def checked(self, value):
        """Return the cell of that name. Raises `BadInput` when there is none."""
        strategy, _, fault = str(value).partition("|")
        return one_of("the strategy", strategy, self.strategies), one_of("the fault", fault, FAULTS)

    @property
    def every(self):
        """All cells, row by row from the lowest rung."""
        return [(strategy, fault) for strategy in self.strategies for fault in FAULTS]

    @property
    def left(self):
        """The cells without a proof."""
        return [key for key in self.every if key not in self.state.cells]

    def stands(self, key):
        """Tell whether a cell is proved with all of its parts right."""
        cell = self.state.cells.get(key)
        return cell is not None and set(cell.marks.values()) == {"right"}

    def first(self, fault):
        """Return the lowest strategy that stands under a fault; "" when none does, None when it is not known yet."""
        for strategy in self.strategies:
            if (strategy, fault) not in self.state.cells:
                return None
            if self.stands((strategy, fault)):
                return strategy
        return ""

    def shown(self):
        """Begin to prove, when the ladder is on a page for the first time."""
        if not self._begun:
            self._begun = True
            self.open(self.every[0])
            self.want()

    def look(self, key, hold=None):
        """Show a cell, unless another one is held open; `hold` False lets go of that one."""
        if hold is not None or not self.state.held:
            held = self.state.held if hold is None else hold
            self.update(open=key, held=held, part=_first_part(self.state.cells.get(key)))

    def click(self, key):
        """Predict the first rung of a column that stands, where that is not known yet; else hold the cell open, and
        prove it before all others if there is no proof of it in this kernel. A second click takes either back.
        """
        (strategy, fault), state = key, self.state
        if key not in state.cells and self.first(fault) is None:
            again = state.said.get(fault) == strategy
            others = {name: said for name, said in state.said.items() if name != fault}
            self.update(said=others if again else {**others, fault: strategy})
            self.look(key)
        else:
            self.open(key, hold=not (state.held and state.open == key))

    def open(self, key, hold=None):
        """Show a cell's proof. If there is none in this kernel, prove the cell before all waiting cells."""
        cell = self.state.cells.get(key)
        self.look(key, self.state.held if hold is None else hold)
        if cell is None or cell.found is None:
            self.want([key], first=True)

    def want(self, keys=None, first=False):
        """Have cells proved, one after the other, before or after the waiting cells: by default all that are left."""
        with self.lock:
            runs = self.work is not None and not self.work.stopped()
            keys = self.left if keys is None else keys
            keys = [key for key in keys if not (runs and key == self.state.proving)]
            others = [key for key in self._wanted if key not in keys]
            self._wanted = [*keys, *others] if first else [*others, *keys]
            if runs and self.state.proving:
                self.report(self.work, progress=self._progress())
            elif self._wanted:
                self.begin("ladder", self._prove, progress=None, status="")

    def stop(self):
        """End the proof that is under way, and forget the waiting cells."""
        with self.lock:
            self._wanted = []
            super().stop(status="Stopping …", progress=None)

    def _progress(self):
        wanted = self._done + 1 + len(self._wanted)
        return (self._done, wanted) if wanted > 1 else None

    def _prove(self, work):
        self._done = 0
        while True:
            with self.lock:
                if work.stopped():
                    return
                if not self._wanted:
                    self.leave_behind(work, proving=None, progress=None, status="")
                    return
                key = self._wanted.pop(0)
                self.report(work, proving=key, seen=0, progress=self._progress(), status="")
            cell = self._proved(key, work)
            if work.stopped():
                return
            self._fill(work, key, cell)

    def _proved(self, key, work):
        handler, reference = self._to_prove(*key), self._reference(key[0])
        bounds = {"crashes": 0, FAULTS[key[1]]: 1}
        found = prove_parts(
            handler,
            JOB,
            self.prover,
            reference,
            seconds=SECONDS,
            progress=lambda states: self.report(work, seen=states),
            stopped=work.stopped,
            **bounds,
        )
        ideals = ideal_outcomes(reference or handler, JOB)
        judged = {
            part: judge(found.of[part].counterexample.run, handler, ideals, reference=reference)
            for part in found.damaged
        }
        return Cell({part: found.standing(part) for part in PARTS}, found.states, found, judged)

    def _fill(self, work, key, cell):
        with self.lock:
            state = self.state
            part = _first_part(cell) if state.open == key else state.part
            self._done += 1
            self.report(work, cells={**state.cells, key: cell}, part=part)
            if "unknown" not in cell.marks.values():
                entry = {"marks": cell.marks, "states": cell.states, "of": self._written(*key)}
                self._kept = {**self._kept, "|".join(key): entry}
                self.keep(self._kept)

    def overdue(self, work):
        """End a proof that makes no progress, with its process."""
        sandbox.interrupt(work.thread)

    def failed(self, why, work):
        """Show the error that a proof raised; the waiting cells are forgotten."""
        self._wanted = []
        if not work.stopped():
            self.fail(why)

    def at_end(self, work):
        """Return the changes of the state when the proofs have ended."""
        return {"proving": None, "progress": None, "status": "Stopped." if work.stopped() else ""}

    def _reference(self, strategy):
        """Return the handler whose crash-free runs are right: the strategy's own, or, for a learner's, another's."""
        return None if strategy in STRATEGIES else STRATEGIES["at_least_once"]

    def _to_prove(self, strategy, fault):
        return to_prove(self.handlers[strategy], fault)

    def is_abstract(self, strategy, fault):
        """Tell whether a cell is proved over the abstract store of transactions."""
        return self._to_prove(strategy, fault) is not self.handlers[strategy]

    def _written(self, strategy, fault):
        """Return the key of a proof as a short text: another handler, job or bound gives another key."""
        proved = tokens.fingerprint([self._to_prove(strategy, fault)])
        return f"{proved} {JOB.items} {JOB.duration} {JOB.threshold} 1"

    def _is_kept(self, name, entry):
        """Tell whether an entry is a valid kept cell of the handler as it is now."""
        key = tuple(name.split("|"))
        if len(key) != 2 or key[0] not in self.handlers or key[1] not in FAULTS or not isinstance(entry, dict):
            return False
        marks = entry.get("marks")
        whole = isinstance(marks, dict) and set(marks) == set(PARTS) and set(marks.values()) <= set(STANDINGS)
        return whole and isinstance(entry.get("states"), int) and entry.get("of") == self._written(*key)


def to_prove(handler, fault):
    """Return the handler of a cell: the given one, or, where its search has no end, the same over an abstract store.

    A pause over the protocol of transactions leaves an incarnation that loops for ever in ever new states; the
    abstract store commits a transaction in one step.
    """
    deployment = deployment_of(handler)
    endless = fault == "pause" and deployment is not None and deployment.protocol is not None
    return replace(deployment, protocol="abstract") if endless else handler


def _handlers(strategies):
    """Return {name: handler} of the rows. Raises `BadInput` for what is no strategy and no handler."""
    if callable(strategies) or isinstance(strategies, str):
        strategies = (strategies,)
    if not isinstance(strategies, Collection):
        raise BadInput(f"The strategies are {strategies!r}; give a list of names, such as ['two_phase'].")
    if not strategies:
        raise BadInput("The ladder was given no strategy; name one or more, or leave them out.")
    found = {}
    for each in strategies:
        if callable(each):
            found[f"{getattr(each, '__name__', 'handler')} (mine)"] = checked_handler(each)
        else:
            name = one_of("the strategy", each, STRATEGIES)
            found[name] = STRATEGIES[name]
    return found


def _first_part(cell):
    return cell.damaged[0] if cell and cell.damaged else "output"
