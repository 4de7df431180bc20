"""The program of a node: a handler, the source of its inputs, the place of its output; how it is called, and copied.

`live` calls a handler for one incarnation, and tells in one word how that ended. Each incarnation gets a fresh copy
of the handler, made by value, here or in another process, as Spark ships functions. The contents of a learner's own
module would travel by name, and survive from incarnation to incarnation in one process; so all of these modules
travel by value as well.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import linecache
import os
import sys
import sysconfig
import threading
import traceback
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Literal, TypeAlias, cast, get_args

import cloudpickle

from ..errors import BadInput, OutcomeUnknown, by_cell, cut, in_one_line, one_of, printable, whole
from ..log.log_errors import LogError
from ..log.transactions import abstract_machine
from ..log.transactions.coordinator_machine import COORDINATOR_PART, OFFSETS_KIND, OFFSETS_PART
from .node import ABSTRACT, CHANGELOG, OUTPUT, Handler, Node
from .source import CellSource, Partition, QueueSource, Source
from .world import COORDINATOR, OFFSETS, InputsEnded, Life, Stores, TooManySteps, World

Protocol: TypeAlias = Literal[1, 2, "abstract"]
Ending: TypeAlias = Literal["ended", "gave up", "raised"]
PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep
COURSE = __name__.partition(".")[0]
_CACHE = type(functools.lru_cache(abs))
_pickling = threading.RLock()  # cloudpickle has one register for all threads
# The second is in a `functools.singledispatch`, the third in a `functools.cached_property` of Python 3.11.
FRESH = (threading.local, weakref.WeakKeyDictionary, type(_pickling))
MOST_FRAMES = 40  # of a traceback: more are of a recursion without end
RUNS_NOTHING = (
    "The handler {!r} is a generator or a coroutine: calling it runs nothing. Write it as a plain function, without "
    "`yield` and `async`."
)


@dataclass(frozen=True)
class Program:
    """The program of one node.

    `handler` is a function of one argument, the node. `source` is the source of its inputs. `output` is the place of
    `node.output`: the log "output" of the engine's store, another name there, or a `Partition`. Nodes whose programs
    have the same `name` share positions and state, as twins do.

    `protocol` is the transaction protocol that writes output, state and positions together, as records of a log: 1
    (the classic one) or 2 (KIP-890), or "abstract" for a store that commits them in one step (with `fencing`). It is
    None where each is written by itself. `queue` is the queue of the engine's store that `node.engine().send` puts
    messages into, for a node whose source is a `QueueSource`. `own` are the (store, part) pairs of the handler's
    private data, such as its index in the database. They are no part of an outcome, and verdicts name them as not
    compared; a queue of cells is named whole. `machine` is (store, part) of the register that a lock-free handler
    keeps state and positions in; its output is then the queue `output` of the store "queues". `feeds` are the queues
    there that it fills, and whose readers learn when it has ended. `checkpoint` is the store in which a micro-batch
    engine keeps its logs and the versions of its state; its output is then the log `output` of the database. Raises
    `BadInput` for any other value.
    """

    handler: Handler
    source: Source
    output: str | Partition = OUTPUT
    name: str = ""
    protocol: Protocol | None = None
    fencing: bool = True
    queue: str | None = None
    own: tuple[tuple[str, str], ...] = ()
    machine: tuple[str, str] | None = None
    feeds: tuple[str, ...] = ()
    checkpoint: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.source, Source):
            raise BadInput(
                f"The source of a program is {self.source!r}; give a Source, such as a Job or a LogSource."
            )
        if not isinstance(self.output, (str, Partition)) or not self.output:
            raise BadInput(f"The output of a program is {self.output!r}; give the name of a log, or a Partition.")
        if not isinstance(self.name, str) or "." in self.name:
            raise BadInput(f"The name of a program is {self.name!r}; it is text without a dot, such as 'producer'.")
        if self.queue is not None and (not isinstance(self.queue, str) or not self.queue):
            raise BadInput(f"The queue of a program is {self.queue!r}; give its name, such as 'increments', or None.")
        if not isinstance(self.own, (list, tuple)) or any(
            not isinstance(pair, (list, tuple)) or [*map(type, pair)] != [str, str] for pair in self.own
        ):
            raise BadInput(f"The handler's own is {self.own!r}; give pairs (store, part): own=(('db', 'lease'),).")
        one_of("the transaction protocol", self.protocol, (None, *get_args(Protocol)))
        if self.protocol and not isinstance(self.output, Partition):
            raise BadInput("The output of a transactional program is a partition; give Partition('output').")

    def part(self, name: str) -> str:
        """Return the name of a part of this program, such as its positions, in the engine's store."""
        return f"{self.name}.{name}" if self.name else name

    def load_inputs(self, stores: Stores) -> None:
        """Put inputs and partitions into the stores, before a run begins."""
        self.source.load_inputs(stores)
        if isinstance(self.output, Partition):
            self.output.load_inputs(stores)
        if self.protocol == "abstract":
            if not stores[ABSTRACT].held(abstract_machine.KIND):
                stores[ABSTRACT].prepare(abstract_machine.PART, "begin_transactions", self.fencing)
        elif self.protocol:
            if not stores[OFFSETS].held(OFFSETS_KIND):
                Partition(CHANGELOG).load_inputs(stores)
                stores[COORDINATOR].prepare(COORDINATOR_PART, "begin_coordinating", {"protocol": self.protocol})
            stores[OFFSETS].prepare(OFFSETS_PART, "begin_group", list(self.source.start()))

    def handled_by(self, handler: Any) -> Program:
        """Return the same program with another handler."""
        return replace(self, handler=handler)


