"""A learner's pure function (state, inputs) → (state, outputs) in the lock-free machine, where it can do no harm.

`Setting` holds the function's state, queues and values, `calls_of` tests whether the function is pure, `prove_pure`
explores its handler, and `cost_of` counts the handler's operations. The function runs in the warm child process only.
"""

import contextlib
import copy
import datetime
import functools
import os
import sys
import time
import traceback
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing import Pipe
from typing import Any, TypeAlias

import cloudpickle

from ..costs.counted import MORE, Counted, difference, operations
from ..errors import BadInput, CourseError, cut, in_one_line, whole
from ..explore.proof import Proof
from ..explore.prove import SECONDS
from ..lockfree.general import Form, Function, answered, general, unprepared
from ..lockfree.queue import Given
from ..node import Program, Source
from ..node.program import OUTPUT, is_learners, live, pickle_handler, program_of, unpickle_handler
from ..node.source import CellSource
from ..pipeline import Job
from ..stores.codec import Value, decode, encode
from ..verdict.verdict import IdealWorld
from . import determinism
from .pool import HASH_SEEDS, MORE_SEEDS, call, preload, warm_up
from .prove_safely import Pulse, called, in_file, limited, path_and_name, with_tokens


class Copies:
    """Fresh copies of `function`, which nobody has called in this process yet.

    `answer(question)` calls it, and returns plain values. A process is kept from which each copy is a fork.
    """

    def __init__(self, function: Any, answer: Callable[[Any], Any]) -> None:
        self.function, self.answer = function, answer
        self.pipe, theirs = Pipe()
        if os.fork() == 0:
            try:
                self.pipe.close()
                self._serve(theirs)
            finally:
                os._exit(0)
        theirs.close()

    def ask(self, *questions: Any) -> Any:
        """Put questions to one fresh copy. Returns (its answers, names of what it holds that is another afterwards).

        Raises what it raises, and `EOFError` when its process ends.
        """
        self.pipe.send(questions)
        kind, found = self.pipe.recv()
        if kind == "raised":
            raise found
        if kind == "ended":
            raise EOFError
        return found

    def _serve(self, pipe: Any) -> None:
        """Answer until the other process is gone, each time in a fork."""
        while True:
            try:
                questions = pipe.recv()
            except (EOFError, OSError):
                return
            copy = os.fork()
            if copy == 0:
                try:
                    pipe.send(self._answered(questions))
                    os._exit(0)
                finally:
                    os._exit(1)
            if os.waitpid(copy, 0)[1]:
                pipe.send(("ended", None))

    def _answered(self, questions: Any) -> tuple[str, Any]:
        before = holdings(self.function)
        try:
            answers = [self.answer(question) for question in questions]
        except Exception as why:  # noqa: BLE001 - it is raised where the question was put
            return "raised", why
        after = holdings(self.function)
        return "returned", (
            answers,
            [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)],
        )


def holdings(function: Any) -> dict[str, bytes | str]:
    """Return {name: value as bytes or text} of the values that a learner's function holds outside its arguments."""
    found = {f"its attribute {name!r}": value for name, value in getattr(function, "__dict__", {}).items()}
    if isinstance(function, types.FunctionType):
        around, code = function.__globals__, function.__code__
        found |= {f"the global {name!r}": around[name] for name in code.co_names if name in around}
        with contextlib.suppress(ValueError):  # one around it has no value yet
            cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
            found |= {f"the variable {name!r} around it": cell.cell_contents for name, cell in cells}
        found["one of its defaults"] = function.__defaults__, function.__kwdefaults__
    return {name: _held(value) for name, value in found.items()}


def _held(value: object) -> bytes | str:
    try:
        return cloudpickle.dumps(value)
    except Exception:  # noqa: BLE001 - it is only compared
        return repr(value)


ITEMS, TRY_SECONDS, MOST_SHOWN = 2, 8.0, 160
MOST_ORDERED, ORDERED_SECONDS = 40, 0.5  # questions that are put in all orders, and how long that takes at most
Loader: TypeAlias = tuple[str, Any, str]  # ("pickled", bytes, "") or ("file", path, name)
# Functions of the module `time`, and with how many arguments they do not ask what time it is.
CLOCKS: dict[str, int | None] = {"localtime": 1, "gmtime": 1, "ctime": 1, "asctime": 1, "strftime": 2}
for _clock_name in "time monotonic perf_counter process_time thread_time clock_gettime".split():
    CLOCKS |= {_clock_name: None, f"{_clock_name}_ns": None}
