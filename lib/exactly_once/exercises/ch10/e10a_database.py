"""Exercise 10a: the database's handler at read committed: what its statements must ask."""

import inspect
from dataclasses import dataclass

from ... import show as drawing
from ...handlers.logs.database_consumer import SHOP
from ...node import Program
from ...stores.codec import encode
from ...stores.isolation import SerializationFailure
from ...stores.isolation.machine import KIND, PART
from ..kinds.proved import Proved, World
from .form import Filled

LEVELS = ("read committed", "repeatable read", "snapshot", "serializable")  # the last two as PostgreSQL has them
QUEUE, AMOUNTS = "increments", (3, -3)
NOT_ENDED = "commit it or roll it back before the next one begins"


def articles(session, read):
    """Read the index and the message there, apply it, and set the index: the article's handler."""
    index = session.read("index")
    amount = read(index)
    session.add("counter", amount)
    session.update("index", index + 1)
    session.commit()


@dataclass(frozen=True)
class Amounts(Filled):
    """A queue of amounts, and a database whose index and counter are 0."""

    def rows(self):
        """Return the rows at the beginning."""
        return {"index": 0, "counter": 0}

    def load_inputs(self, stores):
        """Fill the queue, and set up the rows."""
        super().load_inputs(stores)
        stores[SHOP].prepare(PART, "set_up_rows", self.rows())


def amounts(count):
    """Return the source of so many of the amounts."""
    return Amounts((QUEUE,), ((QUEUE, encode(AMOUNTS[:count])),))


def program(consume, level, count):
    """Return the program of a database node, which consumes so many amounts."""

    def sink(node):
        def read(index):
            [[amount]], _ = node.read({QUEUE: index})
            return amount

        while True:  # until there is no message left
            session = node.store(SHOP).begin(level)
            try:
                consume(session, read)
            except SerializationFailure:
                session.rollback()

    return Program(sink, amounts(count))


@dataclass(frozen=True)
class CountedOnce:
    """The invariant: the counter is what the messages before the index add up to, and in the end all are applied."""

    count: int

    def __call__(self, view):
        rows = view.look(SHOP, PART, KIND)
        index, counter, wanted = rows["index"], rows["counter"], sum(AMOUNTS[: rows["index"]])
        if counter != wanted or not 0 <= index <= self.count:
            return f"the index is {index} and the counter {counter}; the messages before it add up to {wanted}"
        return not view.done or index == self.count or f"of {self.count} messages {index} were applied"


def world(level, nodes, count, **faults):
    """Return the world of nodes that consume so many amounts at a level."""
    many = "one node" if nodes == 1 else "two nodes at once"
    when = f"At {level}, {many}{', and one crash' if faults else ''}"
    return World(when, lambda consume: [program(consume, level, count)] * nodes, CountedOnce(count), faults)


WORLDS = [world(LEVELS[0], 1, 1), world(LEVELS[0], 2, 1), world(LEVELS[0], 2, 2), world(LEVELS[0], 2, 1, crashes=1)]


def two_messages(consume):
    """Return the program of one node that consumes two messages."""
    return program(consume, LEVELS[0], 2)


def no_end(run):
    """Tell whether the function has no body yet: it makes no statement, and leaves the first transaction open."""
    asked = {event.verb for event in run.trace if event.kind == "send"}
    return NOT_ENDED in (run.error or "") and asked <= {"begin", "reply"}


def listing():
    """Draw the code of the article's handler."""
    return drawing.Picture(drawing.code_html(articles, remark=False), text=inspect.getsource(articles))


TASK = Proved(
    answer="consume",
    tier="warm-up",
    form="a function, consume(session, read)",
    worlds=WORLDS,
    alone=two_messages,
    idle=no_end,
    blank=listing,
    praise="Each message counts once at read committed ({worlds} worlds, {states} states): whether the index is "
    "still the one that was read is asked by the statement that moves it on, or by a lock that it waits for.",
)
