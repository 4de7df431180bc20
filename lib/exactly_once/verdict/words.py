"""A verdict in one word with one sign: the same in the console, the matrix, the heat-map and the tables."""

import reprlib

from ..errors import BadInput
from .verdict import Verdict

SIGNS = {
    "harmless": "✓",
    "doubles": "×",
    "loses": "○",
    "corrupts": "≠",
    "fails": "!",
    "not reached": "–",
    "not run": "·",
}
MEANING = {
    "harmless": "every effect is there exactly once",
    "doubles": "something is there more than once",
    "loses": "something is missing",
    "corrupts": "a value, the window or the positions are wrong",
    "fails": "the handler itself raised an error",
    "not reached": "no pass came to this point, so nothing was killed",
    "not run": "nobody has tried this yet",
}


def words(verdict: Verdict | None) -> tuple[str, ...]:
    """Return all the words that fit a verdict, the gravest first. A verdict of None is "not run".

    Raises `BadInput` for anything else.
    """
    if verdict is None:
        return ("not run",)
    if not isinstance(verdict, Verdict):
        raise BadInput(f"{reprlib.repr(verdict)} is no verdict; give one, such as judge(run, handler) returns.")
    if verdict.run.error:
        return ("fails",)
    damage = verdict.damage
    found = []
    if damage.wrong or damage.disordered or damage.state_differs or damage.positions_differ:
        found.append("corrupts")
    if damage.missing or damage.counter < damage.expected_counter:
        found.append("loses")
    if damage.duplicated or damage.counter > damage.expected_counter:
        found.append("doubles")
    if found:
        return tuple(found)
    return ("harmless",) if verdict.reached else ("not reached",)


def word(verdict: Verdict | None) -> str:
    """Return the gravest word that fits a verdict."""
    return words(verdict)[0]
