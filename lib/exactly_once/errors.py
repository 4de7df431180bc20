"""The one family of errors that the course raises on purpose; and packages that only a part of the library needs.

`prove`, `crash`, `report` and `clocks` need none of these packages: see `dependencies` in `pyproject.toml`.
"""

import re
import sysconfig
import traceback
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import TypeGuard, TypeVar

Chosen = TypeVar("Chosen")
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
LONGEST = 1_000  # characters of a sentence; the quoted text may have come by a slip of the clipboard
LONGEST_WORDS = 500  # characters of the text of a learner's exception
LIBRARIES = tuple(
    str(path)
    for path in (
        Path(__file__).parent,
        sysconfig.get_path("stdlib"),
        sysconfig.get_path("purelib"),
        sysconfig.get_path("platlib"),
    )
)
_CELL = r"[^\"]*ipykernel_\d+[/\\][^\"/\\]*"  # the file that a notebook's kernel names for a cell
EXTRAS = {  # as in pyproject.toml: who needs these modules, and the modules
    "lab": (
        "The notebooks, their widgets and their pictures need",
        "anywidget ipykernel IPython ipywidgets jupyter_core jupyter_server jupyterlab nbformat".split()
        + "pandas plotly tornado traitlets zmq".split(),
    ),
    "spark": ("The Spark cluster needs", "numpy pandas py4j pyarrow pyspark".split()),
    "servers": ("The clients of real servers need", ["confluent_kafka", "kafka", "psycopg"]),
}


class CourseError(Exception):
    """An error that a person can correct: the message names the cause, the value, and the remedy."""


def message_of(why: BaseException) -> tuple[str, str]:
    """Return (sentence, traceback) of a `CourseError`: some carry the learner's own lines, beside or below."""
    message, mark, more = str(why).partition("\nTraceback")
    return message, getattr(why, "traceback", "") or mark.strip() + more


def in_one_line(why: BaseException) -> str:
    """Return the class of any error and the first line of its text, cut to a readable length.

    Learners' errors may have no end of text, or none that can be had.
    """
    name = type(why).__name__
    try:
        first, *more = printable(str(why).strip()).splitlines() or [""]
    except BaseException as failure:  # noqa: BLE001 - the error is of a class of the learner's own
        return f"{name}, whose text cannot be had: {type(failure).__name__}"
    return f"{name}: {cut(first)}{' …' if more else ''}" if first else name


def printable(text: str) -> str:
    """Return text with each control character but tabs and ends of lines escaped: a terminal would obey it.

    So are the characters that turn the direction of the following text, which hide the order of a line.
    """
    return CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def cut(text: str, most: int = 1_000) -> str:
    """Return text of at most `most` characters; of a longer one the beginning, and how long it is."""
    return text if len(text) <= most else f"{text[:most]} … ({len(text):,} characters in all)"


def what_failed(error: str) -> str:
    """Return the line of a traceback that names the error: the first one after the stack."""
    lines = error.strip().splitlines()
    return next((line for line in lines[1:] if not line.startswith(" ")), lines[-1] if lines else "an error")


def line_of(file: str, number: int) -> str:
    """Return the place of a learner's line in words: "line 5 of your cell", or of the file."""
    return f"line {number} of {'your cell' if re.fullmatch(_CELL, file) else Path(file).name}"


def by_cell(text: str) -> str:
    """Return a traceback that calls a notebook's cell "your cell", and not by the kernel's temporary file."""
    return re.sub(rf'File "{_CELL}", line (\d+)', r"Line \1 of your cell", text)


def words_of(why: BaseException) -> str:
    """Return the class and the text of an exception, cut to a readable length, and the learner's line, if any."""
    said = str(why)
    said = said if len(said) <= LONGEST_WORDS else f"{said[:LONGEST_WORDS]} …"
    told = f"{type(why).__name__}: {said}" if said else type(why).__name__
    frames = _own_frames(why)
    return f"{told} ({line_of(frames[-1].filename, frames[-1].lineno or 0)})" if frames else told


def own_lines(why: BaseException) -> str:
    """Return the traceback of the learner's own lines."""
    return by_cell("".join(traceback.StackSummary.from_list(_own_frames(why)).format()))