def load_inputs(programs: Sequence[Program], stores: Stores) -> None:
    """Put the inputs of all programs into the stores, each source's once."""
    for number, program in enumerate(programs):
        if all(program.source != earlier.source or program.output != earlier.output for earlier in programs[:number]):
            program.load_inputs(stores)


def size_of(programs: Iterable[Program | Source]) -> int:
    """Return how many reads of different sources there can be in all, as far as that is known."""
    return sum(source.size() for source in {one.source if isinstance(one, Program) else one for one in programs})


@dataclass(frozen=True)
class Deployment:
    """A handler with the node that it needs beside it, for any job.

    `handler` runs on node 1, in transactions of `protocol`, and `beside` on node 2: their coordinator, or, where
    `queue` or `feeds` is given, the reader of that queue. A lock-free handler, one with a `machine`, may run on
    several nodes at once: `twins` of them, before the reader. The right outcome is that of crash-free runs of
    `reference`, except for the handlers' `own` data (see `Program`).
    """

    handler: Handler
    beside: Handler | None
    reference: Handler
    protocol: Protocol | None = 2
    fencing: bool = True
    queue: str | None = None
    own: tuple[tuple[str, str], ...] = ()
    machine: tuple[str, str] | None = None
    feeds: tuple[str, ...] = ()
    twins: int = 1
    checkpoint: str | None = None

    def programs(self, source: Source) -> list[Program]:
        """Return the programs of all nodes; the abstract store needs no coordinator."""
        output = Partition(OUTPUT) if self.protocol else OUTPUT
        mine = Program(
            self.handler, source, output, "", self.protocol, self.fencing, self.queue, self.own, self.machine,
            self.feeds, self.checkpoint,
        )  # fmt: skip
        if self.machine is not None:
            reader = [] if self.beside is None else [Program(self.beside, CellSource(self.feeds), name="sink")]
            return [mine] * self.twins + reader
        if self.beside is None or self.protocol == "abstract":
            return [mine]
        if self.queue is not None:
            return [mine, Program(self.beside, QueueSource(self.queue), name="sink")]
        return [mine, Program(self.beside, source, name="coordinator")]

    def of_nodes(self, nodes: int | None) -> Deployment:
        """Return it with so many nodes in all, as far as their number is free: that of a lock-free handler's is."""
        if nodes is None or self.machine is None:
            return self
        return replace(self, twins=whole("the number of twins", nodes - (self.beside is not None), least=1))


def program_of(handler: Handler, source: Source) -> Program:
    """Return the program of a node for a handler alone, with the settings that `runs_as` noted for the handler."""
    return Program(handler, **{"source": source, **getattr(handler, "runs_as", {})})


def renamed(handler: Handler, name: str) -> Handler:
    """Return a handler under another name, the one that a proof says."""
    handler.__name__ = handler.__qualname__ = name
    return handler


def runs_as(**more: Any) -> Callable[[Handler], Handler]:
    """Return a decorator: wherever its function is run alone, its `Program` has these fields."""

    def mark(handler: Handler) -> Handler:
        handler.runs_as = more  # type: ignore[attr-defined]
        return handler

    return mark


def deployed_with(
    beside: Handler | None, reference: Handler, listed: Callable[..., object] | None = None, **more: Any
) -> Callable[[Handler], Handler]:
    """Return a decorator: wherever its function is run as a handler, it is deployed with these (see `Deployment`).

    `listed` is the function whose lines are shown in place of the handler's own, if its steps stand there. `more` are
    other fields of the `Deployment`.
    """

    def mark(handler: Handler) -> Handler:
        if listed is not None:
            handler.listed = listed  # type: ignore[attr-defined]
        handler.deployed_with = {"beside": beside, "reference": reference, **more}  # type: ignore[attr-defined]
        return handler

    return mark


def keeping(handler: Handler, own: Sequence[tuple[str, str]]) -> Handler:
    """Return a handler that keeps these (store, part) pairs for itself, besides those that it names as its `own`."""
    mark = "deployed_with" if hasattr(handler, "deployed_with") else "runs_as"
    noted = getattr(handler, mark, {})
    setattr(handler, mark, noted | {"own": (*noted.get("own", ()), *own)})
    return handler


