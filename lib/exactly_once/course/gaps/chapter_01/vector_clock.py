"""Gap 01-vector-clock: the receipt of a message by a vector clock (Mattern 1989, Fidge 1988)."""

from ....clocks import VectorClock as Library
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import called
from ..registry import Gap
from .runs import RUNS, after_a_receipt, drawn, first_odd, row, stamped, untouched

KEPT = "receive must also change self.row, since tick goes on from there."


class VectorClock:
    """A vector clock: how many events of each process are known here."""

    def __init__(self, process):
        self.process, self.row = process, {}

    def tick(self):
        """Stamp a local event, or a send."""
        self.row[self.process] = self.row.get(self.process, 0) + 1
        return dict(self.row)

    def receive(self, stamp):
        """Stamp the receipt of a message that carries the row `stamp`."""
        for process, count in stamp.items():
            self.row[process] = max(self.row.get(process, 0), count)
        return self.tick()


def check(answer):
    """Stamp runs with the learner's class, and compare with the rules."""
    if untouched(vars(answer).get("receive")):
        return unsolved("your lines")
    for run, (*stamps, same) in zip(RUNS, called(stamped, answer, True), strict=True):
        rows = [_without_zeros(stamp) for stamp in stamps]
        place = first_odd(run, rows, run.vectors)
        if place is None and not same:
            return wrong(
                "The rows are right when they are given, and change afterwards: the same dictionary is handed out "
                "that the clock goes on counting in. Return a copy, as tick does."
            )
        if place is None:
            continue
        said, name = rows[place], run.name(place)
        if not run.senders[place]:
            return wrong(
                f"{name} is no receipt, and its row is {said!r:.60}: "
                + (KEPT if after_a_receipt(run, place) else "leave __init__ and tick as they were."),
                picture=drawn(run, place, said, run.vectors[place]),
            )
        if said is None:
            return wrong(f"At {name}, receive returns nothing: it must return the row, as tick does.")
        before = {} if run.previous[place] is None else run.vectors[run.previous[place]]
        carried = run.vectors[run.senders[place][0]]
        reason = _why(run[place].process, before, carried, said)
        told = f"At {name} the clock knows {row(before)}, and the message carries {row(carried)}."
        return wrong(f"{told} {reason}", picture=drawn(run, place, said, run.vectors[place]))
    return right("Each row counts what lies in the past of its event, neither more nor less.")


def _without_zeros(stamp):
    return {process: count for process, count in stamp.items() if count} if isinstance(stamp, dict) else stamp


def _why(own, before, carried, said):
    if not isinstance(said, dict):
        return f"Your receive returns {said!r:.60}; give a row, a dictionary of processes and counts, as tick does."
    for process, count in before.items():
        if said.get(process, 0) < count:
            return f"Your row counts {said.get(process, 0)} of {process}: the clock forgets what it knew."
    for process, count in carried.items():
        if said.get(process, 0) < count:
            return f"Your row counts {said.get(process, 0)} of {process}: it does not learn what the message knows."
    if said.get(own, 0) == before.get(own, 0):
        return f"Your row still counts {said.get(own, 0)} of {own}: the receipt is itself an event of {own}, too."
    return f"Your row is {row(said)}: it counts events of which nobody has told this clock."


GAP = Gap(
    title="a vector clock's receipt",
    judge=check,
    library=VectorClock,
    refuses=(Library,),
    hints=(
        "The receiver knows what it knew before, and what the message knows. For each process: which of two counts?",
        "Go through `stamp.items()`, and set each entry of `self.row` to the larger of the two. A process that is "
        "not in the row yet counts as 0: `self.row.get(process, 0)`.",
        "The receipt is an event of this process as well. `self.tick()` counts it and returns a copy of the row.",
    ),
)