OF_DATES = {"today", "now", "utcnow"}
ANOTHER_ZONE = "XXX-13:37"
_asking = []  # the lines that ask for the time
_functions, _failed = [], []  # of this call: each has a process of its own
preload("exactly_once.sandbox.pure")


class NotPure(CourseError):
    """A function that is no pure function of a state and inputs, or that fails; the message says on which."""


@dataclass(frozen=True)
class Setting:
    """The settings of an exploration of a function, without the function.

    `first` is its state before any input. With `inputs`, names of queues, its inputs are a list of the next value of
    each, or None; `values` has a list of values for each, and unless they are given they are numbers, one less in
    each queue than in the one before. Without `inputs` they are the list of an hour's readings. `items` is how many
    inputs there are, at most: as many as there are values, or 2. `outputs` and `batch` are `general`'s. Raises
    `BadInput` for values out of range.
    """

    first: Value = None
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = (OUTPUT,)
    values: tuple[tuple[Value, ...], ...] | None = None
    items: int | None = None
    batch: int = 1

    def __post_init__(self) -> None:
        for name in ("inputs", "outputs"):
            given = getattr(self, name)
            if isinstance(given, str) or not isinstance(given, Sequence):
                raise BadInput(f"The {name} are {given!r}; give the names of queues, such as ('one', 'two').")
            object.__setattr__(self, name, tuple(given))
        if len(set(self.inputs)) < len(self.inputs):
            raise BadInput(f"The inputs are {self.inputs!r}; name each queue once.")
        if set(self.inputs) & set(self.outputs):
            raise BadInput(f"The queue {min(set(self.inputs) & set(self.outputs))!r} is read and written; name two.")
        if self.values is not None and not self.inputs:
            raise BadInput("Values are for queues; name these in inputs, such as inputs=('one',).")
        if self.values is not None:
            lists = self.values if isinstance(self.values, (list, tuple)) else [self.values]
            if not all(isinstance(one, (list, tuple)) for one in lists):
                raise BadInput(f"The values are {self.values!r}; give a list of values for each queue.")
            object.__setattr__(self, "values", tuple(map(tuple, self.values)))
        items = max(map(len, self.values), default=0) if self.values else ITEMS
        object.__setattr__(
            self, "items", items if self.items is None else whole("the number of items", self.items, least=1)
        )
        self.program(_nothing)  # which looks at the rest

    @property
    def source(self) -> Source:
        """Where the inputs come from."""
        if not self.inputs:
            return Job(items=self.items or ITEMS)
        return Given(self.inputs, self.held)

    @property
    def held(self) -> tuple[tuple[Value, ...], ...]:
        """The contents of each queue of `inputs`."""
        count = self.items or ITEMS
        if self.values is not None:
            return tuple(values[:count] for values in self.values)
        return tuple(
            tuple(10 * number + item for item in range(1, max(1, count - number) + 1))
            for number in range(len(self.inputs))
        )

    def program(self, function: Function, prepared: bool = True, over: Source | None = None, **more: Any) -> Program:
        """Return a node's program with this function: the lock-free machine, or the same without PREPARING.

        `over` takes the place of the setting's own source; `more` are further settings of the machine.
        """
        make = general if prepared else unprepared
        handler = make(
            function, first=self.first, inputs=self.inputs, outputs=self.outputs, name=name_of(function),
            batch=self.batch, **more,
        )  # fmt: skip
        source = self.source if over is None else over
        return replace(program_of(handler, source), source=source)

    @property
    def feeder(self) -> Program:
        """A program that fills the queues of `inputs` with their values, one after the other, while others read."""
        given = Given(tuple(f"{queue}_given" for queue in self.inputs), self.held)
        handler = general(_passed_on, inputs=given.queues, outputs=self.inputs, name="feeder")
        return replace(program_of(handler, given), source=given)

    def on(self, items: int) -> "Setting":
        """Return the same setting with so many items at most."""
        return replace(self, items=min(items, self.items or items))


