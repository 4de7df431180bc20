"""What a world hands over when a run has ended: the stores' contents, their journals, and the trace."""

from dataclasses import dataclass, replace
from typing import Any

from ..faults import FaultPlan
from ..node.program import Partition
from ..node.source import LOG
from ..node.world import DATABASE, ENGINE, shown
from ..pipeline import Job
from ..trace import Trace
from ..trace.assemble import assemble
from .outcome import OUTPUT, Outcome, pushed, readings_in

APPENDS = "produce"  # the operation by which a partition grows


@dataclass(frozen=True)
class Push:
    """One record of the output log with its provenance: which life pushed it for which item, from which readings."""

    value: Any
    life: int
    step: int
    item: int | None
    inputs: tuple


def wrote(entry):
    """Tell whether an entry of a journal changed something: None is a value too, but a refused cas notes None."""
    operation = entry.operation
    return operation.wrote(entry.value) and operation.kind not in ("inbox", "lock")


def pushes_of(writes, output=OUTPUT):
    """Return the records of the output with their provenance, in order, given the journals' writes."""
    found = [(entry, [entry.value]) for entry in pushed(writes)]
    if isinstance(output, Partition):
        part = shown(LOG, output.name)
        found = [
            (entry, entry.value.get("values", ())) for entry in writes if (entry.part, entry.verb) == (part, APPENDS)
        ]
    return [
        Push(value, entry.life, entry.step, entry.item, entry.inputs) for entry, values in found for value in values
    ]


@dataclass
class Run:
    """One run in one world. `error` holds the handler's own traceback if it raised; `seconds` is how long it took."""

    job: Job
    plan: FaultPlan
    world: str
    outcome: Outcome
    pushes: list
    state_count: dict
    writes: list
    trace: Trace
    fired: list
    seconds: float = 0.0
    error: str | None = None

    @classmethod
    def of(cls, world, programs, plan, stores, recorder, **more):
        """Read a run of these programs out of its stores, by name, and its recorder."""
        entries = [
            entry if name in (ENGINE, DATABASE) else replace(entry, part=shown(name, entry.part))
            for name, store in stores.items()
            for entry in store.journal()
        ]
        state = stores[ENGINE].look(programs[0].part("state"), "cell")
        outcome = Outcome.of(stores, programs)
        return cls.put_together(
            world, programs[0].source, plan, outcome, state, entries, recorder, programs[0].output, **more
        )

    @classmethod
    def put_together(cls, world, job, plan, outcome, state, entries, recorder, output=OUTPUT, **more):
        """Make a run of an outcome, the state behind it, the journals' entries, a recorder and where the output
        is.
        """
        entries = sorted(entries, key=lambda entry: (entry.received, entry.part))
        writes = [entry for entry in entries if wrote(entry)]
        return cls(
            job=job,
            plan=plan,
            world=world,
            outcome=outcome,
            pushes=pushes_of(writes, output),
            state_count=dict(readings_in(state)),
            writes=writes,
            trace=assemble(recorder.events(), entries),
            fired=recorder.fired_keys(),
            **more,
        )

    @property
    def reached(self):
        """True when every fault of the plan has struck."""
        return not self.plan.unreached(self.fired)
