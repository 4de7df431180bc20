"""What is left of a streaming query and its lives, compared with a run in which nothing dies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ....pipeline import Job
from ....pipeline.window import Window
from ..checkpoint import Checkpoint, checkpoint_of
from ..sinks import THRESHOLD
from .places import Mark

if TYPE_CHECKING:
    import pandas

Strike = tuple[str, int]  # a place to be killed at: its letter and the batch


@dataclass(frozen=True)
class Life:
    """One life of a driver: `first_batch` is s from its start to its first batch in the sink, None if none came.

    `checkpoint` is the checkpoint as this life has left it.
    """

    number: int
    pid: int
    first_batch: float | None
    killed_at: Strike | None
    checkpoint: Checkpoint = field(repr=False)


@dataclass(frozen=True, eq=False)
class QueryRun:
    """What is left of a query and its lives: the sink's rows, the counter, the marks, and the checkpoint's folder."""

    sink: str
    hours: int
    lives: tuple[Life, ...]
    marks: tuple[Mark, ...]
    rows: pandas.DataFrame
    counter: int
    folder: Path

    @property
    def checkpoint(self) -> Checkpoint:
        """The checkpoint as the last life has left it."""
        return checkpoint_of(self.folder / "checkpoint")

    @property
    def expected(self) -> pandas.DataFrame:
        """The rows of a run in which nothing dies, as the handler of chapter 04 computes them."""
        import pandas

        return pandas.DataFrame(_expected(self.hours), columns=["hour", "average"])

    @property
    def expected_counter(self) -> int:
        """The counter of such a run."""
        return sum(len(window) > THRESHOLD for window in _windows(self.hours))

    @property
    def doubled(self) -> list[int]:
        """The hours that the sink has more often than once."""
        return sorted(hour for hour, times in Counter(self.rows["hour"].tolist()).items() if times > 1)

    @property
    def lost(self) -> list[int]:
        """The hours that the sink does not have."""
        return sorted(set(self.expected["hour"].tolist()) - set(self.rows["hour"].tolist()))

    @property
    def wrong(self) -> list[int]:
        """The hours for which the sink has another average than the right one."""
        right = dict(_expected(self.hours))
        return sorted(
            {hour for hour, average in self.rows[["hour", "average"]].values.tolist() if right.get(hour) != average}
        )

    @property
    def exactly_once(self) -> bool:
        """Whether rows and counter are those of a run in which nothing dies."""
        return not (self.doubled or self.lost or self.wrong) and self.counter == self.expected_counter

    @property
    def sentence(self) -> str:
        """The result in a sentence for people."""
        deaths = [f"{life.killed_at[0]} of batch {life.killed_at[1]}" for life in self.lives if life.killed_at]
        how = f"The driver was killed at {_listed(deaths)}." if deaths else "Nobody was killed."
        counter = f"the counter is {self.counter} and should be {self.expected_counter}"
        if self.exactly_once:
            once = f"The sink {self.sink!r} has each of the {self.hours} hours once"
            return f"{how} {once}, and the counter is {self.counter}, as it should be."
        found = [
            f"{_hours(hours)} {word}"
            for hours, word in ((self.doubled, "doubled"), (self.lost, "lost"), (self.wrong, "wrong"))
            if hours
        ]
        return f"{how} The sink {self.sink!r} has {_listed([*found, counter]) if found else counter}."

    def __repr__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        rows = self.rows.assign(found=["doubled" if hour in self.doubled else "" for hour in self.rows["hour"]])
        return f"<p>{escape(self.sentence)}</p>{rows.to_html(index=False, border=0)}"


def _windows(hours: int) -> list[Window]:
    """Return the window at each hour, as the handler of chapter 04 has it."""
    job, windows, window = Job(items=hours), [], Window()
    for readings in zip(*job.inputs().values(), strict=True):
        window.push(readings)
        window.trim(job.duration)
        windows.append(Window(window.readings))
    return windows


def _expected(hours: int) -> list[tuple[int, float]]:
    return [(window.readings[-1].hour, float(window.average())) for window in _windows(hours)]


def _listed(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _hours(hours: list[int]) -> str:
    return f"hour{'s' * (len(hours) > 1)} {_listed(map(str, hours))}"
