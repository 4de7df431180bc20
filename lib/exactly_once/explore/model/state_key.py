"""Local states as values: a key that determines the future of a suspended incarnation, or else `Hidden`.

Two incarnations with equal keys stand at the same instructions with equal variables, shared in the same way: a list
that two variables hold is another thing than two equal lists. Iterators are in the key by how far they have come; a
learner's own objects and classes by what they hold. A variable that is written before it is read again is left out
where nothing happens when it is dropped.

What no variable shows has no key (`frames`): a half-finished expression, a `with` block, the handler of an exception,
and a function written in C that called back, as `list(map(step, items))` does. There the history stands in, and so
it does for kinds of values that handlers seldom hold, as sets, generators and members of enumerations are.
"""

import collections
import contextlib
import copy
import dataclasses
import fractions
import functools
import inspect
import json
import operator
import reprlib
import struct
import sys
import types
from collections import deque
from fractions import Fraction

from ...node import Node
from ...node.world import Life
from ...pipeline import Reading
from .bytecode import (
    BY_NAME,
    HARMLESS_MODULES,
    Hidden,
    harmless_builtin,
    stack_layout,
)
from .frames import IMMUTABLE, below, called, is_ours, own_attributes, variables_of
from .versions import Version

PLAIN = {type(None), bool, int, str, bytes, type(Ellipsis), type(NotImplemented)}
# Whose code it is: what is `WORLDLY` carries out steps, and its frames are in no key; what is `TRUSTED` is the rest
# of a step; of `LIBRARY`'s classes the key has names and attributes; all that `is_ours` changes nothing of its own.
CLIENT = "exactly_once.log.transactions.producer"
LIBRARY = (CLIENT, *(f"exactly_once.{part}" for part in ("node.", "pipeline", "lockfree.", "handlers.", "clocks")))
TRUSTED = (CLIENT, "exactly_once.node.", "exactly_once.pipeline")
WORLDLY = ("exactly_once.simulate.", "exactly_once.explore.", "exactly_once.node.world")
PYTHONS = (collections, contextlib, copy, dataclasses, fractions, functools, json)
OWN_CODE = {module.__file__ for module in PYTHONS} | {json.decoder.__file__, json.encoder.__file__}
REDUCED = {type(iter(one)) for one in ([], (), "", b"", range(0), range(1 << 99))}
REDUCED |= {type(reversed(one)) for one in ([], (), range(0), range(1 << 99))}
REDUCED |= {enumerate, zip, map, filter}
OF_A_CLASS = {"__dict__", "__weakref__", "__module__", "__doc__", "__qualname__", "__annotations__", "__slots__"} | {
    "__firstlineno__", "__static_attributes__", "__orig_bases__", "__match_args__", "__dataclass_fields__",
    "__dataclass_params__", "__annotate_func__", "__annotations_cache__", "_field_defaults",
}  # fmt: skip
BASES = {object, tuple}
OF_SLOTS = {types.MemberDescriptorType, type(collections.namedtuple("One", "a").a)}
MADE = {dataclasses.__file__, reprlib.__file__}  # where a dataclass's given methods were written
OPTIMIZED, HEAP = inspect.CO_OPTIMIZED, 1 << 9
_first_seen = {}  # {id: (module or class, its contents)}


def trusted(module):
    """Tell whether code of this module is the library's own part of a step."""
    return module is not None and module.startswith(TRUSTED)


SLOT_NAMES = "__slotnames__"  # pickling writes it to a class


def untouched(place):
    """Tell whether a module, or a class that no handler owns, holds the same objects as when it was first seen."""
    if isinstance(place, type) and place.__flags__ & IMMUTABLE:
        return True
    now = {name: value for name, value in vars(place).items() if name != SLOT_NAMES}
    _, first = _first_seen.setdefault(id(place), (place, now))
    return now.keys() == first.keys() and all(map(operator.is_, now.values(), map(first.get, now)))


