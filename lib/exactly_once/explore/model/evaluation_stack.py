"""Read the evaluation stack of a suspended frame in the memory of the interpreter; Python itself does not show it.

A `for` loop's iterator, the way out of a `with` block, the exception that an `except` block handles and half a sum
lie on that stack and nowhere else. Where they lie is CPython's own affair and differs from version to version, so it
is tried first on frames of which everything is known; on a Python that puts them elsewhere nothing is read.

`called` checks that no other function is at work between a frame and the frame that it called; no frame shows such a
function.
"""

import contextlib
import ctypes
import dis
import functools
import inspect
import sys
import types
from collections import deque

from .bytecode import CALLS, Hidden, stack_layout

WORD = ctypes.sizeof(ctypes.c_size_t)
LAYOUTS = {  # where a frame has its first variable, its code and its function, in bytes
    (3, 11): (9 * WORD, 4 * WORD, 0),
    (3, 12): (9 * WORD, 0, 2 * WORD),
    (3, 13): (9 * WORD, 0, 2 * WORD),
}
VARIABLES, CODE, FUNCTION = LAYOUTS.get(
    sys.version_info[:2] if sys.implementation.name == "cpython" else None, (None, None, None)
)
ASKS_GENERATOR = {id(vars(types.GeneratorType)[name]) for name in ("send", "__next__")}
KEEPS_NOTHING = {id(next), id(any), id(all)}  # they ask a generator, and keep no value of it
OBJECT = object.__basicsize__  # where a frame object names the frame before it, and then its frame


def variables_of(code):
    """Return the names of all variables of a code object, in the order in which a frame holds them."""
    cells = [name for name in code.co_cellvars if name not in code.co_varnames]
    return [*code.co_varnames, *cells, *code.co_freevars]


def words(frame, number):
    """Return the first `number` words of a frame's contents, its variables and then its stack: addresses, or 0."""
    return list((ctypes.c_size_t * number).from_address(_place(frame) + VARIABLES))


def function_of(frame):
    """Return the address of the function that a frame is a call of."""
    return ctypes.c_size_t.from_address(_place(frame) + FUNCTION).value


def places_of(found):
    """Return (where the next `pop` looks first, what is in each place) of a set: an item, or whether one was
    there.
    """
    at, items = id(found) + OBJECT, {id(item): item for item in found}
    fill, used, mask, table, _, finger = (ctypes.c_size_t * 6).from_address(at)
    if used != len(found) or not fill >= used or mask & (mask + 1):
        raise LookupError("a set is not what this version of Python makes of one")
    words_of_places = (ctypes.c_size_t * (2 * mask + 2)).from_address(table)[::2]
    return finger, [(items[word],) if word in items else bool(word) for word in words_of_places]


def place_of(iterator):
    """Return how many items a dictionary or a set had, and how far its iterator has come, counting empty places."""
    return tuple((ctypes.c_size_t * 2).from_address(id(iterator) + OBJECT + WORD))


def has_holes(found):
    """Tell whether a dictionary keeps the places of keys that it has lost; no two of those are alike."""
    keys = (ctypes.c_size_t * 3).from_address(id(found) + OBJECT)[2]
    return ctypes.c_size_t.from_address(keys + 3 * WORD).value != len(found)


def turns_of(found):
    """Return how often a deque was changed; of an iterator over one, how often when the iterator was made."""
    place = 5 if isinstance(found, deque) else 3
    return ctypes.c_size_t.from_address(id(found) + OBJECT + place * WORD).value


def references(word):
    """Return how many references there are to the object at an address."""
    return ctypes.c_ssize_t.from_address(word).value


def thing(word):
    """Return the object at an address; it must be there."""
    return ctypes.cast(word, ctypes.py_object).value


def _place(frame):
    place = ctypes.c_size_t.from_address(id(frame) + OBJECT + WORD).value
    if ctypes.c_size_t.from_address(place + CODE).value != id(frame.f_code):
        raise LookupError("a frame is not where this version of Python keeps one")
    return place


@functools.cache
def known():
    """Tell whether this Python keeps objects at the expected addresses. Compares addresses, and follows none."""
    if VARIABLES is None or (hasattr(sys, "_is_gil_enabled") and not sys._is_gil_enabled()):
        return False
    with contextlib.suppress(Exception):
        return all(_tried() for _ in range(20))  # a frame that ran often is another one
    return False


def _tried():
    from greenlet import getcurrent, greenlet

    hub, first, error, items = getcurrent(), object(), KeyError(), iter([0])

    def waits(one, way):
        other = one
        for _ in way:
            try:
                raise error
            except KeyError:
                one = [other, hub.switch((sys._getframe(), lambda: one))]  # noqa: B023 - it is the same for all

    def yields(one):
        for _ in items:
            yield one

    life, made = greenlet(waits), yields(first)
    frame, inner = life.switch(first, items)
    names = variables_of(waits.__code__)
    names += ["iterator", "handled before", "first of a list"]
    held = dict(zip(names, words(frame, len(names)), strict=True))
    right = function_of(frame) == id(waits) and held["other"] == held["first of a list"] == id(first)
    right = right and held["iterator"] == id(items) and held["handled before"] == id(None)
    right = right and held["one"] == id(inner.__closure__[0]) and references(held["first of a list"]) > 1
    life.switch()
    items = iter([0])
    next(made)
    held, alone = words(made.gi_frame, len(variables_of(yields.__code__)) + 1), [object()]
    right = right and references(id(alone[0])) == 1
    right = right and held[0] == id(first) and held[-1] == id(items)
    table, lost = {5: 0, 6: 0, 7: 0}, {5: 0, 6: 0}
    over, of_set = iter(table), iter({5, 6, 7})
    next(over), lost.pop(5)
    right = right and not has_holes(table) and has_holes(lost)
    turning = deque([5, 6, 7])
    turning.rotate(1)
    over_deque, turned = iter(turning), turns_of(turning)
    turning.rotate(1)
    right = right and turns_of(over_deque) == turned and turns_of(reversed(turning)) == turned + 1
    right = right and turns_of(turning) == turned + 1
    right = right and (place_of(over), place_of(of_set)) == ((3, 1), (3, 0))
    return right and sorted(places_of({5, 6, 7})[1], key=bool) == [False] * 5 + [(5,), (6,), (7,)]


