"""Which values a store keeps, and how: JSON with sorted keys, so that equal values are equal text in every world."""

import json
import math
import reprlib
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

from ..errors import BadInput

Value: TypeAlias = Any  # a value that `encode` takes; only its writer knows its type
Kept = TypeVar("Kept")
MOST_DIGITS = sys.int_info.default_max_str_digits  # Python reads integers of this length in every process
TOO_LONG = 10**MOST_DIGITS

_types: dict[str, tuple[type, Callable[[Any], Value], Callable[[Value], Any]]] = {}


def register(
    tag: str, kind: type[Kept], to_plain: Callable[[Kept], Value], from_plain: Callable[[Value], Kept]
) -> None:
    """Teach the codec a type: `to_plain` turns it into values the codec knows, `from_plain` turns them back."""
    _types[tag] = (kind, to_plain, from_plain)


def encode(value: Value) -> str:
    """Return `value` as text. Raises `BadInput` if a store cannot keep it: no approximation is stored."""
    try:
        return _encoder.encode(_plain(value))
    except RecursionError:
        raise BadInput("A store cannot keep a value that is nested this deeply, or that holds itself.") from None
    except ValueError as why:
        if isinstance(why, BadInput):
            raise
        raise BadInput(f"A store cannot keep this value: {why}.") from None


def decode(text: str) -> Value:
    """Return the value that `encode` turned into `text`; a tuple comes back as a list."""
    return (_decoder if '"$' in text else _plain_decoder).decode(text)


def tuples(found: Value) -> Value:
    """Return a value with tuples in place of its lists, as a store has its contents."""
    return tuple(map(tuples, found)) if isinstance(found, list) else found


def _plain(value: Value) -> Value:
    kind = type(value)
    if kind is str or (kind is int and -(2**63) < value < 2**63):  # most values by far
        return value
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        if -TOO_LONG < value < TOO_LONG:
            return value
        raise BadInput(f"A store cannot keep a whole number of over {MOST_DIGITS} digits; give it a shorter one.")
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        raise BadInput(f"A store cannot keep the number {value!r}; give it a finite one.")
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str) or key.startswith("$"):
                raise BadInput(
                    f"A store cannot keep a dictionary with the key {key!r}; keys are text that does "
                    f"not begin with $."
                )
        return {key: _plain(item) for key, item in value.items()}
    for tag, (kind, to_plain, _) in _types.items():
        if isinstance(value, kind):
            return {f"${tag}": _plain(to_plain(value))}
    raise BadInput(
        f"A store cannot keep {' '.join(reprlib.repr(value).split())} of type {type(value).__name__}; it keeps "
        "numbers, text, None, fractions, windows, and lists or dictionaries of these. Turn it into one of them: a "
        "set by sorted(), a number of NumPy's by int() or float()."
    )


def _revive(found: dict[str, Value]) -> Value:
    if len(found) == 1:
        ((key, value),) = found.items()
        if key[:1] == "$" and key[1:] in _types:
            return _types[key[1:]][2](value)
    return found


_encoder = json.JSONEncoder(sort_keys=True, separators=(",", ":"))
_decoder = json.JSONDecoder(object_hook=_revive)
_plain_decoder = json.JSONDecoder()  # twice as fast where no tag stands in the text

register("fraction", Fraction, lambda value: [value.numerator, value.denominator], lambda pair: Fraction(*pair))