class Key:
    """Builds one key: a flat tuple. Raises `Hidden` on the way when a value is not of a known kind."""

    def __init__(self):
        self.parts, self.seen, self.kept = [], {}, []
        self.versions = []  # (place among the parts, `Version`), in an incarnation that is watched
        self.outermost = None  # the code of the handler, if nothing calls that again
        self.callees, self.stores = set(), set()  # labels of what frames called; (kind, name) of what code writes

    def life(self, found, handler, recurs):
        """Add the frames of an incarnation, the innermost first. `handler` is what the outermost is a call of, which
        may be called again if it `recurs`.
        """
        held = [variables_of(frame) for frame in found]
        functions = [None] * len(found)
        if found and type(handler) is types.FunctionType and handler.__code__ is found[-1].f_code:
            functions[-1], self.outermost = handler, None if recurs else handler.__code__
        for place in range(len(found) - 1):
            outer = found[place + 1]
            if not all(is_ours(one.f_globals.get("__name__")) for one in (outer, found[place])):
                known = stack_layout(outer.f_code)
                functions[place] = function = called(outer, held[place + 1], known, found[place], held[place])
                label = known.callee.get(known.at(outer.f_lasti))
                self.callees.add(label)
                while function and label and label[0] in ("attribute", "result"):
                    label = label[-1]
                    self.callees.add(label)
        for frame, variables, function in zip(found, held, functions, strict=True):
            self.frame(frame, variables, function)
        for kind, name, *_ in filter(None, self.callees):
            if (kind, name) in self.stores:
                raise Hidden(f"{name}, which may have been another function when it was called")

    def frame(self, frame, held, function):
        """Add a suspended frame with its variables. `function` is what it is a call of, if that is known."""
        code, module = frame.f_code, frame.f_globals.get("__name__")
        known = stack_layout(code, trusted(module))
        offset = known.at(frame.f_lasti)
        if not known.clean or offset is None or not code.co_flags & OPTIMIZED:
            raise Hidden(f"{code.co_name} does something with its variables that they do not show")
        shown = {*known.live[offset], *code.co_cellvars, *code.co_freevars, *below(known.below[offset], held, frame)}
        if known.rebound[offset] and not trusted(module) and code is not self.outermost:
            raise Hidden(f"{code.co_name} shares a variable with another function, and may write it")
        self.parts += ("frame", code, offset)
        if not trusted(module):
            self.code(code, frame.f_globals)
        for name in sorted(held):
            if name in code.co_freevars and not is_ours(module):
                cell = function and function.__closure__[code.co_freevars.index(name)]
                if not cell or not _holds(cell, held[name]):
                    raise Hidden(f"{code.co_name} shares a variable with another function")
                self.parts.append(name)
                self.cell(cell)
            elif name in shown or not _passive(held[name]):
                self.parts.append(name)
                self.value(held[name])

    def cell(self, cell):
        """Add a cell, which several functions may share."""
        if type(cell) is not types.CellType:
            raise Hidden("a variable of several functions")
        if self.again(cell):
            return
        self.parts.append("cell")
        try:
            held = cell.cell_contents
        except ValueError:
            self.parts.append("empty")
        else:
            self.value(held)

    def again(self, value):
        """Tell whether a thing was added before, and add its number if it was."""
        if id(value) in self.seen:
            self.parts += ("again", self.seen[id(value)])
            return True
        self.seen[id(value)] = len(self.seen)
        self.kept.append(value)
        return False

    def code(self, code, scope):
        """Add the values that a code object reads from outside its variables; raise `Hidden` when it may do more."""
        found = stack_layout(code)
        mark = ("code", code, id(scope))
        if mark in self.seen:
            return
        self.seen[mark] = len(self.seen)
        if not found.clean:
            raise Hidden(f"{code.co_name} looks behind what it is given, or writes where no variable shows it")
        if not all(untouched(sys.modules[name]) for name in found.imports if name in sys.modules):
            raise Hidden(f"{code.co_name} imports a module that was changed")
        for name in sorted(found.names):
            if name in scope:
                self.parts.append(name)
                self.value(scope[name])
            elif not harmless_builtin(name):
                raise Hidden(f"{code.co_name} uses {name}")
            else:
                self.parts += (name, "builtin")
        for inner in found.inner:
            self.code(inner, scope)

    def value(self, value):
        """Add one value."""
        kind = type(value)
        if kind in PLAIN:
            self.parts += (kind, value)
        elif kind is float and value == value:  # equal zeros may be told apart by their sign
            self.parts += (kind, struct.pack("<d", value))
        elif kind is Fraction:
            self.parts += (kind, value.numerator, value.denominator)
        elif kind is tuple or kind is Reading:
            self.many(kind, tuple(value))
        elif kind in (range, slice):
            self.many(kind, (value.start, value.stop, value.step))
        elif kind is Version:
            self.versions.append((len(self.parts) + 1, value))
            self.parts += (int, value.value)
        else:
            self.shared(value, kind)

    def many(self, kind, values):
        """Add the values of a collection, in order."""
        self.parts += (kind, len(values))
        for value in values:
            self.value(value)

    def shared(self, value, kind):
        """Add a value that can change, or be told from an equal one: once in full, then by its number."""
        if self.again(value):
            return
        if kind is list:
            self.many(kind, value)
        elif kind is dict and all(map(_stays_as_it_is, value)):
            self.many(kind, [part for pair in value.items() for part in pair])
        elif kind is deque:
            self.many(kind, [value.maxlen, *value])
        elif kind in REDUCED:
            self.kept.append(value.__reduce__())  # an iterator: it tells its place by itself
            self.many(kind, self.kept[-1][1:])
        elif kind is functools.partial:
            self.many(kind, [value.func, value.args, value.keywords, vars(value)])
        elif kind in (staticmethod, classmethod, property):
            parts = ("fget", "fset", "fdel") if kind is property else ("__func__",)
            self.many(kind, [*(getattr(value, part) for part in parts), getattr(value, "__dict__", None)])
        elif kind is Life:  # it holds stamps and provenance, too, which no handler sees
            replies = [(name, reply is None, reply and reply.value) for *_, reply, name in value.in_flight]
            self.many(kind, replies)
        elif kind is types.FunctionType:
            self.function(value)
        elif kind is types.MethodType:
            self.parts.append("method")
            self.value(value.__func__)
            self.value(value.__self__)
        elif kind in (types.BuiltinFunctionType, types.BuiltinMethodType):
            self.builtin(value)
        elif issubclass(kind, types.ModuleType):
            self.module(value)
        elif issubclass(kind, type):
            self.type(value)
        else:
            self.object(value, kind)

    def function(self, value):
        """Add a function: where it was written, its defaults, closure and attributes, and what it reads."""
        self.parts += ("function", value.__code__, value.__name__, value.__qualname__)
        if value.__name__ in BY_NAME and (is_ours(value.__module__) or value.__code__.co_filename in OWN_CODE):
            raise Hidden(f"the function {value.__name__}")
        for part in (value.__defaults__, value.__kwdefaults__, value.__dict__ or None):
            self.value(part)
        for cell in value.__closure__ or ():
            self.cell(cell)
        written_in = value.__globals__.get("__name__")  # its `__module__` may come from what it wraps
        if not is_ours(written_in) and value.__code__.co_filename not in OWN_CODE:
            self.code(value.__code__, value.__globals__)

    def builtin(self, value):
        """Add a function written in C, and its bound object."""
        owner = value.__self__
        if value.__name__ in BY_NAME and value is not format:
            raise Hidden(f"the function {value.__name__}")
        self.parts.append(("builtin", value.__name__))
        if owner is None or isinstance(owner, types.ModuleType):
            module = value.__module__ or "builtins"
            known = (
                harmless_builtin(value.__name__)
                if module == "builtins"
                else module in HARMLESS_MODULES | {"_functools", "_heapq", "_bisect"}
            )
            if not known:
                raise Hidden(f"the function {value.__name__}")
            return
        self.value(owner)

    def module(self, value):
        """Add a module that keeps nothing, by its name: the library's, or one of Python's."""
        name = value.__name__.partition(".")[0]
        self.parts.append(("module", value.__name__))
        classes = [one for one in vars(value).values() if isinstance(one, type) and name in str(one.__module__)]
        if name not in HARMLESS_MODULES or not all(map(untouched, [value, *classes])):
            raise Hidden(f"the module {value.__name__}")

    def type(self, value):
        """Add a class: one of Python's own or of the library by name, a learner's own by what it defines."""
        module, name = value.__module__, value.__qualname__
        if (module == "builtins" and harmless_builtin(value.__name__)) or _is_known(value):
            if not untouched(value) or name in BY_NAME:
                raise Hidden(f"the class {name}, which was changed, or changes what no key has")
            self.parts.append(("class", module, name))
            return
        bases = {base for base in value.__bases__ if _is_pythons(base)}
        if (
            type(value) is not type
            or not (bases <= BASES or issubclass(value, BaseException))
            or "__del__" in vars(value)
            or type(vars(value).get("__dict__")) not in (type(None), types.GetSetDescriptorType)
        ):
            raise Hidden(f"the class {name}")
        self.parts.append(("class", module, name, value.__name__))
        for base in value.__bases__:
            if base not in BASES:
                self.value(base)
        fields = vars(value).get("__dataclass_fields__") or {}
        self.stores |= {("attribute", field) for field in fields}  # its `__init__` may be called again
        for field in fields.values():
            for given in (field.default, field.default_factory):
                if type(given) is not type(dataclasses.MISSING):
                    self.value(given)
        for name, held in vars(value).items():
            code = held.__code__ if type(held) is types.FunctionType else None
            made = fields and code and not {*held.__dict__} - {"__wrapped__"}  # it has no attributes of its own
            made = made and (code.co_filename in MADE or code.co_qualname.startswith("__create_fn__."))
            if type(held) in OF_SLOTS or made:  # the name may lead to another slot by now
                self.parts += (name, code if made else getattr(held, "__name__", held.__reduce__()[1]))
            elif name not in OF_A_CLASS:
                self.parts.append(name)
                self.value(held)
        self.parts.append("end")

    def object(self, value, kind):
        """Add an object: its class, by name if it is the library's, its attributes, and its items, if it has any."""
        # What a class has from one of Python's, as a list has its items, is no attribute.
        shows_all = all(one.__flags__ & HEAP or one in BASES for one in kind.__mro__)
        if shows_all and _ours(kind) and _is_known(kind) and untouched(kind):
            self.parts += ("object", kind.__qualname__)
        elif shows_all and not _is_pythons(kind):
            self.parts.append("object")
            self.value(kind)
        else:
            raise Hidden(f"an object of the kind {kind.__name__}")
        self.many("attributes", [part for pair in _attributes(value, kind) for part in pair])
        if issubclass(kind, tuple):
            self.many(tuple, list(tuple.__iter__(value)))


