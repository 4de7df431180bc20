"""The names that a cell uses and nobody has defined: so a lab tells that it would not run alone."""

import ast
import builtins
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def names_missing(source: str, known: set[str]) -> list[str]:
    """Return the names that the code `source` reads and nobody has defined, sorted; add to `known` what it defines.

    The code is followed line by line; a branch that may not run counts as run. The body of a function is looked at
    after the last line, since a function may read what is defined below it. Raises `SyntaxError` for text that is no
    Python.
    """
    reader = _Reader(known)
    reader.read(ast.parse(source).body)
    while reader.later:
        reader.later.pop(0)()
    return sorted(reader.missing)


class _Reader:
    """Goes through code in the order in which it runs, with the names that are defined by then.

    `known` are the names of the module, which functions share; `local` are those of the function that is read.
    """

    def __init__(self, known: set[str], local: set[str] | None = None) -> None:
        self.known, self.local = known, local
        self.missing: set[str] = set()
        self.later: list[Callable[[], None]] = []

    def read(self, nodes: Iterable[ast.AST | None]) -> None:
        """Go through nodes one after the other."""
        for node in nodes:
            if node is not None:
                self.one(node)

    def one(self, node: ast.AST) -> None:
        """Go through one node. Names that it reads must be known; names that it binds are known from then on."""
        if isinstance(node, ast.Name):
            self.read_or_bind(node)
        elif isinstance(node, Function):
            self.function(node)
        elif isinstance(node, ast.ClassDef):
            self.read([*node.decorator_list, *node.bases, *node.keywords])
            self.inner(set()).read(node.body)
            self.bind(node.name)
        elif isinstance(node, Comprehension):
            self.comprehension(node)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for name in node.names:
                self.bind((name.asname or name.name).split(".")[0])
        elif isinstance(node, ast.Global):
            self.known.update(node.names)
        elif isinstance(node, ast.ExceptHandler):
            self.read([node.type])
            self.bind(node.name or "_")
            self.read(node.body)
        else:
            if isinstance(node, (ast.MatchAs, ast.MatchStar, ast.MatchMapping)):
                self.bind(getattr(node, "name", None) or getattr(node, "rest", None) or "_")
            self.read(_in_order(node))

    def read_or_bind(self, node: ast.Name) -> None:
        """Take a name that is loaded, stored or deleted."""
        if isinstance(node.ctx, ast.Store):
            self.bind(node.id)
        elif node.id not in self.known | (self.local or set()) and not hasattr(builtins, node.id):
            self.missing.add(node.id)

    def bind(self, name: str) -> None:
        """Note a name as defined."""
        (self.known if self.local is None else self.local).add(name)

    def inner(self, names: set[str]) -> "_Reader":
        """Return a reader of a scope within this one, which tells what is missing to this one's list."""
        reader = _Reader(self.known, names | (self.local or set()))
        reader.missing, reader.later = self.missing, self.later
        return reader

    def function(self, node: Function) -> None:
        """Take a definition: its defaults are read now, its body later."""
        arguments, body = node.args, node.body if isinstance(node.body, list) else [node.body]
        self.read([*getattr(node, "decorator_list", ()), *arguments.defaults, *arguments.kw_defaults])
        if not isinstance(node, ast.Lambda):
            self.bind(node.name)
        names = {argument.arg for argument in ast.walk(arguments) if isinstance(argument, ast.arg)}
        for statement in body:
            for inside in ast.walk(statement):
                if isinstance(inside, ast.Global):
                    self.known.update(inside.names)
                elif isinstance(inside, ast.Name) and isinstance(inside.ctx, ast.Store):
                    names.add(inside.id)
        self.later.append(lambda: self.inner(names).read(body))

    def comprehension(self, node: Comprehension) -> None:
        """Take a comprehension: its variables are its own, but what `:=` binds in it is its surroundings'."""
        inside = self.inner(set())
        for each in node.generators:
            inside.read([each.iter, each.target, *each.ifs])
        inside.read([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt])
        for found in ast.walk(node):
            if isinstance(found, ast.NamedExpr):
                self.bind(found.target.id)


def _in_order(node: ast.AST) -> Iterator[ast.AST | None]:
    """Yield the parts of a node in the order in which they run: the value before the name that gets it."""
    if isinstance(node, ast.Assign):
        yield from (node.value, *node.targets)
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
        yield from (node.value, node.target)
    elif isinstance(node, ast.AugAssign):
        if isinstance(node.target, ast.Name):
            yield ast.Name(node.target.id, ast.Load())
        yield from (node.value, node.target)
    elif isinstance(node, (ast.For, ast.AsyncFor)):
        yield from (node.iter, node.target, *node.body, *node.orelse)
    else:
        yield from ast.iter_child_nodes(node)
