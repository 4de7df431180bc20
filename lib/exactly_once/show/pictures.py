"""Space–time diagrams of a verdict, a counterexample, a run or a trace, for display in a notebook."""

from typing import Any, TypeAlias

from ..explore.proof import Counterexample
from ..trace import Trace
from ..verdict import Run, Verdict
from .base.checks import given
from .base.picture import Picture, scrolling
from .diagrams.excerpt import Marks, item_of_interest
from .diagrams.layout import lay_out, lay_out_damage
from .diagrams.quiet import quiet_svg
from .diagrams.svg import layout_svg
from .diagrams.table import trace_table

Source: TypeAlias = Verdict | Counterexample | Run | Trace


def spacetime(source: Source, item: int | None = None) -> Picture:
    """Return the space–time diagram of one item, with the table that says the same.

    `source` is a `Verdict`, a `Counterexample`, a `Run` or a `Trace`; `item` an hour (None: the hour at which the
    first incarnation died, or was to die; where a verdict or a counterexample says what is wrong, the steps that led
    there).
    """
    return Picture(spacetime_picture(source, item), trace_table(_run_in(source)[1]), unfold=TABLE)


def item_shown(run: Run) -> int | None:
    """Return the item that a run's diagram shows: the item of the first death, or of a death that the plan wanted."""
    died = next((death.item for death in given(run, Run).trace.deaths() if death.item is not None), None)
    wanted = next((fault.item for fault in run.plan.faults if fault.item), None)
    return died or wanted or item_of_interest(run.trace)


DIAGRAM, TABLE = "Space–time diagram", "The whole trace as a table, in the clocks' order"


def spacetime_picture(source: Source, item: int | None = None, width: int = 1000, whole: bool = False) -> str:
    """Return the diagram that `spacetime` describes, or that of the `whole` run, in a frame that scrolls when it is
    wider than its place, from its right end where that is the damage.
    """
    run, trace = _run_in(source)
    on_damage = not whole and item is None and run is not source
    if whole:
        layout = lay_out(trace, width=width, part=list(trace), marks=Marks.of(source))
    elif on_damage:
        layout = lay_out_damage(source, item_shown(run), width)
    else:
        item = item_shown(run) if item is None and run is not trace else item
        layout = lay_out(trace, item, width, marks=Marks.of(source))
    return scrolling(layout_svg(layout), DIAGRAM, "eo-ends" if on_damage else "")


def _run_in(source: Any) -> tuple[Any, Trace]:
    """Return (the run, its trace) of a source; of a trace there is no other run."""
    given(source, Verdict, Counterexample, Run, Trace)
    run = source.run if isinstance(source, (Verdict, Counterexample)) else source
    return run, run if isinstance(run, Trace) else run.trace


def quiet_picture(judged: Verdict, item: int | None = None, width: float = 1000) -> tuple[str, list[int]]:
    """Return (the quiet diagram of a `Verdict` in a frame that scrolls, the stamps that it names)."""
    svg, stamps = quiet_svg(judged, item, width)
    return scrolling(svg, DIAGRAM), stamps