def _passive(value, depth=6):
    """Tell whether nothing happens when a value is dropped."""
    kind = type(value)
    if kind in PLAIN | {float} or kind in (Fraction, Reading, range, Node, Version, Life):
        return True
    if _ours(kind) and _is_known(kind):
        parts = list(value) if isinstance(value, tuple) else [one for _, one in _attributes(value, kind)]
        return depth > 0 and all(_passive(one, depth - 1) for one in parts)
    if kind in (tuple, list, dict) and depth:
        values = [*value, *value.values()] if kind is dict else value
        return len(values) < 100 and all(_passive(one, depth - 1) for one in values)
    return kind is types.MethodType and _passive(value.__self__, depth)


def _has_refused(frame):
    """Tell whether a frame belongs to an incarnation that remembers a request for a step from another thread."""
    life = variables_of(frame).get("self")
    return type(life) is Life and life.refusal is not None


@functools.lru_cache(1_000)
def _slots(kind):
    """Return the (name, slot) pairs of all slots of a class, which stay as they are when it is made."""
    every = (pair for one in kind.__mro__ for pair in vars(one).items())
    return [(name, slot) for name, slot in every if type(slot) is types.MemberDescriptorType]


def _attributes(value, kind):
    """Return the (name, value) pairs of an object's attributes, those in slots included."""
    held = list(own_attributes(value).items())
    for name, slot in _slots(kind):
        with contextlib.suppress(AttributeError):  # nothing is in it
            held.append((name, slot.__get__(value)))
    return held