def _nothing(state: Any, inputs: Any) -> tuple[Any, list[Any]]:
    return state, []


def _passed_on(state: Any, inputs: Any) -> tuple[Any, Any]:
    return state, inputs


def name_of(function: object) -> str:
    """Return the name that a function's handler gets."""
    name = getattr(function, "__name__", type(function).__name__)
    return name if name.isidentifier() else "handler"


def loader_of(function: object) -> Loader:
    """Return how the child process comes by a function: one that is given, or the text "PATH.py:FUNCTION" names.

    Raises `BadInput` where there is none.
    """
    if isinstance(function, str):
        return ("file", *path_and_name(function))
    if not callable(function):
        raise BadInput(f"The function is {function!r}; give one of two arguments, the state and the inputs.")
    return "pickled", pickle_handler(function), ""


def calls_of(function: object, setting: Setting) -> list[tuple[str, str]]:
    """Test whether a function is pure, and return its calls in a run without faults, as (arguments, answer).

    Each call is made on copies. A fresh copy of the function answers it as well, and another copy answers every call
    after every other and after itself. All of this is repeated in a process with another
    hash seed and time zone, or in several such processes where the code makes sets. Raises `NotPure` when the
    function gives two answers to one call, fails, or returns another form than (state, outputs), and `HandlerStuck`
    when it does not finish. The test does not find output to the screen or to files, nor a dependence on an unchanged
    thing.
    """
    loader = loader_of(function)
    here, hashes = call(_tried, loader, setting, "", seconds=TRY_SECONDS, seed=HASH_SEEDS[0])
    seeds = [*HASH_SEEDS[1:], *MORE_SEEDS * hashes]
    warm_up(seeds)
    for seed in seeds:
        there, _ = call(_tried, loader, setting, ANOTHER_ZONE, seconds=TRY_SECONDS, seed=seed)
        for (given, one), (_, other) in zip(here, there, strict=False):
            if one != other:
                raise NotPure(
                    f"{_of(loader)} is not pure: given {_said(given)} it returned {_said(one)}, and {_said(other)} "
                    "in a process with another hash seed, in another time zone. The order of a set, hash(), id() and "
                    "local time differ from process to process: sort the set, and give each time its zone."
                )
    return here


def prove_pure(
    function: object, setting: Setting, nodes: int = 2, *, prepared: bool = True, arriving: bool = False,
    seconds: float = SECONDS, **bounds: Any,
) -> Proof:  # fmt: skip
    """Prove the handler that a function makes, as `nodes` run it at once, in the child process. Returns a `Proof`.

    It takes `prove`'s bounds. Unless it is to be `prepared`, it is the same handler without PREPARING. Where inputs
    are `arriving`, one more node fills the queues meanwhile. Raises the errors of `calls_of`, then those of
    `prove_safely`.
    """
    calls_of(function, setting)
    return prove_loaded(loader_of(function), setting, nodes, prepared, arriving, seconds, bounds)


def prove_loaded(
    loader: Loader, setting: Setting, nodes: int, prepared: bool, arriving: bool, seconds: float, bounds: Any
) -> Proof:
    """Run the proof of `prove_pure` with a function that passed the test for purity."""
    arguments = loader, setting, prepared, nodes if arriving else 0
    proof, witness = called(_prove, arguments, seconds, None, None, ({} if arriving else {"nodes": nodes}) | bounds)
    determinism.compare(witness, _programs, arguments, proof.job, proof.bounds)
    # A notebook's tokens are of this process.
    return proof if loader[0] == "file" else with_tokens(proof, _programs(*arguments, watched=False))


def _prove(
    loader: Loader, setting: Setting, prepared: bool, twins: int, seconds: float, folder: str, bounds: Any
) -> tuple[Proof, Any]:
    _Watched.alive = Pulse().renew
    _Watched.alive()
    arguments = loader, setting, prepared, twins
    programs = _programs(*arguments)
    try:
        rules = {"reference": programs} if twins else {}  # however the queues are filled, the function is right
        proof = limited(programs, rules, seconds, folder, bounds)
    except CourseError as why:
        raise (_failed or [why])[0] from None
    for one in () if _failed else _functions:
        one.in_all_orders()
    if _failed:
        raise _failed[0]
    if loader[0] == "file":
        proof = with_tokens(proof, _programs(*arguments, watched=False))
    return proof, determinism.witnessed(_programs, arguments, proof.job, proof.bounds)


