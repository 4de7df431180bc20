"""A run of consume, transform, produce as a picture: the kills over time, and the records of a read_committed
reader.
"""

from html import escape

import pandas as pd

from ...delivery.transforming import ELSEWHERE, Transformed
from ..base.canvas import cross, lane, line, svg, words
from ..base.checks import given
from ..base.picture import Picture, scrolling

LEFT, RIGHT, TOP, LANE = 110, 24, 30, 44


def transformed(run: Transformed, width: int = 920) -> Picture:
    """Return the picture of a run of `transform_on_cluster`, with the kills as a table; `width` in pixels."""
    given(run, Transformed)
    sign, mood, sentence = _verdict(run)
    says = f'<div class="eo-says eo-is-{mood}"><strong>{sign} {escape(sentence)}</strong> {escape(_rest(run))}</div>'
    drawn = scrolling(_svg(run, width), "Timeline")
    table = pd.DataFrame(
        [
            (f"{one.seconds:.2f}", one.who, one.kill, one.place, "itself, at this step" if one.inside else "outside")
            for one in run.strikes
        ],
        columns=["seconds", "whose process", "killed with its", "in the step", "from"],
    )
    return Picture(f"{says}{_facts(run)}{drawn}", table, str(run), "The kills as a table")


Transformed._repr_html_ = lambda run: transformed(run)._repr_html_()  # type: ignore[attr-defined]  # ends a cell


def _verdict(run):
    """Return the sign, the mood and the sentence on the contents of the output partitions."""
    if run.exactly_once:
        return "✓", "good", f"All {len(run.copies)} readings are there once, and the positions are at the end."
    if run.missing:
        return "✗", "bad", f"{run.missing} of {len(run.copies)} readings are missing."
    if run.doubled:
        return "✗", "bad", f"{run.doubled} records too many, where {run.predicted} were predicted."
    return "✗", "bad", "The positions are not at the end."


def _rest(run):
    way = "Records and positions in one transaction" if run.transactional else "Records first, positions last"
    many = len(run.strikes)
    return (
        f"{way}: {many} process{'es were' if many != 1 else ' was'} killed in {run.seconds:.1f} s, "
        f"{sum(one.inside for one in run.strikes)} at a step, the others from outside at any moment."
    )


def _facts(run):
    """Return the counts, as facts in a row."""
    struck = ", ".join(f"{place} {many}" for place, many in run.struck().items() if many) or "none"
    facts = {
        "read_committed sees": f"{sum(run.copies.values())} records of {len(run.copies)} readings",
        "too many": f"{run.doubled}, predicted {run.predicted}",
        "positions": ", ".join(f"{name}: {offset}" for name, offset in sorted(run.positions.items())),
        "killed in": struck,
    }
    if run.transactional:
        facts["of aborted transactions"] = f"{run.uncommitted} records, which read_uncommitted sees as well"
    row = "".join(
        f'<div class="eo-fact"><p class="eo-h">{escape(what)}</p><p>{escape(says)}</p></div>'
        for what, says in facts.items()
    )
    return f'<div class="eo-fact-row" style="margin:12px 0">{row}</div>'


def _svg(run, width):
    names = sorted({one.who for one in run.lives}, key=lambda name: (name == "coordinator", name))
    end = max(one.ends for one in run.lives) or 1.0
    height = TOP + LANE * len(names) + 4

    def x(seconds):
        return LEFT + max(seconds, 0) / end * (width - LEFT - RIGHT)

    marks = []
    for number, name in enumerate(names):
        y = TOP + LANE * number
        marks += [lane(name, y), line(LEFT, y, width - RIGHT, y, "gone")]
        for one in run.lives:
            if one.who == name:
                about = f"incarnation {one.life} of {name}, {one.begins:.2f} s to {one.ends:.2f} s"
                marks.append(line(x(one.begins), y, x(one.ends), y, stroke="blue", wide=6, title=about))
        marks += _strikes([one for one in run.strikes if one.who == name], x, y)
    marks += [words(x(tick), height, f"{tick} s", "sub", "middle") for tick in range(int(end) + 1)]
    return svg(marks, width, height + 6, f"Timeline. {_rest(run)} The table below says the same.")


def _strikes(strikes, x, y):
    """Yield a cross for each kill, and the name of its place beneath, where there is room."""
    free = 0.0
    for one in strikes:
        at, colour = x(one.seconds), "red" if one.kill == "worker" else "purple"
        said = one.place if one.kill == "worker" else f"{one.place}, executor"
        yield cross(at, y, 5, stroke=colour, wide=3, title=f"{one.seconds:.2f} s: {said}")
        if one.place != ELSEWHERE or one.kill == "executor":
            said = said.removeprefix(f"{ELSEWHERE}, ")
            if at - 3 * len(said) > free:
                free = at + 3.4 * len(said) + 10
                yield words(at, y + 19, said, "sub halo", "middle")
