"""Exercise 10a: the database's handler at read committed: what it needs of the level, or of its statements."""

import inspect
from dataclasses import dataclass
from html import escape

from .... import show as drawing
from ....errors import BadInput, one_of, what_failed
from ....handlers.logs.database_consumer import SHOP
from ....node import Program
from ....simulate import simulate
from ....stores.codec import encode
from ....stores.isolation import SerializationFailure
from ....stores.isolation.machine import KIND, PART
from ..reply import has_dots, right, unsolved, wrong
from ..run_answer import called, proved
from ..task import Task
from .form import Filled

LEVELS = ("read committed", "repeatable read", "snapshot", "serializable")  # the last two as PostgreSQL has them
WEAKEST = "snapshot"
NAMES = ("level", "consume")
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


def explored(consume, level, nodes, count, **faults):
    """Return (the `Proof` of nodes that consume so many amounts at a level, their programs)."""
    programs = [program(consume, level, count)] * nodes
    return proved(programs, CountedOnce(count), None, **({"crashes": 0} | faults)), programs


def read_answer(answer):
    """Return (level, consume), or None for an answer with dots. Raises `BadInput` for another form."""
    if has_dots(answer):
        return None
    if not isinstance(answer, dict) or set(answer) != set(NAMES):
        raise BadInput(f"The answer is {answer!r}; it is a dictionary with level and consume.")
    if not callable(answer["consume"]):
        raise BadInput(f"What consumes is {answer['consume']!r}; it is a function of a session and of read.")
    return one_of("the level", answer["level"], LEVELS), answer["consume"]


def check(answer):
    """Prove the article's handler at the level, and the repaired one at read committed."""
    found = read_answer(answer)
    if found is None:
        return unsolved("a level and a function")
    level, consume = found
    proof, programs = explored(articles, level, 2, 2)
    if proof.counterexample is not None:
        return _against(proof.counterexample, programs, f"At {level} the article's handler breaks")
    if level != WEAKEST:
        return wrong(f"At {level} the article's handler is right, with two nodes. A weaker level will do, too.")
    states = proof.states
    for nodes, count, faults in ((1, 1, {}), (2, 1, {}), (2, 2, {}), (2, 1, {"crashes": 1})):
        proof, programs = explored(consume, LEVELS[0], nodes, count, **faults)
        if (broken := proof.counterexample) is not None:
            if nodes == 1 and NOT_ENDED in broken.sentence and len(broken.steps) <= 2:
                return unsolved("the body of your function, with a commit or a rollback on every way out,")
            many = "one node" if nodes == 1 else "two nodes at once"
            many += ", and one crash" if faults else ""
            return _against(broken, programs, f"At {LEVELS[0]}, {many}")
        if not proof.exhausted:
            return wrong(f"Not proved: {proof.stopped}. Write it with fewer statements.")
        states += proof.states
    return right(
        f"Each message counts once. The article's handler needs {WEAKEST!r}, where the second one to set the index "
        f"is refused, and begins again; yours asks the index itself, and is right at {LEVELS[0]} ({states:,} states)."
    )


def _against(found, programs, when):
    said = found.sentence[0].lower() + found.sentence[1:]
    picture = drawing.side_by_side(found) if len(programs) > 1 else None
    return wrong(f"{when}: {said}", found, programs, picture=picture)


def show(answer):
    """Draw what one node does that consumes two messages; without an answer, the article's handler."""
    found = read_answer(answer)
    if found is None:
        return drawing.Picture(drawing.code_html(articles, remark=False), text=inspect.getsource(articles))
    run = called(simulate, program(found[1], LEVELS[0], 2))
    if run.error:
        said = f"It fails by itself: {what_failed(run.error)}"
        return drawing.Picture(f'<p class="eo-bad">{escape(said)}</p>', text=said)
    return drawing.spacetime(run)


TASK = Task(
    title="the database's handler at read committed",
    answer="sink",
    tier="warm-up",
    show=show,
    check=check,
    hints=(
        "At read committed two transactions may both read index 0, and both go on from there. Which of the "
        "levels is the first that notices it when the second one sets the index?",
        "A transaction on a snapshot is refused when it changes a row that another one has changed since; MySQL's "
        "repeatable read changes it all the same. At read committed a statement of your own has to notice: which "
        "one?",
        "`session.update_where('index', index, index + 1)` returns how many rows matched. With 0 another node was "
        "faster, and the effect must not stay. `read_for_update` is another way: it lets the second one wait.",
        "index = session.read('index'); amount = read(index); session.add('counter', amount); then if "
        "session.update_where('index', index, index + 1): session.commit(), else: session.rollback().",
    ),
)
