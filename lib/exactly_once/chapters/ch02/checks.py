"""The exercises of chapter 02: the high watermark, reading, compaction, truncation and replication of logs."""

import functools
import marshal
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import pandas as pd

from ... import show as drawing
from ...exercises.kinds.compared import Compared
from ...exercises.kinds.explored import Explored, schedule_drawn
from ...exercises.model_checker import Action, Broken, Model, asked, copied, flat, frozen
from ...log import Consumer, Pair, Producer, open_log

ITEMS: dict = {}  # {name: item}

# 02b: the high watermark, from the log ends of the replicas and the number of those in sync (KIP-966).


ITEMS["02b"] = Compared(
    form="a function of an offset, of log ends, of a list of brokers and of min.insync.replicas",
    cases=(  # the high watermark so far, each replica's log end, who is in sync (the leader first), the minimum
        (0, {1: 0}, [1], 1),
        (0, {1: 5}, [1], 1),
        (0, {1: 5, 2: 3}, [1, 2], 1),
        (0, {1: 5, 2: 3}, [1], 1),
        (3, {1: 5, 2: 3}, [1], 2),
        (0, {1: 5, 2: 3}, [1, 2], 2),
        (3, {1: 5, 2: 5, 3: 3}, [1, 2, 3], 2),
        (3, {1: 5, 2: 5, 3: 3}, [1, 2], 2),
        (0, {1: 5, 2: 4, 3: 4}, [1, 2], 3),
        (0, {1: 5, 2: 3}, [1, 2], 3),
        (4, {1: 5, 2: 0}, [1, 2], 1),
        (2, {2: 4, 1: 6, 3: 9}, [2, 3], 2),
        (6, {4: 12, 1: 12, 2: 7, 3: 10, 5: 2}, [4, 1, 3], 4),
        (6, {4: 12, 1: 12, 2: 7, 3: 10, 5: 2}, [4, 1, 3], 2),
    ),
    why="it is the first offset that a replica in sync may lack, it is not taken back, and it stays while too few "
    "are in sync",
    praise="Below the high watermark every replica in sync has every record, so whichever of them becomes leader, "
    "none of those is lost. A slow replica that has left the set holds nobody up, and when too few are left in it, "
    "records are written but not shown.",
)

# 02d: read on from a saved position without a loss, and report the records already deleted.


def made(records: int, deleted: int, compacted: bool) -> Any:
    """Return a log in memory with a number of records in the topic orders, which has one partition."""
    log = open_log("memory:")
    log.create_topic("orders", segment_bytes=1, compact=compacted)
    for number in range(records):
        log.append("orders", 0, [Pair("ann" if compacted and number < 4 else f"key {number}", f"order {number}")])
    if deleted:
        log.delete_records("orders", 0, deleted)
    if compacted:
        log.compact("orders", 0)
    return log


def ask_resume(resume, records, deleted, compacted, committed):
    """Let a function read on; return (values, position, missed). A position in the gap before the end is the end."""
    log = made(records, deleted, compacted)
    if (said := resume(log, committed)) in (None, ...):
        return None
    if not isinstance(said, (list, tuple)) or len(said) != 3:
        return said
    values, position, missed = said
    there = [record.offset for record in log.fetch("orders", 0, log.log_start("orders", 0))]
    end = log.high_watermark("orders", 0)
    if there and there[-1] < position <= end:
        position = end
    return [getattr(value, "value", value) for value in values], position, missed


def told_resume(records: int, deleted: int, compacted: bool, committed: int) -> str:
    """Name a log and a position."""
    gone = f", of which those before offset {deleted} were deleted," if deleted else ""
    gone += ", which was compacted," if compacted else ""
    saved = "nothing" if committed is None else f"offset {committed}"
    return f"For a log of {records} records{gone} with {saved} committed, your function"


