"""`built(…)`: a later chapter builds on the learner's code of an earlier chapter.

The course keeps a right answer to a gap in `my-work/built/` as a module: the learner's lines, the functions that the
lines call, and their imports. A later chapter takes this module, or the library's version if there is no module.
"""

import ast
import importlib.util
import inspect
import sys
import textwrap
import types

from ...chapters import gap_named
from ...errors import in_one_line
from ...paths import replaced
from .. import my_work, renamed
from .own_lines import globals_used

FOLDER = "built"


def built(name):
    """Return the learner's code in a gap, such as "03-producer", if the code is kept and right; else the library's.

    `built` prints one line that says whose code this is. Raises `BadInput` for a gap that is not there.
    """
    renamed.refuse_gone(name)
    task, places = gap_named(name), [my_work.folder(FOLDER) / f"{one}.py" for one in (name, *renamed.earlier(name))]
    path = next((one for one in places if one.exists()), None)
    if path is None:
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


def keep(name, answer):
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


def _parts(answer):
    """Yield the imports and definitions that an answer needs, in a working order; the answer's own come last."""
    imports, values, bodies, seen = {}, {}, [], set()

    def visit(thing):
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


def _own(thing):
    return isinstance(thing, types.FunctionType | type) and thing.__module__ == "__main__"


def _importable(thing):
    module = sys.modules.get(getattr(thing, "__module__", None))
    return module is not None and getattr(module, getattr(thing, "__name__", ""), None) is thing


def _loaded(path):
    spec = importlib.util.spec_from_file_location(f"my_work_{path.stem.replace('-', '_')}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.answer