def _programs(loader: Loader, setting: Setting, prepared: bool, twins: int, watched: bool = True) -> list[Program]:
    """Return the programs to prove: the one program, or so many `twins` of it and the feeder of their queues."""
    function = _watched(loader, setting) if watched else _loaded(loader)
    if not twins:
        return [setting.program(function, prepared)]
    return [*[setting.program(function, prepared, CellSource(setting.inputs))] * twins, setting.feeder]


def _loaded(loader: Loader) -> Any:
    kind, what, name = loader
    return unpickle_handler(what) if kind == "pickled" else in_file(what, name)[0]


def _watched(loader: Loader, setting: Setting) -> Any:
    """Return a wrapper that calls a function, and raises `NotPure` if it fails or gives two answers to one call.

    The explorer sees a number in the function's place. So the contents of the function are no part of an
    incarnation's state, and do not tell apart incarnations with the same future.
    """
    if all(one.loader != loader for one in _functions):
        _functions.append(_Watched(loader, setting))
    number = next(number for number, one in enumerate(_functions) if one.loader == loader)
    watched: Any = functools.partial(_ask, number)
    watched.__name__ = name_of(_functions[number].function)
    return watched


def _ask(number: int, state: Any, inputs: Any) -> Any:
    return _functions[number].ask(state, inputs)


class _Watched:
    """A function that is asked by all incarnations of a search, and by fresh copies of it, which have to agree.

    Each incarnation of the search has a fresh copy, really; one stands for all, so that what it holds is no part of
    an incarnation's state. So each new question is put to a fresh copy as well, and in the end all questions, in many
    orders, to another one.
    """

    alive: Any = None  # called between two answers, each of which may take its time

    def __init__(self, loader: Loader, setting: Setting) -> None:
        _watch_clocks()
        self.loader, self.function = loader, _loaded(loader)
        self.form = Form(setting.first, setting.outputs, name_of(self.function))
        self.copies = Copies(self.function, lambda question: self._answer(*question))
        self.answers = {}  # question as text: (question, answer of a fresh copy)
        self.asked = []  # the texts, in the order in which the function was asked
        self.seconds = 0.0  # that its answers took

    def ask(self, state: Any, inputs: Any) -> Any:
        """Return the answer to a question."""
        question = encode(state), copy.deepcopy(inputs)
        key = question[0], repr(inputs)
        try:
            began = time.perf_counter()
            answer = self._answer(*question)
            self.seconds += time.perf_counter() - began
            if self.alive:
                self.alive()
            if key not in self.answers:
                self.answers[key] = question, self._of_copies(question)[0][0]
            if answer != self.answers[key][1]:
                raise NotPure(self._told(key, answer))
        except NotPure as why:
            _failed.append(why)
            raise
        self.asked.append(key)
        return tuple(decode(answer))

    def in_all_orders(self) -> None:
        """Ask a fresh copy each question after each other one, as an incarnation does that starts in the middle.

        Of very many, or of a slow function's, the first. Raises `NotPure` when an answer hangs on those before it.
        """
        each = self.seconds / max(1, len(self.asked))
        most = int(min(MOST_ORDERED, (ORDERED_SECONDS / max(each, 1e-9)) ** 0.5))
        keys = list(self.answers)[:most]
        order = [key for number, one in enumerate(keys) for other in keys[number:] for key in (one, other)]
        if order:
            answers, _ = self._of_copies(*(self.answers[key][0] for key in order))
            for number, (key, answer) in enumerate(zip(order, answers, strict=True)):
                if answer != self.answers[key][1]:
                    self.asked = order[:number]
                    raise NotPure(self._told(key, answer))

    def _of_copies(self, *questions: Any) -> tuple[list[str], list[str]]:
        try:
            return self.copies.ask(*questions)
        except EOFError:
            raise NotPure(
                f"{_of(self.loader)} ended its process. It must depend on nothing but its two arguments, and return."
            ) from None

    def _told(self, key: tuple[str, str], answer: Any) -> str:
        """Return what is said of an answer that is another than a fresh copy's: with the fewest questions before."""
        question, right = self.answers[key]
        if self._of_copies(question)[0][0] != right or not self.asked:
            return _two_answers(self.loader, _words(*key), right, answer)
        for one in dict.fromkeys([key, *reversed(self.asked)]):
            (_, other), held = self._of_copies(self.answers[one][0], question)
            if other == right:
                continue
            if one == key:
                return _two_answers(self.loader, _words(*key), right, other, held)
            before = f"was first asked for the state {_words(*one)}"
            return _remembers(self.loader, _words(*key), right, other, before, held)
        return _remembers(self.loader, _words(*key), right, answer, f"was asked {len(self.asked)} times before", ())

    def _answer(self, state: Any, inputs: Any) -> str:
        words = _words(state, repr(inputs))
        return _answer(self.loader, self.function, self.form, words, decode(state), copy.deepcopy(inputs))


