"""Find the state that a code object can hide in a suspended frame: live variables, and places outside of variables.

A frame can be compared by its instruction and its variables when nothing else decides what it does next. What lies on
its evaluation stack has a label that says where it came from; nobody looks at the stack itself. Any construct here
that is not known to be harmless makes the answer "hidden"; the history of the incarnation then stands in.
"""

import bisect
import builtins
import dis
import functools
import inspect
import re
import sys
from typing import Any, TypeAlias

CALLS = {"CALL", "CALL_FUNCTION_EX", "CALL_KW"}
# Instructions that only add to the stack; and the beginnings of those that take from it or leave it as it is.
ONLY_ADD = frozenset("LOAD_CONST LOAD_CLOSURE LOAD_BUILD_CLASS LOAD_ASSERTION_ERROR PUSH_NULL".split())
ONLY_TAKE = tuple(
    "POP_ STORE_FAST STORE_GLOBAL STORE_DEREF STORE_NAME STORE_ATTR STORE_SUBSCR DELETE_ LIST_APPEND SET_ADD MAP_ADD "
    "LIST_EXTEND SET_UPDATE DICT_UPDATE DICT_MERGE RETURN_ JUMP RESUME NOP CACHE PRECALL KW_NAMES MAKE_CELL "
    "COPY_FREE_VARS END_FOR NOT_TAKEN EXTENDED_ARG".split()
)
REPLACE_THREE = ("CHECK_EG_MATCH", "LOAD_SUPER_ATTR", "CLEANUP_THROW", "END_SEND", "SEND")  # all others replace one
WRITTEN = {"ATTR": "attribute", "DEREF": "local"}
STORES = {f"{verb}_{kind}": label for verb in ("STORE", "DELETE") for kind, label in WRITTEN.items()}
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")  # nobody keeps them, or they are values
LEAVES = {"RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE"}
ALWAYS_JUMPS = {"JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT"}
IN_A_CLASS = {"LOAD_NAME", "STORE_NAME", "DELETE_NAME"}  # harmless in a class's body, which is a frame of its own
OUT_OF_SIGHT = frozenset(
    "STORE_GLOBAL DELETE_GLOBAL MATCH_CLASS IMPORT_STAR LOAD_LOCALS LOAD_FROM_DICT_OR_GLOBALS "
    "LOAD_FROM_DICT_OR_DEREF".split()
)
HARMLESS_MODULES = frozenset(  # what they keep is out of reach: see `closed_names`
    "math fractions collections itertools functools contextlib dataclasses heapq bisect json copy "
    "exactly_once".split()
)
HARMLESS_BUILTINS = frozenset(
    "abs all any bool bytes callable chr classmethod complex dict divmod enumerate filter float format frozenset "
    "int isinstance issubclass iter len list map max min next object ord pow print property range repr "
    "reversed round set slice sorted staticmethod str sum super tuple type zip "
    "True False None NotImplemented Ellipsis".split()
)
# They read attributes that no code names, tell equal values apart, say which way an error came, or change a class.
BY_NAME = frozenset(
    "format format_map register tb_frame tb_lasti tb_lineno tb_next gi_frame gi_code "
    "f_back f_lasti f_lineno f_locals f_globals _field_defaults fields dataclass make_dataclass "
    "update_wrapper wraps redirect_stdout redirect_stderr chdir describe_as streams_are".split()
)
CLASS_OF = {("LOAD_ATTR", "__class__"), ("LOAD_DEREF", "__class__")}
OPEN_NAMES = frozenset(  # attributes that look behind nothing, though they begin with two underscores
    "__init__ __enter__ __exit__ __iter__ __next__ __len__ __name__ __qualname__ __class__ __post_init__".split()
)


class Hidden(Exception):
    """The future of this incarnation depends on a hidden thing; the error's text names the thing."""


Label: TypeAlias = tuple[Any, ...] | None
"""Where a value on the stack came from: ("local", name), ("global", name), ("attribute", name, Label), ("constant",
place), ("result", Label) of a call, or None: from elsewhere."""
Stack: TypeAlias = tuple[Label, ...]
ITERATOR = "_of_a_statement_"  # begins the name of a variable that holds a loop's iterator (`frames.named`)