def _is_known(kind):
    """Tell whether a class is what a module of Python's or of the library has under its name."""
    known = kind.__module__ in HARMLESS_MODULES or is_ours(kind.__module__)
    return known and getattr(sys.modules.get(kind.__module__), kind.__qualname__, None) is kind


def _stays_as_it_is(key):
    """Tell whether the hash of a dictionary's key never changes."""
    if type(key) is tuple:
        return all(map(_stays_as_it_is, key))
    return type(key) in PLAIN | {float, Fraction, Reading, Version, type, types.FunctionType}


def _holds(cell, value):
    """Tell whether a cell holds this very value."""
    try:
        return cell.cell_contents is value
    except ValueError:  # it is empty
        return False


def _is_pythons(kind):
    return not kind.__flags__ & HEAP or kind.__module__ in sys.stdlib_module_names


def _ours(kind):
    return str(kind.__module__).startswith(LIBRARY)


def local_key(life, handled, last, stores, recurs):
    """Return (the key of a suspended incarnation, its versions), from its innermost frame to before the frame `last`.

    `handled` is the exception that it handles, which a bare `raise` would raise once more, or None. `stores` are the
    (kind, name) of all that code writes which came with the handler, or None where some of it looks behind what it is
    given: a function may have done something, and be gone by now. `recurs` tells whether the handler may call itself.
    Raises `Hidden` when a part of the incarnation cannot be seen.
    """
    if stores is None:
        raise Hidden("code that looks behind what it is given, or writes where no variable shows it")
    if any(life.kept):
        raise Hidden("it changed a module")
    if handled is not None:
        raise Hidden("an error is being handled")
    frame, found = life.gr_frame, []
    while frame is not None and frame.f_code is not last:
        if not str(frame.f_globals.get("__name__")).startswith(WORLDLY):
            found.append(frame)
        elif found or _has_refused(frame):
            raise Hidden("a step called back, or another thread asked for one")
        frame = frame.f_back
    key = Key()
    key.stores.update(stores)
    try:
        key.life(found, None if frame is None else variables_of(frame).get("handler"), recurs)
    except RecursionError:
        raise Hidden("values within values are too deep") from None
    return tuple(key.parts), key.versions
