"""Fresh copies of a learner's function: each answers in a process of its own, in which nobody has called it before.

An incarnation that begins after a crash has such a copy. What a function keeps outside of its arguments, wherever
that is, is not there; so a function whose answers hang on it answers otherwise than one that was called before.
"""

import contextlib
import os
import types
from multiprocessing import Pipe
from typing import Any

import cloudpickle


class Copies:
    """Fresh copies of `function`, which nobody has called in this process yet.

    `answer(question)` calls it, and returns plain values. A process is kept from which each copy is a fork.
    """

    def __init__(self, function, answer):
        self.function, self.answer = function, answer
        self.pipe, theirs = Pipe()
        if os.fork() == 0:
            try:
                self.pipe.close()
                self._serve(theirs)
            finally:
                os._exit(0)
        theirs.close()

    def ask(self, *questions):
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

    def _serve(self, pipe):
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

    def _answered(self, questions):
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
