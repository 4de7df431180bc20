"""How values read in a trace: short, for people; never used to compare."""

from fractions import Fraction

_described = {}


def describe_as(kind, words):
    """Teach `describe` a type: `words(value)` says a value of it."""
    _described[kind] = words


def describe(value):
    """Return a value in a few words."""
    try:
        return _in_words(value)
    except (OverflowError, ValueError):  # too large for a float, or for Python to print
        return "a huge number"


def _in_words(value):
    if type(value) in _described:
        return _described[type(value)](value)
    if isinstance(value, Fraction):
        return f"{float(value):.1f}"
    if isinstance(value, dict) and value and all(isinstance(offset, int) for offset in value.values()):
        offsets = set(value.values())
        return f"offset {offsets.pop()}" if len(offsets) == 1 else ", ".join(f"{name} {n}" for name, n in value.items())
    if value is None:
        return "nothing yet"
    text = f"[{', '.join(map(describe, value))}]" if isinstance(value, (list, tuple)) else str(value)
    return text if len(text) <= 40 else text[:37] + "…"