ITEMS["02d"] = Compared(
    form="a function of a log and a committed offset",
    cases=(  # how many records; the offset before which they were deleted; compacted; the committed offset
        (0, 0, False, None),
        (3, 0, False, None),
        (3, 0, False, 1),
        (3, 0, False, 3),
        (4, 2, False, None),
        (4, 2, False, 0),
        (4, 2, False, 2),
        (4, 4, False, 1),
        (6, 0, True, 0),
        (6, 0, True, 1),
        (600, 0, False, 10),
    ),
    shown=[(4, 2, False, 0)],
    ask=ask_resume,
    told=told_resume,
    why="these are the values from the committed offset on, or from the log start if that is later; the next "
    "position to commit; and how many offsets lie between the two",
    praise="Nothing that was there is left out, nothing is read twice, and what retention took is counted and not "
    "passed over in silence.",
)

# 02e: which records remain when a log is compacted by key.


ITEMS["02e"] = Compared(
    form="a function of a list of records and an offset",
    cases=(  # (offset, key, value), and the offset that ends the cleaning
        ([(0, "a", "1")], 1),
        ([(0, "a", "1"), (1, "a", "2")], 2),
        ([(0, "a", "1"), (1, "b", "1"), (2, "a", "1")], 3),
        ([(0, "b", "1"), (1, "a", "1"), (2, "b", "2")], 3),
        ([(0, "a", "1"), (1, "a", None)], 2),
        ([(0, "a", "2"), (1, "a", "1")], 2),
        ([(0, "a", "1"), (1, "a", "2")], 1),
        ([(0, "a", "1"), (1, "a", "2"), (2, "a", "3")], 2),
        ([(3, "a", "1"), (7, "b", "1"), (8, "a", "2"), (12, "a", "3")], 9),
        ([], 0),
        ([(0, "a", "1"), (1, "b", "1"), (2, "a", None), (3, "c", "1"), (4, "b", "2"), (5, "c", "2")], 5),
    ),
    why="below that offset the last of each key stays, from there on everything",
    praise="What remains is the last record of each key, where it always was: offsets never change, the order never "
    "changes, and gaps stay gaps.",
)

# 02f: where a replica that comes back cuts its log, by leader epochs.


ITEMS["02f"] = Compared(
    form="a function of two lists of epochs",
    cases=(  # the epochs of a follower's and of a leader's records, offset by offset
        ([0], [0]),
        ([0], []),
        ([0], [1]),
        ([0], [0, 0]),
        ([0, 0], [0]),
        ([0, 1], [0, 2]),
        ([0, 0], [0, 1]),
        ([0, 2], [0, 1, 1]),
        ([0, 1, 1], [0, 1, 2, 2]),
        ([0, 0, 0], [0, 1, 1, 1, 1]),
        ([], [0]),
        ([2, 2, 3, 5, 5, 5], [2, 2, 3, 5, 6]),
        ([0, 0, 1, 1, 1, 4], [0, 0, 1, 2, 3, 3, 5]),
    ),
    why="the logs part at the first offset with different epochs, or where one of them ends",
    praise="The follower keeps what both have, which may be committed, and gives up what only it has, which cannot "
    "be.",
)

# 02g: a replica of a partition, leader and follower, that keeps the acknowledged records.
# The model has three replicas of the learner's class, and their possible events. Elections are clean: a new leader
# comes from the in-sync replicas.

BROKERS = (0, 1, 2)
VALUES = ("tea", "coffee", "cake")
MOST = 6  # numbers and words in a message
MOST_VALUES = {"fetch": 0, "serve": 1}  # records in the results of these methods
ROUNDS = 16  # of fetches by both followers, after which nothing may be left to do


class Left(NamedTuple):
    """How often each of these may still happen."""

    writes: int = 0
    elections: int = 0
    restarts: int = 0
    lags: int = 0
    duplicates: int = 0


class State(NamedTuple):
    """The cluster at one moment.

    `memories` are the replicas, as bytes; `replies` what is under way to each broker, as bytes, or None;
    `acknowledged` the records that were, in order.
    """

    memories: tuple
    leader: int
    epoch: int
    in_sync: tuple
    replies: tuple
    acknowledged: tuple
    left: Left


