"""Figures and tables: from a verdict, a run or a trace to HTML, SVG, pandas tables and plotly figures.

Pure functions of what they are given. `display(show.verdict(v))` in a notebook; the modules' `…_html` functions give
the fragments that the consoles put together.
"""

from .code import code_html, points_of, source_lines
from .delivery import delivery_figure
from .facts import facts_html, facts_table
from .figures import orders_figure, orders_table, series_figure, series_table
from .headline import explanation, headline, verdict_html
from .histories import history, history_table
from .marks import MEANING, SIGNS, word, words
from .matrix import matrix_html, matrix_table
from .picture import Picture, folded, table_html
from .pictures import code, facts, item_shown, matrix, spacetime, spacetime_picture, tape, verdict
from .proofs import proof
from .spacetime import spacetime_svg
from .stamping import stamping_figure
from .tape import tape_html, tape_table
from .theme import CSS
from .tracetable import trace_table

__all__ = [
    "CSS",
    "MEANING",
    "SIGNS",
    "Picture",
    "code",
    "code_html",
    "delivery_figure",
    "explanation",
    "facts",
    "facts_html",
    "facts_table",
    "folded",
    "headline",
    "history",
    "history_table",
    "item_shown",
    "matrix",
    "matrix_html",
    "matrix_table",
    "orders_figure",
    "orders_table",
    "points_of",
    "proof",
    "series_figure",
    "series_table",
    "source_lines",
    "spacetime",
    "spacetime_picture",
    "spacetime_svg",
    "stamping_figure",
    "table_html",
    "tape",
    "tape_html",
    "tape_table",
    "trace_table",
    "verdict",
    "verdict_html",
    "word",
    "words",
]
