"""Figures and tables: from a verdict, a run or a trace to HTML, SVG, pandas tables and plotly figures.

All functions are pure. A notebook calls `display(show.verdict(v))`; the modules' `…_html` functions return the
fragments that the consoles put together.

Of a run there are its `verdicts`, its space–time `diagrams`, and its `steps`, of which `moments` are the words and
HTML. `explored` draws the results of `prove` and similar functions, `leader_death_picture` and `checkpoint_picture`
what real processes left, `log_picture` draws a log's tapes, `charts` are figures.
"""

import sys
from typing import TYPE_CHECKING, Any

from ..claims.found import Claims, Flaws
from ..doors import open_door
from ..explore.proof import Proof

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Return one of the names below."""


open_door(
    __name__,
    {
        "base.picture": "Picture folded table_html table_picture",
        "base.theme": "AGAIN CORE CSS GONE",
        "checkpoint_picture": "checkpoint",
        "charts": "contention_table costs latencies series_figure waits_figure waits_table",
        "diagrams.excerpt": "items_shown trace_table",
        "diagrams.history_picture": "history",
        "diagrams.quiet": "quiet_picture",
        "diagrams.spacetime": "item_shown spacetime spacetime_picture",
        "explored.claims": "claims_table flaws",
        "explored.isolation_picture": "side_by_side",
        "explored.proof_picture": "proof",
        "explored.two_levels": "two_levels",
        "leader_death_picture": "leader_death",
        "log_picture": "log",
        "verdicts.averages_picture": "averages right_outcomes",
        "verdicts.code": "code code_html source_lines",
        "verdicts.matrix": "matrix matrix_html orders",
        "verdicts.verdict_picture": "explanation facts_html headline run_html tape_html tape_table "
        "verdict verdict_html word words",
    },
)

DRAWN = {Proof: "proof", Claims: "claims_table", Flaws: "flaws"}


def _draw_itself(kind: type, name: str) -> None:
    """Have a notebook draw the results of a type that end a cell."""
    kind._repr_html_ = lambda found: getattr(sys.modules[__name__], name)(found)._repr_html_()  # type: ignore[attr-defined]


for _kind, _name in DRAWN.items():
    _draw_itself(_kind, _name)