class Cluster(Model):
    """Three replicas of a class, of which each thing in `Left` may happen to so many."""

    def __init__(self, make, **left):
        self.make, self.left = make, Left(**left)
        self._replicas, self._logs = {}, {}  # by the memory
        self._answer = functools.cache(self._answer)  # a replica is deterministic: each call is made once
        self._fine = set()

    def start(self):
        """Return the first state: broker 0 leads, nothing is written, all are in sync."""
        memories = tuple(self._started(broker, ()) for broker in BROKERS)
        fresh = State(memories, 0, -1, BROKERS, (None, None, None), (), self.left)
        return self._acknowledged(self._led(fresh, 0, 0, BROKERS))

    def actions(self, state):
        """Yield the possible next actions: a write, something about one broker, or an election."""
        leader = state.leader
        if state.left.writes:
            yield writes(VALUES[self.left.writes - state.left.writes], leader)
        for broker in BROKERS:
            yield from self._about(state, broker)
        for chosen in state.in_sync if state.left.elections else ():
            then = ", and leads again" if chosen == leader else f"; meanwhile broker {chosen} leads"
            words = f"Broker {leader} goes down and comes back{then}, in epoch {state.epoch + 1}."
            yield Action(words, "elected", (chosen,))

    def _about(self, state, broker):
        leader, left = state.leader, state.left
        if state.replies[broker] is not None:
            words = f"The reply arrives at broker {broker}"
            yield Action(f"{words}.", "received", (broker,))
            if left.duplicates:
                yield Action(f"{words}, and will arrive once more.", "received", (broker, True))
        if broker == leader:
            return
        words = f"Broker {broker} asks for the records after its log end, and broker {leader} answers."
        yield Action(words, "fetched", (broker,))
        if left.restarts:
            words = f"Broker {broker} restarts, so quickly that nobody misses it: its memory is gone."
            yield Action(words, "restarted", (broker,))
        if broker in state.in_sync and left.lags and len(state.in_sync) > 2:
            yield Action(f"Broker {broker} lags, and is no longer in sync.", "lagged", (broker,))
        if self._caught_up(state, broker):
            words = f"Broker {broker} has all records of broker {leader}, and is in sync again."
            yield Action(words, "joined", (broker,))

    def next(self, state, action):
        """Return the state after an action, with the records that the leader has acknowledged since."""
        after, answer = super().next(state, action)
        return self._acknowledged(after), answer

    def written(self, state, value):
        """Let the leader write a value."""
        state, _ = self._call(_spent(state, "writes"), state.leader, "write", value)
        log = self.log(state, state.leader)
        if not log or log[-1] != (state.epoch, value):
            raise Broken(f"After write({value!r}) the leader's log does not end with [{state.epoch}, {value!r}].")
        return state, ""

    def fetched(self, state, broker):
        """Let a follower ask, and the leader answer."""
        state, request = self._call(state, broker, "fetch")
        state, reply = self._call(state, state.leader, "serve", broker, request)
        found = None if reply is None else marshal.dumps(reply, 2)
        return state._replace(replies=_put(state.replies, broker, found)), ""

    def received(self, state, broker, again=False):
        """Let a reply arrive; `again` leaves a second one under way."""
        state, _ = self._call(state, broker, "receive", marshal.loads(state.replies[broker]))
        if again:
            return _spent(state, "duplicates"), ""
        return state._replace(replies=_put(state.replies, broker, None)), ""

    def restarted(self, state, broker):
        """Start a follower again over its log."""
        state = self._again(_spent(state, "restarts"), broker)
        return self._call(state, broker, "follow", state.epoch)[0], ""

    def elected(self, state, chosen):
        """Start the leader again over its log; meanwhile another one leads, or it leads again."""
        old = state.leader
        in_sync = state.in_sync if chosen == old else _without(state.in_sync, old)
        return self._led(self._again(_spent(state, "elections"), old), chosen, state.epoch + 1, in_sync), ""

    def lagged(self, state, broker):
        """Take a follower out of those in sync."""
        in_sync = _without(state.in_sync, broker)
        return self._led(_spent(state, "lags"), state.leader, state.epoch, in_sync), ""

    def joined(self, state, broker):
        """Take a follower among those in sync."""
        return self._led(state, state.leader, state.epoch, tuple(sorted((*state.in_sync, broker)))), ""

    def round(self, state):
        """Let both followers ask, and get their replies."""
        for broker in _without(BROKERS, state.leader):
            state = self._acknowledged(self._copies(state, broker))
        ends = ", ".join(str(len(self.log(state, broker))) for broker in BROKERS)
        return state, f"the log ends are {ends}, all offsets below {len(state.acknowledged)} are acknowledged."

    def log(self, state, broker):
        """Return a broker's log, as a tuple of (epoch, value)."""
        return self._logs[state.memories[broker]]

    def _caught_up(self, state, broker):
        return broker not in state.in_sync and self.log(state, broker) == self.log(state, state.leader)

    def _copies(self, state, broker):
        state, _ = self.fetched(state, broker)
        return state if state.replies[broker] is None else self.received(state, broker)[0]

    def _again(self, state, broker):
        memory = self._started(broker, self.log(state, broker))
        return state._replace(memories=_put(state.memories, broker, memory))

    def _started(self, broker, log):
        words = f"Replica({broker}, {list(map(list, log))!r})"
        return self._kept(broker, asked(words, self.make, broker, list(map(list, log))))

    def _led(self, state, leader, epoch, in_sync):
        state, _ = self._call(state, leader, "lead", epoch, list(in_sync))
        for broker in _without(BROKERS, leader) if epoch != state.epoch else ():
            state, _ = self._call(state, broker, "follow", epoch)
        return state._replace(leader=leader, epoch=epoch, in_sync=tuple(in_sync))

    def _call(self, state, broker, method, *arguments):
        """Call a method of a broker's replica. Returns (the next state, the call's result)."""
        memory, said = self._answer(broker, state.memories[broker], method, marshal.dumps(arguments, 2))
        return state._replace(memories=_put(state.memories, broker, memory)), said

    def _answer(self, broker, memory, method, arguments):
        """Return (a replica's memory after a call, the call's result)."""
        one, arguments = copied(self._replicas[memory]), marshal.loads(arguments)
        words = f"{method}({', '.join(map(repr, arguments))}) of broker {broker}"
        said = asked(words, getattr(one, method), *arguments)
        if method in MOST_VALUES and said is not None:
            said = _carried(method, said)
        return self._kept(broker, one), said

    def _kept(self, broker, one):
        """Return a replica's memory: bytes that are equal for equal ones."""
        memory = frozen(one)
        if memory not in self._replicas:
            self._logs[memory] = _records(broker, getattr(one, "log", None))
            self._replicas[memory] = one
        return memory

    def judge(self, state):
        """Raise `Broken` if a record is in a log twice, or one that was acknowledged is not in the leader's."""
        for broker in BROKERS:
            values = [value for _, value in self.log(state, broker)]
            if len(values) > len(set(values)):
                twice = next(value for value in values if values.count(value) > 1)
                raise Broken(f"{twice!r} is in the log of broker {broker} twice.")
        log = self.log(state, state.leader)
        for offset, record in enumerate(state.acknowledged):
            if offset >= len(log) or log[offset] != record:
                there = f"holds {log[offset][1]!r} there" if offset < len(log) else "ends before it"
                raise Broken(
                    f"{record[1]!r} was acknowledged at offset {offset}, and the log of broker {state.leader}, which "
                    f"leads now, {there}."
                )

        self._judge_high(state)

    def _judge_high(self, state):
        high, end = self._high(state), len(self.log(state, state.leader))
        if type(high) is not int or not 0 <= high <= end:
            raise Broken(
                f"The high_watermark of broker {state.leader} is {high!r}; it is an offset from 0 to the log end, "
                f"{end}."
            )

    def _high(self, state):
        leader = self._replicas[state.memories[state.leader]]
        return asked(f"high_watermark of broker {state.leader}", getattr, leader, "high_watermark", None)

    def _acknowledged(self, state):
        """Return the state with the records that its leader has acknowledged since."""
        known, high, log = state.acknowledged, self._high(state), self.log(state, state.leader)
        if type(high) is int and len(known) < high <= len(log):
            return state._replace(acknowledged=(*known, *log[len(known) : high]))
        return state

    def settle(self, state):
        """Let nothing more go wrong: both followers ask, get their replies, and are in sync when they have all.

        Replies under way are lost.
        """
        state, before = state._replace(replies=(None, None, None), acknowledged=(), left=Left()), None
        on_the_way = []
        while state != before and len(on_the_way) < ROUNDS:
            if state in self._fine:
                break
            on_the_way.append(before := state)
            for broker in _without(BROKERS, state.leader):
                state = self._copies(state, broker)
                if self._caught_up(state, broker):
                    state, _ = self.joined(state, broker)
        else:
            self._settled(self._acknowledged(state))
        self._fine.update(on_the_way)

    def _settled(self, state):
        """Raise `Broken` if something is left to do in a state in which nothing goes wrong any more."""
        self._judge_high(state)
        log = self.log(state, state.leader)
        for broker in BROKERS:
            if self.log(state, broker) != log:
                raise Broken(
                    f"Nothing goes wrong any more, both followers ask {ROUNDS} times, and the log of broker {broker} "
                    f"is still not that of broker {state.leader}, which leads."
                )
        if len(state.acknowledged) < len(log):
            missing = log[len(state.acknowledged)][1]
            raise Broken(
                f"Nothing goes wrong any more, all three logs hold {missing!r}, and it is never acknowledged."
            )

    def shown(self, state):
        """Return (broker, role, log) of each broker, and the values that were acknowledged."""
        rows = []
        for broker in BROKERS:
            role = "in sync" if broker in state.in_sync else "– not in sync"
            log = " · ".join(f"{value} ({epoch})" for epoch, value in self.log(state, broker)) or "–"
            rows.append((broker, "leader" if broker == state.leader else role, log))
        return rows, [value for _, value in state.acknowledged]


