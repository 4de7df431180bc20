"""Handlers by value: each incarnation gets a fresh copy, here or in another process, as Spark ships functions.

The contents of a learner's own module would travel by name, and survive from incarnation to incarnation in one
process; so all of these modules travel by value as well.
"""

import contextlib
import functools
import io
import linecache
import sys
import sysconfig
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import cloudpickle

from ..errors import BadInput

PACKAGE = __name__.partition(".")[0]
_CACHE = type(functools.lru_cache(abs))
_pickling = threading.RLock()  # cloudpickle has one register for all threads
# The second is in a `functools.singledispatch`, the third in a `functools.cached_property` of Python 3.11.
FRESH = (threading.local, weakref.WeakKeyDictionary, type(_pickling))


def pickle_handler(handler: object, compiled: Callable[[CodeType], CodeType] | None = None) -> bytes:
    """Return `handler`, or values with handlers among them, as bytes: `unpickle_handler` makes a fresh copy anywhere.

    The copy of a learner's function has the code `compiled(code)` in place of its `code`, if `compiled` is given.
    Raises `BadInput` for a handler that holds something that cannot leave its process, such as an open file.
    """
    try:
        with _pickling, _by_value(modules_of_learners()):
            pickled = io.BytesIO()
            pickler = _Pickler(pickled)
            pickler.compiled = compiled
            pickler.dump(handler)
            return pickled.getvalue()
    except Exception as why:
        name = getattr(handler, "__name__", "")
        who = f"The handler {name!r}" if name else "A handler or a rule"
        raise BadInput(
            f"{who} holds something that cannot travel to another process "
            f"({type(why).__name__}: {why}). Make such things inside the handler."
        ) from why


class _Pickler(cloudpickle.Pickler):
    """Pickles a learner's caches and variables of a thread as well: each incarnation gets them fresh."""

    compiled: Callable[[CodeType], CodeType] | None = None

    def reducer_override(self, value: Any) -> Any:
        """Return how to make an object anew, of the kinds that cloudpickle knows by name only, or not at all."""
        if type(value) is _CACHE and _stays_behind(value):
            return _cache, (value.__wrapped__, value.cache_parameters())
        if type(value) is CodeType:
            code = value if self.compiled is None else self.compiled(value)
            entry = linecache.cache.get(code.co_filename, ())
            lines = entry[2] if len(entry) == 4 and entry[1] is None else None  # of a notebook's cell, and of no file
            make, arguments = cloudpickle.cloudpickle._code_reduce(code)
            return _code, (code.co_filename, lines, make, arguments)
        if type(value) in FRESH:
            return type(value), ()
        return super().reducer_override(value)


def _code(file: str, lines: list[str] | None, make: Callable[..., CodeType], arguments: tuple[Any, ...]) -> CodeType:
    """Return a code object, and have its source in this process, too: for tracebacks, and for the explorer."""
    if lines is not None:
        linecache.cache[file] = sum(map(len, lines)), None, lines, file
    return make(*arguments)


def _stays_behind(value: Any) -> bool:
    """Tell whether a name is known nowhere but here."""
    module = value.__module__
    by_value = module == "__main__" or module in cloudpickle.list_registry_pickle_by_value()
    return by_value or module not in sys.modules or "<locals>" in value.__qualname__


def _cache(function: Callable[..., Any], parameters: dict[str, Any]) -> Callable[..., Any]:
    return functools.lru_cache(**parameters)(function)


def unpickle_handler(pickled: bytes) -> Any:
    """Return a fresh copy of the handler that `pickle_handler` pickled, classes included.

    Left to itself cloudpickle gives back a class that this process has already, with whatever it holds by now; it
    finds it in a register, which is empty for the length of this call.
    """
    register = cloudpickle.cloudpickle
    with _pickling:
        known = register._DYNAMIC_CLASS_TRACKER_BY_ID
        register._DYNAMIC_CLASS_TRACKER_BY_ID = weakref.WeakValueDictionary()
        try:
            return cloudpickle.loads(pickled)
        finally:
            register._DYNAMIC_CLASS_TRACKER_BY_ID = known


def modules_of_learners() -> list[ModuleType]:
    """Return the learner's own modules: neither a notebook, which travels by value anyway, nor installed ones."""
    modules = [(name, module, getattr(module, "__file__", None)) for name, module in list(sys.modules.items())]
    return [
        module
        for name, module, file in modules
        if isinstance(file, str) and name != "__main__" and module.__name__ == name and is_learners(file)
    ]


def _function_of(handler: object) -> object:
    """Return the function that a handler is made of: of one that the course made of a learner's, the learner's."""
    handler = getattr(handler, "handler", handler)  # of a Program
    function = getattr(handler, "func", handler)  # of a functools.partial
    if _package_of(function) == PACKAGE:
        for cell in getattr(function, "__closure__", None) or ():
            with contextlib.suppress(ValueError):  # an empty one
                if callable(cell.cell_contents) and _package_of(cell.cell_contents) != PACKAGE:
                    return cell.cell_contents
    return function


def is_ours(handler: object) -> bool:
    """Tell whether a handler is the course's own, and none of a learner's functions is in it."""
    return _package_of(_function_of(handler)) == PACKAGE


def _package_of(function: object) -> str:
    return (getattr(function, "__module__", None) or type(function).__module__).partition(".")[0]


@functools.lru_cache(4096)
def is_learners(file: str) -> bool:
    """Tell whether a file is a learner's own: neither the course's, nor Python's, nor an installed one."""
    places = () if file.startswith("<frozen") else _installed()
    return bool(places) and not any(Path(file).resolve().is_relative_to(place) for place in places)


@functools.cache
def _installed() -> list[Path]:
    """Return the folders of the course, of Python's own modules and of installed ones."""
    paths = [Path(sysconfig.get_path(kind)) for kind in ("stdlib", "purelib", "platlib")]
    return [path.resolve() for path in (Path(__file__).parents[1], *paths)]


@contextlib.contextmanager
def _by_value(modules: list[ModuleType]) -> Iterator[None]:
    known = cloudpickle.list_registry_pickle_by_value()
    found = [module for module in modules if module.__name__ not in known]
    for module in found:
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in found:
            cloudpickle.unregister_pickle_by_value(module)
