"""What a code object lets a suspended frame hide: values on its evaluation stack, and places outside its variables.

A frame can be compared by its instruction and its variables when nothing else decides what it does next. Anything here
that is not known to be harmless makes the answer "hidden"; whoever asks then falls back to the history of the life. The
way out of a `with` block is on the stack while the block runs; those of locks are known otherwise, so they are counted.
"""

import bisect
import builtins
import dis
import functools
import inspect

CALLS = {"CALL", "CALL_FUNCTION_EX", "CALL_KW", "CALL_FUNCTION", "CALL_METHOD", "BEFORE_WITH"}
ANY, WITH = "?", "w"  # values on the stack: any, and the way out of a `with` block
LEAVES = {"RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE"}
ALWAYS_JUMPS = {"JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT"}
ESCAPES = set(
    "STORE_GLOBAL DELETE_GLOBAL STORE_DEREF DELETE_DEREF STORE_ATTR DELETE_ATTR LOAD_BUILD_CLASS IMPORT_STAR LOAD_NAME "
    "STORE_NAME DELETE_NAME LOAD_LOCALS LOAD_CLASSDEREF LOAD_FROM_DICT_OR_GLOBALS LOAD_FROM_DICT_OR_DEREF".split()
)
HARMLESS_MODULES = frozenset({"math", "fractions", "collections", "itertools", "operator", "functools", "exactly_once"})
HARMLESS_BUILTINS = frozenset(
    "abs all any bool bytes callable chr complex dict divmod enumerate filter float format frozenset int isinstance "
    "issubclass len list map max min ord pow print range repr reversed round set slice sorted str sum tuple zip "
    "True False None NotImplemented Ellipsis".split()
)


class Anatomy:
    """What one code object can hide. `clean` is False when it may keep something where no variable shows it.

    `names` are the globals that it reads, `inner` the code objects that it holds; `generator` tells that its frames
    are asked again and again.
    """

    def __init__(self, code, trusted=False):
        self.code = code
        self.names, self.inner = set(), [const for const in code.co_consts if inspect.iscode(const)]
        self.offsets, self.hidden = [], {}
        self.generator = bool(
            code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR)
        )
        self.clean = True
        try:
            instructions = list(dis.get_instructions(code))
            self._measure(instructions)
        except Exception:  # noqa: BLE001 - bytecode of a Python that is not known here hides everything
            self.clean = False
            return
        before = None
        for instruction in instructions:
            if instruction.opname == "LOAD_GLOBAL":
                self.names.add(instruction.argval)
            if not trusted and _escapes(instruction, before):
                self.clean = False
            before = instruction

    def _measure(self, instructions):
        """Find what lies on the stack below the result of each call: the number of `with` blocks, or None for more."""
        place = {instruction.offset: number for number, instruction in enumerate(instructions)}
        self.offsets = list(place)
        stacks, waiting = {}, [(0, "")]
        entries = dis.Bytecode(self.code).exception_entries
        waiting += [(entry.target, ANY * (entry.depth + 1 + bool(entry.lasti))) for entry in entries]
        while waiting:
            offset, stack = waiting.pop()
            if offset in stacks:
                if len(stacks[offset]) != len(stack):
                    raise ValueError("two ways lead here with another stack")
                stack = "".join(one if one == other else ANY for one, other in zip(stack, stacks[offset], strict=True))
                if stack == stacks[offset]:
                    continue
            stacks[offset] = stack
            found = instructions[place[offset]]
            argument = found.arg if found.opcode >= dis.HAVE_ARGUMENT else None
            after = _pushed(stack, dis.stack_effect(found.opcode, argument, jump=False))
            if found.opname == "BEFORE_WITH":
                after = after[:-2] + WITH + ANY
            if found.opname in CALLS:
                below = stack[:-1] if found.opname == "BEFORE_WITH" else after[:-1]
                self.hidden[offset] = None if ANY in below else len(below)
            if found.opcode in dis.hasjrel or found.opcode in dis.hasjabs:
                waiting.append((found.argval, _pushed(stack, dis.stack_effect(found.opcode, argument, jump=True))))
            if found.opname not in LEAVES | ALWAYS_JUMPS:
                waiting.append((instructions[place[offset] + 1].offset, after))

    def at(self, last):
        """Return (the offset of the call that a frame waits in, how many `with` blocks it is in).

        It is None when the stack holds more than that call and those blocks.
        """
        number = bisect.bisect_right(self.offsets, last) - 1
        offset = self.offsets[number] if number >= 0 else None
        blocks = self.hidden.get(offset)
        return None if blocks is None else (offset, blocks)


def _pushed(stack, effect):
    """Return a stack after an instruction of this effect: what it adds is not known, what lies below it stays."""
    return stack + ANY * effect if effect >= 0 else stack[:effect]


def _escapes(instruction, before):
    """Tell whether an instruction can put something where no variable of a frame shows it, or look behind a value."""
    name, value = instruction.opname, instruction.argval
    if name in ESCAPES:
        return True
    if name in ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR"):
        return str(value).startswith("_")
    if name == "IMPORT_NAME":
        return str(value).partition(".")[0] not in HARMLESS_MODULES
    if name == "IS_OP":  # the identity of equal values is no part of a key
        constant = before is not None and before.opname == "LOAD_CONST" and before.argval in (None, True, False)
        return not constant
    return False


@functools.lru_cache(4096)
def anatomy(code, trusted=False):
    """Return the `Anatomy` of a code object. `trusted` code, the library's own, may write attributes."""
    return Anatomy(code, trusted)


def harmless_builtin(name):
    """Tell whether a builtin of this name keeps nothing and looks behind nothing."""
    found = getattr(builtins, name, None)
    return name in HARMLESS_BUILTINS or (isinstance(found, type) and issubclass(found, BaseException))
