"""Locks in the engine's store: one incarnation holds a lock at a time, and waits for it while another one does."""

from typing import Self

from ...stores.codec import Value
from ..life import Life
from ..parts import lock_part


class Lock:
    """The lock of a name. It belongs to the incarnation that acquired it, and is released at the end of that one."""

    def __init__(self, life: Life, name: str) -> None:
        self._life = life
        self._part = lock_part(name)
        self.name = name

    def acquire(self) -> None:
        """Hold the lock; wait while another incarnation does. The present holder continues at once."""
        life = self._life
        life.acquired[self.name] = life.steps + 1
        self._ask("acquire")

    def release(self) -> bool:
        """Let go of the lock. Returns whether this incarnation held it; if it did not, nothing happens."""
        return self._ask("release")

    def _ask(self, verb: str) -> Value:
        life = self._life
        life.locked = True
        acquisition = life.acquired.get(self.name, 0)
        return life.step(
            life.world.engine, self._part, verb, life.number, acquisition, name=f"lock.{verb}",
            text=f"{verb} lock {self.name}",
        )  # fmt: skip

    def __enter__(self) -> Self:
        self.acquire()
        self._life.entered.append(self.name)
        return self

    def __exit__(self, *why: object) -> None:
        self._life.entered.pop()
        self.release()
