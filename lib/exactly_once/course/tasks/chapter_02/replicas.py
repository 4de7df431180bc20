"""A small model checker for exercise 02g: three replicas of a learner's class under every schedule within bounds.

States are plain data, and the search is breadth-first, so the first schedule that breaks the specification is a
shortest one. Elections are clean: a new leader comes from the in-sync replicas.
"""

import marshal
from collections import deque
from typing import NamedTuple

from ..run_answer import own_lines, words_of

BROKERS = (0, 1, 2)
VALUES = ("tea", "coffee", "cake")
METHODS = ("lead", "follow", "write", "fetch", "serve", "receive")
MOST = 6  # numbers and words in a message
MOST_VALUES = {"fetch": 0, "serve": 1}  # records in what these methods return
ROUNDS = 16  # of fetches by both followers, after which nothing may be left to do


class State(NamedTuple):
    """The cluster at one moment.

    `memories` are the replicas' attributes, as bytes; `replies` what is under way to each broker, as bytes, or None;
    `acknowledged` the records that were, in order; `left` how many writes,
    elections, restarts, lags and duplicates there may still be.
    """

    memories: tuple
    leader: int
    epoch: int
    in_sync: tuple
    replies: tuple
    acknowledged: tuple
    left: tuple


class Broken(Exception):
    """The specification does not hold. `traceback` holds the learner's own lines where the code raised.

    `words` say which move led there, `state` is what it led to, if it came to an end.
    """

    words, state = "", None

    def __init__(self, sentence, traceback=""):
        super().__init__(sentence)
        self.traceback = traceback


