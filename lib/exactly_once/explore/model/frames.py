"""What a suspended frame shows of itself: its variables, the iterators of its loops, and which function it called.

Half of a frame lies on its evaluation stack, which Python does not show. `bytecode` says where each value there came
from; a value that one of the frame's variables still holds is seen there. For loops this is arranged: `named` gives
their iterators variables of their own.
"""

import ast
import dis
import functools
import inspect
import linecache
from collections.abc import Iterator
from types import CodeType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any

from ...node.program import pickle_handler
from .bytecode import ITERATOR, Hidden, Label, Stack, StackLayout, within

IMMUTABLE = 1 << 8  # of a class: nobody can write to it; it is one of Python's, written in C
# With them code may have the table of its variables, too.
SHOWS = {"dir", "locals", "vars", "eval", "exec", "__code__"}
OURS, UNKNOWN = object(), object()  # in place of a value: one of the library's classes, and one that is not known


def variables_of(frame: FrameType) -> dict[str, Any]:
    """Return {name: value} of a frame's variables, and leave no further references to them behind."""
    shown = frame.f_locals
    held = dict(shown)
    if type(shown) is dict and _is_plain(frame.f_code):
        shown.clear()  # before Python 3.13 the frame keeps this copy, and what is in it would live longer for it
    return held


def below(stack: Stack, held: dict[str, Any], frame: FrameType) -> Iterator[str]:
    """Yield the names of the variables that hold what is on a frame's stack, but for constants and globals.

    Raises `Hidden` when no variable shows one: half an expression, the way out of a `with` block, or the exception
    that was handled before.
    """
    code = frame.f_code
    shared = {*code.co_cellvars, *code.co_freevars}
    for label in stack:
        match label:
            case ("constant" | "global", _):  # no code that has a key writes globals
                pass
            case ("local", str(name)) if name in held and name not in shared:
                yield name
            case _:
                raise Hidden(
                    f"{code.co_name} takes it within a `with` block, an `except` or a larger expression; "
                    "in a wait let it be a statement of its own"
                )


def called(
    frame: FrameType, held: dict[str, Any], known: StackLayout, inner: FrameType, own: dict[str, Any]
) -> FunctionType | None:
    """Return the function that the frame `inner`, with the variables `own`, is a call of, if it is known.

    Raises `Hidden` unless the learner's frame, with the variables `held`, surely called `inner` itself, with no
    function written in C in between: what the frame called must be that function, or a method of the library. It is
    found by its label now; `Key.life` looks whether code may have put another thing there since.
    """
    offset = known.at(frame.f_lasti)
    waits = known.waits.get(offset)
    if waits in ("CALL", "CALL_KW"):
        label = known.callee[offset]
        found = _value(label, held, frame.f_globals)
        if type(found) is MethodType:
            found = found.__func__
        elif label and label[0] == "attribute":
            found = _method_of_a_new_object(label, held, frame.f_globals, inner.f_code, own) or found
        if type(found) is FunctionType and found.__code__ is inner.f_code:
            return found
        if found is OURS and label and label[1] == inner.f_code.co_name and is_ours(inner.f_globals.get("__name__")):
            return None
    raise Hidden(f"{inner.f_code.co_name} was called by something that keeps what it does to itself")


def _value(label: Label, held: dict[str, Any], scope: dict[str, Any]) -> Any:
    """Return the value of a label in a frame with these variables and globals, or `OURS` or `UNKNOWN`."""
    if label is None or label[0] in ("local", "global"):
        return UNKNOWN if label is None else (held if label[0] == "local" else scope).get(label[1], UNKNOWN)
    of = _value(label[-1], held, scope)
    if label[0] == "result":
        if label[1] and label[1][0] == "attribute" and label[1][1] == "choose":
            return UNKNOWN  # what the learner gave it
        bound = type(of) is MethodType and is_ours(type(of.__self__).__module__)
        return OURS if of is OURS or bound else UNKNOWN
    name = label[1]
    if of is OURS or of is UNKNOWN or isinstance(of, ModuleType):
        return vars(of).get(name, UNKNOWN) if isinstance(of, ModuleType) else of
    in_class = [vars(kind)[name] for kind in type(of).__mro__ if name in vars(kind)]
    own = own_attributes(of)
    if type(of).__getattribute__ is not object.__getattribute__ or (name in own and in_class):
        return UNKNOWN
    if name in own:
        return own[name]
    if is_ours(type(of).__module__):
        return OURS
    return MethodType(in_class[0], of) if in_class and type(in_class[0]) is FunctionType else UNKNOWN


def _method_of_a_new_object(
    label: Label, held: dict[str, Any], scope: dict[str, Any], code: CodeType, own: dict[str, Any]
) -> FunctionType | None:
    """Return the method that is called, if it is one of an object made for this call, as in `Client(node).ask()`."""
    _, name, made = label or ("", "", None)
    kind = _value(made[1], held, scope) if made and made[0] == "result" else None
    mine = own.get(code.co_varnames[0]) if code.co_argcount else None
    plainly = type(kind) is type and type(mine) is kind and name not in own_attributes(mine)
    if not plainly or kind.__new__ is not object.__new__ or kind.__getattribute__ is not object.__getattribute__:
        return None
    return getattr(kind, name, None)


def own_attributes(value: Any) -> dict[str, Any]:
    """Return an object's own attributes, and run no code of its class for it."""
    try:
        return object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}


def is_ours(module: str | None) -> bool:
    """Tell whether a module is the library's; these keep nothing from step to step."""
    return module is not None and module.startswith("exactly_once.")


