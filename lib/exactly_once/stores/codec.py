"""The values that a store keeps: as text that is compared, and in a few words for people.

The text is JSON with sorted keys, so that equal values are equal text in every world. The words are of a trace; they
are never compared.
"""

import json
import math
import reprlib
import sys
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

from ..errors import BadInput

Value: TypeAlias = Any  # a value that `encode` takes; only its writer knows its type
Kept = TypeVar("Kept")
Described = TypeVar("Described")
MOST_DIGITS = sys.int_info.default_max_str_digits  # Python reads integers of this length in every process
TOO_LONG = 10**MOST_DIGITS

_types: dict[str, tuple[type, Callable[[Any], Value], Callable[[Value], Any]]] = {}
_described: dict[type, Callable[[Any], str]] = {}
_streams: set[str] = set()


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
    if kind is list or kind is tuple:
        return [_plain(item) for item in value]
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


def describe_as(kind: type[Described], words: Callable[[Described], str]) -> None:
    """Teach `describe` a type: `words(value)` says a value of it."""
    _described[kind] = words


def streams_are(names: Iterable[str]) -> None:
    """Teach `describe` the names of the streams, so that it knows positions in them."""
    _streams.update(names)


def describe(value: Value) -> str:
    """Return a value in a few words."""
    try:
        return _in_words(value)
    except (OverflowError, ValueError):  # too large for a float, or for Python to print
        return "a huge number"
    except RecursionError:  # the store, which is asked next, refuses it
        return "a value that is nested too deeply to be said"
    except Exception:  # noqa: BLE001 - the `__repr__` of a learner's class may fail in any way
        return f"a value of the kind {type(value).__name__}"


def _in_words(value: Value) -> str:
    if type(value) in _described:
        return _described[type(value)](value)
    if isinstance(value, Fraction):
        return f"{float(value):.1f}"
    if isinstance(value, dict) and set(value) == _streams:
        offsets = set(value.values())
        return (
            f"offset {offsets.pop()}" if len(offsets) == 1 else ", ".join(f"{name} {n}" for name, n in value.items())
        )
    if isinstance(value, dict):
        return cut_short(f"{{{', '.join(f'{name}: {describe(held)}' for name, held in value.items())}}}")
    if value is None:
        return "nothing yet"
    text = f"[{', '.join(map(describe, value))}]" if isinstance(value, (list, tuple)) else str(value)
    return cut_short(text)


def apart(one: Value, other: Value) -> tuple[str, str]:
    """Return two values that differ in a few words each, which show where they differ."""
    said = describe(one), describe(other)
    if said[0] != said[1]:
        return said
    texts = _exactly(one), _exactly(other)
    alike = next((place for place, (a, b) in enumerate(zip(*texts, strict=False)) if a != b), min(map(len, texts)))
    start = max(0, alike - 20) if max(map(len, texts)) > 60 else 0
    first, second = (("…" if start else "") + cut_short(text[start:], 60) for text in texts)
    return first, second


def _exactly(value: Value) -> str:
    try:
        if isinstance(value, Fraction):
            decimal = str(float(value))
            return decimal if Fraction(decimal) == value else str(value)
        return encode(value) if type(value) in _described else repr(value)
    except (OverflowError, ValueError):
        return "a huge number"


def cut_short(text: str, most: int = 40) -> str:
    """Return text of at most `most` characters."""
    return text if len(text) <= most else f"{text[: most - 3]}…"
