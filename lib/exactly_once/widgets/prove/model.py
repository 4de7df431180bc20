"""Proving from the crash console, without its screen: the chosen bounds, the search under way, its result."""

import threading
import time
from dataclasses import dataclass, field, replace

from ...explore.bounds import KINDS, MOST, Bounds
from ...pipeline import Job
from ...sandbox import pool as sandbox
from ...sandbox import prove_safely
from ..base.model import QUIET_SECONDS, BackgroundWork, BaseState, typed_number

BOUNDS = {
    "nodes": ("Nodes", 1, 4),
    "items": ("Items (hours)", 1, 24),
    **{kind: (kind.replace("_", " ").capitalize(), 0, MOST) for kind in KINDS},
    "seconds": ("Seconds at most", 1, 600),
}


@dataclass(frozen=True)
class ProveState(BaseState):
    """The state of the screen. It is replaced as a whole, so that a reader never sees half a change.

    `handler` is that of `proof`; `elapsed` are the seconds since the search began, `states` is the number of states
    explored by then.
    """

    bounds: Bounds = field(default_factory=Bounds)
    seconds: int = 60
    states: int = 0
    elapsed: float = 0.0
    proof: object = None
    handler: object = None


class ProveModel(BackgroundWork):
    """The chosen bounds and the search.

    `chosen` returns the handler to prove; `job` gives window and threshold, the bounds give the number of hours.
    """

    what = "The prover"
    needs_fields = ("prove",)

    def __init__(self, chosen, job=None, prover=prove_safely):
        self.chosen, self.job, self.prover = chosen, job or Job(), prover
        super().__init__(ProveState())

    def actions(self):
        """Return the actions that `do` knows, by name."""
        chosen = {name: lambda value, name=name: self.choose(name, value) for name in BOUNDS}
        return chosen | {"prove": lambda _: self.prove(), "stop_proof": lambda _: self.stop()}

    def choose(self, name, value):
        """Change one of the bounds. Raises `WrongField` for a value that makes no sense; the bound then stays."""
        title, least, most = BOUNDS[name]
        number = typed_number(name, title, value, least, most)
        if name == "seconds":
            self.update(seconds=number)
        else:
            self.update(bounds=replace(self.state.bounds, **{name: number}))

    def prove(self):
        """Begin to search, in the child process, unless a search is under way."""
        self.begin("prove", self._search, quiet=True, states=0, elapsed=0.0, status="")

    def _search(self, work):
        handler, bounds = self.chosen(), self.state.bounds
        began = time.perf_counter()

        def go_on():
            elapsed = time.perf_counter() - began
            if elapsed > QUIET_SECONDS:
                self.report(work, elapsed=elapsed)
            return work.stopped()

        proof = self.prover(
            handler,
            job=replace(self.job, items=bounds.items),
            seconds=self.state.seconds,
            progress=lambda states: self.report(work, states=states, elapsed=time.perf_counter() - began),
            stopped=go_on,
            **{name: number for name, number in bounds.json().items() if name != "items"},
        )
        self._found = {"proof": proof, "handler": handler}

    def overdue(self, work):
        """End a handler that makes no progress, with its process."""
        sandbox.interrupt(work.thread)

    def failed(self, why, work):
        """Show the error that the search raised; there is no proof then."""
        self._found = {"proof": None}
        if not work.stopped():
            self.fail(why)

    def at_end(self, work):
        """Return the result of the search, or the way it was ended."""
        ended = "Stopped: the handler did not get to its next step in time, so its process was ended."
        return self._found | ({"status": ended} if self._found["proof"] is None and work.stopped() else {})


def warm_up():
    """Start the child process in the background, so that the first search need not wait for it."""
    threading.Thread(target=sandbox.warm_up, name="warm up", daemon=True).start()