class StackLayout:
    """The state that one code object can hide. `clean` is False if it may keep a value elsewhere, or look behind one.

    `names` are the globals that the code reads, `imports` the modules that it imports, `inner` the code objects that
    it holds, `stores` the (kind, name) of the attributes, and of the variables of other functions, that it writes.
    Five tables have as key the offset of each instruction that a frame can wait in: `waits` is the operation's name,
    `below` the labels of the values on the stack below its operands, `callee` that of what it calls, `rebound` the
    variables that functions made so far share and that may be written later, and `live` the set of variables that may
    be read later before they are written (see `_find_live`).
    """

    def __init__(self, code, trusted=False):
        self.code = code
        self.names, self.imports, self.stores = set(), set(), set()
        self.inner = [const for const in code.co_consts if inspect.iscode(const)]
        self.offsets, self.waits, self.below, self.callee = [], {}, {}, {}
        functions = [one for one in within(code) if one.co_name not in COMPREHENSIONS]
        self._shared = set(code.co_cellvars).intersection(name for one in functions for name in one.co_freevars)
        self._stored_within = {
            found.argval for one in within(code) for found in dis.get_instructions(one) if _rebinds(found)
        }
        self.clean = not code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR)
        self.clean &= trusted or not any(map(_names_behind, code.co_consts))
        try:
            instructions = list(instructions_of(code))
            self._measure(instructions)
        except Exception:  # noqa: BLE001 - bytecode of a Python that is not known here hides everything
            self.clean = False
            return
        before = None
        optimized = code.co_flags & inspect.CO_OPTIMIZED
        for instruction in instructions:
            name = instruction.opname
            if name in ("LOAD_GLOBAL", "LOAD_NAME"):
                self.names.add(instruction.argval)
            if name in STORES and (not name.endswith("DEREF") or instruction.argval in code.co_freevars):
                self.stores.add((STORES[name], instruction.argval))
            if name == "IMPORT_NAME":
                self.imports.add(instruction.argval)
            if name == "POP_TOP" and before is not None and before.opname == "PUSH_EXC_INFO":
                self.names.add("BaseException")  # an `except` without a name
            before = None if instruction.is_jump_target else before  # another may come before it as well
            if not trusted and (_escapes(instruction, before) or (optimized and name in IN_A_CLASS)):
                self.clean = False
            before = instruction

    def _measure(self, instructions):
        """Find the stack below the result of each instruction that a frame can wait in."""
        place = {instruction.offset: number for number, instruction in enumerate(instructions)}
        self.offsets = list(place)
        stacks, waiting, further = {}, [(0, ())], {}
        entries = dis.Bytecode(self.code).exception_entries
        while waiting:
            offset, stack = waiting.pop()
            if offset in stacks:
                if len(stacks[offset]) != len(stack):
                    raise ValueError("two ways lead here with another stack")
                stack = tuple(one if one == other else None for one, other in zip(stack, stacks[offset], strict=True))
                if stack == stacks[offset]:
                    continue
            stacks[offset] = stack
            found = instructions[place[offset]]
            after = stack_after(found, stack, jump=False)
            if found.opname in CALLS:
                self.waits[offset], rest = found.opname, after[:-1]
                self.below[offset], self.callee[offset] = rest, callee(stack[len(rest) :])
            successors = [
                (entry.target, (*stack[: entry.depth], *[None] * (1 + entry.lasti)))
                for entry in entries
                if entry.start <= offset < entry.end
            ]
            if found.opcode in dis.hasjrel or found.opcode in dis.hasjabs:
                successors.append((found.argval, stack_after(found, stack, jump=True)))
            if found.opname not in LEAVES | ALWAYS_JUMPS:
                successors.append((instructions[place[offset] + 1].offset, after))
            waiting += successors
            further[offset] = [successor[0] for successor in successors]
        self._find_live(instructions, further)

    def _find_live(self, instructions, further):
        """Find which variables may be read before they are written again, going backward until nothing changes."""
        self.live = _later({one.offset: _touched(one) for one in instructions}, further)
        stored = {one.offset: (frozenset([one.argval] if _rebinds(one) else ()), frozenset()) for one in instructions}
        inner = {one.offset: one.argval.co_freevars for one in instructions if inspect.iscode(one.argval)}
        made = {one.offset: (frozenset(inner.get(one.offset, ())), frozenset()) for one in instructions}
        before = {offset: [] for offset in further}
        for one, other in [(one, other) for one, others in further.items() for other in others]:
            before[other].append(one)
        later, earlier = _later(stored, further), _later(made, before)
        self.rebound = {
            offset: (later[offset] & earlier[offset] | self._stored_within) & self._shared for offset in self.below
        }

    def at(self, last):
        """Return the offset of the instruction that a frame waits in, or None when that cannot be told."""
        number = bisect.bisect_right(self.offsets, last) - 1
        offset = self.offsets[number] if number >= 0 else None
        return offset if offset in self.below else None


