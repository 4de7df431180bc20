"""How values read in a trace: short, for people; never used to compare."""

from fractions import Fraction

from .window import Window


def describe(value):
    """Return a value in a few words."""
    try:
        return _described(value)
    except (OverflowError, ValueError):  # too large for a float, or for Python to print
        return "a huge number"


def _described(value):
    if isinstance(value, Fraction):
        return f"{float(value):.1f}"
    if isinstance(value, Window):
        hours = sorted({reading.hour for reading in value.readings})
        return f"window of {spans(hours)}" if hours else "an empty window"
    if isinstance(value, dict) and value and all(isinstance(offset, int) for offset in value.values()):
        offsets = set(value.values())
        return f"offset {offsets.pop()}" if len(offsets) == 1 else ", ".join(f"{name} {n}" for name, n in value.items())
    if value is None:
        return "nothing yet"
    text = f"[{', '.join(map(describe, value))}]" if isinstance(value, (list, tuple)) else str(value)
    return text if len(text) <= 40 else text[:37] + "…"


def spans(hours):
    """Return hours as text: "hour 3", "hours 1–4", "hours 1–2, 5"."""
    hours = sorted(set(hours))
    runs = []
    for hour in hours:
        if runs and hour == runs[-1][1] + 1:
            runs[-1][1] = hour
        else:
            runs.append([hour, hour])
    text = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in runs)
    return f"hour{'s' if len(hours) != 1 else ''} {text}"
