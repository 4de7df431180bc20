"""Find the parts of an outcome that faults can damage, within bounds: for each a proof, or the simplest schedule."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ..node import Source
from ..stores.codec import encode
from ..verdict import Outcome, ideal_outcomes
from ..verdict.outcome import multiset
from .proof import Proof
from .prove import prove
from .search.properties import View

Standing: TypeAlias = Literal["right", "damaged", "unknown"]
PARTS = {"output": "outputs", "state": "state", "positions": "positions", "counter": "counter"}  # fields of `Outcome`
AT_THE_END = ("outcome", "invariant", "visible")  # what a counterexample is of whose run has left something


@dataclass(frozen=True)
class PartsRight:
    """An invariant for `prove`: once all nodes have ended, these parts are as a right outcome has them."""

    parts: Collection[str]
    right: Sequence[Outcome]

    def __call__(self, view: View) -> bool | str:
        """Return True, or which parts are damaged."""
        if not view.done:
            return True
        left = Outcome(
            tuple(map(encode, view.outputs)), view.counter, multiset(view.state), encode(view.positions)
        )  # `multiset` and `encode` make texts of them, as `Outcome.of` does
        found = damaged_parts(left, self.right, self.parts)
        return f"damaged: {', '.join(found)}" if found else True


@dataclass(frozen=True)
class PartProofs:
    """The results for a handler within bounds. `first` is the proof in which all of its outcome was asked for.

    `of` maps each part to the `Proof` that tells of it: its counterexample is the simplest schedule that damages this
    part; or it has none, and covers every schedule. `damaged` are the parts that some schedule damages.
    """

    first: Proof
    of: dict[str, Proof]
    damaged: Collection[str]

    def standing(self, part: str) -> Standing:
        """Tell whether a part is right at the end of every schedule within the bounds, or damaged by some."""
        if part in self.damaged:
            return "damaged"
        return "right" if self.of[part].ok else "unknown"

    @property
    def states(self) -> int:
        """How many states were seen, in all of the proofs."""
        return sum({id(proof): proof.states for proof in (self.first, *self.of.values())}.values())


def damaged_parts(left: Outcome, right: Sequence[Outcome], parts: Collection[str] = tuple(PARTS)) -> list[str]:
    """Return those of some parts in which an outcome is unlike the nearest of the right ones."""
    apart = [[part for part in parts if getattr(left, PARTS[part]) != getattr(one, PARTS[part])] for one in right]
    return min(apart, key=len)


def prove_parts(
    handler: Any, job: Source, prover: Callable[..., Proof] = prove, reference: Any = None, **options: Any
) -> PartProofs:
    """Prove a handler part by part: output, state, positions, counter. Returns `PartProofs`.

    The first proof asks for all parts. Each next proof leaves out the parts that the simplest failing schedule has
    damaged, until no remaining part can be damaged; so each schedule is the simplest for its part. `prover` is
    `prove`, or `prove_safely`, which takes the `options`; right is what crash-free runs of `reference` leave, or of
    the handler. Raises as these do.
    """
    right = [ideal.outcome for ideal in ideal_outcomes(handler if reference is None else reference, job)]
    rule: dict[str, Any] = {} if reference is None else {"reference": reference}
    first = proof = prover(handler, job=job, **rule, **options)
    of: dict[str, Proof] = {}
    damaged: list[str] = []
    while True:
        left = [part for part in PARTS if part not in damaged]
        example = proof.counterexample
        found = []
        if example is not None and example.kind in AT_THE_END:
            found = damaged_parts(example.run.outcome, right, left)
        damaged += found
        of |= dict.fromkeys(found, proof)
        left = [part for part in left if part not in found]
        if not left or (not found and (proof is not first or example is None)):
            return PartProofs(first, of | dict.fromkeys(left, proof), tuple(damaged))
        proof = prover(handler, job=job, invariant=PartsRight(tuple(left), tuple(right)), **options)
