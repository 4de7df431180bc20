"""Proving from a console, without its screen: the bounds that are chosen, the search under way, what it found."""

import threading
import time
from dataclasses import dataclass, field, replace

from ...errors import BadInput, number_in, one_of, whole
from ...explore.bounds import KINDS, MOST, Bounds
from ...pipeline import Job
from ...sandbox import pool as sandbox
from ...sandbox import prove_safely
from ..base.error_view import ErrorView
from ..base.work import Work

BOUNDS = {
    "nodes": ("Nodes", 1, 4),
    "items": ("Items (hours)", 1, 24),
    **{kind: (kind.replace("_", " ").capitalize(), 0, MOST) for kind in KINDS},
    "seconds": ("Seconds at most", 1, 600),
}
QUIET_SECONDS = 0.15
PATIENCE_SECONDS = 2.0


@dataclass(frozen=True)
class ProveState:
    """All that a screen needs to know. It is replaced as a whole, so that a reader never sees half a change.

    `handlers` are those of `proof`; `elapsed` the seconds since the search began, `states` what it has seen by then.
    """

    bounds: Bounds = field(default_factory=Bounds)
    seconds: int = 60
    busy: str = "idle"
    states: int = 0
    elapsed: float = 0.0
    status: str = ""
    proof: object = None
    handlers: tuple = ()
    error: ErrorView | None = None


class ProveModel:
    """The chosen bounds and the search.

    `chosen` returns the handlers to prove, a tuple; `job` gives window and threshold, the bounds how many hours;
    `rules` are `prove`'s `invariant` and `reference`; `changed` is called after each change of `state`, in any
    thread. Raises `BadInput` for bounds that make no sense.
    """

    def __init__(self, chosen, job=None, bounds=None, rules=None, changed=None, prover=prove_safely):
        if job is not None and not isinstance(job, Job):
            raise BadInput(f"The job is {job!r}; give a Job, such as Job(items=3).")
        self.chosen, self.job, self.rules, self.prover = chosen, job or Job(), rules or {}, prover
        self.state = ProveState(bounds=bounds or Bounds())
        self.changed = changed or (lambda: None)
        self.lock = threading.RLock()
        self.work = None

    def actions(self):
        """Return the actions that `do` knows, by name."""
        chosen = {name: lambda value, name=name: self.choose(name, value) for name in BOUNDS}
        return chosen | {"prove": lambda _: self.prove(), "stop_proof": lambda _: self.stop()}

    def do(self, action, value=None):
        """Carry out one action of the learner. Whatever goes wrong stands in `state.error` afterwards."""
        try:
            one_of("what to do", action, self.actions())
            self.actions()[action](value)
        except Exception as why:  # noqa: BLE001 - an error in a callback is invisible unless the console shows it
            self.update(error=ErrorView.of(why))

    def choose(self, name, value):
        """Change one of the bounds. Raises `BadInput` for a value that makes no sense; the bound stays as it was."""
        title, least, most = BOUNDS[name]
        text = str(value).strip()
        if (number := number_in(text)) is None:
            raise BadInput(
                f"{title} is {repr(text) if text else 'empty'}; give a whole number from {least} to {most}."
            )
        number = whole(title, number, least, most)
        if name == "seconds":
            self.update(seconds=number, error=None)
        else:
            self.update(bounds=replace(self.state.bounds, **{name: number}), error=None)

    def prove(self):
        """Begin to search, in the child process. Raises `BadInput` while a search is under way."""
        with self.lock:
            if self.work is not None:
                raise BadInput("A search is under way already. Wait for it, or click Stop first.")
            self.work = Work("prove", self._search, self._failed, self._ended)
            self.state = replace(self.state, busy="running", error=None, states=0, elapsed=0.0, status="", proof=None)
            # Most searches end before anybody could read that they run: the screen is told of long ones only.
            timer = threading.Timer(QUIET_SECONDS, self.changed)
            timer.daemon = True
            timer.start()
            self.work.start()

    def stop(self):
        """Ask the search to stop; a handler that does not get on is ended with its process."""
        with self.lock:
            work = self.work
            if work is None or work.stopped():
                return
            work.stop()
            self.update(busy="stopping")
        timer = threading.Timer(PATIENCE_SECONDS, self._end, (work,))
        timer.daemon = True
        timer.start()

    def wait(self, seconds=30.0):
        """Wait until nothing runs; tell whether that is so. For tests and scripts."""
        work = self.work
        return work is None or work.join(seconds)

    def update(self, **changes):
        """Replace parts of the state, and tell the screen."""
        self._note(**changes)
        self.changed()

    def _note(self, **changes):
        with self.lock:
            self.state = replace(self.state, **changes)

    def _search(self, work):
        handlers, bounds = self.chosen(), self.state.bounds
        began = time.perf_counter()

        def go_on():
            elapsed = time.perf_counter() - began
            if elapsed > QUIET_SECONDS:
                self.update(elapsed=elapsed)
            return work.stopped()

        proof = self.prover(
            list(handlers) if len(handlers) > 1 else handlers[0],
            job=replace(self.job, items=bounds.items),
            seconds=self.state.seconds,
            progress=lambda states: self.update(states=states, elapsed=time.perf_counter() - began),
            stopped=go_on,
            **{name: number for name, number in bounds.json().items() if name != "items"},
            **self.rules,
        )
        self._note(proof=proof, handlers=handlers)

    def _end(self, work):
        if self.work is work:
            sandbox.interrupt(work.thread)

    def _failed(self, why, work):
        if work.stopped():
            self._note(status="Stopped: the handler did not get to its next step in time, so its process was ended.")
        else:
            self._note(error=ErrorView.of(why))

    def _ended(self, work):
        with self.lock:
            self.work = None
        self.update(busy="idle")
