"""A hostile network, a disk, and a broker of the learner's that dies at any write, as a model to search (for 05e).

Whatever was ever sent may arrive at any time, any number of times. Between two writes to the disk, and after the
last one, the broker may die; another one then starts over the same disk.
"""

import marshal
from dataclasses import dataclass, replace
from typing import Any

from .search import Broken, Found, alone, asked, copied, frozen, named, searched, shared, step

TEXTS = ("tea", "milk", "sugar", "cake", "salt", "rice", "plum")


class Died(BaseException):
    """The broker died at a write. No error of a program's, so that none of its handlers catches it."""


class Disk:
    """What a broker's disk holds; each of its three writes is done wholly or not at all.

    `history` is every batch that was ever written, `left` how many writes are done before the broker dies (None: it
    lives). What begins with an underscore is the model's, not the broker's.
    """

    def __init__(self, history=(), start=0, cell=None, left=None):
        self._history, self._start, self._cell = tuple(history), start, cell
        self._left, self._writes = left, 0

    def _copied(self, left=None):
        """Return a disk with the same on it."""
        return Disk(*self._held, left)

    @property
    def _held(self):
        """All that is on the disk, as it was written."""
        return self._history, self._start, self._cell

    @property
    def start(self):
        """The place of the first batch that is still there."""
        return self._start

    @property
    def log(self):
        """The batches that are still there, each as [producer, epoch, first number, values]."""
        return [[*batch[:3], list(batch[3])] for batch in self._history[self._start :]]

    @property
    def saved(self):
        """What was saved last, or None."""
        return None if self._cell is None else marshal.loads(self._cell)

    def append(self, batch):
        """Write a batch behind the others."""
        producer, epoch, first, values = batch
        self._written()
        self._history = (*self._history, (producer, epoch, first, tuple(values)))

    def delete(self, before):
        """Delete the batches at the places before this one."""
        if not isinstance(before, int) or not self._start <= before <= len(self._history):
            raise ValueError(f"disk.delete({before!r}): the log has the places {self._start} to {len(self._history)}")
        self._written()
        self._start = before

    def save(self, value):
        """Put a value in the place of the one that was saved last."""
        if text := next((each for each in _flat(value) if each in TEXTS), None):
            raise ValueError(f"disk.save: there is a record in it, {text!r}; what is saved holds no records")
        try:
            cell = marshal.dumps(value, 2)
        except ValueError:
            raise TypeError("disk.save takes numbers, texts, None, lists, tuples, sets and dictionaries") from None
        self._written()
        self._cell = cell

    def _written(self):
        if self._left is not None and self._writes >= self._left:
            raise Died
        self._writes += 1

    def __reduce__(self):
        return named, ("disk",)


def _flat(content):
    if isinstance(content, dict):
        content = [*content, *content.values()]
    if isinstance(content, (list, tuple, set, frozenset)):
        for each in content:
            yield from _flat(each)
    elif isinstance(content, str):
        yield content


@dataclass(frozen=True)
class World:
    """What may happen at the most: the batches of each producer, epoch by epoch, and how often the log is cut.

    `batches` holds (producer, epoch, first number, values), in the order in which they are sent.
    """

    batches: tuple
    deletions: int = 0

    @property
    def newest(self):
        """The batches of each producer's newest epoch."""
        last = {producer: epoch for producer, epoch, _, _ in sorted(self.batches)}
        return [batch for batch in self.batches if batch[1] == last[batch[0]]]


def world(deletions=0, **sent):
    """Return the `World` of such producers: `p7=[[1, 2], [1]]` sends two batches of one and of two records in epoch
    0, and one of one record in epoch 1.
    """
    texts, batches = iter(TEXTS), []
    for name, epochs in sent.items():
        for epoch, counts in enumerate(epochs):
            first = 0
            for count in counts:
                values = tuple(next(texts) for _ in range(count))
                batches.append((int(name[1:]), epoch, first, values))
                first += count
    return World(tuple(batches), deletions)


