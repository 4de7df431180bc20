"""An incarnation that is suspended at a step: how it is parked, how it goes on, and how it is disposed of.

Incarnations run in greenlets. Each step yields to the hub, which decides when, and whether, the incarnation goes on.
Greenlets are imported with the first run: the library's names need none.

Many incarnations share one process. The changes of one to that process, in a module or in the environment, are its
own and end with it: when it continues, its changes are put in place, and when it stops at its next step, they are
removed. The places are those that its handler's code names. The contents of a learner's own module come with the
handler (see `pickling`), or with an import that each incarnation repeats.
"""

import contextlib
import dis
import functools
import importlib
import importlib.util
import logging
import os
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from ..node.pickling import is_learners, modules_of_learners
from ..node.program import live

PATIENCE_STEPS = 100
interrupts: list[type[BaseException]] = [KeyboardInterrupt]  # what ends an incarnation beside its own world
_undisposed = []
WRITES = {"STORE_ATTR", "DELETE_ATTR"}
WRITERS = {"setattr", "delattr", "vars", "__dict__"}
ENVIRONMENT = {"environ", "putenv"}
OF_LOGGERS = {"setLevel", "level", "disabled", "propagate", "disable"}
GONE = object()


class Suspending:
    """The part of a simulated world for its one incarnation: switch to the hub, and suspend it for good."""

    @property
    def signals(self) -> tuple[type[BaseException], ...]:
        """The exceptions that are not the handler's own."""
        from greenlet import GreenletExit

        return GreenletExit, *interrupts

    def attach(self) -> None:
        """Belong to the greenlet that calls this: the hub."""
        from greenlet import getcurrent

        self.hub, self.patience = getcurrent(), None

    def leave(self, word: str = "died") -> NoReturn:
        """Suspend this incarnation for good, with a last word to the hub; it comes back only to be disposed of."""
        if self.patience:
            from greenlet import GreenletExit

            self.patience -= 1
            raise GreenletExit
        while True:
            self.hub.switch(word)


def started(world: Any, handler: Any) -> tuple[Any, Any]:
    """Return (a new incarnation of `handler` in `world`, its first message to the hub)."""
    life = _isolated()(live)
    return life, life.switch(world, handler)


def dispose(life: Any, world: Any) -> None:
    """Unwind a suspended incarnation, once nobody looks at its stores any more.

    A greenlet that is dropped does so by itself, but complains on the screen when the handler's `finally` asks for a
    step. Each such step dies again; a handler that catches even that, again and again, is kept for good.
    """
    if life:
        world.patience = PATIENCE_STEPS
        life.throw()
    if life:
        _undisposed.append(life)


@functools.cache
def _isolated() -> Any:
    """Return the class of greenlets for `live(world, handler)`."""
    from greenlet import greenlet

    return type("IsolatedGreenlet", (Isolated, greenlet), {})


class Isolated:
    """What a greenlet has so that it alone sees its changes to modules and to the environment."""

    places: Any = ()
    kept: Any = ()

    def switch(self, *arguments: Any) -> Any:
        """Go on, as a greenlet does."""
        if len(arguments) == 2 and not self:  # the incarnation begins
            self.places = [(place, dict(place)) for place in places_of(arguments[1])]
            anew = dict.fromkeys([module.__name__ for module in modules_of_learners()], GONE) if self.places else {}
            self.kept = [anew if place is sys.modules else {} for place, _ in self.places]
        return self._within(super().switch, arguments)  # type: ignore[misc]

    def throw(self, *arguments: Any) -> Any:
        """Raise in the greenlet."""
        return self._within(super().throw, arguments)  # type: ignore[misc]

    def _within(self, go: Callable[..., Any], arguments: Any) -> Any:
        if not self.places:
            return go(*arguments)
        for (place, _), changes in zip(self.places, self.kept, strict=False):
            _change(place, changes)
        try:
            return go(*arguments)
        finally:
            self.kept = [_differences(before, place) for place, before in self.places]
            for place, before in self.places:
                _change(place, _differences(place, before))


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return {name: value} of the names with another object in `after`; the value is GONE for a missing name."""
    changed = {name: value for name, value in dict(after).items() if not _same(value, before.get(name, GONE))}
    return changed | {name: GONE for name in dict(before) if name not in after}


def _same(one: object, other: object) -> bool:
    return one is other or (type(one) is type(other) is str and one == other)  # the environment makes its texts anew


def _change(place: Any, changes: Mapping[str, Any]) -> None:
    for name, value in changes.items():
        if value is GONE:
            place.pop(name, None)
        else:
            place[name] = value


def places_of(handler: Any) -> Any:
    """Return the mappings outside its stores that a handler may write to: of modules, loggers, and the environment.

    A module of the learner's that it imports as it runs is imported by each incarnation anew, so that `sys.modules`
    is one.
    """
    function = getattr(handler, "func", handler)  # of a functools.partial
    if not isinstance(function, (types.FunctionType, types.MethodType)):
        function = getattr(type(function), "__call__", None)  # noqa: B004 - the method, not whether there is one
    names, imports, writes, waiting, seen = set(), set(), False, [function], set()
    while waiting:
        found = waiting.pop()
        code, scope = getattr(found, "__code__", None), getattr(found, "__globals__", {})
        if code is None or code in seen:
            continue
        seen.add(code)
        named, imported, written = _named(code)
        names, imports, writes = names | named, imports | imported, writes | written
        values = {name: scope[name] for name in named if name in scope}
        names |= {value.__name__ for value in values.values() if isinstance(value, types.ModuleType)}
        waiting += [value for value in values.values() if isinstance(value, types.FunctionType)]
    for name in imports if writes else ():  # before it does so itself, so that its changes are seen
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    modules = [sys.modules[name] for name in sorted(names) if name in sys.modules] if writes else []
    found = [vars(module) for module in modules] + [os.environ] * bool(names & ENVIRONMENT)
    if names & OF_LOGGERS:
        loggers = [logging.root, logging.root.manager, *logging.root.manager.loggerDict.values()]
        found += [vars(one) for one in loggers]
    return found + [sys.modules] * any(map(_is_learners, imports))


def _is_learners(name: str) -> bool:
    """Tell whether the module of this name is a learner's own. It need not have been imported yet."""
    file = getattr(sys.modules.get(name), "__file__", None)
    if name not in sys.modules:
        with contextlib.suppress(Exception):
            spec: Any = importlib.util.find_spec(name)
            file = spec.origin
    return isinstance(file, str) and is_learners(file)


@functools.lru_cache(1024)
def _named(code: types.CodeType) -> Any:
    """Return (all names in a code object and those within it, its imports, whether it may write an attribute)."""
    names, instructions = set(code.co_names), list(dis.get_instructions(code))
    imports = {found.argval for found in instructions if found.opname == "IMPORT_NAME"}
    writes = bool(names & WRITERS) or any(found.opname in WRITES for found in instructions)
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            named, imported, written = _named(inner)
            names, imports, writes = names | named, imports | imported, writes | written
    return names, imports, writes
