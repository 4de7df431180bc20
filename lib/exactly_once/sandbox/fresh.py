"""Fresh copies of a learner's function: each answers in a process of its own, in which nobody has called it before.

An incarnation that begins after a crash has such a copy. What a function keeps outside of its arguments, wherever
that is, is not there; so a function whose answers hang on it answers otherwise than one that was called before.
"""

import contextlib
import os
import sys
import types
from multiprocessing import Pipe

import cloudpickle

from ..node.pickling import is_learners


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


def holdings(function):
    """Return {name: value as bytes or text} of the values that a learner's function holds outside its arguments."""
    found, waiting, seen = {}, [function], set()
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, types.MethodType):
            waiting += [one.__func__, one.__self__]
            continue
        whose = "its own" if one is function else repr(getattr(one, "__name__", type(one).__name__))
        for name, value in getattr(one, "__dict__", {}).items():
            found[f"the attribute {name!r} of {whose}"] = _held(value)
        if not isinstance(one, types.FunctionType):
            method = getattr(type(one), "__call__", None)  # noqa: B004 - the method, not whether there is one
            waiting += [method] if isinstance(method, types.FunctionType) else []
            continue
        for name in sorted(_names(one.__code__) & set(one.__globals__)):
            value = one.__globals__[name]
            found[f"the global {name!r}"] = _held(value)
            if isinstance(value, types.FunctionType) and is_learners(value.__code__.co_filename):
                waiting.append(value)
        for name, cell in zip(one.__code__.co_freevars, one.__closure__ or (), strict=True):
            with contextlib.suppress(ValueError):  # an empty one
                found[f"the variable {name!r} around it"] = _held(cell.cell_contents)
        found[f"a default of {one.__name__!r}"] = _held((one.__defaults__, one.__kwdefaults__))
    return found


def _names(code):
    inner = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return set(code.co_names).union(*map(_names, inner))


def _held(value):
    if hasattr(value, "cache_info"):
        return repr(value.cache_info())
    if isinstance(value, (type, types.ModuleType)):
        file = getattr(sys.modules.get(getattr(value, "__module__", value.__name__)), "__file__", None)
        return repr(vars(value)) if file and is_learners(file) else ""
    try:
        return cloudpickle.dumps(value)
    except Exception:  # noqa: BLE001 - it is only compared
        return repr(value)