@dataclass(frozen=True)
class State:
    """A broker, its disk, and how many deletions are left."""

    world: World
    make: Any
    broker: Any
    disk: Any
    deletions: int

    @property
    def log(self):
        """The log: place, producer, epoch, first number, values, and whether it was deleted."""
        kept = self.disk._start
        return tuple(
            (place, *map(str, batch[:3]), " ".join(map(str, batch[3])), "" if place >= kept else "deleted")
            for place, batch in enumerate(self.disk._history)
        )

    def moves(self):
        """Yield what can happen next: anything that was ever sent arrives, the log is cut, the broker restarts."""
        for batch in self.world.batches:
            yield from self._outcomes(f"{told(batch)} arrives", "receive", *batch)
        start, end = self.disk.start, len(self.disk._history)
        for before in sorted({start + 1, end}) if self.deletions and end > start else ():
            fewer = replace(self, deletions=self.deletions - 1)
            yield from fewer._outcomes(f"Retention asks for delete({before})", "delete", before)
        yield "The broker restarts", lambda: (self._restarted(self.disk), "its memory is gone")

    def _outcomes(self, words, method, *arguments):
        """Yield a call that is answered, and then, since its writes are counted by now, each death in it."""
        writes = []

        def answered():
            after, said = self._called(method, arguments)
            writes.extend(range(1, after.disk._writes + 1))
            return after, _said(method, said)

        yield words, answered
        for done in writes:
            when = f"after write {done} of {len(writes)}" if len(writes) > 1 else "after its write, before it answers"
            yield f"{words}, and the broker dies {when}", lambda done=done: (
                self._restarted(self._called(method, arguments, left=done)[0].disk), "it starts again"
            )  # fmt: skip

    def _called(self, method, arguments, left=None):
        """Return (the state after a call, what it returned); the broker dies after `left` writes."""
        disk = self.disk._copied(left)
        broker = copied(self.broker, {id(self.disk): disk})
        after, said = replace(self, broker=broker, disk=disk), None
        try:
            given = [list(each) if isinstance(each, tuple) else each for each in arguments]
            said = asked(f"{method}({', '.join(map(repr, given))})", getattr(broker, method), *given)
        except Died:
            return after, said
        if left is None:
            with step("", after):
                after._check(method, arguments, said)
        return after, said

    def _restarted(self, disk):
        disk = disk._copied()
        return replace(self, disk=disk, broker=asked("Broker(disk), after a restart,", self.make, disk))

    def _check(self, method, arguments, said):
        self.judge()
        if method == "delete":
            if self.disk.start != arguments[0]:
                raise Broken(f"delete({arguments[0]}) has returned, and the log begins at {self.disk.start}.")
            return
        if said is None:
            return
        batch = tuple(arguments)
        if not isinstance(said, int) or isinstance(said, bool):
            raise Broken(f"receive returns {said!r}; return the batch's place, or None when it is refused.")
        if batch not in self.disk._history:
            raise Broken(f"{told(batch)} is acknowledged at place {said}, and is not in the log.")
        if (place := self.disk._history.index(batch)) != said:
            raise Broken(f"{told(batch)} is acknowledged at place {said}, and its place is {place}.")

    def judge(self):
        """Raise `Broken` unless the log holds, of each producer and epoch, the first batches, in order."""
        for place, batch in enumerate(self.disk._history):
            producer, epoch = batch[:2]
            before = [each for each in self.disk._history[:place] if each[0] == producer]
            if batch not in self.world.batches:
                raise Broken(f"There is {batch!r} in the log, which nobody has sent.")
            if batch in before:
                raise Broken(
                    f"{told(batch)} is in the log twice, at places {self.disk._history.index(batch)} and {place}."
                )
            if newer := next((each for each in before if each[1] > epoch), None):
                raise Broken(
                    f"{told(batch)} is in the log behind epoch {newer[1]} of its producer: a zombie wrote it."
                )
            sent = [each for each in self.world.batches if each[:2] == batch[:2]]
            if missing := next((each for each in sent[: sent.index(batch)] if each not in before), None):
                raise Broken(f"{told(batch)} is in the log before {told(missing)}, which was sent first.")

    def settle(self):
        """Let nothing go wrong any more: producers send the batches of their newest epochs once more, in order."""
        state = self
        for batch in self.world.newest:
            words = f"Nothing goes wrong any more, and {told(batch)} is sent once more"
            with step(words, state):
                state, place = state._called("receive", batch)
            if place is None:
                where = "in the log" if batch in state.disk._history else "the next one"
                with step(f"{words}: refused", state):
                    raise Broken(
                        f"{told(batch)} is refused although it is {where}; its producer never comes to an end."
                    )

    def key(self):
        """Return bytes that are equal for equal states only."""
        return frozen(self.broker, self.disk._held, self.deletions)


def told(batch):
    """Return a batch in words."""
    producer, epoch, first, values = batch
    numbers = first if len(values) == 1 else f"{first}–{first + len(values) - 1}"
    return f"batch {numbers} of producer {producer}{f' in epoch {epoch}' if epoch else ''} ({' '.join(values)})"


def _said(method, said):
    if method == "delete":
        return "done"
    return "refused" if said is None else f"acknowledged at place {said}"


def begun(make, sent):
    """Return the first `State` of a world. Raises `Broken` for a class that cannot be made."""
    disk = Disk()
    return State(sent, make, asked("Broker(disk)", make, disk), disk, sent.deletions)


def explore(make, sent, most):
    """Return what a search of a world finds against a broker's class, as a `Found`."""
    try:
        first = begun(make, sent)
    except Broken as why:
        return Found(str(why), traceback=why.traceback)
    return searched(first, most)


def calm(make, sent):
    """Return what a class does when nothing goes wrong: each batch arrives once, in order."""
    lines, state, before = [], None, shared(make)
    try:
        state = begun(make, sent)
        for batch in sent.batches:
            state, place = state._called("receive", batch)
            lines.append(f"{told(batch)} arrives: {_said('receive', place)}")
            state.judge()
        alone(make, before)
        state.settle()
    except Broken as why:
        return Found(str(why), tuple(lines), state.log if state else (), traceback=why.traceback)
    return Found("", tuple(lines), state.log)