def _own_frames(why: BaseException) -> list[traceback.FrameSummary]:
    """Return the frames of an exception that are neither this package's nor a library's."""
    frames = traceback.extract_tb(why.__traceback__)
    return [frame for frame in frames if not frame.filename.startswith((*LIBRARIES, "<fr"))]


class BadInput(CourseError, ValueError):
    """An argument that makes no sense; the message names the value and the values that would do.

    Of a value that is too long to read, the message has the beginning and the end.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(message if len(message) <= LONGEST else f"{message[:160]} … {message[-240:]}")


class OutcomeUnknown(CourseError):
    """A store was asked and no reply came: the operation may have happened, or not.

    Any operation on a store may raise it. A timeout of a real server means the same.
    """


class HandlerStuck(CourseError):
    """Learner's code that did not finish. `traceback` shows where it was."""

    def __init__(self, message: str, traceback: str = "") -> None:
        super().__init__(message)
        self.traceback = by_cell(traceback)


def one_of(name: str, value: Chosen, choices: Iterable[object]) -> Chosen:
    """Return `value` if it is among `choices`; otherwise raise `BadInput` naming both."""
    choices = list(choices)
    if type(value) is str and value in choices:
        return value
    if any(value == choice and isinstance(value, bool) == isinstance(choice, bool) for choice in choices):
        return value  # True is no 1 here, and False no 0
    raise BadInput(f"{name} is {value!r}; it can be {', '.join(str(choice) for choice in choices)}.")


def number_in(text: object) -> int | None:
    """Return the whole number that is all of `text`, up to 18 digits and maybe a minus sign, or None.

    A text that only looks like digits, such as ², is no number here, nor is a number that fits no counter.
    """
    return int(str(text)) if re.fullmatch(r"\s*-?[0-9]{1,18}\s*", str(text)) else None


def is_whole(value: object) -> TypeGuard[int]:
    """Tell whether a value is a whole number. True and False are none here."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[int | float]:
    """Tell whether a value is a number, whole or not, and no bool. NaN and the infinities are numbers."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def whole(name: str, value: object, least: int = 0, most: int | None = None) -> int:
    """Return `value` if it is a whole number within [least, most]; otherwise raise `BadInput`."""
    if not is_whole(value):
        raise BadInput(f"{name} is {value!r}; it must be a whole number.")
    if value < least or (most is not None and value > most):
        bounds = f"at least {least}" if most is None else f"between {least} and {most}"
        shown = value if abs(value) < 10**40 else "a number of over 40 digits"  # Python refuses to print huge ones
        raise BadInput(f"{name} is {shown}; it must be {bounds}.")
    return value


def between(name: str, value: object, least: float, most: float) -> float:
    """Return `value` if it is a number within [least, most]; otherwise raise `BadInput`."""
    if not is_number(value) or not least <= value <= most:
        raise BadInput(f"{name} is {value!r}; it must be a number from {least:g} to {most:g}.")
    return value


class Missing(ModuleNotFoundError):
    """A package is not installed that a part of the library needs; the message has the line that installs it."""


def line_for(extra: str) -> str:
    """Return the line of pip that installs an extra beside what is installed."""
    return f"pip install 'exactly-once[{extra}]'"


def missing(module: str | None, extra: str | None = None) -> Missing | None:
    """Return the error to raise in place of one that names this module; None for a module of no extra.

    `extra` says which one it is for, where two have the module.
    """
    name = (module or "").partition(".")[0]
    for known, (who, modules) in EXTRAS.items():
        if name in modules and extra in (None, known):
            return Missing(f"{who} {name}, which is not installed here. Install it: {line_for(known)}", name=name)
    return None


def here(extra: str) -> bool:
    """Tell whether all modules of an extra are installed."""
    return all(find_spec(module) for module in EXTRAS[extra][1])


def needed(extra: str, *modules: str) -> None:
    """Raise `Missing` for the first of these modules of an extra that is not installed. Imports none of them."""
    for module in modules:
        if find_spec(module) is None:
            raise missing(module, extra) or ModuleNotFoundError(module)


def plural(number: int, word: str) -> str:
    """Return a number with its word."""
    many = {"crash": "crashes", "reply": "replies", "switch": "switches"}
    last = word.rpartition(" ")[2]
    return f"{number} {word if number == 1 else word.removesuffix(last) + many.get(last, last + 's')}"
