"""The result of a check."""

from collections.abc import Callable
from dataclasses import dataclass, field

from ...explore.proof import Counterexample


@dataclass
class Checked:
    """The result of a check: whether the claim holds, a sentence on it, and a function that makes an example.

    `example` makes the `Counterexample`, or, where the claim holds, a schedule that illustrates the claim, if there
    is one. `numbers` are the numbers that the check has computed, such as k; `states` are those that it looked at,
    where they are not those of the searches.
    """

    holds: bool
    says: str
    example: Callable[[], Counterexample] | None = None
    numbers: dict[str, int] = field(default_factory=dict)
    states: int | None = None