def _words(state: Any, inputs: Any) -> str:
    return f"{_said(state)} and the inputs {_said(inputs)}"


def _answer(loader: Loader, function: Any, form: Form, words: str, state: Any, inputs: Any) -> str:
    """Return the answer of a function, as text. Raises `NotPure` when it fails, or asks for the time."""
    try:
        with _no_clock() as asked:
            state, outputs = answered(function, state, inputs, form)
        answer = encode([state, list(outputs)])
    except BadInput as why:
        raise NotPure(f"{why} It was given the state {words}.") from None
    except BaseException as why:  # exit() is one, too
        lines = [frame.lineno for frame in traceback.extract_tb(why.__traceback__) if is_learners(frame.filename)]
        where = f" in line {lines[-1]}" if lines else ""
        said = in_one_line(why).removesuffix(".")
        more = ""
        if lines and form.first is None and state is None:
            more = " The state before any input is None, unless you give one, as first or --first."
        raise NotPure(f"{_of(loader)} failed{where}, given the state {words}: {said}.{more}") from why
    if asked:
        raise NotPure(
            f"{_of(loader)} is not pure: it asks for the time in line {asked[0]}, which is another one whenever it "
            "is called again. It must depend on nothing but its two arguments: the time comes with the inputs."
        )
    return answer


@contextlib.contextmanager
def _no_clock() -> Iterator[list[int]]:
    """Note in which lines learner's code asks for the time; Python's own and installed modules may use the clock."""

    def note(frame: types.FrameType, event: str, what: Any) -> None:
        if event == "c_call" and getattr(what, "__name__", "") in OF_DATES and is_learners(frame.f_code.co_filename):
            owner = what.__self__
            if isinstance(owner, type) and issubclass(owner, datetime.date):
                _asking.append(frame.f_lineno)

    _asking.clear()
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield _asking
    finally:
        sys.setprofile(before)


def _watch_clocks() -> None:
    """Have the functions of `time` note who asks them, in this process; before the learner's code is loaded."""
    for name, enough in CLOCKS.items():
        original = getattr(time, name)
        if not hasattr(original, "__wrapped__"):
            setattr(time, name, functools.wraps(original)(functools.partial(_clock, original, enough)))


def _clock(original: Callable[..., Any], enough: int | None, *arguments: Any) -> Any:
    caller = sys._getframe(1)
    asks = enough is None or len(arguments) < enough or arguments[enough - 1] is None
    if asks and is_learners(caller.f_code.co_filename):
        _asking.append(caller.f_lineno)
    return original(*arguments)


def _of(loader: Loader) -> str:
    kind, _, name = loader
    return f"The function {name!r}" if kind == "file" else "The function"


def _said(text: str) -> str:
    return cut(text, MOST_SHOWN)


