"""The gaps of chapter 07: how the lines that a learner writes in it are judged."""

from ...errors import CourseError, what_failed
from ...explore import prove
from ...faults import FaultPlan
from ...handlers import at_least_once, offset_in_sink
from ...handlers.logs.database_consumer import (
    applied_once,
    for_update,
    inserted,
    set_index,
    twins,
    where_index,
    where_unchecked,
)
from ...handlers.stream.offset_in_sink import INDEX, QUEUE, counter_sink
from ...handlers.stream.two_phase import EPOCH, finish, prepare, take_over
from ...handlers.stream.two_phase import finish as library
from ...node.program import Deployment
from ...pipeline import Job
from ...sandbox import prove_safely
from ...show import side_by_side
from ...simulate import simulate
from ..kinds.log_programs import calm
from ..kinds.old_gap import gap
from ..kinds.reply import right, unsolved, wrong
from ..kinds.run_answer import SECONDS, called

ONE_HOUR = Job(items=1, duration=1, threshold=1)  # it is above the threshold
TWO_HOURS = Job(items=2, duration=2, threshold=2)  # the second is
TWO_MESSAGES = Job(items=2, duration=1, threshold=1)  # both are


def in_two_phases(take_over=take_over, finish=finish):
    """Return the chapter's handler with two-phase commit, of these parts."""

    def handler(node):
        engine = node.engine()
        epoch = take_over(node, engine)
        finish(node, engine)
        positions, window = node.positions.load(), node.state.load()
        while node.running():
            items, next_positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            engine.begin()
            engine.push(window.average())
            engine.save_state(window)
            engine.save_positions(next_positions)
            prepared = None
            if len(window) > node.threshold:
                prepared = f"{engine.epoch}.{items[0].hour}"
                prepare(node, prepared, epoch)
            engine.commit(prepared)
            if prepared:
                node.database.commit_prepared(prepared)
            positions = next_positions
        finish(node, engine)

    return Deployment(handler, None, at_least_once, None, own=(("database", EPOCH),))


def with_sink(sink):
    """Return the library's handler that sends messages, with this reader of them."""
    return Deployment(offset_in_sink, sink, at_least_once, None, queue=QUEUE, own=(("database", INDEX),))


def counterexample(theirs, made, job, bounds):
    """Return the simplest schedule that breaks `made(theirs)`, or None; `bounds` go to `prove`. For `called`."""
    return prove(made(theirs), job=job, **bounds).counterexample


def with_take_over(theirs):
    """Return the handler with a learner's `take_over`."""
    return in_two_phases(take_over=theirs)


def with_finish(theirs):
    """Return the handler with a learner's `finish`."""
    return in_two_phases(finish=theirs)


# 07-fence: a new process shuts earlier processes out of the database, too.

FENCE_CASES = (
    ("A process dies", TWO_HOURS, {"crashes": 1}),
    ("A process falls asleep, and wakes up beside its successor", ONE_HOUR, {"crashes": 0, "pauses": 1}),
)


@gap("07-fence", refuses=(take_over,))
def check_fence(answer):
    """Run the handler with the learner's fence, and prove it after a crash and with a pause."""
    if called(_does_nothing, answer):
        return unsolved("your lines")
    try:
        run = called(simulate, with_take_over(answer).programs(ONE_HOUR), FaultPlan(), ONE_HOUR)
    except CourseError as why:
        if "incarnations died or gave up" not in str(why):
            raise
        return wrong(
            "Nothing goes wrong, and yet no process prepares anything: the version that your function returns is not "
            "the one that the cell has after your write."
        )
    if run.error:
        return wrong(f"Nothing goes wrong, and the handler fails: {what_failed(run.error)}", run, answer)
    for when, job, bounds in FENCE_CASES:
        if found := called(counterexample, answer, with_take_over, job, bounds):
            return wrong(f"{when}. {found.sentence}", found, with_take_over(answer))
    return right(
        "An earlier process prepares nothing any more, and shuts no later process out: explored with a crash, and "
        "with a pause."
    )


class Cell:
    """An engine and a database that answer every request of `take_over`; the object notes if the cell is written."""

    def __init__(self):
        self.epoch, self.database, self.written = 4, self, False

    def fence(self):
        """Give the epoch."""
        return self.epoch

    def read(self, part):
        """Give the cell as an earlier process left it."""
        return 1, 1

    def cas(self, *arguments):
        """Note a write."""
        self.written = True
        return True

    write = transact = cas


def _does_nothing(theirs):
    cell = Cell()
    return theirs(cell, cell) is None and not cell.written


# 07-finish: a new process ends the transactions that an earlier process left in doubt.

