"""The findings of the checks within wider bounds, which take minutes: kept in a file, with date and tokens.

`python -m exactly_once.claims` computes them again and writes the file; the slow tests check the file.
"""

import itertools
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from ..explore.bounds import KINDS
from ..lockfree.general import general
from .checks import Ideal
from .mutants import MUTANTS, totals
from .table import CLAIMS, findings

FILE = Path(__file__).with_name("found.json")
HANDLER = "the general form"
WITH_FAULTS = tuple(name for name, claim in CLAIMS.items() if claim.faults)
PATIENT = tuple(kind for kind in KINDS if kind != "pauses")  # what may be paired on two nodes with two items


@dataclass(frozen=True)
class Wider:
    """Bounds that are wider than those of the table: which handler, nodes, items, faults and claims."""

    handler: str
    nodes: int
    items: int
    faults: tuple[tuple[str, ...], ...]
    claims: tuple[str, ...]


@dataclass(frozen=True)
class Kept:
    """The findings within such bounds: `broken` maps a claim that fails to the token of its schedule."""

    handler: str
    bounds: str
    claims: list[str]
    states: int
    seconds: float
    broken: dict[str, str]


@dataclass(frozen=True)
class KeptFindings:
    """The kept findings, and the `date` of their computation."""

    date: str
    rows: tuple[Kept, ...]


def _pairs(kinds: Sequence[str]) -> list[tuple[tuple[str, ...], ...]]:
    return [(pair,) for pair in itertools.combinations_with_replacement(kinds, 2)]


WIDER = (
    *(Wider(HANDLER, 2, 2, pair, WITH_FAULTS) for pair in _pairs(PATIENT)),
    *(Wider(HANDLER, 2, 1, (("pauses", kind),), WITH_FAULTS) for kind in KINDS),
    *(Wider(HANDLER, 3, 2, ((kind,),), WITH_FAULTS) for kind in PATIENT if kind != "late_requests"),
    *(Wider(HANDLER, 3, 1, ((kind,),), WITH_FAULTS) for kind in ("pauses", "late_requests")),
    Wider(HANDLER, 3, 1, (), tuple(CLAIMS)),
    *(Wider(name, 2, min(2, one.most_items), (("late_requests",),), WITH_FAULTS) for name, one in MUTANTS.items()),
)


def kept() -> KeptFindings:
    """Return the kept findings within wider bounds."""
    found = json.loads(FILE.read_text(encoding="utf-8"))
    return KeptFindings(found["date"], tuple(Kept(**row) for row in found["rows"]))


def find(wider: Wider, stopped: Callable[[], object] | None = None) -> Kept:
    """Ask the checks within wider bounds."""
    begun = time.perf_counter()
    mutant = MUTANTS.get(wider.handler)
    usual = general(mutant.function if mutant else totals)
    handler = mutant.handler if mutant else usual
    found = findings(handler, Ideal.of(usual, wider.items), wider.nodes, wider.items, wider.faults, stopped,
                     wider.claims)  # fmt: skip
    broken = {name: one.schedule.token if one.schedule else "" for name, one in found.items() if not one.holds}
    bounds = max((one.bounds for name, one in found.items() if name in WITH_FAULTS), key=len)
    states = max(one.states for one in found.values())
    return Kept(wider.handler, bounds, list(found), states, round(time.perf_counter() - begun, 1), broken)


def write() -> None:
    """Find everything anew, and write the file after each of the bounds."""
    rows = []
    for wider in WIDER:
        rows.append(find(wider))
        text = json.dumps({"date": date.today().isoformat(), "rows": list(map(asdict, rows))}, indent=1)
        FILE.write_text(text + "\n", encoding="utf-8")
        print(f"{rows[-1].handler}, {rows[-1].bounds}: {rows[-1].states:,} states, {rows[-1].seconds} s", flush=True)
