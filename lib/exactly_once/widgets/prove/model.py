"""Proving from a console, without its screen: the chosen bounds, the search under way, its result."""

import time
from dataclasses import dataclass, field, replace

from ...errors import BadInput
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

    `handlers` and `proved` are the handlers and bounds of `proof`; `elapsed` the seconds since the search began,
    `states` the number of states explored by then.
    """

    bounds: Bounds = field(default_factory=Bounds)
    seconds: int = 60
    states: int = 0
    elapsed: float = 0.0
    proof: object = None
    handlers: tuple = ()
    proved: Bounds | None = None


class ProveModel(BackgroundWork):
    """The chosen bounds and the search.

    `chosen` returns the handlers to prove, a tuple; `job` gives window and threshold, the bounds give the number of
    hours; `rules` are `prove`'s `invariant` and `reference`; `changed` is called after each change of `state`, in any
    thread. Raises `BadInput` for bounds that make no sense.
    """

    what = "The prover"
    needs_fields = ("prove",)

    def __init__(self, chosen, job=None, bounds=None, rules=None, changed=None, prover=prove_safely):
        if job is not None and not isinstance(job, Job):
            raise BadInput(f"The job is {job!r}; give a Job, such as Job(items=3).")
        self.chosen, self.job, self.rules, self.prover = chosen, job or Job(), rules or {}, prover
        super().__init__(ProveState(bounds=bounds or Bounds()), changed)

    def actions(self):
        """Return the actions that `do` knows, by name."""
        chosen = {name: lambda value, name=name: self.choose(name, value) for name in BOUNDS}
        return chosen | {"prove": lambda _: self.prove(), "stop_proof": lambda _: self.stop()}

    def choose(self, name, value):
        """Change one of the bounds. Raises `WrongField` for a value that makes no sense; the bound then stays as it
        was.
        """
        title, least, most = BOUNDS[name]
        number = typed_number(name, title, value, least, most)
        if name == "seconds":
            self.update(seconds=number)
        else:
            self.update(bounds=replace(self.state.bounds, **{name: number}))

    def prove(self):
        """Begin to search, in the child process, unless a search is under way."""
        self.begin("prove", self._search, quiet=True, states=0, elapsed=0.0, status="")

    @property
    def stale(self):
        """Describe the proof on the screen when it does not belong to the present choices; otherwise ""."""
        state = self.state
        if state.proof is None:
            return ""
        of = f"{state.proof.name} within {state.proved}"
        if state.busy != "idle":
            return f"This was found for {of}, before the search that runs now."
        if (state.proved, state.handlers) != (state.bounds, self.chosen()):
            return f"This was found for {of}. Click Prove for what is chosen now."
        return ""

    def _search(self, work):
        handlers, bounds = self.chosen(), self.state.bounds
        began = time.perf_counter()

        def go_on():
            elapsed = time.perf_counter() - began
            if elapsed > QUIET_SECONDS:
                self.report(work, elapsed=elapsed)
            return work.stopped()

        proof = self.prover(
            list(handlers) if len(handlers) > 1 else handlers[0],
            job=replace(self.job, items=bounds.items),
            seconds=self.state.seconds,
            progress=lambda states: self.report(work, states=states, elapsed=time.perf_counter() - began),
            stopped=go_on,
            **{name: number for name, number in bounds.json().items() if name != "items"},
            **self.rules,
        )
        self._found = {"proof": proof, "handlers": handlers, "proved": bounds}

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
