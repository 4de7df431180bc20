"""A learner's `save(rows, batch_id, …)` between replays and deaths, as a model to search (for 12b and 12d).

The databases are real ones of SQLite, with transactions, and what is uncommitted is gone with the driver. A driver
dies at C or D, which stand before and after each commit; the next one replays the batch.
"""

import functools
import sqlite3
from html import escape
from typing import Any, NamedTuple

from ...explore.plain import Action, Broken, Model, asked
from ...node.pickling import pickle_handler, unpickle_handler
from ...show import Picture
from ...spark.streaming.sinks import Database
from ..kinds.explored import Explored
from ..kinds.kind import Kind
from ..kinds.old_gap import untouched


class Row(NamedTuple):
    """A row of a batch: an hour, the average of its window, and the number of readings in it."""

    hour: int
    average: float
    readings: int


class Died(BaseException):
    """The driver died. No error of a program's, so that none of its handlers catches it."""


class Places:
    """The places that one call of `save` passes: the driver dies at the one with the number `last`, from 1 on."""

    def __init__(self, last=None):
        self.last, self.passed = last, []

    def reach(self, letter, batch):
        """Pass a place, or die there."""
        if not self.passed or self.passed[-1] != "died":
            self.passed.append(letter)
        if self.last is not None and len(self.passed) >= self.last:
            raise Died


class Held(Database):
    """One of the databases, with what was committed in it."""

    def __init__(self, held, places, batch):
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        self.connection.deserialize(held)
        self.connection.execute("BEGIN")
        self.places, self.batch = places, batch

    def committed(self):
        """Return what is committed, and close the connection."""
        self.connection.rollback()
        held = self.connection.serialize()
        self.connection.close()
        return held


class State(NamedTuple):
    """The content of each database, the batch to save next, whether it was tried, and the faults that are left."""

    held: tuple
    batch: int
    tried: bool
    deaths: int
    late: int


class Saves(Model):
    """A driver that saves batch after batch, dies, and replays; and an old driver whose batches come late.

    `schemas` make the databases, and `queries` read them. `wanted(batches)` returns the right answers of the queries
    after these batches. `names` are the databases' names in calls.
    """

    def __init__(self, save, schemas, queries, wanted, names, batches, deaths=0, late=0):
        self.made, self.schemas, self.queries, self.wanted, self.names = save, schemas, queries, wanted, names
        self.batches, self.deaths, self.late, self.known = batches, deaths, late, {}

    @functools.cached_property
    def pickled(self):
        """The function as it was before any call: a new process knows nothing of earlier calls."""
        return pickle_handler(self.made)

    def start(self):
        """Return the state with empty databases."""
        return State(tuple(map(made, self.schemas)), 0, False, self.deaths, self.late)

    def actions(self, state):
        """Yield the possible next actions."""
        number = state.batch
        if number < len(self.batches):
            again = " once more" if state.tried else ""
            yield Action(f"Batch {number} is saved{again}", "saved")
            if state.deaths:
                places = self._called(state.held, number)[1]
                for place, letter in enumerate(places, 1):
                    nth = ("its commit", *(f"commit {(each + 2) // 2}" for each in range(len(places))))
                    where = f"{'before' if letter == 'C' else 'after'} {nth[place if len(places) > 2 else 0]}"
                    words = f"Batch {number} is saved{again}, and the driver dies at {letter}, {where}"
                    yield Action(words, "died", (place,))
        if state.late:
            for old in range(number):
                yield Action(f"An old driver, thought dead, saves batch {old} late", "arrived", (old,))

    def saved(self, state):
        """Let a batch be saved."""
        held, _ = self._called(state.held, state.batch)
        return state._replace(held=held, batch=state.batch + 1, tried=False), ""

    def died(self, state, place):
        """Let a batch be saved by a driver that dies at a place."""
        held, _ = self._called(state.held, state.batch, place)
        return state._replace(held=held, tried=True, deaths=state.deaths - 1), ""

    def arrived(self, state, old):
        """Let a batch come from an old driver."""
        held, _ = self._called(state.held, old)
        return state._replace(held=held, late=state.late - 1), ""

    def _called(self, held, number, last=None):
        """Return (what is in the databases after a call of `save`, the letters that it passed)."""
        if (held, number, last) not in self.known:
            self.known[held, number, last] = self._calls(held, number, last)
        return self.known[held, number, last]

    def _calls(self, held, number, last):
        places = Places(last)
        databases = [Held(each, places, number) for each in held]
        call = f"save(rows, {number}, {', '.join(self.names)})"
        try:
            asked(
                call, unpickle_handler(self.pickled), [Row(*row) for row in self.batches[number]], number, *databases
            )
            for database in databases:
                if database.connection.in_transaction:
                    asked(call, database.commit)
        except Died:
            pass
        return tuple(database.committed() for database in databases), tuple(places.passed)

    def judge(self, state):
        """Raise `Broken` unless each database holds the batches so far; the one that was tried may be there, too."""
        wanted = [self.wanted(self.batches[: state.batch])]
        if state.tried:
            wanted.append(self.wanted(self.batches[: state.batch + 1]))
        for place, found in enumerate(self.shown(state)):
            if found not in [each[place] for each in wanted]:
                should = " or ".join(dict.fromkeys(str(each[place]) for each in wanted))
                raise Broken(f"{self.names[place]!r} holds {found}; it should hold {should}.")

    def key(self, state):
        """Return a value that is equal for equal states only."""
        return (*(tuple(opened(held).iterdump()) for held in state.held), *state[1:])

    def shown(self, state):
        """Return what the queries find, database by database."""
        return tuple(
            asked(query, opened(held).execute, query).fetchall()
            for held, query in zip(state.held, self.queries, strict=True)
        )


class OfSave(Explored):
    """An exercise whose answer is a function `save`, in a model `Saves`."""

    def is_there(self, answer: Any) -> bool:
        """Tell whether there is a function with a body. Raises `BadInput` for another object."""
        return Kind.is_there(self, answer) and not untouched(answer)


def made(schema):
    """Return an empty database of a schema, as bytes."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(schema)
    return connection.serialize()


def opened(held):
    """Return a connection to a copy of a database."""
    connection = sqlite3.connect(":memory:")
    connection.deserialize(held)
    return connection


def in_order(model):
    """Return the schedule in which every batch is saved once."""
    return [Action(f"Batch {number} is saved", "saved") for number in range(len(model.batches))]


def drawn(found, title, names):
    """Return the picture of a schedule, and of what the databases hold in the end."""
    ends = [f"{name}: {held}" for name, held in zip(names, found.shown or (), strict=False)]
    lines = [*(f"{line}." for line in found.lines), *ends, *([found.sentence] if found.sentence else [])]
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return Picture(f'<p class="eo-h">{title}</p><ol>{items}</ol>', text="\n".join(lines))
