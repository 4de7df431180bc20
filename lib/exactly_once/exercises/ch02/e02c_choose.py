"""Exercise 02c: choose acks, min.insync.replicas and the kind of election for four promises."""

from dataclasses import replace
from html import escape

import pandas as pd

from ... import show as drawing
from ...errors import BadInput, one_of
from ..kinds.reply import has_dots, right, unsolved, wrong
from ..kinds.task import Task
from .promises import Settings, loss, refusal, refusal_with_one_alive, restart_loss, waits_for_followers

NAMES = ("acks", "min_insync_replicas", "unclean_election")
FITS = {
    "views": "never waits for an answer, and records are taken as long as any broker lives",
    "clicks": "the leader's answer is enough, and an election never loses what is committed",
    "orders": "survives one death, and orders are taken while one broker is down",
    "ledger": "survives two deaths, even at the price of standing still",
}


UNCLEAN = "An unclean election lets a broker lead that lacks it, and the others cut their logs to its."


def read(answer):
    """Return {stream: Settings}, or None for an answer with dots. Raises `BadInput` for another form."""
    if has_dots(answer):
        return None
    if not isinstance(answer, dict) or set(answer) != set(FITS):
        raise BadInput(f"The answer is {answer!r}; it is a dictionary with {', '.join(FITS)}.")
    return {stream: _settings(stream, answer[stream]) for stream in FITS}


def _settings(stream, chosen):
    if isinstance(chosen, dict):
        if set(chosen) - set(NAMES) or "acks" not in chosen:
            raise BadInput(f"For {stream} you give {chosen!r}; give acks, min_insync_replicas and unclean_election.")
        chosen = Settings(**chosen)
    elif isinstance(chosen, (tuple, list)) and len(chosen) == 3:
        chosen = Settings(*chosen)
    else:
        raise BadInput(f"For {stream} you give {chosen!r}; give three values: acks, min.insync.replicas, unclean.")
    one_of(f"acks of {stream}", chosen.acks, (0, 1, "all"))
    one_of(f"min.insync.replicas of {stream}", chosen.min_insync_replicas, (1, 2, 3))
    one_of(f"the unclean election of {stream}", chosen.unclean_election, (True, False))
    return chosen


def check(answer):
    """Try what each choice promises, on a log of three brokers."""
    chosen = read(answer)
    if chosen is None:
        return unsolved("your choice for each of the four")
    for stream, settings in chosen.items():
        if objection := OBJECTIONS[stream](settings):
            sentence, story = objection
            last = f" {' '.join(story.lines[-2:])}" if story else ""
            return wrong(f"{stream}: {sentence}{last}", picture=story and told(story))
    return right(
        "Each of the four keeps its promise, and pays for it: with loss, with waiting, or with standing still.",
        picture=show(answer),
    )


def _views(settings):
    if settings.acks != 0:
        return f"with acks={settings.acks!r} the sender waits for an answer. Here it waits for nobody.", None
    if story := refusal_with_one_alive(settings):
        return "a broker lives and nobody leads. Here losing records is better than standing still.", story
    return None


def _clicks(settings):
    if settings.acks == 0:
        return "with acks=0 the sender never hears whether the leader has the click.", None
    if waits_for_followers(settings):
        return "with acks='all' the sender waits for followers. Here the leader's answer is enough.", None
    if not refusal_with_one_alive(settings):
        committed = restart_loss(replace(settings, acks="all"))  # whatever its sender waited for
        return "a broker that was not in sync may lead, and what was committed is lost with its election.", committed
    return None


def _orders(settings):
    if settings.acks == 0:
        return "with acks=0 nothing is acknowledged, so nothing is promised.", None
    if story := loss(settings, 1):
        return "an order that was acknowledged is lost with one broker.", story
    if story := restart_loss(settings):
        return f"an order that was acknowledged is lost, although every disk that had it is whole. {UNCLEAN}", story
    if story := refusal(settings, 1):
        return "nothing is lost, but one broker is down and an order is refused.", story
    return None


def _ledger(settings):
    if settings.acks == 0:
        return "with acks=0 nothing is acknowledged, so nothing is promised.", None
    if story := loss(settings, 2):
        return "an entry that was acknowledged is lost with two brokers.", story
    if story := restart_loss(settings):
        return f"an entry that was acknowledged is lost, although two of three disks are whole. {UNCLEAN}", story
    return None


OBJECTIONS = {"views": _views, "clicks": _clicks, "orders": _orders, "ledger": _ledger}


def told(story):
    """Return the picture of a story: its lines, and what each broker has in the end."""
    partition = story.snapshot["partitions"][0]
    rows = [
        (
            one["broker"],
            "alive" if one["alive"] else "✗ dead",
            "leader" if one["broker"] == partition["leader"] else "",
            "yes" if any(record["value"] == "record" for record in one["records"]) else "○ no",
        )
        for one in partition["replicas"]
    ]
    table = pd.DataFrame(rows, columns=["broker", "state", "role", "has the record"])
    lines = "".join(f"<li>{escape(line)}</li>" for line in story.lines)
    return drawing.Picture(
        f'<p class="eo-h">The simplest schedule against it</p><ol>{lines}</ol>{drawing.table_html(table)}',
        text="\n".join([*story.lines, table.to_string(index=False)]),
    )


def show(answer):
    """Draw what each choice comes to, as far as it can be tried out."""
    chosen = read(answer)
    if chosen is None:
        return drawing.Picture("<p>Nothing is chosen yet.</p>", text="Nothing is chosen yet.")
    rows = []
    for stream, settings in chosen.items():
        survives = "no promise" if settings.acks == 0 else f"{_survived(settings)} of 3"
        restarts = "–" if settings.acks == 0 else "may lose it" if restart_loss(settings) else "do no harm"
        still = next((down for down in (1, 2) if refusal(settings, down)), None)
        goes_on = "any one alive" if not refusal_with_one_alive(settings) else f"{(still or 3) - 1} down"
        waits = "followers" if waits_for_followers(settings) else "leader" if settings.acks else "nobody"
        rows.append((stream, settings.acks, settings.min_insync_replicas, waits, survives, restarts, goes_on))
    columns = ["stream", "acks", "min.insync", "waits for", "deaths survived", "restarts", "goes on with"]
    table = pd.DataFrame(rows, columns=columns)
    return drawing.Picture(drawing.table_html(table), text=table.to_string(index=False))


def _survived(settings):
    return next((deaths - 1 for deaths in (1, 2) if loss(settings, deaths)), 2)


TASK = Task(
    answer="choice",
    show=show,
    check=check,
)