def writes(value, leader):
    """Return a producer's write, as an action."""
    return Action(f"The producer sends {value} to broker {leader}, which writes it.", "written", (value,))


def without_faults(model):
    """Return the schedule in which nothing goes wrong: all is written, and both followers ask three times."""
    sent = [writes(value, 0) for value in VALUES[: model.left.writes]]
    return [*sent, *(Action(f"Round {number} of fetches", "round") for number in (1, 2, 3))]


def _spent(state, what):
    return state._replace(left=state.left._replace(**{what: getattr(state.left, what) - 1}))


def _put(items, place, item):
    return (*items[:place], item, *items[place + 1 :])


def _without(brokers, one):
    return tuple(broker for broker in brokers if broker != one)


def _records(broker, log):
    """Return a log as a tuple of (epoch, value)."""
    try:
        return tuple((epoch, value) for epoch, value in log)
    except (TypeError, ValueError):
        raise Broken(
            f"The log of broker {broker} is {log!r}; self.log is a list of records [epoch, value]."
        ) from None


def _carried(method, content):
    """Return a message as it arrives, a fresh copy. Raises `Broken` for one that is too large."""
    parts, records = list(flat(content)), MOST_VALUES[method]
    if len(parts) > MOST or sum(one in VALUES for one in parts if isinstance(one, str)) > records:
        raise Broken(
            f"{method} returns {content!r}; a {'reply' if records else 'request'} holds at most {MOST} numbers and "
            f"words, and {'no more than one record' if records else 'no record'}."
        )
    try:
        return marshal.loads(marshal.dumps(content, 2))
    except ValueError:
        raise Broken(f"{method} returns {content!r}; give numbers, text, None, lists or dictionaries.") from None


