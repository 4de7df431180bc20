"""A node as producers and consumers use one, over a ground of any kind: a simulated log, or a real one on disk."""

from collections import deque
from functools import partial
from types import SimpleNamespace

from ..node.life import InputsEnded

SOURCE = "source"


class Client:
    """One life of a producer's or a consumer's handler: the part of `Node` that they use.

    A `ground` carries out the operations: `has(offset)` (is there, or will there be, something to read),
    `take(offset)`, `load()`, `save(offset)`, `push(number)`, `add(item)`, `look(key)` and
    `put(item, key, version, value)`; its `step(name, numbers, act)` does one of them, under whatever misfortune strikes
    at `name` and a record of `numbers`.
    Each record that is read has one effect, in order: which one it is, is noted out of the handler's sight.
    """

    def __init__(self, ground):
        self._ground = ground
        self.pending, self._batch = deque(), []
        self.positions = SimpleNamespace(load=self._load, save=self._save)
        self.output = SimpleNamespace(push=self._push)
        self.database = SimpleNamespace(increment=self._increment)
        self.registers = SimpleNamespace(read=self._look, cas=self._put)

    def running(self, positions):
        """Tell whether there is something to read at `positions`, or will be."""
        return self._ground.has(positions[SOURCE])

    def read(self, positions):
        """Return ([the record at `positions`], the positions after it)."""
        offset = positions[SOURCE]
        item = self._ground.step("input.read", (), partial(self._ground.take, offset))
        if item is None:
            raise InputsEnded
        self.pending.append(item)
        self._batch.append(item.hour)
        return [item], {SOURCE: offset + 1}

    def _load(self):
        return {SOURCE: self._ground.step("positions.load", (), self._ground.load)}

    def _save(self, positions):
        numbers, self._batch = tuple(self._batch), []
        self._ground.step("positions.save", numbers, partial(self._ground.save, positions[SOURCE]))

    def _push(self, number):
        self._ground.step("output.push", (number,), partial(self._ground.push, number))

    def _increment(self):
        item = self.pending[0]
        self._ground.step("database.increment", (item.hour,), partial(self._ground.add, item))
        self.pending.popleft()

    def _look(self, key):
        return self._ground.step("register.read", (), partial(self._ground.look, key))

    def _put(self, key, version, value):
        item = self.pending[0]
        act = partial(self._ground.put, item, key, version, value)
        written = self._ground.step("register.cas", (item.hour,), act)
        self.pending.popleft()
        return written
