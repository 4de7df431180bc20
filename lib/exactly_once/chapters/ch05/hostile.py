"""A hostile network, a disk, and a learner's broker that dies at any write, as a model to search (for 05e).

A batch that was ever sent may arrive at any time, any number of times. Between two writes to the disk, and after the
last write, the broker may die; then another broker starts over the same disk.
"""

import itertools
import marshal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...errors import is_whole
from ...exercises.model_checker import Action, Broken, Model, asked, copied, flat, frozen, named, step

TEXTS = ("tea", "tea", "milk", "tea", "salt", "rice", "plum")


class Died(BaseException):
    """The broker died at a write. No error of a program's, so that none of its handlers catches it."""


class Disk:
    """A broker's disk; each of its three writes is done wholly or not at all.

    `history` is every batch that was ever written, `left` the number of writes until the broker dies (None: it
    lives). Names with an underscore belong to the model, not to the broker.
    """

    def __init__(self, history=(), start=0, cell=None, left=None):
        self._history, self._start, self._cell = tuple(history), start, cell
        self._left, self._writes = left, 0

    @property
    def _held(self) -> tuple[Any, ...]:
        """The contents of the disk, as written."""
        return self._history, self._start, self._cell

    @property
    def start(self) -> int:
        """The place of the first batch that is still there."""
        return self._start

    @property
    def log(self) -> list[Any]:
        """The batches that are still there, each as [producer, epoch, first number, values]."""
        return [[*batch[:3], list(batch[3])] for batch in self._history[self._start :]]

    @property
    def saved(self) -> list[Any] | None:
        """The last saved value, or None."""
        return None if self._cell is None else marshal.loads(self._cell)

    def append(self, batch: Any) -> None:
        """Write a batch behind the others."""
        producer, epoch, first, values = batch
        self._written()
        self._history = (*self._history, (producer, epoch, first, tuple(values)))

    def delete(self, before: int) -> None:
        """Delete the batches at the places before this one."""
        if not isinstance(before, int) or not self._start <= before <= len(self._history):
            raise ValueError(f"disk.delete({before!r}): the log has the places {self._start} to {len(self._history)}")
        self._written()
        self._start = before

    def save(self, value: Any) -> None:
        """Replace the last saved value."""
        if text := next((each for each in flat(value) if isinstance(each, str) and each in TEXTS), None):
            raise ValueError(f"disk.save: there is a record in it, {text!r}; what is saved holds no records")
        try:
            cell = marshal.dumps(value, 2)
        except ValueError:
            raise TypeError("disk.save takes numbers, texts, None, lists, tuples, sets and dictionaries") from None
        self._written()
        self._cell = cell

    def _written(self) -> None:
        if self._left is not None and self._writes >= self._left:
            raise Died
        self._writes += 1

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str, ...]]:
        return named, ("disk",)


@dataclass(frozen=True)
class World:
    """What may happen at the most: the batches of each producer, epoch by epoch, and how often the log is cut.

    `batches` holds (producer, epoch, first number, values), in the order in which they are sent.
    """

    batches: tuple
    deletions: int = 0

    @property
    def newest(self) -> list[tuple[Any, ...]]:
        """The batches of each producer's newest epoch."""
        last = {producer: epoch for producer, epoch, _, _ in sorted(self.batches)}
        return [batch for batch in self.batches if batch[1] == last[batch[0]]]


def world(deletions: int = 0, **sent: list[list[int]]) -> World:
    """Return the `World` of such producers: `p7=[[1, 2], [1]]` sends two batches of one and of two records in epoch
    0, and one of one record in epoch 1.
    """
    texts, batches = iter(TEXTS), []
    for name, epochs in sent.items():
        for epoch, counts in enumerate(epochs):
            for place, count in enumerate(counts):
                values = tuple(itertools.islice(texts, count))
                batches.append((int(name[1:]), epoch, sum(counts[:place]), values))
    return World(tuple(batches), deletions)


class State(NamedTuple):
    """A broker, its disk, and how many deletions are left; `writes` notes how many writes each call of it does."""

    broker: Any
    disk: Disk
    deletions: int
    writes: dict