CALLS = (
    ("Replica(number, log)", "The broker starts, for the first time or again; log is what its disk holds."),
    ("lead(epoch, in_sync)", "It leads, in an epoch higher than any before; or leads already, and in_sync changed."),
    ("follow(epoch)", "Another broker leads from now on, in this epoch; or this broker has started again."),
    ("write(value)", "To the leader: append [epoch, value] to self.log."),
    ("fetch()", "To a follower: return a request."),
    ("serve(follower, request)", "To the leader: return the reply to a follower's request, or None."),
    ("receive(reply)", "A reply arrives, at once, late, after an election or a restart, twice, or never."),
    ("high_watermark", "Of the leader: an offset. The records of self.log below it are acknowledged."),
)


def drawn(found, title):
    """Return the picture of a run, line by line, and of the final replicas."""
    rows, acknowledged = found.shown or ((), ())
    table = pd.DataFrame(rows, columns=["broker", "role", "its log: value (epoch)"])
    return schedule_drawn(title, found.lines, table, f"Acknowledged: {', '.join(acknowledged) or 'nothing'}.")


def sketched():
    """Draw the times of the calls."""
    return drawing.table_picture(pd.DataFrame(CALLS, columns=["what you write", "what it is for"]))


ITEMS["02g"] = Explored(
    model=Cluster,
    methods=("lead", "follow", "write", "fetch", "serve", "receive"),
    form="a class, Replica, with lead, follow, write, fetch, serve and receive",
    objects="replicas",
    worlds=(  # how often each may happen, the smallest search first
        {"writes": 1, "elections": 1},
        {"writes": 2, "elections": 1, "restarts": 1},
        {"writes": 1, "elections": 1, "restarts": 1, "lags": 1, "duplicates": 1},
        {"writes": 2, "elections": 2},
    ),
    states=30_000,
    first=without_faults,
    calm={"writes": 2},
    draw=drawn,
    shown="Two records, when nothing goes wrong",
    sketch=sketched,
    praise="What was acknowledged stays, whoever leads, and when nothing goes wrong any more all three logs become "
    "one. Tried were all schedules of two records and two elections; of two records, an election and a restart; and "
    "of one record, an election, a restart, a follower that lags and a reply that arrives twice ({states} "
    "states).{cut}",
)


