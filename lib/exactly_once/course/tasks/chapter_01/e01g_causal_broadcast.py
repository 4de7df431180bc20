"""Exercise 01g, a challenge: causal broadcast over a network that reorders and duplicates.

Source: K. Birman, A. Schiper and P. Stephenson, "Lightweight Causal and Atomic Group Multicast", ACM TOCS 9(3), 1991.
"""

import inspect
from html import escape

from .... import show as drawing
from ....clocks import Event, History
from ....errors import BadInput
from ..reply import has_dots, right, unsolved, wrong
from ..run_answer import called
from ..task import Task
from .group import Bounds, Found, causal, performed, searched

WORLDS = (  # the smallest that shows a mistake stands first
    Bounds(quotas=(1, 0)),
    Bounds(quotas=(1, 0), duplicates=1),
    Bounds(quotas=(2, 0)),
    Bounds(quotas=(2, 1), duplicates=2),
    Bounds(quotas=(1, 1, 0)),
    Bounds(quotas=(2, 1, 0)),
    Bounds(quotas=(1, 1, 1), duplicates=1),
    Bounds(quotas=(3, 0), duplicates=1),
)
EXAMPLE = (  # p2 answers a with b, and at p3 the answer overtakes the question
    ("sends", "p1", None), ("arrives", "p2", 0), ("sends", "p2", None), ("arrives", "p3", 1), ("arrives", "p3", 0),
    ("arrives", "p1", 1),
)  # fmt: skip
EXAMPLE_BOUNDS = Bounds(quotas=(1, 1, 0))
METHODS = ("broadcast", "receive")
SECONDS = 60.0


def check(answer):
    """Search every order of broadcasts, arrivals and second arrivals, within each of `WORLDS`."""
    if not _is_there(answer):
        return unsolved("your class")
    states = 0
    for bounds in WORLDS:
        seconds = SECONDS if states else SECONDS / 10  # code that never returns mostly shows it in the smallest world
        found = called(searched, answer, bounds, seconds=seconds)
        if found.moves is None:
            states += found.states
            continue
        again = called(performed, answer, bounds, found.moves)
        if again.problem != found.problem:
            return wrong(
                "The same arrivals do not always lead to the same deliveries: your members share something outside "
                "of themselves, such as a global variable or an attribute of the class, or they go by chance or by "
                "the time of day. Keep in self all that a member knows."
            )
        return wrong(f"With {bounds}: {again.problem}.", picture=drawn(again), traceback=again.traceback)
    return right(
        f"Everybody delivers everything, once, and nothing before what it depends on: in every order in which copies "
        f"can arrive, in groups of two and of three, with up to three broadcasts and two copies too many ({states:,} "
        "states)."
    )


def _is_there(answer):
    if has_dots(answer):
        return False
    if not isinstance(answer, type):
        raise BadInput(f"The answer is {repr(answer)[:60]}; it is a class with broadcast and receive.")
    there = [name for name in METHODS if hasattr(answer, name)]
    if len(there) == 1:
        raise BadInput(f"The class has {there[0]}, but not {' or '.join({*METHODS} - {*there})}; it needs both.")
    return bool(there)


def drawn(found: Found):
    """Return the picture of a run: what was delivered where, as a diagram and line by line."""
    events, arrows, stamps, sends, seen = [], [], [], {}, set()
    for what, member, text, delivered in found.events:
        if what == "sends":
            sends[text] = len(events)
            events.append(Event(member, "send", text))
        else:
            arrows.append((sends[text], len(events)))
            events.append(Event(member, "receive", text, redelivery=(member, text) in seen))
            seen.add((member, text))
        stamps.append("".join(delivered) or "–")
    history = History(events, arrows)
    picture = drawing.history(history, stamps, marked={len(events) - 1: "here"} if found.problem and events else {})
    lines = [_line(*event) for event in found.events]
    html = "".join(f"<li>{escape(line)}</li>" for line in lines)
    left = ", ".join(f"{text} to {member}" for text, member in found.on_its_way)
    words = "Each dot bears the texts that are delivered there; – stands for none."
    words += f" Still on its way: {left}." if left else " No copy is on its way any more."
    return drawing.Picture(
        f'{picture.html}<p class="eo-dim">{words}</p><ol>{html}</ol>',
        text="\n".join([*lines, words.partition(". ")[2], found.problem]).strip(),
    )


def _line(what, member, text, delivered):
    if what == "sends":
        return f"{member} broadcasts {text}, and delivers it to itself."
    copy = " (and another copy stays on its way)" if what == "arrives twice" else ""
    done = f"delivers {', then '.join(delivered)}" if delivered else "delivers nothing"
    return f"{text} arrives at {member}{copy}, which {done}."


def show(answer):
    """Draw a run in which an answer overtakes its question; without a class, the specification."""
    if _is_there(answer):
        return drawn(called(performed, answer, EXAMPLE_BOUNDS, EXAMPLE))
    html = f"<p>{escape(inspect.getdoc(causal))}</p>{drawing.code_html(causal, remark=False)}"
    return drawing.Picture(html, text=inspect.getsource(causal))


TASK = Task(
    title="causal broadcast over a hostile network",
    answer="Member",
    tier="challenge",
    show=show,
    check=check,
    hints=(
        "A member that receives b has to know whether something is missing that b depends on. What can the sender "
        "put into the message, so that the receiver can tell by what it has delivered itself?",
        "Count broadcasts, not events: a vector with, for each member, how many of its broadcasts were delivered "
        "here. A message takes along its sender's vector.",
        "A message of member s is the next one of s if its entry for s is one more than the receiver's; it may be "
        "delivered if, besides, every other entry is at most the receiver's. What arrives too early is kept. After "
        "each delivery something that was kept may have become ready.",
        "broadcast: add 1 to your own entry, return [me, copy of the vector, text]. receive: put the message into "
        "self.kept; then, as long as one in it is ready, take it out, add 1 to the entry of its sender, and note its "
        "text for the list to return. A second copy is never the next one of its sender; it does no harm in "
        "self.kept, and can be thrown away.",
    ),
)
