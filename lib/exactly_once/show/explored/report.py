"""A pure function on one page, for a design review, in a notebook; `sandbox.review` writes the page."""

import datetime
from collections.abc import Sequence
from pathlib import Path

from ...sandbox.pure import Setting
from ...sandbox.review import CSS, SECONDS, Review, in_words, page, review, saved
from ...stores.codec import Value
from ..base.picture import Picture


class Report(Picture):
    """One page about a function. `found` is its `Review`; a notebook draws it, `save` writes it to a file."""

    def __init__(self, found: Review) -> None:
        self.found, self.date = found, datetime.date.today()
        super().__init__(page(found, self.date), text=in_words(found))

    def save(self, path: str | Path) -> Path:
        """Write the page to a file, and return its path. Raises `BadInput` where the file cannot be written."""
        return saved(self.found, path, self.date)

    def _repr_html_(self) -> str:
        return f"<style>{CSS}</style>{self.html}"


def report(
    function: object,
    first: Value = None,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = ("output",),
    values: Sequence[Sequence[Value]] | None = None,
    *,
    items: int | None = None,
    batch: int = 1,
    nodes: Sequence[int] = (2, 3),
    seconds: float = SECONDS,
) -> Report:
    """Return a page for a design review about a pure function (state, inputs) → (state, outputs).

    `function` is a function, or the text "PATH.py:FUNCTION". `first`, `inputs`, `outputs` and `batch` are those of
    `general`; with `inputs`, `values` has a list of values for each of these queues, and otherwise the inputs are
    hours of readings. `items` is the largest number of inputs, `nodes` the number of twins that run the function. An
    exploration that is not finished within `seconds` is reported as unknown. The function runs in a process of its
    own. Raises `BadInput` for settings that make no sense; a function that is not pure, or fails, gets a page that
    says so.
    """
    setting = Setting(first, inputs, outputs, values, items, batch)  # type: ignore[arg-type]
    return Report(review(function, setting, nodes, seconds))