# 02-answer-fetch: what a leader answers to a follower's fetch, and what it knows from then on.

STORIES = (  # what is appended, or (which follower asks, for which offset)
    ("tea", (1, 0), (2, 0), (1, 1), (2, 1)),
    ("tea", "cake", (1, 0), (1, 2), (2, 0), (2, 2)),
    ("tea", (1, 0), (2, 0), "cake", (1, 1), (2, 1), (2, 2), (1, 2)),
    ("tea", (1, 0), (2, 0), (2, 1), "cake", (2, 1), (2, 2), (1, 1), (1, 2)),
)


def ask_fetch(answers, *story):
    """Let a leader live through a story; return its answer to the last fetch, and its high watermark then."""
    leader, said = SimpleNamespace(records=[], ends={1: 0, 2: 0}, high_watermark=0), None
    for step in story:
        if isinstance(step, str):
            leader.records.append(step)
        else:
            said = answers(leader, *step)
    if said is None and not leader.high_watermark:
        return None
    return {"answer": said, "leader.high_watermark": leader.high_watermark}


def told_story(*story):
    """Tell a story."""
    asked = "Follower {} asks for offset {}."
    lines = [f"The leader appends {one}." if isinstance(one, str) else asked.format(*one) for one in story]
    return f"{' '.join(lines)} Your function"


ITEMS["02-answer-fetch"] = Compared(
    cases=[
        story[:end] for story in STORIES for end in range(1, len(story) + 1) if not isinstance(story[end - 1], str)
    ],
    ask=ask_fetch,
    told=told_story,
    praise="The offset in a request says what the follower has. A record is committed when all in-sync replicas have "
    "it.",
)

# 02-audit: acknowledged records that are lost, and duplicates.


def ask_audit(audit: Callable[..., Any], acknowledged: list[Any], readable: list[int]) -> list[Any]:
    """Return what an audit finds, each part in order; anything else as it is."""
    said = audit(list(acknowledged), list(readable))
    parts = isinstance(said, (tuple, list)) and all(isinstance(part, (list, tuple, set, frozenset)) for part in said)
    return [sorted(part) for part in said] if parts else said


