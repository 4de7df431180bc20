"""How hours read in sentences; `describe` says values."""

from collections.abc import Iterable

from ..stores.describe import apart, describe

__all__ = ["apart", "describe", "spans"]


def spans(hours: Iterable[int]) -> str:
    """Return hours as text: "hour 3", "hours 1–4", "hours 1–2, 5"."""
    hours = sorted(set(hours))
    runs: list[list[int]] = []  # of hours without a gap: the first and the last
    for hour in hours:
        if runs and hour == runs[-1][1] + 1:
            runs[-1][1] = hour
        else:
            runs.append([hour, hour])
    text = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in runs)
    return f"hour{'s' if len(hours) != 1 else ''} {text}"
