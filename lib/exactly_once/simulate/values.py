"""Local states as values: what a suspended life will do next, written down, or `Hidden` when that cannot be seen.

Two lives with equal keys stand at the same instructions with equal variables, shared in the same way: a list that two
variables hold is another thing than two equal lists.
"""

import types
from collections import deque
from fractions import Fraction

from ..errors import OutcomeUnknown
from ..node import Job, Node, Reading, Window
from ..node.life import Life
from .bytecode import HARMLESS_MODULES, anatomy, harmless_builtin

PLAIN = {type(None), bool, int, str, bytes, complex, type(Ellipsis), type(NotImplemented)}
NODE_MODULES = ("exactly_once.node.",)
DEEPEST = 60
WORLDLY = ("exactly_once.simulate.", "exactly_once.node.life", "exactly_once.node.world")  # what carries out a step


class Hidden(Exception):
    """Something decides what this life does next that no variable shows."""


def trusted(module):
    """Tell whether code of this module is the library's own part of a step."""
    return module is not None and module.startswith(NODE_MODULES)


class Key:
    """Builds one key: a flat tuple. Raises `Hidden` on the way when a value is not of a known kind."""

    def __init__(self):
        self.parts, self.seen, self.kept, self.depth = [], {}, [], 0
        self.blocks = 0  # `with` blocks that the frames are in

    def frame(self, frame):
        """Add a suspended frame."""
        code, module = frame.f_code, frame.f_globals.get("__name__")
        known = anatomy(code, trusted(module))
        at = known.at(frame.f_lasti)
        if known.generator or not known.clean or at is None:
            raise Hidden
        self.blocks += at[1]
        self.parts += ("frame", code, at[0])
        if not trusted(module):
            self.code(code, frame.f_globals)
        for name, value in frame.f_locals.items():
            self.parts.append(name)
            self.value(value)
        self.parts.append("end")

    def code(self, code, scope):
        """Add what a code object reads from outside its variables; raise `Hidden` when it may do more."""
        found = anatomy(code)
        mark = ("code", id(code))
        if mark in self.seen:
            return
        self.seen[mark] = len(self.seen)
        self.kept.append(code)
        if not found.clean:
            raise Hidden
        for name in sorted(found.names):
            if name in scope:
                self.parts.append(name)
                self.value(scope[name])
            elif not harmless_builtin(name):
                raise Hidden
        for inner in found.inner:
            self.code(inner, scope)

    def value(self, value):
        """Add one value."""
        kind = type(value)
        if kind in PLAIN:
            self.parts += (kind, value)
        elif kind is float:
            self.parts += (kind, value.hex())
        elif kind is Fraction:
            self.parts += (kind, value.numerator, value.denominator)
        elif kind is Reading:
            self.parts += (kind, value.hour, value.stream, value.value.numerator, value.value.denominator)
        elif kind in (tuple, range, slice) or (kind is frozenset and not value):
            self.many(kind, _items(value))
        else:
            self.shared(value, kind)

    def many(self, kind, values):
        """Add the values of a collection, in order."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise Hidden
        self.parts += (kind, len(values))
        for value in values:
            self.value(value)
        self.depth -= 1

    def shared(self, value, kind):
        """Add a value that can change, or be told from an equal one: once in full, then by its number."""
        if id(value) in self.seen:
            self.parts += ("again", self.seen[id(value)])
            return
        self.seen[id(value)] = len(self.seen)
        self.kept.append(value)
        if kind is list:
            self.many(kind, value)
        elif kind is dict:
            self.many(kind, [part for pair in value.items() for part in pair])
        elif kind is set and not value:
            self.parts.append(kind)
        elif kind is deque:
            self.many(kind, [value.maxlen, *value])
        elif kind is Life:  # it holds stamps and provenance, too, which no handler sees
            replies = [(name, reply is None, reply and reply.value) for *_, reply, name in value.in_flight]
            self.many(kind, replies)
        elif kind is Job:
            self.parts.append(kind)  # all lives have one
        elif isinstance(value, types.FunctionType):
            self.function(value)
        elif isinstance(value, types.MethodType):
            self.parts.append(("method", value.__func__.__qualname__))
            self.value(value.__self__)
        elif kind in (types.BuiltinFunctionType, types.BuiltinMethodType):
            self.builtin(value)
        elif isinstance(value, types.ModuleType):
            self.module(value)
        elif isinstance(value, type):
            self.type(value)
        elif kind is Window or kind is Node or _ours(kind):
            self.instance(value, kind)
        else:
            raise Hidden

    def function(self, value):
        """Add a function: where it was written, its defaults, closure and attributes, and what it reads."""
        self.parts += ("function", value.__code__)
        cells = value.__closure__ or ()
        for part in (value.__defaults__, value.__kwdefaults__, value.__dict__ or None):
            self.value(part)
        for cell in cells:
            try:
                self.value(cell.cell_contents)
            except ValueError:  # an empty cell
                raise Hidden from None
        if not _is_ours(value.__module__):
            self.code(value.__code__, value.__globals__)

    def builtin(self, value):
        """Add a function written in C, and what it is bound to."""
        owner = value.__self__
        self.parts.append(("builtin", value.__name__))
        if owner is None or isinstance(owner, types.ModuleType):
            if (value.__module__ or "builtins") != "builtins" and value.__module__ not in HARMLESS_MODULES | {
                "_functools"
            }:
                raise Hidden
            if value.__module__ == "builtins" and not harmless_builtin(value.__name__):
                raise Hidden
            return
        self.value(owner)

    def module(self, value):
        """Add a module that keeps nothing for a handler."""
        if value.__name__.partition(".")[0] not in HARMLESS_MODULES - {"exactly_once"}:
            raise Hidden
        self.parts.append(("module", value.__name__))

    def type(self, value):
        """Add a class of Python's own or of the library."""
        builtin = value.__module__ == "builtins" and harmless_builtin(value.__name__)
        if not (builtin or value in (Fraction, Window, Reading, deque, OutcomeUnknown) or _is_ours(value.__module__)):
            raise Hidden
        self.parts.append(("class", value.__module__, value.__qualname__))

    def instance(self, value, kind):
        """Add an object of the library, attribute by attribute."""
        if isinstance(value, tuple):
            self.many(("tuple", kind.__qualname__), list(value))
            return
        held = getattr(value, "__dict__", None)
        if held is None:
            raise Hidden
        self.many(("object", kind.__qualname__), [part for pair in held.items() for part in pair])


def _items(value):
    return [value.start, value.stop, value.step] if isinstance(value, (range, slice)) else list(value)


def _is_ours(module):
    """Tell whether a name stands in the library, whose modules keep nothing from step to step."""
    return module is not None and module.startswith("exactly_once.")


def _ours(kind):
    return kind.__module__.startswith(
        ("exactly_once.node.", "exactly_once.lockfree.", "exactly_once.handlers.", "exactly_once.clocks")
    )


def local_key(frame, last):
    """Return the key of a suspended life, from its innermost frame of interest up to, without, the frame `last`.

    Raises `Hidden` when a part of it cannot be seen.
    """
    key, locks = Key(), ()
    while frame is not None and frame.f_code is not last:
        module = frame.f_globals.get("__name__", "")
        if not module.startswith(WORLDLY):
            key.frame(frame)
        elif type(frame.f_locals.get("self")) is Life:
            locks = frame.f_locals["self"].entered
        frame = frame.f_back
    if key.blocks != len(locks):
        raise Hidden  # a block of something else than a lock
    return (*key.parts, "locks", *locks)
