"""The values that return from the process that runs learners' code: plain values, and the course's own records.

Pickle can be made to call anything where it is read, and an object of a learner's class brings the learner's methods
along. So both ends look at each class: the sender, who can name it in a sentence, and the reader, who takes only what
does nothing when it is made. The course's own classes of that kind are its dataclasses, named tuples, enumerations
and errors: a class that starts a process or opens a file is none of these.
"""

import dataclasses
import enum
import io
import pickle
from typing import Any

from ..errors import CourseError

MOST_BYTES = 64 * 2**20  # the run of all hours of the data, judged, takes 53 MB
PACKAGE = __name__.partition(".")[0]
REMEDY = "Return plain values: numbers, texts, lists, tuples, sets, dictionaries."
NAMES = {
    "builtins": {"bytearray", "complex", "frozenset", "range", "set", "slice"},
    "collections": {"Counter", "OrderedDict", "deque"},
    "datetime": {"date", "datetime", "time", "timedelta", "timezone"},
    "decimal": {"Decimal"},
    "fractions": {"Fraction"},
    "numpy": {"dtype", "ndarray"},
    "numpy._core.multiarray": {"_reconstruct", "scalar"},
    "numpy._core.numeric": {"_frombuffer"},
}
VALUES = {  # of the course's own, beside its records
    "lockfree.queue": {"Memory"},
    "log.reading": {"Fetched"},
    "node.source": {"Sent"},
    "pipeline": {"Window"},
    "trace": {"Trace"},
}
MODELS = ("clocks.", "exercises.", "chapters.")  # where classes hold what they are given, and nothing else


def write(value: Any) -> bytes:
    """Return `value` as bytes for `read`. Raises `CourseError`, naming it, for a value too large or not plain."""
    pickled = _Bounded()
    try:
        _Writer(pickled, protocol=pickle.HIGHEST_PROTOCOL).dump(value)
    except CourseError:
        raise
    except Exception as why:
        raise CourseError(
            f"The code returned a value that cannot be sent back ({type(why).__name__}). {REMEDY}"
        ) from why
    return pickled.getvalue()


def read(pickled: bytes) -> Any:
    """Return the value that `write` turned into `pickled`. Raises `CourseError` for one that is not plain."""
    return _Reader(io.BytesIO(pickled)).load()


def _is_plain(module: str, name: str, found: object) -> bool:
    """Tell whether an object that a pickle names may be made, or called, by the reader."""
    if isinstance(found, type) and (_is_record(found) or _is_exception(found)):
        return True
    return name in NAMES.get(module, ())


def _is_record(kind: type) -> bool:
    """Tell whether a class of the course only stores its arguments."""
    module = kind.__module__.partition(".")
    if module[0] != PACKAGE:
        return False
    if dataclasses.is_dataclass(kind) or issubclass(kind, (tuple, enum.Enum, BaseException)):
        return True
    return module[2].startswith(MODELS) or kind.__qualname__ in VALUES.get(module[2], ())


def _is_exception(kind: type) -> bool:
    return issubclass(kind, BaseException) and kind.__module__ == "builtins"


def _refused(name: str) -> CourseError:
    return CourseError(
        f"The code returned a value of the class {name}, which stays in the process that made it. {REMEDY}"
    )


class _Bounded(io.BytesIO):
    def write(self, some: Any) -> int:
        if self.tell() + len(some) > MOST_BYTES:
            raise CourseError(f"The code returned over {MOST_BYTES // 2**20} MB; return less.")
        return super().write(some)


class _Writer(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        named = value if isinstance(value, type) or hasattr(value, "__qualname__") else type(value)
        module, name = getattr(named, "__module__", None) or "", getattr(named, "__qualname__", "")
        of_numpy = type(value).__module__ in ("numpy", "numpy.dtypes")  # made by functions that stand in `NAMES`
        if not _is_plain(module, name, named) and not of_numpy:
            raise _refused(type(value).__qualname__)
        return NotImplemented


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if module not in NAMES and module.partition(".")[0] != PACKAGE:
            raise _refused(
                f"{module}.{name}"
            )  # to look for it would run that module, perhaps a file of the learner's
        found = super().find_class(module, name)
        if not _is_plain(module, name, found):
            raise _refused(f"{module}.{name}")
        return found
