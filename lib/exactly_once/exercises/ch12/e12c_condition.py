"""Exercise 12c: which condition of the guarantee a query breaks; a query is judged by exchanging that part of it."""

from html import escape
from textwrap import dedent

from ...show import Picture
from ..kinds.reply import right, wrong
from ..kinds.values import OneOf, Values
from .queries import CONDITIONS, DEATHS, QUERIES, damage, parts_of

NONE = "none"


def rule(said):
    """Return the reply to the conditions that are said to be broken: the first wrong one decides."""
    for name, condition in said.items():
        if sentence := objection(name, condition):
            return wrong(f"{name!r}: {sentence}", picture=drawn(said))
    return right(
        f"Each of the queries was carried out with {len(DEATHS) - 1} deaths and without one, as it is, and with "
        "the part that you name exchanged for a good one: then every hour is there once.",
        picture=drawn(said),
    )


def objection(name, condition):
    """Return a sentence on what is wrong with an answer for one query, or None."""
    broken = damage(parts_of(name))
    if condition == NONE:
        return f"something is broken: {broken}." if broken else None
    if not broken:
        return f"nothing is broken: every hour is there once, with each of {len(DEATHS) - 1} deaths."
    still = damage(parts_of(name, condition))
    return f"with {CONDITIONS[condition]}, it is broken all the same: {still}." if still else None


def drawn(said=None):
    """Return the picture of the queries, and of what is said about each."""
    shown = {name: dedent(query.code).strip() for name, query in QUERIES.items()}
    yours = {name: f"Yours: {said[name]}" if said else "" for name in shown}
    html = "".join(
        f'<p class="eo-h">{name}</p><pre>{escape(code)}</pre><p>{yours[name]}</p>' for name, code in shown.items()
    )
    return Picture(html, text="\n\n".join(f"{name}\n{code}\n{yours[name]}".strip() for name, code in shown.items()))


TASK = Values(
    answer="broken",
    what="answer",
    asks="a condition, or 'none', for each query",
    fields=dict.fromkeys(QUERIES, OneOf((*CONDITIONS, NONE))),
    rule=rule,
    drawn=drawn,
    blank=drawn,
)