ITEMS["02-audit"] = Compared(
    cases=(  # the numbers of the acknowledged records, and of the readable records
        ([1, 2, 3], [1, 2, 3]),
        ([1, 2, 3], [1, 3]),
        ([1, 2, 3], [1, 2, 2, 3]),
        ([1, 2, 3], [1, 3, 3]),
        ([1, 3], [1, 2, 3]),
        ([1, 2, 3], [1, 2, 3, 1, 2, 3]),
        ([1, 2, 3, 4], [4, 4, 2, 2, 2]),
        ([], [1]),
        ([1], [1, 2, 2]),
    ),
    ask=ask_audit,
    why="lost is what was acknowledged and is not readable; doubled is what is readable more than once",
    praise="Your audit finds a loss even where a doubled record makes the two lists equally long.",
)

# 02-nothing-lost: the invariant of a replicated partition: each acknowledged record is there.


ITEMS["02-nothing-lost"] = Compared(
    cases=(  # the acknowledged records, and the leader's log (None without a leader)
        ([], ["tea"]),
        ([(0, "tea")], ["tea"]),
        ([(0, "tea")], None),
        ([(0, "tea")], []),
        ([(0, "tea")], ["tea", "cake"]),
        ([(0, "tea"), (1, "cake")], ["tea"]),
        ([(0, "tea"), (0, "cake")], ["cake"]),
        ([(1, "cake")], ["tea", "cake"]),
        ([(0, "tea")], ["cake"]),
        ([(0, "tea")], ["cake", "tea"]),
    ),
    praise="Your invariant holds where nothing was acknowledged and where nobody leads, and breaks where an "
    "acknowledged record is missing.",
)

# 02-send: put a record with a key into the partition where it belongs.

SENT = (("ann", "tea"), ("bob", "coffee"), ("ann", "cake"), ("ann", "tea"), ("dora", "juice"))


def ask_send(send: Any, partitions: Any, records: Any) -> Any:
    """Send so many records; return the answer to the last, and the topic."""
    topic, said = [[] for _ in range(partitions)], None
    for record in SENT[:records]:
        said = send(topic, *record)
    return {"answer": said, "topic": topic} if said is not None or any(topic) else None


ITEMS["02-send"] = Compared(
    cases=[(partitions, records) for partitions in (3, 2, 1) for records in range(1, len(SENT) + 1)],
    ask=ask_send,
    told=lambda partitions, records: (
        f"With {partitions} partition{'s' * (partitions > 1)}, sending {SENT[records - 1]}"
    ),
    why="the pair goes to the end of the log that partition_for names, and the answer is that partition and the "
    "offset there",
    praise="Equal keys go to one partition, and stand there in the order in which they came.",
)

# 02-to-commit: which positions a consumer has to commit when some of its records are done.

ORDERS = (("ann", "tea"), ("bob", "coffee"), ("ann", "cake"), ("bob", "milk"), ("ann", "scone"), ("bob", "juice"))


def done(before, end):
    """Return the records that are done now, of a log of orders in three partitions."""
    log = open_log("memory:")
    log.create_topic("orders", partitions=3)
    producer = Producer(log)
    for key, value in ORDERS:
        producer.send("orders", value, key=key)
    return Consumer(log, "orders").poll()[before:end]


def ask_positions(to_commit, before, end):
    """Return what a function commits."""
    return to_commit(done(before, end))


def told_done(before, end):
    """Name the records that are done."""
    earlier, now = (", ".join(record.value for record in done(*part)) for part in ((0, before), (before, end)))
    return f"{f'Committed before: {earlier}. ' * bool(before)}Done: {now or 'nothing'}. Your function"


ITEMS["02-to-commit"] = Compared(
    # how many were committed before, and are done by now
    cases=((0, 1), (0, 2), (0, 6), (0, 5), (0, 0), (2, 4), (3, 4)),
    ask=ask_positions,
    told=told_done,
    why="each partition has one position, that of the next record",
    praise="A successor begins with the first record that is not done, in each partition.",
)