def _later(touched, further):
    """Return {offset: what may be read after it before it is written}, of {offset: (read, written)}, going backward.

    `further` are the offsets that can follow each.
    """
    live, after, changed = dict.fromkeys(further, frozenset()), {}, True
    while changed:
        changed = False
        for offset in reversed(touched):
            read, written = touched[offset]
            after[offset] = frozenset().union(*(live.get(one, ()) for one in further.get(offset, ())))
            now = (after[offset] - written) | read
            if offset in further and now != live[offset]:
                live[offset], changed = now, True
    return after


def _touched(instruction):
    """Return (the variables that an instruction reads, those that it writes), by name."""
    name, value = instruction.opname, instruction.argval
    if "_FAST" not in name:
        return frozenset(), frozenset()
    return (frozenset(), frozenset([value])) if name == "STORE_FAST" else (frozenset([value]), frozenset())


SIMPLE = {"LOAD_FAST_BORROW": "LOAD_FAST", "LOAD_FAST_CHECK": "LOAD_FAST", "LOAD_SMALL_INT": "LOAD_CONST"}


def instructions_of(code):
    """Yield the instructions of a code object; those that newer Pythons join are apart, at two offsets."""
    for one in dis.get_instructions(code):
        if "_FAST" in one.opname and isinstance(one.argval, tuple):
            for place, kind in enumerate(re.findall("LOAD_FAST|STORE_FAST", one.opname)):
                part = one._replace(
                    opname=kind, opcode=dis.opmap[kind], argval=one.argval[place], offset=one.offset + place
                )
                yield part if not place else part._replace(label=None)
        elif name := SIMPLE.get(one.opname):
            yield one._replace(opname=name, opcode=dis.opmap[name])
        else:
            yield one


def stack_after(instruction, stack, jump):
    """Return the labels on the stack after an instruction, for each of its two ways: that it jumps or does not."""
    name, value = instruction.opname, instruction.argval
    argument = instruction.arg if instruction.opcode >= dis.HAVE_ARGUMENT else None
    effect = dis.stack_effect(instruction.opcode, argument, jump=jump)
    if name.startswith(("LOAD_FAST", "LOAD_DEREF")) and effect > 0:
        return (*stack, ("local", value))
    if name == "LOAD_GLOBAL":
        empty = ("constant", instruction.offset)  # the place beside a function
        found = (("global", value), empty)[:effect]
        return stack + (found if sys.version_info >= (3, 13) else found[::-1])
    if name in ("LOAD_ATTR", "LOAD_METHOD"):
        return stack[:-1] + (("attribute", value, stack[-1]),) * (effect + 1)
    if name == "CALL":
        rest = stack[: effect - 1]
        return (*rest, ("result", callee(stack[len(rest) :])))
    if name == "SWAP":
        return stack[: -instruction.arg] + (None,) * instruction.arg
    if name in ONLY_ADD:
        return stack + (("constant", instruction.offset),) * effect
    if name == "FOR_ITER" and not jump:
        return stack + (None,) * effect
    after = len(stack) + effect
    if name.startswith(REPLACE_THREE):
        rest = stack[: max(0, min(len(stack), after) - 3)]
    elif name.startswith(ONLY_TAKE) or (jump and effect <= 0):
        writes = name in ("STORE_FAST", "STORE_DEREF")  # a label that begins with this variable is no longer true
        rest = tuple(None if writes and _root(label) == value else label for label in stack[:after])
    else:
        rest = stack[: max(0, min(len(stack), after) - 1)]
    return rest + (None,) * (after - len(rest))


