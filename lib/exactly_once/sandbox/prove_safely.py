"""Proving learners' handlers where they can do no harm: in the warm child process."""

import contextlib
import faulthandler
import os
import shutil
import signal
import sys
import threading
import time
import traceback
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .. import owned
from ..errors import BadInput, HandlerStuck, in_one_line
from ..explore.proof import Proof
from ..explore.prove import SECONDS, checked_seconds, prove
from ..node.program import is_ours, keeping
from ..pipeline import checked_handlers
from ..simulate import write_token
from . import determinism
from .pool import MOST_SECONDS, call, preload

SILENT_SECONDS = 5.0
LAST_SECONDS = 30.0
NEWS_SECONDS = 0.2
MOST_NAMES = 12  # of functions, in a sentence
STATES, STOP = "states", "stop"
preload(__name__)


def prove_safely(
    handler: Any, *, seconds: float = SECONDS, progress: Callable[[int], object] | None = None,
    stopped: Callable[[], bool] | None = None, **bounds: Any,
) -> Proof:  # fmt: skip
    """Run `prove` in the child process: a handler that hangs, or prints or recurses without end, ends there.

    Takes the arguments of `prove` and returns a `Proof`. A search that takes `seconds` is answered as far as it got;
    a handler that runs for five seconds without a step is killed, and so is one that keeps the child from answering.
    Raises `HandlerStuck` for such handlers, and the errors of `prove`: also for a handler that acts differently in a
    process with another hash seed.
    """
    handlers = checked_handlers(handler)
    rules = {name: bounds.pop(name) for name in ("reference", "invariant") if bounds.get(name) is not None}
    proof = _compared(list, (handlers,), rules, seconds, progress, stopped, bounds)
    return with_tokens(proof, handlers)  # of this process, which knows what a notebook defined


def with_tokens(proof: Proof, handlers: Any) -> Proof:
    """Return a proof whose tokens are of these handlers."""
    named = {}
    for kind in ("counterexample", "liveness_violation"):
        if (found := getattr(proof, kind)) is not None:
            token = write_token(handlers, found.run.job, proof.bounds.nodes, found.schedule)
            named[kind] = replace(found, token=token)
    return replace(proof, **named)


def prove_file(
    where: object, *, seconds: float = SECONDS, own: Sequence[tuple[str, str]] = (), **bounds: Any
) -> Proof:
    """Prove the function that `where` names, as "PATH.py:FUNCTION", in the child process. Returns a `Proof`.

    `own` are (store, part) pairs that the handler keeps for itself, besides those that it names itself.

    Raises `BadInput` when there is no such file or function, and the errors of `prove_safely`.
    """
    return _compared(in_file, (*path_and_name(where), own), {}, seconds, None, None, bounds)


def _compared(
    handlers_of: Callable[..., Any], arguments: tuple[Any, ...], rules: Mapping[str, Any], seconds: float,
    progress: Callable[[int], object] | None, stopped: Callable[[], bool] | None, bounds: Any,
) -> Proof:  # fmt: skip
    """Return the proof of the handlers that `handlers_of(*arguments)` returns in a child process.

    They are compared with those in another process, afterwards, or, where their steps may hang on hashes, before: the
    states of a handler that calls hash() cannot be told apart, so a search would go on until its time is over.
    """
    for first in (True, False):
        asked = handlers_of, arguments, rules, first
        proof, witness, hashes = called(_prove, asked, seconds, progress, stopped, bounds)
        if witness is not None:
            determinism.compare(witness, hashes, handlers_of, arguments, proof.job, proof.bounds)
        if not hashes:
            break
    return proof


def path_and_name(where: object) -> tuple[str, str]:
    """Return (path, name) of the function that `where` names, as "PATH.py:FUNCTION"; raises as `prove_file` does."""
    path, _, name = str(where).rpartition(":")
    if not path or not name.isidentifier():
        raise BadInput(f"{where!r} names no function in a file; give PATH.py:FUNCTION, such as mine.py:handler.")
    if not os.path.isfile(path):  # in place of Path's, which raises for a name that is too long
        raise BadInput(f"There is no file {path!r}.")
    return str(Path(path).resolve()), name


def called(
    function: Callable[..., Any], arguments: tuple[Any, ...], seconds: float,
    progress: Callable[[int], object] | None, stopped: Callable[[], bool] | None, bounds: Any,
) -> Any:  # fmt: skip
    """Call a function of the child's side, with a folder for news in both directions."""
    longest = checked_seconds(seconds) + LAST_SECONDS
    if longest > MOST_SECONDS:
        most = MOST_SECONDS - LAST_SECONDS
        raise BadInput(f"The limit of time is {seconds!r}; give a number of seconds, up to {most:g}.")
    owned.sweep(owned.PROOFS)
    folder = owned.new_folder(owned.PROOFS, "proof")
    over = threading.Event()
    watch = threading.Thread(target=_watch, args=(folder, over, progress, stopped), daemon=True)
    if progress or stopped:
        watch.start()
    try:
        return call(function, *arguments, seconds, str(folder), bounds, seconds=longest)
    except HandlerStuck as why:
        if "had not come to an end" not in str(why):
            raise
        raise HandlerStuck(
            f"The handler was stopped: it ran for {SILENT_SECONDS:g} seconds without a step and without an end. "
            "Look for a loop that never leaves.",
            why.traceback,
        ) from None
    finally:
        over.set()
        shutil.rmtree(folder, ignore_errors=True)


