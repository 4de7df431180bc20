"""One life of a handler: each step is an intention, an operation on a store and a reply, and each can go wrong."""

import contextlib
import sys
import threading
from dataclasses import replace

from ..clocks import LamportClock
from ..errors import CourseError, OutcomeUnknown
from ..stores import Blocked, Origin
from ..trace.events import Event, life_name, takeover
from .words import describe


class InputsEnded(BaseException):
    """Bounded inputs have ended: a read would wait for ever, so the life ends in good order."""


class TooManySteps(BaseException):
    """A handler took more steps than any sensible one needs for its inputs."""


class Life:
    """Carries out the steps of one life in a `World`: stamps and records them, and applies the fault plan.

    The intention is recorded before a step, so that a kill in between leaves no false trace; the store writes effect,
    stamp and origin in one transaction; the reply is recorded last.
    """

    def __init__(self, world, handler=None):
        self.world = world
        self.code = getattr(handler, "__code__", None)
        self.clock = LamportClock()
        self.number = world.recorder.begin(self.clock, world.whereabouts())
        self.steps = 0
        self.item = None
        self.inputs = ()
        self.dead = self.locked = False
        self.entered = []  # the names of the locks whose `with` blocks it is in
        self.thread = threading.get_ident()
        world.begins(self.number)

    def step(self, store, part, verb, *arguments, name, text):
        """Carry out one operation on a store and return its value.

        `name` is the step's name in fault plans, `text` what it says to people. Raises `OutcomeUnknown` when the
        plan loses the request or the reply.
        """
        detail = {"part": part, "sender": arguments[0]} if verb == "take" else {"part": part}
        event = self._begin(name.partition(".")[2], text, detail)
        self._strike(name, "crash before", event)
        event = self._send(event)
        if self._strike(name, "lost request", event):
            raise unknown(name)
        origin = _origin(event, self.inputs)
        reply = self.world.carry_out(store, part, verb, arguments, origin)
        if self._strike(name, "duplicated request", event):
            arguments = tuple(reply.value[:1]) if verb == "take" else arguments
            with contextlib.suppress(Blocked):  # nothing is left to take
                store.do(part, verb, *arguments, origin=origin)
        self._strike(name, "crash after", event)
        if self._strike(name, "lost reply", event):
            raise unknown(name)
        stamp = self.clock.receive(reply.sent)
        self._record(
            replace(
                event,
                kind="receive",
                stamp=stamp,
                verb="reply",
                text=_answer(verb, reply.value),
                message=f"{event.message[:-1]}<",
            )
        )
        return reply.value

    def crash_point(self, letter):
        """Pass a crash point: a step that does nothing, where a fault can strike."""
        event = self._begin("crash point", f"crash point {letter}")
        event = replace(event, stamp=self.clock.local(), detail={"point": letter})
        self._record(event)
        self._strike(letter, "crash", event)

    def choose(self, options, saying="choose"):
        """Let the world decide between options; a step. The trace says which it was after the words `saying`."""
        event = self._begin("choose", "choose")
        self._strike("choose", "crash before", event)
        chosen = self.world.choose(options)
        self._record(replace(event, stamp=self.clock.local(), text=f"{saying} {describe(chosen)}"))
        self._strike("choose", "crash after", event)
        return chosen

    def finish(self, verb, text):
        """Record how the life ended in good order, or by the handler's own error."""
        self._let_go()
        self._record(Event(life_name(self.number), "local", self.clock.local(), verb, text, self.number, self.steps))

    def give_up(self, text):
        """Record that this life ended because it could not know an outcome: the next life takes over."""
        self._let_go()
        self._record(self._death(text, {}))

    def _begin(self, verb, text, detail=None):
        if self.dead:
            self.world.haunt()
        if threading.get_ident() != self.thread:
            raise CourseError(
                f"The step {text!r} was asked for by another thread; a handler takes its steps in its own."
            )
        self.steps += 1
        event = Event(
            life_name(self.number),
            "local",
            self.clock.time,
            verb,
            text,
            self.number,
            self.steps,
            self.item,
            line=self._line(),
            detail=detail or {},
        )
        self.world.turn(event)
        return event

    def _send(self, event):
        event = replace(event, kind="send", stamp=self.clock.send(), message=f"{self.number}.{self.steps}>")
        self._record(event)
        return event

    def _record(self, event):
        self.world.recorder.record(event)

    def _strike(self, at, kind, event):
        """Apply the first fault of the plan that strikes here; tell whether one did. A crash does not return."""
        for key, fault in self.world.striking(at, kind, self.item, self.number):
            if self.world.recorder.fire(key):
                if fault.deadly:
                    self._die(fault, key)
                detail = {**event.detail, "fault": fault.kind, "key": key}
                self._record(
                    replace(
                        event,
                        kind="local",
                        stamp=self.clock.local(),
                        verb="fault",
                        text=fault.kind,
                        detail=detail,
                        message=None,
                    )
                )
                return True
        return False

    def _die(self, fault, key):
        self._record(self._death(f"SIGKILL {_place(fault)}", {"at": fault.place, "kill": fault.kill, "key": key}))
        self.dead = True
        self._let_go()
        self.world.die(fault, self)

    def _let_go(self):
        """Release what this life still holds, as a database does when a session ends."""
        if self.locked:
            self.world.free(self.number)

    def _death(self, text, detail):
        return Event(
            life_name(self.number),
            "send",
            self.clock.send(),
            "dies",
            text,
            self.number,
            self.steps,
            self.item,
            message=takeover(self.number),
            line=self._line(),
            detail=detail,
        )

    def _line(self):
        """Return the line of the handler that is running, counted from its first line."""
        if self.code is None:
            return None
        frame = sys._getframe(2)
        while frame is not None:
            code = frame.f_code
            if (
                code.co_name == self.code.co_name
                and code.co_firstlineno == self.code.co_firstlineno
                and code.co_filename == self.code.co_filename
            ):
                return frame.f_lineno - code.co_firstlineno + 1
            frame = frame.f_back
        return None


def unknown(name):
    """Return what a handler is told when no reply came: the same, whether the request or the reply was lost."""
    return OutcomeUnknown(f"No reply to {name}: it was done or it was not, and a handler cannot know which.")


def _place(fault):
    return f"at {fault.at}" if fault.kind == "crash" else fault.place


def _origin(event, inputs):
    return Origin(event.life, event.step, event.item, event.stamp, inputs)


def _answer(verb, value):
    if verb == "cas":
        return "done" if value else "refused"
    if verb == "take":
        return f"from node {value[0]}: {describe(value[1])}"
    if verb == "release":
        return "done" if value else "it was not held"
    if verb in ("write", "append", "add", "put", "acquire"):
        return "done"
    return describe(value[1] if verb == "read" else value)
