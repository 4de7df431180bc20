"""A leader's death as a picture: the actions of each process over time, and each broker's file around that record."""

from html import escape

import pandas as pd

from ..log.network.client import ACKNOWLEDGED, SENT
from ..log.network.leader_death import LeaderDeath, Moment
from .base.canvas import Labels, box, cross, group, lane, line, svg, words
from .base.checks import given
from .base.picture import Picture, cells_table, says, scrolling, word_html

WIDTH, LEFT, RIGHT, TOP, LANE = 960, 150, 20, 34, 46
TICKS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)  # seconds from one number of the axis to the next
AROUND = 3  # records shown on either side of the one at which the leader died


def leader_death(run: LeaderDeath) -> Picture:
    """Return the picture of a run of `kill_the_leader`, with its timeline as a table."""
    given(run, LeaderDeath)
    sign, mood, sentence = "✓", "good", "All that was acknowledged is there, once."
    wrong = {
        "Acknowledged and lost": run.lost, "Sent and not there, and nobody was told": run.missing,
        "There twice": run.doubled,
    }  # fmt: skip
    if what := next((what for what, numbers in wrong.items() if numbers), ""):
        sign, mood, sentence = "✗", "bad", f"{what}: {_listed(wrong[what])}."
    verdict = says(mood, f"{sign} {sentence}", escape(_rest(run)))
    logs = f'<p class="eo-h" style="margin-top:10px">What is in each file, around record {run.at}</p>{_logs(run)}'
    table = pd.DataFrame(
        [(f"{one.seconds:.3f}", one.who, one.text) for one in run.timeline], columns=["seconds", "who", "what"]
    )
    html = f"{verdict}{scrolling(_svg(run), 'Timeline')}{logs}"
    return Picture(html, table, str(run), "The timeline as a table")


def _rest(run):
    return (
        f"acks={run.acks}: {run.records} sent, {len(run.acknowledged)} acknowledged, {len(run.readable)} to be read. "
        f"Broker {run.leader_before} led and was killed by SIGKILL, broker {run.leader_after} leads. Nobody led for "
        f"{run.leaderless:.2f} s."
    )


def _listed(numbers):
    shown = ", ".join(map(str, numbers[:8])) + (" …" if len(numbers) > 8 else "")
    return f"record{'s' if len(numbers) > 1 else ''} {shown}"


def _svg(run):
    first, brokers = {one.what: one.seconds for one in reversed(run.timeline)}, sorted(run.logs)
    start, end = first.get("leads", 0.0), max(one.seconds for one in run.timeline)

    def place(seconds):
        return LEFT + (WIDTH - RIGHT - LEFT) * (max(seconds, start) - start) / (end - start or 1)

    height, labels = TOP + LANE * (len(brokers) + 1) + 24, Labels(WIDTH - RIGHT)
    x1, x2 = place(first["dies"]), place(first["dies"] + run.leaderless)
    marks = [box(x1, TOP - 12, x2 - x1, height - TOP - 26, fill="amber", opacity=0.14)]
    marks.append(words((x1 + x2) / 2, TOP - 18, f"nobody leads, {run.leaderless:.2f} s", anchor="middle"))
    marks += _producer(run, place, labels)
    for row, number in enumerate(brokers, 1):
        marks += _broker(run, place, end, f"broker {number}", TOP + LANE * row, labels)
    step = next((one for one in TICKS if end - start <= 10 * one), TICKS[-1])
    ticks = [step * number for number in range(int((end - start) / step) + 1)]
    marks += [words(place(start + tick), height - 4, f"{tick:g}", "sub", "middle") for tick in ticks]
    marks.append(words(LEFT - 12, height - 4, "seconds", "sub", "end"))
    return svg(marks, WIDTH, height, f"Timeline. {_rest(run)} The table below says the same.")


def _producer(run, place, labels):
    """Yield a tick for each finished record: acknowledged, sent, or, longer and red, acknowledged and lost."""
    yield lane("producer", TOP, f"process {run.pids['producer']}")
    yield line(LEFT, TOP, WIDTH - RIGHT, TOP, "line")
    done, missing = [one for one in run.attempts if one.what in (ACKNOWLEDGED, SENT)], {*run.missing}
    lost = [one for one in done if one.number in missing]
    for one in done:
        x, (half, stroke, wide) = place(one.seconds), (11, "red", 2.5) if one in lost else (6, "green", 1.2)
        yield line(x, TOP - half, x, TOP + half, stroke=stroke, wide=wide)
    if lost:
        word = "acknowledged" if lost[0].what == ACKNOWLEDGED else "sent"
        yield labels.beside(place(lost[0].seconds), TOP + 22, f"✗ {lost[0].number} {word}, and lost", "bad", 5)


def _broker(run, place, end, name, y, labels):
    """Yield a broker's line: thick where it leads, cut by its death, on again after its next start."""
    x1, leads, alive = LEFT, False, True
    yield lane(name, y, f"process {run.pids[name]}")
    for one in [*(one for one in run.timeline if one.who == name), Moment(end, name, "", "")]:
        x2 = place(one.seconds)
        looks = {"stroke": "blue", "wide": 6} if leads else {"css": "line" if alive else "gone"}
        yield line(x1, y, x2, y, **looks)
        if one.what == "leads" or (one.what == "starts" and not alive):
            yield labels.beside(x2, y - 9, one.text if one.what == "leads" else "starts again", "sub", 3)
        elif one.what == "dies":
            yield group(cross(x2, y, wide=3), labels.beside(x2, y + 17, "dies by SIGKILL", "bad"))
        elif one.what == "cuts":
            yield group(cross(x2, y, 4, wide=3), labels.beside(x2, y + 18, "cuts its log back", "bad", 3))
        x1, leads = x2, one.what == "leads" or (leads and one.what != "dies")
        alive = one.what == "starts" or (alive and one.what != "dies")


def _logs(run):
    """Return a table of the files: a row for each broker, a column for each offset around the death."""
    first = max(0, run.at - 1 - AROUND)
    offsets = range(first, min(run.at + AROUND, max(map(len, run.logs.values()))))
    dead = run.leader_before
    logs = {f"broker {dead}, when it died": run.logs[dead]}
    logs |= {f"broker {one}": log for one, log in sorted(run.logs.items()) if one != dead}
    logs[f"broker {dead}, in sync again"] = run.came_back
    cells = [[name, *(_cell(run, log, offset) for offset in offsets)] for name, log in logs.items()]
    return scrolling(cells_table(["", *(f"offset {offset}" for offset in offsets)], cells, "eo-grid"), "Files")


def _cell(run, log, offset):
    number = log[offset] if offset < len(log) else "–"
    sign, kind = ("✗", "loses") if number in run.missing else ("×", "doubles") if log.count(number) > 1 else ("", "")
    return word_html(sign, number, kind)