def _tried(loader: Loader, setting: Setting, zone: str) -> tuple[list[tuple[str, str]], bool]:
    """Call the function on a run without faults, in the child process, in a time zone if one is named.

    Returns (the calls of `calls_of`, whether the learner's code may depend on the hash seed).
    """
    if zone:
        os.environ["TZ"] = zone
        time.tzset()
    program = setting.program(_watched(loader, setting))
    ending, text = live(IdealWorld(program), program.handler)
    if _failed:
        raise _failed[0]
    if ending != "ended":
        raise NotPure(f"{_of(loader)} does not get through its inputs: {text}")
    (watched,) = _functions
    watched.in_all_orders()
    answers = [(f"the state {_words(*key)}", watched.answers[key][1]) for key in watched.asked]
    return answers, determinism.may_hang_on_hashes()


def _two_answers(loader: Loader, words: str, one: str, other: str, held: Sequence[str] = ()) -> str:
    return (
        f"{_of(loader)} is not pure: given the state {words} it returned {_said(one)}, and when it was called again "
        f"with the same {_said(other)}.{_changed(held)} It must depend on nothing but its two arguments: keep what "
        "it has to remember in the state; take no time, no random number, no file."
    )


def _remembers(loader: Loader, words: str, right: str, answer: Any, before: str, held: Sequence[str]) -> str:
    return (
        f"{_of(loader)} is not pure: its answer depends on earlier calls. Given the state {words} it returned "
        f"{_said(right)}, and {_said(answer)} when it {before}.{_changed(held)} A node that takes over after a crash "
        "has a fresh copy of the function, which remembers nothing: keep what has to be remembered in the state."
    )


def _changed(held: Sequence[str]) -> str:
    return f" What changed meanwhile: {', '.join(held)}." if held else ""


@dataclass(frozen=True)
class Cost:
    """The operations that `nodes` ask of their stores in a run without faults, `counted` in all.

    `inputs` were handled in `steps` steps, and `messages` written to `queues` queues. `end` is the cost of one node
    to find the end of the inputs.
    """

    nodes: int
    counted: int
    inputs: int
    steps: int
    messages: int
    queues: int
    end: int

    @property
    def expected(self) -> int:
        """How many one node asks for, by the machine's rules: 1 for each input, 2 for each step, 7 for each message.

        A step reads the machine and its inputs, and leaves HANDLING. PREPARING reads the hint, the last full cell and
        the first empty one, and moves the hint and the machine; WRITING writes the cell, and moves the machine. The
        first message of a queue needs two less, for its hint need not be moved.
        """
        return self.inputs + 2 * self.steps + 7 * self.messages - 2 * self.queues + self.end

    @property
    def of_input(self) -> float:
        """How many operations one node asks for with each input, by these rules, in the midst of a run."""
        return (self.inputs + 2 * self.steps + 7 * self.messages) / self.inputs


def cost_of(function: object, setting: Setting, nodes: int = 1) -> Cost:
    """Count the operations that the handler of a pure function asks of its stores when nothing goes wrong."""
    loader = loader_of(function)
    counted = call(_asked, loader, setting, nodes, seconds=TRY_SECONDS)
    answers = [decode(answer)[1] for _, answer in calls_of(function, setting)]
    together = 1 if setting.inputs else setting.batch
    written = [
        {number for outputs in answers[at : at + together] for number, one in enumerate(outputs) if one is not None}
        for at in range(0, len(answers), together)
    ]
    end = 1 + bool(setting.inputs) + len(setting.outputs)
    messages, queues = sum(map(len, written)), len(set().union(*written))
    return Cost(nodes, counted, len(answers), len(written), messages, queues, end)


def _asked(loader: Loader, setting: Setting, nodes: int) -> int:
    return len(operations([setting.program(_loaded(loader))] * nodes))


def counted_function(function: Function, setting: Setting, nodes: int = 1) -> Counted:
    """Count what the nodes with a pure function ask of their stores for an input, here. Returns a `Counted`.

    The longer run has the setting's values, if there are some, and else as many as it takes. Raises `BadInput` for
    values of which the shorter run would have none.
    """
    steps = max(1, MORE // setting.batch)
    before, until = 2 * setting.batch, (2 + steps) * setting.batch
    if setting.values is not None:
        until = max(map(len, setting.values), default=0)
        before = until // 2
        if not before:
            raise BadInput("To count the operations of an input takes two values in a queue, or more; give another.")

    def programs(items: int) -> list[Program]:
        return [replace(setting, items=items).program(function)] * nodes

    return difference(name_of(function), programs, before, until)
