"""A learner's `save(rows, batch_id, …)` between deaths and replays, as a model to search (for 12b, 12d and 12-save).

The databases are real ones of SQLite, with transactions, and what is uncommitted is gone with the driver. A driver
dies at C or D, which stand before and after each commit; the next one replays the batch.
"""

import functools
import sqlite3
from collections import namedtuple

import pandas as pd

from ...exercises.kinds.explored import Explored, schedule_drawn
from ...explore.plain import Action, Broken, Found, Model, asked
from ...node.pickling import pickle_handler, unpickle_handler
from ...spark.streaming.sinks import Database

TITLE = "Every batch is saved once"


Row = namedtuple("Row", "hour average readings")  # of a batch: an hour, its average, and of how many readings
State = namedtuple("State", "held batch tried deaths late")  # the databases, the next batch, and the faults left


class Died(BaseException):
    """The driver died. No error of a program's, so that none of its handlers catches it."""


class Held(Database):
    """One of the databases; the driver dies at the place with the number `last` of those `passed`, from 1 on."""

    def __init__(self, held, passed, last):
        self.connection, self.passed, self.last = opened(held), passed, last
        self.connection.execute("BEGIN")
        self.places, self.batch = self, None

    def reach(self, letter, _):
        """Pass a place, or die there."""
        self.passed.append(letter)
        if self.last is not None and len(self.passed) >= self.last:
            raise Died


class Saves(Model):
    """A driver that saves batch after batch, dies, and replays; and an old driver whose batches come late.

    `tables` are the databases by name: (the statements that make one, the query that reads it). `wanted(batches)`
    returns the right answers of the queries after these batches.
    """

    def __init__(self, save, tables, wanted, batches, count=None, deaths=0, late=0):
        self.save, self.tables, self.wanted, self.batches = save, tables, wanted, batches[:count]
        self.deaths, self.late = deaths, late
        self.called = functools.cache(self._called)

    @functools.cached_property
    def pickled(self):
        """The function as it was before any call: a new process knows nothing of earlier calls."""
        return pickle_handler(self.save)

    def start(self):
        """Return the state with empty databases."""
        held = tuple(opened(None, schema).serialize() for schema, _ in self.tables.values())
        return State(held, 0, False, self.deaths, self.late)

    def actions(self, state):
        """Yield the possible next actions."""
        number = state.batch
        if number < len(self.batches):
            words = f"Batch {number} is saved{' once more' if state.tried else ''}"
            yield Action(words, "after", (number,))
            places = self.called(state.held, number)[1] if state.deaths else ()
            for place, letter in enumerate(places, 1):
                which = f"commit {(place + 1) // 2}" if len(places) > 2 else "its commit"
                where = f"{letter}, {'before' if letter == 'C' else 'after'} {which}"
                yield Action(f"{words}, and the driver dies at {where}", "after", (number, place))
        for old in range(number if state.late else 0):
            yield Action(f"An old driver, thought dead, saves batch {old} late", "after", (old,))

    def after(self, state, number, place=None):
        """Let a batch be saved by the driver, which may die at a place, or late, by an old one."""
        held = self.called(state.held, number, place)[0]
        if number < state.batch:
            return state._replace(held=held, late=state.late - 1), ""
        if place:
            return state._replace(held=held, tried=True, deaths=state.deaths - 1), ""
        return state._replace(held=held, tried=False, batch=number + 1), ""

    def _called(self, held, number, last=None):
        """Return (what is in the databases after a call of `save`, the letters that it passed)."""
        passed, rows = [], [Row(*row) for row in self.batches[number]]
        databases = [Held(each, passed, last) for each in held]
        words = f"save(rows, {number}, {', '.join(self.tables)})"
        try:
            asked(words, unpickle_handler(self.pickled), rows, number, *databases)
            for database in databases:
                if database.connection.in_transaction:
                    asked(words, database.commit)
        except Died:
            pass
        for database in databases:
            database.rollback()
        return tuple(database.connection.serialize() for database in databases), tuple(passed)

    def judge(self, state):
        """Raise `Broken` unless each database holds the batches so far; the one that was tried may be there, too."""
        ends = range(state.batch, state.batch + state.tried + 1)
        wanted = zip(*(self.wanted(self.batches[:end]) for end in ends), strict=True)
        for (name, found), right in zip(self._read(state), wanted, strict=True):
            if found not in right:
                should = " or ".join(dict.fromkeys(map(str, right)))
                raise Broken(f"{name!r} holds {found}; it should hold {should}.")

    def key(self, state):
        """Return a value that is equal for equal states only."""
        return (*(tuple(opened(held).iterdump()) for held in state.held), *state[1:])

    def shown(self, state):
        """Return what the queries find, database by database."""
        return [{"database": name, "holds": str(found)} for name, found in self._read(state)]

    def _read(self, state):
        for held, (name, (_, query)) in zip(state.held, self.tables.items(), strict=True):
            yield name, asked(query, opened(held).execute, query).fetchall()


def opened(held, schema=""):
    """Return a connection to a copy of a database, or to an empty one with a schema."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    if held:
        connection.deserialize(held)
    connection.executescript(schema)
    return connection


def in_order(model):
    """Return the schedule in which every batch is saved once."""
    return [Action(f"Batch {number} is saved", "after", (number,)) for number in range(len(model.batches))]


def drawn(found, title):
    """Return the picture of a schedule, line by line, and of what is stored in the end."""
    return schedule_drawn(
        title, [f"{line}." for line in found.lines], pd.DataFrame(found.shown or ()), found.sentence
    )


def explored(tables, wanted, batches, **declared):
    """Return the item whose answer is a function `save` for these tables; the rest as in `Saves` and `Explored`."""
    model = functools.partial(Saves, tables=tables, wanted=wanted, batches=batches)
    right = [{"database": name, "holds": str(held)} for name, held in zip(tables, wanted(batches), strict=True)]
    example = Found(lines=tuple(action.words for action in in_order(model(None))), shown=right)
    fixed = {"answer": "save", "methods": (), "first": in_order, "calm": {}, "draw": drawn, "shown": TITLE}
    return Explored(model=model, sketch=lambda: drawn(example, TITLE), objects="calls", **fixed, **declared)