class Cluster:
    """Three replicas of a class, and what may happen to them."""

    def __init__(self, replica, left):
        self.replica, self.left = replica, left
        self._called, self._logs, self._highs = (
            {},
            {},
            {},
        )  # what was asked before is not asked again: a replica is deterministic

    def start(self):
        """Return the first state: broker 0 leads, nothing is written, all are in sync."""
        fresh = State((None, None, None), 0, -1, BROKERS, (None, None, None), (), tuple(self.left.values()))
        memories = [self._started(broker, []) for broker in BROKERS]
        return self._led(fresh._replace(memories=tuple(memories)), 0, 0, BROKERS)

    def moves(self, state):
        """Yield (words, state) for each thing that may happen next. Raises `Broken` where that must not be."""
        for words, move in self._possible(state):
            after = None
            try:
                after = move()
                self._judge(after)
                after = self.acknowledge(after)
            except Broken as why:
                why.words, why.state = words, after
                raise
            yield words, after

    def _possible(self, state):
        left, leader = dict(zip(self.left, state.left, strict=True)), state.leader
        if left["writes"]:
            value = VALUES[self.left["writes"] - left["writes"]]
            yield (
                f"The producer sends {value} to broker {leader}, which writes it.",
                lambda: self._written(self._spent(state, "writes"), value),
            )
        for broker in BROKERS:
            yield from self._about(state, broker, left)
        for chosen in state.in_sync if left["elections"] else ():
            rest = state.in_sync if chosen == leader else tuple(one for one in state.in_sync if one != leader)
            words = f"Broker {leader} goes down and comes back; meanwhile broker {chosen} leads, in epoch "
            if chosen == leader:
                words = f"Broker {leader} goes down and comes back, and leads again, in epoch "
            yield (
                f"{words}{state.epoch + 1}.",
                lambda chosen=chosen, rest=rest: self._elected(self._spent(state, "elections"), chosen, rest),
            )

    def _about(self, state, broker, left):
        leader = state.leader
        if state.replies[broker] is not None:
            words = f"The reply arrives at broker {broker}"
            yield f"{words}.", lambda: self._received(state, broker)
            if left["duplicates"]:
                yield (
                    f"{words}, and will arrive once more.",
                    lambda: self._received(self._spent(state, "duplicates"), broker, again=True),
                )
        if broker == leader:
            return
        yield (
            f"Broker {broker} asks for what comes next, and broker {leader} answers.",
            lambda: self._asked(state, broker),
        )
        if left["restarts"]:
            yield (
                f"Broker {broker} restarts, so quickly that nobody misses it: its memory is gone.",
                lambda: self._restarted(self._spent(state, "restarts"), broker),
            )
        if broker in state.in_sync and left["lags"] and len(state.in_sync) > 2:
            rest = tuple(one for one in state.in_sync if one != broker)
            yield (
                f"Broker {broker} lags, and is no longer in sync.",
                lambda: self._led(self._spent(state, "lags"), leader, state.epoch, rest),
            )
        if broker not in state.in_sync and self.log(state, broker) == self.log(state, leader):
            more = tuple(sorted((*state.in_sync, broker)))
            yield (
                f"Broker {broker} has what broker {leader} has, and is in sync again.",
                lambda: self._led(state, leader, state.epoch, more),
            )

    def log(self, state, broker):
        """Return a broker's log, as a tuple of records."""
        memory = state.memories[broker]
        if memory not in self._logs:
            self._logs[memory] = _records(broker, marshal.loads(memory).get("log"))
        return self._logs[memory]

    def _spent(self, state, what):
        place = list(self.left).index(what)
        return state._replace(left=tuple(count - (number == place) for number, count in enumerate(state.left)))

    def _started(self, broker, log):
        try:
            made = self.replica(broker, [list(record) for record in log])
        except Exception as why:  # noqa: BLE001 - whatever a learner's code raises is told
            raise _failed(f"Replica({broker}, {log!r})", why) from None
        return _kept(broker, made)

    def _call(self, state, broker, method, *arguments):
        """Call a method of a broker's replica. Returns (the state after it, what it returned)."""
        asked = broker, state.memories[broker], method, marshal.dumps(arguments, 2)
        if asked not in self._called:
            self._called[asked] = self._answer(*asked)
        memory, said = self._called[asked]
        return state._replace(memories=_put(state.memories, broker, memory)), said

    def _answer(self, broker, memory, method, arguments):
        """Return (a replica's memory after a call, as bytes, and what the call returned)."""
        one, arguments = self.replica.__new__(self.replica), marshal.loads(arguments)
        one.__dict__.update(marshal.loads(memory))
        try:
            said = getattr(one, method)(*arguments)
        except Exception as why:  # noqa: BLE001 - whatever a learner's code raises is told
            raise _failed(f"{method}({', '.join(map(repr, arguments))}) of broker {broker}", why) from None
        if method in MOST_VALUES and said is not None:
            said = _carried(method, said)
        return _kept(broker, one), said

    def _led(self, state, leader, epoch, in_sync):
        state, _ = self._call(state, leader, "lead", epoch, list(in_sync))
        for broker in BROKERS if epoch != state.epoch else ():
            if broker != leader:
                state, _ = self._call(state, broker, "follow", epoch)
        return state._replace(leader=leader, epoch=epoch, in_sync=tuple(in_sync))

    def _elected(self, state, chosen, in_sync):
        old = state.leader
        again = self._started(old, self.log(state, old))
        return self._led(state._replace(memories=_put(state.memories, old, again)), chosen, state.epoch + 1, in_sync)

    def _restarted(self, state, broker):
        again = self._started(broker, self.log(state, broker))
        state = state._replace(memories=_put(state.memories, broker, again))
        return self._call(state, broker, "follow", state.epoch)[0]

    def _written(self, state, value):
        state, _ = self._call(state, state.leader, "write", value)
        log = self.log(state, state.leader)
        if not log or log[-1] != (state.epoch, value):
            raise Broken(f"After write({value!r}) the leader's log does not end with [{state.epoch}, {value!r}].")
        return state

    def _asked(self, state, broker):
        state, request = self._call(state, broker, "fetch")
        state, reply = self._call(state, state.leader, "serve", broker, request)
        found = None if reply is None else marshal.dumps(reply, 2)
        return state._replace(replies=_put(state.replies, broker, found))

    def _received(self, state, broker, again=False):
        state, _ = self._call(state, broker, "receive", marshal.loads(state.replies[broker]))
        return state if again else state._replace(replies=_put(state.replies, broker, None))

    def _judge(self, state):
        """Raise `Broken` where the specification does not hold."""
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

    def acknowledge(self, state):
        """Return the state with what its leader has acknowledged noted."""
        memory = state.memories[state.leader]
        if memory not in self._highs:
            self._highs[memory] = marshal.loads(memory).get("high_watermark")
        high = self._highs[memory]
        log = self.log(state, state.leader)
        if type(high) is not int or not 0 <= high <= len(log):
            raise Broken(
                f"The high_watermark of broker {state.leader} is {high!r}; it is an offset from 0 to the log end, "
                f"{len(log)}."
            )
        return state._replace(acknowledged=log[:high]) if high > len(state.acknowledged) else state

    def settled(self, state, known=()):
        """Let nothing more go wrong: both followers ask, get their replies, and are in sync when they have all.

        Returns (the state that is left, the states on the way), or (None, those) when one of them is `known` to be
        fine. What was under way is lost.
        """
        state, seen = state._replace(replies=(None, None, None), acknowledged=(), left=()), []
        for _ in range(ROUNDS):
            if state in known:
                return None, seen
            seen.append(state)
            for broker in BROKERS:
                if broker == state.leader:
                    continue
                state = self._asked(state, broker)
                if state.replies[broker] is not None:
                    state = self._received(state, broker)
                if broker not in state.in_sync and self.log(state, broker) == self.log(state, state.leader):
                    state = self._led(state, state.leader, state.epoch, tuple(sorted((*state.in_sync, broker))))
            if state == seen[-1]:
                break
        return self.acknowledge(state), seen

    def unsettled(self, state):
        """Return what is left to do in a state in which nothing goes wrong any more, in words; "" for nothing."""
        logs = [self.log(state, broker) for broker in BROKERS]
        for broker in BROKERS:
            if logs[broker] != logs[state.leader]:
                return (
                    f"Nothing goes wrong any more, both followers ask {ROUNDS} times, and the log of broker {broker} "
                    f"is still not that of broker {state.leader}, which leads."
                )
        if len(state.acknowledged) < len(logs[state.leader]):
            missing = logs[state.leader][len(state.acknowledged)][1]
            return f"Nothing goes wrong any more, all three logs hold {missing!r}, and it is never acknowledged."
        return ""


