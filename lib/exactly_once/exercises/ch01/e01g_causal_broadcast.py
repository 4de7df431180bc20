"""Exercise 01g, a challenge: causal broadcast over a network that reorders and duplicates.

Source: K. Birman, A. Schiper and P. Stephenson, "Lightweight Causal and Atomic Group Multicast", ACM TOCS 9(3), 1991.
"""

import inspect
from html import escape

from ... import show as drawing
from ...clocks import Event, History
from ..kinds.explored import Explored
from .group import TEXTS, Group, arrives, causal, sends

WORLDS = (  # the smallest that shows a mistake stands first
    {"quotas": (1, 0)},
    {"quotas": (1, 0), "duplicates": 1},
    {"quotas": (2, 0)},
    {"quotas": (2, 1), "duplicates": 2},
    {"quotas": (1, 1, 0)},
    {"quotas": (2, 1, 0)},
    {"quotas": (1, 1, 1), "duplicates": 1},
    {"quotas": (3, 0), "duplicates": 1},
)
EXAMPLE = (  # p2 answers a with b, and at p3 the answer overtakes the question
    sends("p1"), arrives("p2", 0), sends("p2"), arrives("p3", 1), arrives("p3", 0), arrives("p1", 1),
)  # fmt: skip


def example(model):
    """Return the schedule in which an answer overtakes its question."""
    return EXAMPLE


def told(quotas, duplicates=0):
    """Return in words how often the members broadcast, and how many copies are too many."""
    copies = ("", ", one copy too many", ", two copies too many")[duplicates]
    total = sum(quotas)
    return f"With {len(quotas)} members, {total} broadcast{'s' if total > 1 else ''}{copies}: "


def drawn(found, title):
    """Return the picture of a run: what was delivered where, as a diagram and line by line."""
    events, arrows, stamps, sends, seen, lines = [], [], [], [], set(), []
    for (words, what, (member, *more)), delivered in found.steps:
        if what == "sent":
            text = TEXTS[len(sends)]
            sends.append(len(events))
            events.append(Event(member, "send", text))
            lines.append(f"{words} {text}, and delivers it to itself.")
        else:
            text = TEXTS[more[0]]
            arrows.append((sends[more[0]], len(events)))
            events.append(Event(member, "receive", text, redelivery=(member, text) in seen))
            seen.add((member, text))
            lines.append(f"{words}, which delivers {', then '.join(delivered) or 'nothing'}.")
        stamps.append("".join(delivered) or "–")
    history = History(events, arrows)
    picture = drawing.history(history, stamps, marked={len(events) - 1: "here"} if found.sentence and events else {})
    html = "".join(f"<li>{escape(line)}</li>" for line in lines)
    left = ", ".join(f"{text} to {member}" for text, member in found.shown or ())
    words = "Each dot bears the texts that are delivered there; – stands for none."
    words += f" Still on its way: {left}." if left else " No copy is on its way any more."
    return drawing.Picture(
        f'<p class="eo-h">{title}</p>{picture.html}<p class="eo-dim">{words}</p><ol>{html}</ol>',
        text="\n".join([*lines, words.partition(". ")[2], found.sentence.removesuffix(".")]).strip(),
    )


def sketched():
    """Draw the specification."""
    html = f"<p>{escape(inspect.getdoc(causal))}</p>{drawing.code_html(causal, remark=False)}"
    return drawing.Picture(html, text=inspect.getsource(causal))


TASK = Explored(
    answer="Member",
    tier="challenge",
    model=Group,
    methods=("broadcast", "receive"),
    form="a class, Member, with broadcast and receive",
    objects="members",
    worlds=WORLDS,
    seconds=60.0,
    states=20_000,
    keep="Keep in self no more than a member has to know.",
    first=example,
    calm={"quotas": (1, 1, 0)},
    judged=False,
    draw=drawn,
    shown="An answer that overtakes its question",
    sketch=sketched,
    said=told,
    praise="Everybody delivers everything, once, and nothing before what it depends on: in every order in which "
    "copies can arrive, in groups of two and of three, with up to three broadcasts and two copies too many ({states} "
    "states).",
)
