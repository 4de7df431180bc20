"""The sentences of the articles that are not so, with what explores each of them, and its repair."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..explore import prove
from ..explore.proof import Proof
from ..handlers.logs.database_consumer import applied_once, set_index, twins, where_index
from ..handlers.stream.lock_free import database_twins
from ..handlers.transfer import Bank, early_return, ordered_locks
from ..lockfree import Queue, flawed, stateless, weaker
from ..lockfree.general import general
from ..lockfree.pushers import exactly, newest_of, nothing_behind, placer, pusher, sweeper
from ..lockfree.stateless import hourly_means, mean
from ..node import Program, Source
from ..node.node import Handler
from ..pipeline import Job
from . import broken

TOO_MUCH = (("b", "c", 9), ("a", "b", 1)), (("a", "b", 1),)  # orders; the first cannot be carried out
BALANCES = {"a": 5, "b": 5, "c": 0}
NONE: Mapping[str, int] = {}
CRASH_OR_LOST = {"crashes": 1, "lost_replies": 1}


@dataclass(frozen=True)
class Question:
    """What `prove` is asked: handlers, bounds, and what is right (see `prove`); no fault unless `faults` say so."""

    handlers: Any
    invariant: Callable[[Any], object] | None = None
    nodes: int | None = None
    job: Source | None = None
    items: int = 1
    faults: Mapping[str, int] = field(default_factory=dict)

    def prove(self, **limits: Any) -> Proof:
        """Return the `Proof`. `limits` are `seconds`, `stopped` and the like."""
        more = {"crashes": 0, **self.faults, **limits}
        return prove(self.handlers, self.nodes, self.items, job=self.job, invariant=self.invariant, **more)


@dataclass(frozen=True)
class Case:
    """A sentence that is not so.

    `subject` names it, `article` is the number of the article, or 0 for a sentence of the course's own, `chapter`
    where the course comes to it. `says` is the sentence, in our words. `breaks` is explored and broken, `because`
    says why; `repair` is what helps, and `holds` is explored and proved.
    """

    subject: str
    article: int
    chapter: int
    says: str
    breaks: Question
    because: str
    repair: str
    holds: Question


def _dinner(keeps: Callable[[Any, Any], Any]) -> Question:
    told = [broken.tells("ann", "seven"), broken.tells("bob", "eight")]
    return Question([*told, *[broken.copies(keeps)] * 2], broken.copies_agree)


def _transfer(stage: Callable[..., str]) -> Question:
    bank = Bank(stage, TOO_MUCH, BALANCES)
    return Question(bank.programs, bank.as_answered)


def _forgetful(node):
    return weaker.Forgetful(node.registers)


def _retention(**deletes: Any) -> Question:
    pushers = [pusher("a", over=_forgetful), pusher("b", over=_forgetful)]
    return Question([*pushers, sweeper("a", over=_forgetful, **deletes)], nothing_behind)


def _stale(*reads: str, values: tuple[int, ...] = (7,), queue: type[Queue] = Queue, faults: Any = NONE) -> Question:
    handlers = [placer(*values, queue_of=weaker.stale_reads(*reads, queue=queue))]
    return Question(handlers, exactly(*values, cells=newest_of), faults=faults)


def _database(handler: Handler) -> list[Program]:
    """Return the program of one database handler over a queue with one message."""
    return [one.handled_by(handler) for one in database_twins(1, nodes=1)]


def _both(one: str, other: str, **faults: int) -> Question:
    """Return the question of two machines, each of which pushes the double of the same message to one queue."""
    stores = (one, "machines"), (other, "others")
    handlers = [broken.machine(broken.twice_as_much, name, store=store) for name, store in stores]
    return Question(handlers, broken.each_once(2, 2), faults=faults)


def _swept_input(faults: Mapping[str, int] = NONE, **parts: Any) -> Question:
    twin = broken.machine(broken.twice_as_much, **parts)
    return Question([twin, twin, broken.sweeper(broken.sweeps_handled)], broken.outputs(2), faults=faults)


def _swept_output(queue: type[Queue], **faults: int) -> Question:
    twin = broken.machine(broken.twice_as_much)
    return Question([twin, twin, broken.sweeper(broken.sweeps_all(queue))], broken.at_most(1), faults=faults)


CASES = (
    Case(
        "the order of concurrent events", 1, 1,
        "For concurrent events the order does not affect the system.",
        _dinner(broken.as_it_comes),
        "Two copies that get two concurrent writes in different orders differ.",
        "All take one total order: by stamp, then by process.",
        _dinner(broken.latest),
    ),
    Case(
        "one watermark for each producer", 1, 5,
        "The broker keeps the last number for each producer.",
        Question(broken.numbered(broken.for_each_producer), broken.in_each_partition),
        "Numbers run for each partition, so the first record of a second partition is taken for a duplicate.",
        "The broker keeps it for each producer and partition.",
        Question(broken.numbered(broken.for_each_partition), broken.in_each_partition, faults=CRASH_OR_LOST),
    ),
    Case(
        "updates that overwrite", 2, 3,
        "With updates that overwrite by key, at-least-once is harmless in the end.",
        Question(broken.overwriting(broken.whatever_is_there), broken.newest_stays, faults={"late_requests": 1}),
        "An old value that was sent and is late, or is written by a life that wakes from a pause, comes after the "
        "newest one, and stays.",
        "A value is written only if it is newer than what is there, by compare-and-swap.",
        Question(broken.overwriting(broken.if_it_is_newer), broken.newest_stays,
                 faults={"late_requests": 1, "crashes": 1}),
    ),
    Case(
        "the position beside the effect", 2, 7,
        "Keep the position in the same place as the effect, in one transaction.",
        Question(_database(broken.blindly), broken.counted_at_most(1), faults={"pauses": 1}),
        "No crash does harm; but a life that wakes from a pause writes the index back, and counts once more.",
        "The transaction compares the index with the one that was read.",
        Question(database_twins(1), broken.counted_at_most(1), faults={"pauses": 1, "crashes": 1}),
    ),
    Case(
        "the early return", 3, 8,
        "Acquire both locks; return if the funds are insufficient; else move the amount, and release both.",
        _transfer(early_return),
        "The early return keeps both locks, and nobody else gets them as long as that life goes on.",
        "Locks are released on every way out (`with`).",
        _transfer(ordered_locks),
    ),
    Case(
        "push, made again", 3, 9,
        "A push that was cut off is made again.",
        Question(flawed.plain_push, faults={"crashes": 1}),
        "It is in the queue already, and whoever pushes cannot know it.",
        "Prepare a place, and push there unless the value is there (two twins).",
        Question(hourly_means, nodes=2, faults=CRASH_OR_LOST),
    ),
    Case(
        "retention that deletes", 3, 9,
        "Elements are never removed; retention is by age.",
        _retention(queue=flawed.ForgettingQueue),
        "A deleted cell's version begins at 0 again, so a stalled push succeeds behind the index at which readers "
        "begin: a ghost.",
        "A cell is emptied by a write, and keeps its version.",
        _retention(),
    ),
    Case(
        "a stale look for an empty cell", 3, 9,
        "Stale reads are harmless, since every write is a compare-and-swap.",
        _stale("search", values=(7, 7)),
        "A full cell looks empty, its index is prepared once more, and an equal value there is taken for one's own.",
        "`next_index` asks the leader; the hint may be stale.",
        _stale("hint", values=(7, 7), faults=CRASH_OR_LOST),
    ),
    Case(
        "a stale comparison", 3, 9,
        "Stale reads are harmless, since every write is a compare-and-swap.",
        _stale("compare", faults={"crashes": 1}),
        "The cell holds one's own value, and the read does not show it yet: it is pushed at a second place.",
        "The refused `cas` answers with what it found, so that there is no read.",
        _stale("hint", "compare", queue=weaker.AnsweredQueue, faults=CRASH_OR_LOST),
    ),
    Case(
        "equal values of two handlers", 3, 10,
        "The push is done if the cell holds this value.",
        Question([placer(7), placer(7)], exactly(7, 7)),
        "Another handler's equal value is taken for one's own.",
        "A cell holds the handler's name and the number of its step beside the value (`Sent`).",
        _both("one", "other", crashes=1),
    ),
    Case(
        "outputs that are empty", 3, 10,
        "PREPARING finds an index for output 0.",
        Question(broken.machine(broken.only_odd, messages=broken.MESSAGES, compute=broken.in_the_article),
                 broken.outputs(2)),
        "A step without outputs has none with that number.",
        "Such a step goes from HANDLING to HANDLING.",
        Question(broken.machine(broken.only_odd, messages=broken.MESSAGES), broken.outputs(2), nodes=2,
                 faults=CRASH_OR_LOST),
    ),
    Case(
        "the database handler", 3, 7,
        "It reads the index, and writes index and effect, in one transaction.",
        Question(twins(set_index, "read committed"), applied_once),
        "At read committed both twins read the same index, and both apply the message.",
        "SET the index WHERE it is unchanged, and look at the count; or serializable.",
        Question(twins(where_index, "read committed"), applied_once, faults={"crashes": 1}),
    ),
    Case(
        "two identical values at one index", 3, 10,
        "Two nodes may write to one index, since they write the same value.",
        Question(stateless(mean), nodes=2, job=Job(1, arrival="as it comes")),
        "Where inputs arrive as they come, two nodes read different ones, and come to different values.",
        "HANDLING fixes inputs and outputs in the machine before anybody writes (the general form).",
        Question(general(*broken.windowed()), nodes=2, job=Job(1, arrival="as it comes"), faults={"crashes": 1}),
    ),
    Case(
        "a late read of the inputs", 3, 10,
        "A handler that stalls does no harm: when it wakes up it loses the compare-and-swap, and reads again.",
        _swept_input(compute=broken.in_the_article),
        "Retention has emptied the cell that it reads next, and the function is given the mark in place of a "
        "message.",
        "Whoever finds a mark reads the machine again. If that has not moved on either, the message is lost, which "
        "is an error.",
        _swept_input({"crashes": 1}),
    ),
    Case(
        "retention that forgets the value", 3, 10,
        "The push is done if the cell holds this value.",
        _swept_output(flawed.NamelessQueue),
        "The cell was emptied before the machine went on, so it holds the value no more: it is pushed at a second "
        "place.",
        "The mark of an emptied cell keeps the value's fingerprint.",
        _swept_output(Queue, crashes=1),
    ),
    Case(
        "a machine that is reset", 3, 10,
        "A compare-and-swap with versions knows no ABA.",
        Question(broken.resetting(True), broken.outputs(1, 1)),
        "A machine that was deleted, to handle the inputs once more, comes to the same versions again. A stalled "
        "twin's transition succeeds, and names an index that holds the equal message of the first time.",
        "The reset writes the beginning over it, and the version grows.",
        Question(broken.resetting(False), broken.outputs(1, 1)),
    ),
    Case(
        "two handlers of one name", 0, 10,
        "Values that carry handler and step are told apart: the course's own repair, not an article's.",
        _both("one", "one"),
        "Two handlers of one name, with machines in different stores, send equal messages to one queue.",
        "Each handler has a name of its own among those that share a queue.",
        _both("one", "other", lost_replies=1),
    ),
)  # fmt: skip
