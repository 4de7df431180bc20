"""`built(…)`: a later chapter builds on the learner's code of an earlier chapter.

The course keeps a right answer to a gap in `my-work/built/` as a module: the learner's lines, the functions that the
lines call, and their imports. A later chapter takes this module, or the library's version if there is no module.
Lines that call the library's version are not the learner's own: `borrowed` finds them.
"""

import ast
import contextlib
import importlib.util
import inspect
import io
import sys
import textwrap
import types
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import cloudpickle

from ...chapters.items import gap_named
from ...errors import in_one_line
from ...paths import replaced
from .. import my_work

FOLDER = "built"


def built(name: str) -> Any:
    """Return the learner's code in a gap, such as "03-producer", if the code is kept and right; else the library's.

    `built` prints one line that says whose code this is. Raises `BadInput` for a gap that is not there.
    """
    task, path = gap_named(name), my_work.folder(FOLDER) / f"{name}.py"
    if not path.exists():
        print(f"This is the library's {task.library.__name__}. Yours is not kept yet: a gap of chapter {name[:2]}.")
        return task.library
    try:
        answer = _loaded(path)
        reply = task.check(answer)
    except Exception as why:  # noqa: BLE001 - the learner may have changed the file
        problem = in_one_line(why)
    else:
        if reply.right:
            print(f"This is your own {answer.__name__}, from chapter {name[:2]} ({path.name} in my-work/{FOLDER}).")
            return answer
        problem = reply.sentence
    print(f"This is the library's {task.library.__name__}. Yours, {path.name} in my-work/{FOLDER}, fails: {problem}")
    return task.library


def keep(name: str, answer: Any) -> bool:
    """Keep a right answer as a module. Returns False if the names that the answer uses cannot be found elsewhere."""
    try:
        text = "\n\n".join([*_parts(answer), f"answer = {answer.__name__}"])
    except (
        OSError,
        TypeError,
        ValueError,
        SyntaxError,
        AttributeError,
    ):  # no source, or a value not to be written down
        return False
    title = f'"""Yours, from chapter {name[:2]}: the gap {name}."""'
    replaced(my_work.folder(FOLDER) / f"{name}.py", f"{title}\n\n{text}\n")
    return True


def _parts(answer: Any) -> list[str]:
    """Yield the imports and definitions that an answer needs, in a working order; the answer's own come last."""
    imports, values, bodies, seen = {}, {}, [], set()

    def visit(thing: Any) -> None:
        if id(thing) in seen:
            return
        seen.add(id(thing))
        for used, other in sorted(globals_used(thing).items()):
            if isinstance(other, types.ModuleType):
                imports[used] = f"import {other.__name__} as {used}"
            elif _own(other):
                visit(other)
            elif _importable(other):
                imports[used] = f"from {other.__module__} import {other.__name__} as {used}"
            else:
                ast.literal_eval(repr(other))  # a constant of the notebook
                values[used] = f"{used} = {other!r}"
        bodies.append(textwrap.dedent(inspect.getsource(thing)).rstrip())

    visit(answer)
    return [*imports.values(), *values.values(), *bodies]


def _own(thing: Any) -> bool:
    return isinstance(thing, types.FunctionType | type) and thing.__module__ == "__main__"


def _importable(thing: Any) -> bool:
    module = sys.modules.get(str(getattr(thing, "__module__", None)))
    return module is not None and getattr(module, getattr(thing, "__name__", ""), None) is thing


def _loaded(path: Path) -> Any:
    spec: Any = importlib.util.spec_from_file_location(f"my_work_{path.stem.replace('-', '_')}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.answer


def borrowed(answer: Any, refused: Iterable[Any]) -> str | None:
    """Return the name of the first of the functions `refused` that an answer is or uses, or None.

    It looks at all that pickle takes along with the answer: partial functions, methods, classes, and the learner's
    own helpers that the answer calls.
    """
    found, refused = [], tuple(refused)
    names = {function.__name__ for function in refused}

    class Looking(cloudpickle.Pickler):
        def persistent_id(self, thing: Any) -> str | None:
            thing = getattr(thing, "__func__", thing)  # of a method
            if any(thing is function for function in refused):
                found.append(thing.__name__)
            librarys = str(getattr(thing, "__module__", "")).startswith("exactly_once.")
            if isinstance(thing, types.FunctionType) and not librarys:
                # imported in the function itself, or an attribute of a module
                found.extend(sorted((_names(thing.__code__) & names) - thing.__globals__.keys()))
            return "not looked into" if found or librarys else None

    with contextlib.suppress(Exception):  # the check refuses what cannot be pickled
        Looking(io.BytesIO()).dump(answer)
    return found[0] if found else None


def globals_used(thing: Any) -> dict[str, Any]:
    """Return the global names that a function, or a class by its methods, uses, with what they stand for."""
    functions = (
        [each for each in vars(thing).values() if isinstance(each, types.FunctionType)]
        if isinstance(thing, type)
        else [thing]
    )
    return {
        name: each.__globals__[name]
        for each in functions
        for name in _names(each.__code__)
        if name in each.__globals__
    }


def _names(code: types.CodeType) -> set[str]:
    """Return the names that a piece of code uses, with those of the functions that it defines."""
    inner = [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return set(code.co_names).union(*map(_names, inner))