def _root(label):
    """Return the variable that a label begins with."""
    while label and label[0] in ("attribute", "result"):
        label = label[-1]
    return label[1] if label and label[0] == "local" else None


def callee(operands):
    """Return the label of what is called, one of the first two operands of a call."""
    return next((label for label in operands[:2] if label and label[0] != "constant"), None)


def _escapes(instruction, before):
    """Tell whether an instruction can put something where no frame shows it, or look behind a value."""
    name, value = instruction.opname, instruction.argval
    if name in OUT_OF_SIGHT:
        return True
    if name in ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR", "STORE_ATTR", "DELETE_ATTR"):
        return looks_behind(str(value)) or (name == "STORE_ATTR" and value == "__class__")
    if name == "IMPORT_NAME":
        return str(value).partition(".")[0] not in HARMLESS_MODULES
    if name == "IMPORT_FROM":
        return str(value).startswith("_") or value in BY_NAME
    if name == "IS_OP":  # the identity of equal values is no part of a key; that of classes is
        loaded = before is not None and before.opname == "LOAD_CONST"
        loaded = loaded and any(before.argval is one for one in (None, True, False))  # 0.0 equals one of them
        of_a_class = before is not None and (before.opname, before.argval) in CLASS_OF
        return not (loaded or of_a_class)
    return False


def within(code):
    """Return the code objects within a code object, at any depth."""
    inner = [const for const in code.co_consts if inspect.iscode(const)]
    return inner + [one for const in inner for one in within(const)]


def _rebinds(instruction):
    """Tell whether an instruction writes a variable that functions may share."""
    return instruction.opname in ("STORE_DEREF", "DELETE_DEREF")


def _names_behind(const):
    """Tell whether a constant contains a name from `closed_names`.

    It is also True for a constant that is not a number (NaN, as of 1e999 - 1e999): NaN differs from other NaNs by
    identity, which no variable shows.
    """
    if isinstance(const, tuple):
        return any(map(_names_behind, const))
    if isinstance(const, (float, complex)):
        return const != const
    return isinstance(const, str) and const.isidentifier() and const in closed_names()


def looks_behind(name):
    """Tell whether an attribute of this name leads to something that no key has."""
    if name in BY_NAME:
        return True
    if name.startswith("__") and name.endswith("__"):
        return name not in OPEN_NAMES
    return name in closed_names()


@functools.cache
def closed_names():
    """Return the attributes that lead to a node's life, to what Python's modules keep private and their tables."""
    modules = [(name, sys.modules[name]) for name in sys.modules if name.partition(".")[0] in HARMLESS_MODULES]
    held = [(name, key, value) for name, module in modules if module for key, value in vars(module).items()]
    tables = {key for name, key, value in held if isinstance(value, (dict, list, set)) and "exactly_once" not in name}
    own = {key for name, key, _ in held if key.startswith("_") and name in HARMLESS_MODULES}
    return {"_life", "_reader"} | tables | own


@functools.lru_cache(4096)
def stack_layout(code, trusted=False):
    """Return the `StackLayout` of a code object. `trusted` code, the library's own, looks where it likes."""
    return StackLayout(code, trusted)


def harmless_builtin(name):
    """Tell whether a builtin of this name keeps nothing and looks behind nothing."""
    found = getattr(builtins, name, None)
    return name in HARMLESS_BUILTINS or (isinstance(found, type) and issubclass(found, BaseException))