def deployment_of(handler: object) -> Deployment | None:
    """Return the `Deployment` that is given, or that a handler was marked for; None for any other handler."""
    if isinstance(handler, Deployment):
        return handler
    marked = getattr(handler, "deployed_with", None)
    return None if marked is None else Deployment(cast(Handler, handler), **marked)


def live(world: World, handler: Handler) -> tuple[Ending, str | None]:
    """Call `handler` for one new incarnation in `world`. Returns (ending, text).

    "ended": its inputs have ended or it was stopped. "gave up": it let `OutcomeUnknown` pass, or a `LogError` that is
    fatal, and the next incarnation takes over. "raised": it failed by itself, or called `sys.exit`; the text is its
    own traceback. An incarnation that is killed does not return.
    """
    life, failure = Life(world, handler), None
    try:
        with contextlib.suppress(InputsEnded):
            left: object = cast(Callable[[Node], object], handler)(Node(life))
            if inspect.isgenerator(left) or inspect.iscoroutine(left):  # of a decorated one
                raise BadInput(RUNS_NOTHING.format(getattr(handler, "__name__", handler)))
        if life.refusal is None:
            life.close_output()
    except InputsEnded:  # the run was stopped
        pass
    except TooManySteps:
        raise
    except world.signals:
        raise
    except BaseException as why:  # noqa: BLE001 - every exception of a learner's code is shown to the learner
        failure = why
    # A step from another thread is never right, even if the refusal there was caught.
    failure = life.refusal or failure
    if isinstance(failure, OutcomeUnknown) or (isinstance(failure, LogError) and failure.fatal):
        text = in_one_line(failure).removeprefix("OutcomeUnknown: ")
        life.give_up(f"gave up: {text}")
        return "gave up", text
    if failure is not None:
        life.finish("raised", in_one_line(failure))
        return "raised", own_traceback(failure)
    life.finish("ends", "stopped" if world.stopped() else "inputs ended")
    return "ended", None


def checked_handler(handler: Handler) -> Handler:
    """Return `handler` if it is a function of one argument. Raises `BadInput` for anything else."""
    if not callable(handler):
        raise BadInput(f"The handler is {handler!r}; give a function of one argument, the node.")
    body = getattr(handler, "func", handler)
    for function in (body, getattr(body, "__call__", None)):  # noqa: B004 - an object's method, not whether there is one
        if any(
            kind(function)
            for kind in (inspect.isgeneratorfunction, inspect.iscoroutinefunction, inspect.isasyncgenfunction)
        ):
            raise BadInput(RUNS_NOTHING.format(getattr(body, "__name__", handler)))
    try:
        inspect.signature(handler, follow_wrapped=False).bind(None)  # a decorator may give it more
    except TypeError as why:
        raise BadInput(
            f"The handler {getattr(handler, '__name__', handler)!r} cannot be called with one argument, "
            f"the node: {why}. A pure function of a state and inputs is made a handler by `general`."
        ) from None
    except ValueError:
        pass  # a callable without a signature: calling it will tell
    return handler


def own_traceback(why: BaseException) -> str:
    """Return the traceback of an error with the handler's own frames; with ours, without those around it, if it is
    ours."""
    frames = traceback.extract_tb(why.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith(PACKAGE)] or [
        frame for frame in frames if (frame.filename, frame.name) != (__file__, live.__name__)
    ]
    shown = traceback.StackSummary.from_list(own or frames).format()
    if len(shown) > MOST_FRAMES:
        half = MOST_FRAMES // 2
        shown[half:-half] = [f"  … {len(shown) - 2 * half} more frames …\n"]
    try:
        str(why)
        last = "".join(traceback.format_exception_only(why))
    except BaseException:  # noqa: BLE001 - the error is of a class of the learner's own
        last = in_one_line(why)
    if isinstance(why, MemoryError) and not why.args:
        last = "MemoryError: the handler asked for more memory than its process gets; look for what grows"
    last = cut(printable(last.rstrip("\n")))
    return f"Traceback (most recent call last):\n{by_cell(''.join(shown))}{last}\n"


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
    if _package_of(function) == COURSE:
        for cell in getattr(function, "__closure__", None) or ():
            with contextlib.suppress(ValueError):  # an empty one
                if callable(cell.cell_contents) and _package_of(cell.cell_contents) != COURSE:
                    return cell.cell_contents
    return function


def is_ours(handler: object) -> bool:
    """Tell whether a handler is the course's own, and none of a learner's functions is in it."""
    return _package_of(_function_of(handler)) == COURSE


def _package_of(function: object) -> str:
    return (getattr(function, "__module__", None) or type(function).__module__).partition(".")[0]


@functools.lru_cache(4096)
def is_learners(file: str) -> bool:
    """Tell whether a file is a learner's own: neither the course's, nor Python's, nor an installed one."""
    if file.startswith("<frozen"):
        return False
    path = Path(file).resolve()
    return not any(path.is_relative_to(place) for place in _installed())


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