def explore(replica, left, most):
    """Return what comes of a class under every schedule within the bounds `left`, shortest first, as a dict.

    Its `sentence` is "" when the specification holds everywhere; if not, `lines`, `rows` and `acknowledged` tell the
    schedule that breaks it. At most so many states are looked at; `steps` is then how long a schedule may be and
    still be among those that were tried, else None. `states` is how many there were.
    """
    cluster, came_from, fine, state = Cluster(replica, left), {}, set(), None
    try:
        state = cluster.acknowledge(cluster.start())
        waiting, came_from = deque([state]), {state: None}
        while waiting and len(came_from) < most:
            state = waiting.popleft()
            settled, on_the_way = cluster.settled(state, fine)
            if settled is not None and (said := cluster.unsettled(settled)):
                raise Broken(said)
            fine.update(on_the_way)
            for words, after in cluster.moves(state):
                if after not in came_from:
                    came_from[after] = state, words
                    waiting.append(after)
    except Broken as why:
        lines = [*_lines(came_from, state), *([why.words] if why.words else [])]
        return _told(cluster, why.state or state, str(why), lines, why.traceback)
    steps = len(_lines(came_from, waiting[0])) if waiting else None
    return {"sentence": "", "states": len(came_from), "steps": steps}


def calm(replica, writes=2):
    """Return what comes of a class when nothing goes wrong, as `explore` does, with all lines."""
    cluster = Cluster(replica, {"writes": writes, "elections": 0, "restarts": 0, "lags": 0, "duplicates": 0})
    state, lines = None, []
    try:
        state = cluster.start()
        for value in VALUES[:writes]:
            state = cluster._written(state, value)
            lines.append(f"The producer sends {value} to broker 0, which writes it.")
        for number in range(3):
            for broker in (1, 2):
                state = cluster.acknowledge(cluster._asked(state, broker))
                if state.replies[broker] is not None:
                    state = cluster.acknowledge(cluster._received(state, broker))
            high = len(state.acknowledged)
            ends = ", ".join(str(len(cluster.log(state, broker))) for broker in BROKERS)
            lines.append(f"Round {number + 1} of fetches: the log ends are {ends}, acknowledged is all below {high}.")
        said = cluster.unsettled(cluster.settled(state)[0])
    except Broken as why:
        return _told(cluster, state, str(why), lines, why.traceback)
    return _told(cluster, state, said, lines)


def _told(cluster, state, sentence, lines, traceback=""):
    rows = []
    for broker in BROKERS if state is not None else ():
        role = "leader" if broker == state.leader else "in sync" if broker in state.in_sync else "– not in sync"
        try:
            log = cluster.log(state, broker)
        except Broken:
            log = ()
        rows.append((broker, role, " · ".join(f"{value} ({epoch})" for epoch, value in log) or "–"))
    acknowledged = [value for _, value in state.acknowledged] if state is not None else []
    told = {"sentence": sentence, "traceback": traceback, "lines": lines, "rows": rows}
    return told | {"acknowledged": acknowledged}


def _lines(came_from, state):
    lines = []
    while state is not None and came_from.get(state):
        state, words = came_from[state]
        lines.append(words)
    return lines[::-1]


def _failed(what, why):
    return Broken(f"{what} fails with {words_of(why)}.", own_lines(why))


def _put(items, place, item):
    return (*items[:place], item, *items[place + 1 :])


def _kept(broker, one):
    """Return a replica's attributes as bytes, equal for equal ones."""
    held = dict(sorted(vars(one).items()))
    if not isinstance(getattr(type(one), "high_watermark", None), (int, type(None))):  # a property
        held["high_watermark"] = one.high_watermark
    try:
        return marshal.dumps(held, 2)
    except ValueError:
        raise Broken(
            f"Broker {broker} keeps something else in self than numbers, text, lists, tuples, sets and dictionaries."
        ) from None


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
    flat, records = list(_flat(content)), MOST_VALUES[method]
    if len(flat) > MOST or sum(one in VALUES for one in flat if isinstance(one, str)) > records:
        raise Broken(
            f"{method} returns {content!r}; a {'reply' if records else 'request'} holds at most {MOST} numbers and "
            f"words, and {'no more than one record' if records else 'no record'}."
        )
    try:
        return marshal.loads(marshal.dumps(content, 2))
    except ValueError:
        raise Broken(f"{method} returns {content!r}; give numbers, text, None, lists or dictionaries.") from None


def _flat(content):
    if isinstance(content, dict):
        content = [*content, *content.values()]
    if isinstance(content, (list, tuple, set, frozenset)):
        for each in content:
            yield from _flat(each)
    else:
        yield content
