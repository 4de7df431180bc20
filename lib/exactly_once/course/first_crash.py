"""The trace of a first crash: the learner's own trace of chapter 00, kept for chapter 01, or the course's."""

from collections.abc import Sequence
from math import isfinite

from ..errors import BadInput, CourseError, is_number, whole
from ..paths import DATA
from ..trace import Event, Trace
from ..verdict import Run
from . import my_work

NAME = "first-crash.jsonl"
YOURS, OURS = "your own run of chapter 00", "a run that was recorded for the course"


def keep_crash(run: Run) -> None:
    """Keep the trace of a `Run` on the cluster in `my-work/`. Raises `CourseError` when it cannot be written."""
    if _tells(run.trace):
        run.trace.save(my_work.folder() / NAME)


def first_crash() -> tuple[Trace, str]:
    """Return (the trace of a crash of real processes, whose it is): the learner's own if one was kept.

    The recorded one is a run of `at_least_once` under `FaultPlan.crash("B", 3)` on a cluster of one machine.
    """
    kept = my_work.folder() / NAME
    try:
        if kept.exists() and _tells(found := Trace.load(kept)):
            return found, YOURS
    except CourseError:  # it was changed by hand, or by another version of the course
        pass
    return Trace.load(DATA / NAME), OURS


def near_the_death(crash: Trace, events: int = 5) -> list[Event]:
    """Return the first death of a trace with so many events before and after it.

    Raises `BadInput` for what is no trace in which somebody dies, and for a number below 0.
    """
    if not isinstance(crash, Trace) or not crash.deaths():
        raise BadInput(f"The crash is {crash!r:.60}; give a trace in which a process dies, as first_crash() has it.")
    whole("The number of events", events)
    place = crash.events.index(crash.deaths()[0])
    return list(crash.events[max(place - events, 0) : place + events + 1])


def sorted_by_clocks(events: Sequence[Event], stores_behind: float = 0.0) -> tuple[list[int], list[str]]:
    """Return (the places of events in the order of their clocks, the milliseconds that each clock shows).

    The clocks of the stores are `stores_behind` seconds slow. The milliseconds count from the first event's time.
    Raises `BadInput` for events that are no list of `Event`, and for seconds that are no number.
    """
    if not isinstance(events, Sequence) or not all(isinstance(each, Event) for each in events):
        raise BadInput(f"The events are {events!r:.60}; give a list of events, such as near_the_death(crash).")
    if not is_number(stores_behind) or not isfinite(stores_behind):
        raise BadInput(f"The stores are {stores_behind!r:.60} behind; give seconds.")
    shown = [
        (event.wall or 0) - (0 if event.process.startswith("incarnation") else stores_behind) for event in events
    ]
    times = [f"{1000 * (time - (events[0].wall or 0)):.1f}" for time in shown]
    return sorted(range(len(shown)), key=lambda place: shown[place]), times


def _tells(trace: Trace) -> bool:
    """Tell whether a trace has a dead incarnation and a successor, and a time for every event."""
    lives = [event.life for event in trace.lives()]
    followed = any(death.life + 1 in lives for death in trace.deaths())
    return followed and all(event.wall is not None for event in trace)
