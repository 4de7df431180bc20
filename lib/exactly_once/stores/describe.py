"""How values read in a trace: short, for people; never used to compare."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, TypeVar

from .codec import Value, encode

Described = TypeVar("Described")
_described: dict[type, Callable[[Any], str]] = {}
_streams: set[str] = set()


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
        return (
            encode(value) if type(value) in _described else str(value) if isinstance(value, Fraction) else repr(value)
        )
    except (OverflowError, ValueError):
        return "a huge number"


def cut_short(text: str, most: int = 40) -> str:
    """Return text of at most `most` characters."""
    return text if len(text) <= most else f"{text[: most - 3]}…"
