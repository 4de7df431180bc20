"""The gaps of chapter 07: a fence, a recovery, an index beside a count, and an index in the WHERE clause."""

from types import SimpleNamespace

from ...exercises.kinds.proved import Proved, World
from ...exercises.kinds.reply import wrong
from ...exercises.kinds.run_answer import called
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
from ...node.program import Deployment
from ...pipeline import Job
from ...simulate import simulate

ITEMS: dict = {}  # {name: item}

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


# 07-fence: a new process shuts earlier processes out of the database, too.


def taken_over(answer):
    """Return a handler that takes over, and pushes what it is told and the cell's version."""

    def handler(node):
        told = answer(node, node.engine())
        node.output.push([told, node.database.read(EPOCH)[0]])

    return handler


def other_version(answer, run):
    """Return the `Reply` to a fence that returns another version than the cell's."""
    told, version = run.pushes[0].value
    if told == version:
        return None
    return wrong(
        f"Nothing goes wrong, and it returns {told!r}; after your write the cell has version {version}.",
        run,
        taken_over(answer),
    )


def fenced(answer):
    """Return the chapter's handler with a learner's fence."""
    return in_two_phases(take_over=answer)


ASLEEP = "A process falls asleep, and wakes up beside its successor"

ITEMS["07-fence"] = Proved(
    refuses=(take_over,),
    alone=taken_over,
    idle=lambda run: not run.error and run.pushes[0].value == [None, 0],
    objects=other_version,
    worlds=[
        World("A process dies", fenced, None, {"crashes": 1}, TWO_HOURS),
        World(ASLEEP, fenced, None, {"pauses": 1}, ONE_HOUR),
    ],
    praise="An earlier process prepares nothing any more, and shuts no later process out: explored with a crash, and "
    "with a pause.",
)

# 07-finish: a new process ends the transactions that an earlier process left in doubt.


def left_in_doubt(answer):
    """Return a handler that finds two transactions in doubt: a decided one, and one that nobody decided."""

    def handler(node):
        engine = node.engine()
        engine.fence()
        node.database.prepare("0.1", ("write", "a", 1))
        node.database.prepare("1.1", ("write", "b", 1))
        engine.begin()
        engine.save_positions(node.positions.load())
        engine.commit("1.1")
        answer(node, engine)
        node.output.push(node.database.prepared())

    return handler


def finished(answer):
    """Return the chapter's handler with a learner's recovery."""
    return in_two_phases(finish=answer)


ITEMS["07-finish"] = Proved(
    refuses=(finish,),
    alone=left_in_doubt,
    idle=lambda run: not run.error and len(run.pushes[0].value) == 2,
    worlds=[
        World("A process dies once", finished, None, {"crashes": 1}, TWO_HOURS),
        World("Processes die twice", finished, None, {"crashes": 2}, ONE_HOUR),
        World(
            "A process falls asleep within `finish`, and a later process prepares (with the fence that comes next)",
            finished,
            None,
            {"pauses": 1},
            ONE_HOUR,
        ),
    ],
    praise="The decided transaction is committed, an undecided one of an earlier process is rolled back, and one of "
    "a later process is left alone: explored with two crashes, and with a pause.",
)

# 07-sink: apply a message with the index of the next one, in one transaction of the database.


def one_message(answer):
    """Return a handler in which the learner's loop is gone through once."""

    def handler(node):
        again = iter([True, False])
        message = SimpleNamespace(value=1)
        answer(
            SimpleNamespace(
                database=node.database,
                running=lambda *positions: next(again, False),
                read=lambda positions: ([message], {QUEUE: positions[QUEUE] + 1}),
            )
        )

    return handler


def comes_to_an_end(answer, run):
    """Raise for lines that never end: they are told so, and not searched for long."""
    called(simulate, with_sink(answer), FaultPlan(), TWO_MESSAGES)


ITEMS["07-sink"] = Proved(
    refuses=(counter_sink,),
    alone=one_message,
    idle=lambda run: not run.error and not run.writes,
    objects=comes_to_an_end,
    worlds=[
        World("Nothing goes wrong", with_sink, None, {}, TWO_MESSAGES),
        World("A process dies", with_sink, None, {"crashes": 1}, TWO_MESSAGES),
        World("A request arrives twice", with_sink, None, {"duplicates": 1}, TWO_MESSAGES),
        World("A request arrives late", with_sink, None, {"late_requests": 1}, TWO_MESSAGES),
        World(ASLEEP, with_sink, None, {"pauses": 1}, TWO_MESSAGES),
    ],
    praise="Each message counts once: explored with a crash, a duplicate, a late request and a pause, one at a time.",
)

# 07-where: the index in the WHERE clause, at the default level of PostgreSQL and at that of MySQL.

NOT_ENDED = "commit it or roll it back before the next one begins"


def at_level(level, messages, nodes=2):
    """Return a function that returns the programs of nodes that apply messages at an isolation level."""
    return lambda answer: twins(answer, level, messages, nodes)


ITEMS["07-where"] = Proved(
    refuses=(set_index, where_unchecked, for_update, inserted, where_index),
    alone=at_level("read committed", 2, 1),
    idle=lambda run: NOT_ENDED in (run.error or ""),
    worlds=[
        World("On a node of its own", at_level("read committed", 2, 1), applied_once),
        *(
            World(
                f"At the level {level!r}, with two nodes at once",
                at_level(level, messages),
                applied_once,
                {"crashes": dead},
            )
            for messages, dead in ((1, 0), (2, 1))  # the shorter schedules first
            for level in ("read committed", "repeatable read")
        ),
    ],
    praise="Each message is applied once at both levels, whatever the schedule: two nodes, two messages, one crash. "
    "The second transaction finds that no row matches any more, and leaves nothing behind.",
)