class Hostile(Model):
    """A broker over a disk. Anything that was ever sent arrives, the log is cut, the broker dies and restarts."""

    def __init__(self, make: type, sent: World) -> None:
        self.make, self.world = make, sent

    def start(self) -> State:
        """Return a broker over an empty disk."""
        disk = Disk()
        return State(asked("Broker(disk)", self.make, disk), disk, self.world.deletions, {})

    def actions(self, state):
        """Yield the arrival of each batch, then deletions, each with a crash after each of its writes; a restart."""
        for batch in self.world.batches:
            yield from self._outcomes(state, f"{told(batch)} arrives", "receive", *batch)
        start, end = state.disk.start, len(state.disk._history)
        for before in sorted({start + 1, end}) if state.deletions and end > start else ():
            yield from self._outcomes(state, f"Retention asks for delete({before})", "delete", before)
        yield Action("The broker restarts", "restarted")

    def _outcomes(self, state, words, method, *arguments):
        yield Action(words, "called", (method, *arguments))
        if (method, *arguments) not in state.writes:  # the call was not carried out yet
            self.called(state, method, *arguments)
        writes = state.writes[method, *arguments]
        for done in range(1, writes + 1):
            when = f"after write {done} of {writes}" if writes > 1 else "after its write, before it answers"
            yield Action(f"{words}, and the broker dies {when}", "died", (done, method, *arguments))

    def called(self, state: State, method: str, *arguments: Any) -> tuple[State, str]:
        """Carry out a call that is answered."""
        after, said = self._answer(state, None, method, arguments)
        state.writes[method, *arguments] = after.disk._writes
        with step("", after):
            self._check(after, method, arguments, said)
        done = "done" if method == "delete" else "refused" if said is None else f"acknowledged at place {said}"
        return after, done

    def died(self, state: State, done: int, method: str, *arguments: Any) -> tuple[State, str]:
        """Carry out a call in which the broker dies after so many writes; another one starts over the same disk."""
        after, _ = self._answer(state, done, method, arguments)
        return self.restarted(after)[0], "it starts again"

    def restarted(self, state: State) -> tuple[State, str]:
        """Start another broker over the same disk."""
        disk = Disk(*state.disk._held)
        broker = asked("Broker(disk), after a restart,", self.make, disk)
        return State(broker, disk, state.deletions, {}), "its memory is gone"

    def _answer(self, state, left, method, arguments):
        """Return (the state after a call, the call's result); the broker dies after `left` writes."""
        disk = Disk(*state.disk._held, left)
        broker = copied(state.broker, {id(state.disk): disk})
        after = State(broker, disk, state.deletions - (method == "delete"), {})
        given = [list(each) if isinstance(each, tuple) else each for each in arguments]
        try:
            return after, asked(f"{method}({', '.join(map(repr, given))})", getattr(broker, method), *given)
        except Died:
            return after, None

    def _check(self, state: State, method: str, arguments: tuple[Any, ...], said: Any) -> None:
        self.judge(state)
        if method == "delete":
            if state.disk.start != arguments[0]:
                raise Broken(f"delete({arguments[0]}) has returned, and the log begins at {state.disk.start}.")
            return
        if said is None:
            return
        if not is_whole(said):
            raise Broken(f"receive returns {said!r}; return the batch's place, or None when it is refused.")
        if arguments not in state.disk._history:
            raise Broken(f"{told(arguments)} is acknowledged at place {said}, and is not in the log.")
        if (place := state.disk._history.index(arguments)) != said:
            raise Broken(f"{told(arguments)} is acknowledged at place {said}, and its place is {place}.")

    def judge(self, state: State) -> None:
        """Raise `Broken` unless the log holds, of each producer and epoch, the first batches, in order."""
        history = state.disk._history
        for place, batch in enumerate(history):
            producer, epoch = batch[:2]
            before = [each for each in history[:place] if each[0] == producer]
            if batch not in self.world.batches:
                raise Broken(f"There is {batch!r} in the log, which no producer has sent.")
            if batch in before:
                raise Broken(f"{told(batch)} is in the log twice, at places {history.index(batch)} and {place}.")
            if newer := [each[1] for each in before if each[1] > epoch]:
                raise Broken(
                    f"{told(batch)} is in the log behind epoch {newer[0]} of its producer: a zombie wrote it."
                )
            sent = [each for each in self.world.batches if each[:2] == batch[:2]]
            if missing := [each for each in sent[: sent.index(batch)] if each not in before]:
                raise Broken(f"{told(batch)} is in the log before {told(missing[0])}, which was sent first.")

    def settle(self, state: State) -> None:
        """Let the faults be over: producers send the batches of their newest epochs once more, in order."""
        for batch in self.world.newest:
            words = f"The faults are over, and {told(batch)} is sent once more"
            with step(words, state):
                state, answer = self.called(state, "receive", *batch)
            if answer == "refused":
                where = "in the log" if batch in state.disk._history else "the next one"
                with step(f"{words}: refused", state):
                    raise Broken(f"{told(batch)} is refused although it is {where}; its producer never finishes.")

    def key(self, state: State) -> bytes:
        """Return bytes that are equal for equal states only."""
        return frozen(state.broker, state.disk._held, state.deletions)

    def shown(self, state: Any) -> Any:
        """Return the log: place, producer, epoch, first number, values, and whether it was deleted."""
        gone = ["deleted" if place < state.disk.start else "" for place in range(len(state.disk._history))]
        return tuple(
            (place, *map(str, batch[:3]), " ".join(batch[3]), gone[place])
            for place, batch in enumerate(state.disk._history)
        )


def told(batch: tuple[Any, ...]) -> str:
    """Return a batch in words."""
    producer, epoch, first, values = batch
    numbers = first if len(values) == 1 else f"{first}–{first + len(values) - 1}"
    return f"batch {numbers} of producer {producer}{f' in epoch {epoch}' if epoch else ''} ({' '.join(values)})"


def in_order(model: Hostile) -> list[Action]:
    """Return the schedule without a fault: each batch arrives once, in order."""
    return [Action(f"{told(batch)} arrives", "called", ("receive", *batch)) for batch in model.world.batches]
