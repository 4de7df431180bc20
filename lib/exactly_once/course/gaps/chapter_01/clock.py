"""Gap 01-clock: the receive rule of a Lamport clock, as a method."""

from ....clocks import LamportClock
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import called
from ..registry import Gap
from .runs import RUNS, after_a_receipt, drawn, first_odd, stamped, untouched

KEPT = "receive must also set self.time, since tick goes on from there."


class Clock:
    """A Lamport clock."""

    def __init__(self):
        self.time = 0

    def tick(self):
        """Stamp a local event, or a send."""
        self.time += 1
        return self.time

    def receive(self, stamp):
        """Stamp the receipt of a message that carries `stamp`."""
        self.time = max(self.time, stamp) + 1
        return self.time


def check(answer):
    """Stamp runs with the learner's class, and compare with the rules."""
    if untouched(vars(answer).get("receive")):
        return unsolved("your lines")
    for run, (*stamps, _) in zip(RUNS, called(stamped, answer, False), strict=True):
        place = first_odd(run, stamps, run.lamport)
        if place is None:
            continue
        said, name = stamps[place], run.name(place)
        if not run.senders[place]:
            return wrong(
                f"{name} is no receipt, and is stamped {said!r}, not {run.lamport[place]}: "
                + (KEPT if after_a_receipt(run, place) else "leave __init__ and tick as they were."),
                picture=drawn(run, place, said, run.lamport[place]),
            )
        if said is None:
            return wrong(f"At {name}, receive returns nothing: it must return the stamp, as tick does.")
        before = run.previous[place]
        clock, carried = (0 if before is None else run.lamport[before]), run.lamport[run.senders[place][0]]
        return wrong(_why(name, clock, carried, said), picture=drawn(run, place, said, run.lamport[place]))
    return right("Every receipt comes after its send and after what its own process did before.")


def _why(name, clock, carried, said):
    told = f"At {name} the clock stands at {clock}, the message carries {carried}, and your stamp is {said!r}"
    if isinstance(said, bool) or not isinstance(said, int):
        return f"{told}, which is no whole number."
    if said <= carried:
        return f"{told}: the receipt must have a larger stamp than its send."
    if said <= clock:
        return f"{told}: the clock would go back, or stand still."
    return f"{told}: it must be 1 more than the larger of the two, and the next event must go on from there."


GAP = Gap(
    title="the receipt of a message",
    judge=check,
    library=Clock,
    refuses=(LamportClock,),
    hints=(
        "Two things came before the receipt: the process's last event, and the send. Their stamps are `self.time` "
        "and `stamp`.",
        "The third rule: take the larger of the two, and add 1. Python has `max`.",
        "`self.time` must be set, as in `tick`, since the next event goes on from there; and it is returned.",
    ),
)