class _Named(ast.NodeTransformer):
    """Gives each loop's iterator a variable of its own, another one within each loop.

    The variable lets go of the iterator as soon as the loop does: it may do something when it is dropped. A loop
    within a `with` block stays as it is, since the block hides the frame anyway.
    """

    def __init__(self) -> None:
        self.depth = self.deepest = 0

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        """Have a loop go over a variable that holds its iterator."""
        name = f"{ITERATOR}{self.depth}"
        self.depth += 1
        self.deepest = max(self.deepest, self.depth)
        self.generic_visit(node)
        self.depth -= 1
        asked = ast.Call(ast.Name("iter", ast.Load()), [node.iter], [])
        node.iter = ast.Name(name, ast.Load())
        node.orelse[:0] = [_assigned(name, ast.Constant(None), node)] if node.orelse else []
        return [_assigned(name, asked, node), node, _assigned(name, ast.Constant(None), node)]

    def visit_Try(self, node: ast.Try) -> ast.stmt:
        """Let go of the iterators of the loops that an exception has left."""
        self.generic_visit(node)
        left = [f"{ITERATOR}{number}" for number in reversed(range(self.depth, self.deepest))]
        for body in (*(handler.body for handler in node.handlers), node.finalbody):
            if body:
                body[:0] = [_assigned(name, ast.Constant(None), node) for name in left]
        return node

    def visit_With(self, node: ast.With | ast.TryStar) -> ast.stmt:
        """Leave it as it is."""
        return node

    visit_TryStar = visit_With  # noqa: N815 - the name that Python asks for

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        """Leave a class's body as it is, where a variable would be an attribute; not so its methods."""
        node.body = [self.visit(one) if isinstance(one, ast.FunctionDef) else one for one in node.body]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        """Begin anew in each function."""
        before = self.depth, self.deepest
        self.depth = self.deepest = 0
        self.generic_visit(node)
        self.depth, self.deepest = before
        return node


def _assigned(name: str, value: ast.expr, where: ast.stmt) -> ast.stmt:
    at = ast.Assign([ast.Name(name, ast.Store())], value)
    for one in ast.walk(at):
        if not hasattr(one, "lineno"):
            ast.copy_location(one, where)
    return at


def pickled_with_named_loops(handler: object) -> tuple[bytes, list[CodeType]]:
    """Return (a handler pickled for the explorer, all code that goes with it): each loop has a variable for its
    iterator.

    The loops stay as they are beside a generator of the learner's, which may do something when it is dropped: a
    variable would keep it for longer.
    """
    found: dict[CodeType, CodeType] = {}
    pickled = pickle_handler(handler, lambda code: found.setdefault(code, named(code)))
    every = [*found, *(one for code in found for one in within(code))]
    if any(one.co_flags & inspect.CO_GENERATOR and one.co_name != "<genexpr>" for one in every):
        pickled = pickle_handler(handler)
    return pickled, every


def _tree(source: str) -> ast.Module:
    """Return the syntax tree of a source; an empty one for what is none."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def named(code: CodeType) -> CodeType:
    """Return a code object that does the same, with a variable for the iterator of each of its loops.

    It is made from the source. Without one, or when the source says something else by now, it is `code` itself.
    """
    return _in_file(code.co_filename, "".join(linecache.getlines(code.co_filename))).get(code, code)


@functools.lru_cache(256)
def _in_file(name: str, source: str) -> dict[CodeType, CodeType]:
    """Return {code: the same with variables for iterators} of all functions in a source."""
    written = _tree(source)
    if any(map(_unlike, ast.walk(written))):
        return {}
    plain = compile(_tree(source), name, "exec", dont_inherit=True)
    other = compile(ast.fix_missing_locations(_Named().visit(written)), name, "exec", dont_inherit=True)
    ones, others = _functions(plain), _functions(_asks_once(other))
    return {ones[key]: others[key] for key in ones.keys() & others.keys() if _is_plain(ones[key])}


def _asks_once(code: CodeType) -> CodeType:
    """Return a code object in which no loop over such a variable asks the iterator that it holds for another one."""
    made, before = bytearray(code.co_code), ""
    for one in dis.get_instructions(code):
        if one.opname == "GET_ITER" and ITERATOR in before:
            made[one.offset] = dis.opmap["NOP"]
        before = f"{one.argval}" * ("_FAST" in one.opname)
    consts = tuple(_asks_once(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_code=bytes(made), co_consts=consts)


def _is_plain(code: CodeType) -> bool:
    """Tell whether a code object is of a function that does not look at the table of its variables."""
    return bool(code.co_flags & inspect.CO_OPTIMIZED) and not SHOWS & {*code.co_names}


def _unlike(node: ast.AST) -> bool:
    """Tell whether `iter` may be another function here than Python's."""
    names = [*(getattr(node, of, "") for of in ("arg", "name", "rest")), *getattr(node, "names", ())]
    bound = isinstance(node, ast.Name) and node.id == "iter" and not isinstance(node.ctx, ast.Load)
    return bound or "iter" in [getattr(one, "asname", None) or getattr(one, "name", one) for one in names]


def _functions(code: CodeType) -> dict[tuple[str, int], CodeType]:
    """Return {(name, line): code} of all functions in a code object, but for those that share both."""
    found = [code, *within(code)]
    keys = [(one.co_qualname, one.co_firstlineno) for one in found]
    return {key: one for key, one in zip(keys, found, strict=True) if keys.count(key) == 1}
