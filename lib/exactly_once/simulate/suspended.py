"""An incarnation that is suspended at a step: how it is parked, how it goes on, and how it is disposed of.

Incarnations run in greenlets. Each step yields to the hub, which decides when, and whether, the incarnation goes on.
Greenlets are imported with the first run, so that the library's names need none; `isolated` has their class.
"""

from ..node.program import live

PATIENCE_STEPS = 100
interrupts: list[type[BaseException]] = [KeyboardInterrupt]  # what ends an incarnation beside its own world
_undisposed = []


class Suspending:
    """The part of a simulated world for its one incarnation: switch to the hub, and suspend it for good."""

    @property
    def signals(self):
        """The exceptions that are not the handler's own."""
        from greenlet import GreenletExit

        return GreenletExit, *interrupts

    def attach(self):
        """Belong to the greenlet that calls this: the hub."""
        from greenlet import getcurrent

        self.hub, self.patience = getcurrent(), None

    def leave(self, word="died"):
        """Suspend this incarnation for good, with a last word to the hub; it comes back only to be disposed of."""
        from greenlet import GreenletExit

        if self.patience:
            self.patience -= 1
            raise GreenletExit
        while True:
            self.hub.switch(word)


def started(world, handler):
    """Return (a new incarnation of `handler` in `world`, its first message to the hub)."""
    from .isolated import IsolatedGreenlet

    life = IsolatedGreenlet(live)
    return life, life.switch(world, handler)


def dispose(life, world):
    """Unwind a suspended incarnation, once nobody looks at its stores any more.

    A greenlet that is dropped does so by itself, but complains on the screen when the handler's `finally` asks for a
    step. Each such step dies again; a handler that catches even that, again and again, is kept for good.
    """
    if life:
        world.patience = PATIENCE_STEPS
        life.throw()
    if life:
        _undisposed.append(life)