FINISH_CASES = (
    ("A process dies once", TWO_HOURS, {"crashes": 1}),
    ("Processes die twice", ONE_HOUR, {"crashes": 2}),
    (
        "A process falls asleep within `finish`, and a later process prepares (with the fence that comes next)",
        ONE_HOUR,
        {"crashes": 0, "pauses": 1},
    ),
)


class Doubt:
    """A database and an engine that answer every request of `finish`; the object notes which transactions end."""

    def __init__(self):
        self.epoch, self.ended, self.database = 4, [], self

    def decided(self):
        """The id of the transaction that was decided last."""
        return "1.3"

    def prepared(self):
        """What is in doubt."""
        return ["1.3", "2.3"]

    def commit_prepared(self, identifier):
        """Note a commit."""
        self.ended.append(identifier)

    rollback_prepared = commit_prepared


def _ended(theirs):
    doubt = Doubt()
    theirs(doubt, doubt)
    return doubt.ended


@gap("07-finish", refuses=(library,))
def check_finish(answer):
    """Prove the handler with the learner's recovery: with a crash, with two, and with a process that falls asleep."""
    if not called(_ended, answer):
        return unsolved("your lines")
    for when, job, bounds in FINISH_CASES:
        if found := called(counterexample, answer, with_finish, job, bounds):
            return wrong(f"{when}. {found.sentence}", found, with_finish(answer))
    return right(
        "The decided transaction is committed, an undecided one of an earlier process is rolled back, and one of a "
        "later process is left alone: explored with two crashes, and with a pause."
    )


# 07-sink: apply a message with the index of the next one, in one transaction of the database.

SINK_CASES = (
    ("Nothing goes wrong", {"crashes": 0}),
    ("A process dies", {"crashes": 1}),
    ("A request arrives twice", {"crashes": 0, "duplicates": 1}),
    ("A request arrives late", {"crashes": 0, "late_requests": 1}),
    ("A process falls asleep, and wakes up beside its successor", {"crashes": 0, "pauses": 1}),
)
WRITES = ("in one transaction", "increment", "add", "cas", "write", "append", "prepare")


@gap("07-sink", refuses=(counter_sink,))
def check_sink(answer):
    """Prove both handlers with the learner's sink: with a message, then with two and one kind of fault at a time."""
    for job, cases in ((ONE_HOUR, SINK_CASES[:1]), (TWO_MESSAGES, SINK_CASES)):
        if job == TWO_MESSAGES:
            calm(with_sink(answer).programs(job))  # lines without an end are told so, and not searched for long
        for when, bounds in cases:
            if found := called(counterexample, answer, with_sink, job, bounds, seconds=SECONDS):
                if job == ONE_HOUR and not any(event.text.startswith(WRITES) for event in _asked(found)):
                    return unsolved("your lines")
                return wrong(f"{when}. {found.sentence}", found, with_sink(answer))
    return right(
        "Each message counts once: explored with a crash, a duplicate, a late request and a pause, one at a time."
    )


def _asked(found):
    """Return the sink's requests to the database."""
    lives = {event.process for event in found.trace if event.text.startswith(("read index", "read increments"))}
    return [event for event in found.trace if event.kind == "send" and event.process in lives]


# 07-where: the index in the WHERE clause, at the default level of PostgreSQL and at that of MySQL.

LEVELS = ("read committed", "repeatable read")
NOT_ENDED = "commit it or roll it back before the next one begins"


@gap(
    "07-where",
    refuses=(
        set_index,
        where_unchecked,
        for_update,
        inserted,
        where_index,
    ),
)
def check_where(answer):
    """Run the learner's lines on one node; then on two at once, at both levels, with every schedule and a crash."""
    alone = _proved(answer, LEVELS[0], nodes=1).counterexample
    if alone is not None and NOT_ENDED in alone.sentence:
        return unsolved("your lines, with a commit or a rollback on each way,")
    if alone is not None:
        return _against(alone, "On a node of its own")
    for messages, crashes in ((1, 0), (2, 1)):  # the shorter schedules first
        for level in LEVELS:
            found = _proved(answer, level, 2, messages, crashes).counterexample
            if found is not None:
                return _against(found, f"At the level {level!r}, with two nodes at once")
    return right(
        "Each message is applied once at both levels, whatever the schedule: two nodes, two messages, one crash. The "
        "second transaction finds that no row matches any more, and leaves nothing behind."
    )


def _proved(answer, level, nodes, messages=2, crashes=0):
    programs = twins(answer, level, messages, nodes)
    return prove_safely(programs, invariant=applied_once, crashes=crashes, seconds=SECONDS)


def _against(found, when):
    sentence = f"{when}: {found.sentence[0].lower()}{found.sentence[1:]}"
    return wrong(sentence, found, picture=side_by_side(found))