def called(waits, stack, below, inner):
    """Raise `Hidden` unless a frame waits directly for the frame `inner`, with no other function in between.

    `stack` are the addresses on its stack. The first `below` addresses surely belong to live objects. The operands of
    the call may be gone already, so their addresses are only compared. Returns the addresses of the further objects
    that determine the result of the call.
    """
    function, asked = function_of(inner), stack[below:]
    if waits.name in ("FOR_ITER", "SEND"):
        made = _first_argument(inner)
        if made is not None and id(made) == stack[below - 1] and _finds(type(made), "__next__", thing(function)):
            return []
        if _is_at(stack[below - 1], inner):
            return []
    elif waits.name == "WITH_EXCEPT_START":
        if _binds(stack[below - 4], function):
            return []
    elif waits.name == "BEFORE_WITH":
        made = _first_argument(inner)
        if made is not None and _finds(type(made), "__enter__", thing(function)):
            return []
    elif waits.name == "LOAD_ATTR":
        made = _first_argument(inner)
        if made is not None and id(made) == asked[0]:
            asks = next((vars(kind)[waits.asks] for kind in type(made).__mro__ if waits.asks in vars(kind)), None)
            if type(asks) is property and id(asks.fget) == function:
                return []
    elif waits.name in CALLS:
        called_one = asked[0] or asked[1]  # of a method this is what it is bound to
        # The library's own rebind versions, stages and values of stores alone; nothing happens when one is dropped.
        of_ours = inner.f_globals.get("__name__", "").startswith(("exactly_once.node.", "exactly_once.lockfree."))
        if waits.name == "CALL_FUNCTION_EX" and not of_ours and not _keeps_arguments(inner.f_code):
            raise Hidden(f"{inner.f_code.co_name} drops an argument that its caller may still hold")
        if function == called_one or (waits.leaves_block and _binds(asked[0], function)):
            return []
        if waits.name == "CALL_FUNCTION_EX" and any(_binds(word, function) for word in asked[:2]):
            return []
        if waits.name == "CALL" and KEEPS_NOTHING & set(asked[:2]) and _is_at(asked[2], inner):
            return asked[3:]
        if waits.name == "CALL" and asked[0] in ASKS_GENERATOR and _is_at(asked[1], inner):
            return []
        part = thing(called_one) if called_one else None  # C asked for this function, so its operands are there
        while type(part) is functools.partial:
            part = part.func
            if id(part) == function or _binds(id(part), function):
                return []
        made, way = _first_argument(inner), thing(function)
        if made is not None and waits.leaves_block and id(made) == asked[0] and _finds(type(made), "__exit__", way):
            return []  # while a method runs, what it is bound to stands in its place
        if made is not None and id(type(made)) == called_one and _finds(type(made), "__init__", way):
            return []
        if made is not None and id(made) == called_one and _finds(type(made), "__call__", way):
            return []
    raise Hidden(f"{inner.f_code.co_name} was called by something that keeps what it does to itself")


@functools.lru_cache(4096)
def _keeps_arguments(code):
    """Tell whether no instruction writes to an argument or drops one; not for `**`, a table that others fill."""
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & inspect.CO_VARARGS)
    written = set()
    for one in dis.get_instructions(code):
        if one.opname.startswith(("STORE_FAST", "STORE_DEREF", "DELETE_FAST", "DELETE_DEREF")):
            written |= set(one.argval) if isinstance(one.argval, tuple) else {one.argval}
    return not code.co_flags & inspect.CO_VARKEYWORDS and not written & set(code.co_varnames[:count])


def _is_at(word, frame):
    """Tell whether the object at an address is the generator of a frame."""
    found = thing(word) if word else None
    return type(found) is types.GeneratorType and found.gi_frame is frame


def _binds(word, function):
    """Tell whether the object at an address is a method of the function at another."""
    found = thing(word) if word else None
    return type(found) is types.MethodType and id(found.__func__) == function


def _finds(kind, name, function):
    """Tell whether a class calls this function by a name, and does nothing else beside it."""
    plainly = type(kind) is type and (name != "__init__" or kind.__new__ is object.__new__)
    return plainly and getattr(kind, name, None) is function


def _first_argument(frame):
    """Return the first argument of a call, or None when there is none or its variable may hold another one now."""
    code = frame.f_code
    if not code.co_argcount or code.co_varnames[0] in (*code.co_cellvars, *stack_layout(code).written):
        return None
    word = words(frame, 1)[0]
    return thing(word) if word else None
