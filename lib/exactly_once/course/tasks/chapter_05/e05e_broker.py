"""Exercise 05e, a challenge: a broker that survives a hostile network, retention, and its own deaths.

Sources: KIP-98 for the numbers and epochs, KIP-360 for what has to outlive a producer's records.
"""

from html import escape

import pandas as pd

from .... import show as drawing
from ....errors import BadInput
from ..reply import right, unsolved, wrong
from ..run_answer import called
from ..task import Task
from .hostile import calm, explore, world

METHODS = ("receive", "delete")
WORLDS = (  # the smallest that shows a mistake stands first
    world(p7=[[1]]),
    world(p7=[[1, 1]]),
    world(p7=[[2, 1, 1]]),
    world(p7=[[1]], p9=[[2]]),
    world(p7=[[1], [1]]),
    world(p7=[[1]], deletions=1),
    world(p7=[[1, 2]], deletions=1),
    world(p7=[[1, 1], [2, 1]]),
    world(p7=[[1], [1]], deletions=1),
    world(p7=[[1, 1]], p9=[[1]], deletions=1),
    world(p7=[[1, 1, 1]], deletions=2),
    world(p7=[[1, 1], [1]], p9=[[1]], deletions=2),
    world(p7=[[1], [1], [1, 1]], deletions=2),
    world(p7=[[1, 1, 1, 1, 1]], deletions=2),
    world(p7=[[1, 2], [1, 1]], p9=[[1]], deletions=2),
)
SHOWN = world(p7=[[2, 1]], p9=[[1]])
MOST = 8_000
SECONDS = 90.0  # a guard; it takes some seconds
CALLS = (
    ("Broker(disk)", "A broker starts over this disk, for the first time or again."),
    (
        "receive(producer, epoch, first, values)",
        "A batch arrives; first is the number of its first record. Return its place in the log, or None: refused.",
    ),
    ("delete(before)", "Retention: call self.disk.delete(before), and do around it what you need."),
    (
        "disk.log, disk.start",
        "The batches that are there, each [producer, epoch, first, values]; the first one's place.",
    ),
    ("disk.saved", "What was saved last; None at first."),
    ("disk.append(batch)", "Write [producer, epoch, first, values] behind the others."),
    ("disk.delete(before)", "Delete the batches at the places before this one."),
    ("disk.save(value)", "Replace what was saved: numbers, texts, lists, dictionaries, but no records."),
)


def check(answer):
    """Let nothing go wrong first; then search every schedule of each world, the smallest first."""
    if unwritten(answer):
        return unsolved("the methods of your class")
    found = called(calm, answer, SHOWN)
    if found.sentence:
        return _broken(f"Even when nothing goes wrong: {found.sentence}", found)
    states = 0
    for sent in WORLDS:
        found = called(explore, answer, sent, MOST, seconds=SECONDS)
        if found.sentence:
            return _broken(found.sentence, found)
        if not found.whole:
            return wrong(
                f"After {MOST:,} states there are still new ones. Keep in self and save what you need alone."
            )
        states += found.states
    return right(
        "Nothing is doubled, nothing out of order, no zombie writes, and every producer comes to its end: whatever "
        "arrives when and how often, wherever the broker dies, and whenever its log is cut. Tried were all schedules "
        f"of {len(WORLDS)} small worlds, with up to two producers, five batches, three epochs and two deletions "
        f"({states:,} states)."
    )


def unwritten(answer):
    """Tell whether this is the class as it was handed out. Raises `BadInput` for what is no class."""
    if answer is ...:
        return True
    if not isinstance(answer, type):
        raise BadInput(f"The answer is {repr(answer)[:60]}; it is a class, Broker.")
    if not any(callable(held) for held in vars(answer).values()):
        return True
    if missing := [name for name in METHODS if not callable(getattr(answer, name, None))]:
        raise BadInput(f"The class has no method {missing[0]}; it needs __init__, {' and '.join(METHODS)}.")
    return False


def _broken(sentence, found):
    sentence = sentence[:1].upper() + sentence[1:]
    return wrong(sentence, picture=drawn(found, "The shortest schedule against it"), traceback=found.traceback)


def drawn(found, title):
    """Return the picture of a schedule, line by line, and of the log in the end."""
    table = pd.DataFrame(found.log, columns=["place", "producer", "epoch", "first number", "records", ""])
    lines = [f"{line[:1].upper()}{line[1:]}." for line in found.lines]
    html = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return drawing.Picture(
        f'<p class="eo-h">{title}</p><ol>{html}</ol><p class="eo-h">The log</p>{drawing.table_html(table)}',
        text="\n".join([*lines, table.to_string(index=False)]),
    )


def show(answer):
    """Draw what the class does with three batches when nothing goes wrong; without one, what is called when."""
    if unwritten(answer):
        table = pd.DataFrame(CALLS, columns=["what", "what it is for"])
        return drawing.Picture(drawing.table_html(table), text=table.to_string(index=False))
    found = called(calm, answer, SHOWN)
    picture = drawn(found, "Two producers, when nothing goes wrong")
    if not found.sentence:
        return picture
    return drawing.Picture(
        f"{picture.html}<p><b>{escape(found.sentence)}</b></p>", text=f"{picture}\n{found.sentence}"
    )


TASK = Task(
    title="a broker that survives",
    answer="Broker",
    tier="challenge",
    show=show,
    check=check,
    hints=(
        "Begin without deletions. What can a broker that has just started find out about its producers, if nothing "
        "is on its disk but the log? Let `receive` do one write at the most.",
        "For each producer: its epoch, and of each of its last five batches the first number, how many records, and "
        "its place. With the epoch that is known, a batch that is one of these is acknowledged at its place, and the "
        "one behind the newest is written. A higher epoch begins with number 0, and so does a producer that nobody "
        "knows. All else is refused.",
        "Fill that in __init__ from disk.log, with the very method that receive calls after it has written. When "
        "records are deleted, their headers go too: before disk.delete, save what you know of the producers, and "
        "begin with it in __init__.",
        "After a death between save and delete the disk holds both: what was saved, and the log from which it comes. "
        "So save the log's end beside it, and in __init__ take from the log what lies behind it, with enumerate("
        "disk.log, disk.start). A place is disk.start + len(disk.log) at the moment when the batch is written.",
    ),
)
