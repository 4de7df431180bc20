"""Three replicas of a learner's class, and their possible events, as a model to explore (for 02g).

Elections are clean: a new leader comes from the in-sync replicas.
"""

import functools
import marshal
from typing import NamedTuple

from ...explore.plain import Action, Broken, Model, asked, copied, flat, frozen

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
