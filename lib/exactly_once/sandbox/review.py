"""Review a pure function: its purity, proofs of its handler, the failure without PREPARING, and its cost.

`page` puts the result on a page for a design review.
"""

import ast
import inspect
import time
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..errors import BadInput, CourseError, message_of, whole
from ..explore.bounds import KINDS
from ..explore.proof import Counterexample, Proof
from ..explore.prove import checked_seconds
from .pure import Cost, Setting, calls_of, cost_of, loader_of, name_of, prove_loaded

SECONDS, SHARE = 60.0, 3  # one exploration takes a third of the time at most
ARRIVING = "crashes, while the queues are being filled"
HEAVY = ("pauses",)  # of these one input is explored where there are twins


@dataclass(frozen=True)
class Row:
    """One exploration: of so many nodes, inputs and faults of a kind. `proof` is None for want of time."""

    nodes: int
    kind: str
    faults: int
    items: int
    proof: Proof | None


@dataclass(frozen=True)
class Review:
    """The findings about a function.

    `refused` is the reason why nothing was proved, "" without one. `calls` are the calls of the test for purity,
    `rows` the explorations. `broken` is the simplest schedule that breaks the same function without PREPARING, if
    there is one (then `tried` gives the bounds), and `costs` counts its operations on stores, with one node and two.
    """

    name: str
    source: str
    where: str
    setting: Setting
    seconds: float
    refused: str = ""
    calls: int = 0
    rows: tuple[Row, ...] = ()
    broken: Counterexample | None = None
    tried: str = ""
    costs: tuple[Cost, ...] = ()

    @property
    def ok(self) -> bool:
        """True when the function is pure, and all that was to be explored is proved."""
        return bool(self.rows) and all(row.proof is not None and row.proof.ok for row in self.rows)

    @property
    def failed(self) -> Row | None:
        """The first exploration that found a schedule that fails, or None."""
        return next((row for row in self.rows if row.proof is not None and row.proof.counterexample), None)

    def json(self) -> dict:
        """Return the review as plain data."""
        return {
            "function": self.name,
            "ok": self.ok,
            "refused": self.refused,
            "calls": self.calls,
            "proofs": [
                {"nodes": row.nodes, "faults": row.faults, "kind": row.kind, "items": row.items,
                 "proof": row.proof and row.proof.json()}
                for row in self.rows
            ],
            "without_preparing": self.broken and self.broken.json(),
            "costs": [
                {"nodes": one.nodes, "counted": one.counted, "inputs": one.inputs, "steps": one.steps,
                 "messages": one.messages, "expected": one.expected if one.nodes == 1 else None}
                for one in self.costs
            ],
            "seconds": round(self.seconds, 3),
        }  # fmt: skip


def review(
    function: object, setting: Setting | None = None, nodes: Sequence[int] = (2, 3), seconds: float = SECONDS
) -> Review:
    """Review a function, or the one that "PATH.py:FUNCTION" names, as `nodes` twins run it. Returns a `Review`.

    One node is explored in any case. A case that is not explored within `seconds` is reported as unknown. Raises
    `BadInput` for a value that is no function or out of range; a function that is not pure, or fails, has a review
    that says so.
    """
    setting, began = Setting() if setting is None else setting, time.perf_counter()
    if not isinstance(setting, Setting):
        raise BadInput(f"The setting is {setting!r}; give a Setting, such as Setting(inputs=('orders',)).")
    if isinstance(nodes, int) or not nodes:
        raise BadInput(f"The numbers of twins are {nodes!r}; give a list, such as (2, 3).")
    nodes = sorted({whole("a number of twins", one, least=2, most=4) for one in nodes})
    checked_seconds(seconds)
    loader = loader_of(function)
    name, source, where = written(function)
    found = Review(name, source, where, setting, 0.0)
    try:
        calls = calls_of(function, setting)
        rows = tuple(_rows(loader, setting, nodes, began + seconds, seconds / SHARE))
        bare = prove_loaded(loader, setting, 1, False, False, SECONDS, {"crashes": 1})
        costs = tuple(cost_of(function, setting, count) for count in (1, 2))
        found = replace(
            found, calls=len(calls), rows=rows, broken=bare.counterexample, tried=str(bare.bounds), costs=costs
        )
    except BadInput:
        raise
    except CourseError as why:  # it is not pure, fails, or does not finish
        found = replace(found, refused=message_of(why)[0])
    return replace(found, seconds=time.perf_counter() - began)


def _rows(loader, setting, nodes, until, longest):
    """Yield each exploration: one node with two crashes, then each kind of fault for each number of twins."""
    plan = [(1, "crashes", 2, setting.items, False)]
    for kinds in ([kind for kind in KINDS if kind not in HEAVY], HEAVY):  # slow cases come last
        for count in nodes:
            for kind in kinds:
                items = 1 if kind in HEAVY or count > 2 else min(2, setting.items)
                plan.append((count, kind, 1, items, False))
    plan += [(nodes[0], ARRIVING, 1, 1, True)] * bool(setting.inputs)
    for count, kind, faults, items, arriving in plan:
        left = until - time.perf_counter()
        proof = None
        if left > 0:
            bounds = {"crashes": 0} | {"crashes" if arriving else kind: faults}
            proof = prove_loaded(loader, setting.on(items), count, True, arriving, min(longest, left), bounds)
        yield Row(count, kind, faults, items, proof)


def written(function: Any) -> tuple[str, str, str]:
    """Return (name, source text or "", its file or "") of a function, or of the one in a file. Nothing runs."""
    if isinstance(function, str):
        path, _, name = function.rpartition(":")
        try:
            with tokenize.open(path) as file:  # in the encoding that it names
                text = file.read()
            tree = ast.parse(text)
        except (OSError, ValueError, SyntaxError):
            return name, "", path
        found = [one for one in tree.body if getattr(one, "name", "") == name]
        return name, (ast.get_source_segment(text, found[-1]) or "") if found else "", Path(path).name
    try:
        return name_of(function), inspect.getsource(function).rstrip(), ""
    except (OSError, TypeError):
        return name_of(function), "", ""
