"""What a check has found."""

from collections.abc import Callable
from dataclasses import dataclass, field

from ...explore.proof import Counterexample


@dataclass
class Checked:
    """What a check found: whether the claim holds, what there is to say, and how to get the schedule that shows it.

    `example` makes the `Counterexample`, or, where the claim holds, a schedule that shows it at work, if there is
    one. `numbers` are what the check has computed, such as k; `states` are those that it looked at, where they are
    not those of the searches.
    """

    holds: bool
    says: str
    example: Callable[[], Counterexample] | None = None
    numbers: dict[str, int] = field(default_factory=dict)
    states: int | None = None
