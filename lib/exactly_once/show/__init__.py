"""Figures and tables: from a verdict, a run or a trace to HTML, SVG and pandas tables.

All functions are pure. A notebook calls `display(show.verdict(v))`; the modules' `…_html` functions return the
fragments that the consoles put together.

`pictures` are those of a run: its verdict (`verdicts`), its space–time diagram (`diagrams`), its `steps`. `explored`
draws the results of `prove` and similar functions, `processes` draws runs of real processes, `log` draws a log's
tapes, `charts` are figures.
"""

from ..doors import open_door
from ..extras import needed

needed("lab", "pandas")

from .base.picture import Picture, folded, table_html, table_picture
from .base.theme import AGAIN, CSS, GONE
from .charts.costs import costs, latencies
from .charts.figures import series_figure
from .charts.waits import contention_table, waiting_figure, waits_figure, waits_table
from .diagrams.excerpt import items_shown
from .diagrams.history import history
from .diagrams.table import trace_table
from .explored.claims import claims_table
from .explored.flaws import flaws
from .explored.isolation import levels_and_forms_table, side_by_side
from .explored.proof import proof
from .explored.report import report
from .explored.two_levels import two_levels
from .log import log
from .pictures import code, item_shown, matrix, quiet_picture, spacetime, spacetime_picture, verdict
from .processes.checkpoint import checkpoint
from .processes.leader_death import leader_death
from .verdicts.averages import averages, averages_table
from .verdicts.code import code_html, source_lines
from .verdicts.facts import facts_html, run_html
from .verdicts.headline import explanation, headline, verdict_html
from .verdicts.marks import word, words
from .verdicts.matrix import matrix_html, matrix_table, orders
from .verdicts.right_outcomes import right_outcomes
from .verdicts.tape import tape_html, tape_table

open_door(__name__)