def _watch(
    folder: Path, over: threading.Event, progress: Callable[[int], object] | None, stopped: Callable[[], bool] | None
) -> None:
    """Pass news between the child, which writes the number of states, and the caller, who may want it to stop."""
    while not over.wait(NEWS_SECONDS):
        with contextlib.suppress(OSError, ValueError):
            if progress:
                progress(int((folder / STATES).read_text()))
        if stopped and stopped():
            with contextlib.suppress(OSError):
                (folder / STOP).touch()


def _prove(
    handlers_of: Callable[..., Any], arguments: tuple[Any, ...], rules: Mapping[str, Any], first: bool,
    seconds: float, folder: str, bounds: Any,
) -> tuple[Proof, Any, bool]:  # fmt: skip
    """Return (the proof, what to compare or None, whether the steps may hang on hashes), in the child process.

    If they may, they are to be compared before, and this proof, the `first`, is of one state.
    """
    Pulse().renew()
    handlers = handlers_of(*arguments)
    ours = all(map(is_ours, handlers))  # the course's own do the same in every process
    hashes = first and not ours and determinism.may_hang_on_hashes()
    proof = limited(handlers, rules, seconds, folder, bounds | {"state_limit": 1} if hashes else bounds)
    witness = None if ours or not first else determinism.witnessed(handlers_of, arguments, proof.job, proof.bounds)
    return proof, witness, hashes


def in_file(path: str, name: str, own: Sequence[tuple[str, str]] = ()) -> list[Any]:
    """Return the list of the function in a file, which keeps the (store, part) pairs `own` for itself."""
    module = types.ModuleType(Path(path).stem)
    module.__file__ = path
    sys.modules.setdefault(module.__name__, module)
    sys.path.append(str(Path(path).parent))  # where its own helpers are; at the end, so that random.py hides nobody's
    try:
        exec(compile(Path(path).read_bytes(), path, "exec"), module.__dict__)
    except BaseException as why:  # also exit(), and a KeyboardInterrupt: here nobody else raises one
        lines = [frame.lineno for frame in traceback.extract_tb(why.__traceback__) if frame.filename == path]
        where = f" (line {lines[-1]})" if lines else ""
        raise BadInput(f"{path} cannot be read as Python: {in_one_line(why).removesuffix('.')}{where}.") from why
    if not callable(getattr(module, name, None)):
        public = {each: held for each, held in vars(module).items() if callable(held) and not each.startswith("_")}
        its = [
            each
            for each, held in public.items()
            if getattr(held, "__module__", "") == module.__name__ or hasattr(held, "runs_as")  # `general` made it
        ]
        there = f"it has {', '.join(its[:MOST_NAMES])}" if its else "it defines none"
        raise BadInput(f"{path} has no function {name!r}; {there}.")
    return [keeping(getattr(module, name), own)] if own else [getattr(module, name)]


def limited(handlers: Any, rules: Mapping[str, Any], seconds: float, folder: str, bounds: Any) -> Proof:
    """Prove under the pulse, until the parent asks to stop or is gone."""
    news, pulse, parent = Path(folder), Pulse(), os.getppid()
    pulse.renew()
    proof = prove(
        handlers if len(handlers) > 1 else handlers[0],
        seconds=seconds,
        progress=lambda states: (news / STATES).write_text(str(states)) and None,
        stopped=lambda: (news / STOP).exists() or os.getppid() != parent,
        beat=pulse,
        **rules,
        **bounds,
    )
    pulse.renew(LAST_SECONDS)
    return proof


class Pulse:
    """Called whenever the search makes progress. The process ends when the calls stop for too long.

    Each call resets both alarms of the child: an alarm that Python code notices, and one that works in any case.
    """

    def __init__(self) -> None:
        self.last = 0.0

    def __call__(self) -> None:
        """Note a sign of life."""
        if time.perf_counter() - self.last > SILENT_SECONDS / 10:
            self.renew()

    def renew(self, seconds: float = SILENT_SECONDS) -> None:
        """Set the alarms anew."""
        self.last = time.perf_counter()
        signal.setitimer(signal.ITIMER_REAL, seconds)
        faulthandler.dump_traceback_later(seconds + 1, exit=True, file=sys.__stderr__ or sys.stderr)
