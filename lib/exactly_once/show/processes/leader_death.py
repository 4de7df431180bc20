"""A leader's death as a picture: the actions of each process over time, and each broker's file around that record."""

from html import escape

import pandas as pd

from ...log.network.client import ACKNOWLEDGED, SENT
from ...log.network.leader_death import LeaderDeath
from ..base.checks import given
from ..base.picture import Picture, scrolling

LEFT, RIGHT, TOP, LANE = 150, 20, 34, 46
AROUND = 3  # records shown on either side of the one at which the leader died


def leader_death(run: LeaderDeath, width: int = 960) -> Picture:
    """Return the picture of a run of `kill_the_leader`, with its timeline as a table; `width` in pixels."""
    given(run, LeaderDeath)
    sign, mood, sentence = _verdict(run)
    says = f'<div class="eo-says eo-is-{mood}"><strong>{sign} {escape(sentence)}</strong> {escape(_rest(run))}</div>'
    drawn = scrolling(_svg(run, width), "Timeline")
    logs = f'<p class="eo-h" style="margin-top:10px">What is in each file, around record {run.at}</p>{_logs(run)}'
    table = pd.DataFrame(
        [(f"{one.seconds:.3f}", one.who, one.text) for one in run.timeline], columns=["seconds", "who", "what"]
    )
    return Picture(f"{says}{drawn}{logs}", table, str(run), "The timeline as a table")


def _verdict(run):
    """Return the sign, the mood and the sentence on the fate of the records."""
    if run.lost:
        return "✗", "bad", f"Acknowledged and lost: {_listed(run.lost)}."
    if run.missing:
        return "✗", "bad", f"Sent and not there, and nobody was told: {_listed(run.missing)}."
    if run.doubled:
        return "✗", "bad", f"There twice: {_listed(run.doubled)}."
    return "✓", "good", "All that was acknowledged is there, once."


def _rest(run):
    return (
        f"acks={run.acks}: {run.records} sent, {len(run.acknowledged)} acknowledged, {len(run.readable)} to be read. "
        f"Broker {run.leader_before} led and was killed by SIGKILL, broker {run.leader_after} leads. Nobody led for "
        f"{run.leaderless:.2f} s."
    )


def _listed(numbers):
    shown = ", ".join(map(str, numbers[:8])) + (" …" if len(numbers) > 8 else "")
    return f"record{'s' if len(numbers) > 1 else ''} {shown}"


class _Scale:
    """Seconds of the run as pixels."""

    def __init__(self, run, width):
        leads = _first(run, "leads")
        self.start = leads.seconds if leads else 0.0
        self.end = max(one.seconds for one in run.timeline)
        self.width = width

    def x(self, seconds):
        share = (min(max(seconds, self.start), self.end) - self.start) / max(self.end - self.start, 1e-9)
        return LEFT + share * (self.width - LEFT - RIGHT)


def _first(run, what, who=None):
    return next((one for one in run.timeline if one.what == what and who in (None, one.who)), None)


def _svg(run, width):
    scale, brokers = _Scale(run, width), sorted(run.logs)
    height = TOP + LANE * (len(brokers) + 1) + 24
    lanes = {f"broker {number}": TOP + LANE * (place + 1) for place, number in enumerate(brokers)}
    parts = [_leaderless(run, scale, TOP + LANE * (len(brokers) + 1) - 14), _producer(run, scale)]
    parts += [_broker(run, scale, name, y) for name, y in lanes.items()]
    parts.append(_axis(scale, height))
    about = f"Timeline. {escape(_rest(run))} The table below says the same."
    return (
        f'<svg class="eo-st" xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="{about}">{"".join(parts)}</svg>'
    )


def _leaderless(run, scale, bottom):
    """Draw the time without a leader."""
    died = _first(run, "dies")
    x1, x2 = scale.x(died.seconds), scale.x(died.seconds + run.leaderless)
    words = f"nobody leads, {run.leaderless:.2f} s"
    return (
        f'<rect x="{x1:.1f}" y="{TOP - 12}" width="{x2 - x1:.1f}" height="{bottom - TOP + 12}" '
        'style="fill:var(--eo-amber);opacity:.14"/>'
        f'<text x="{(x1 + x2) / 2:.1f}" y="{TOP - 18}" text-anchor="middle">{words}</text>'
    )


def _lane(name, under, y):
    return f'<text class="lane" x="2" y="{y - 2}">{name}</text><text class="sub" x="2" y="{y + 12}">{under}</text>'


def _producer(run, scale):
    """Draw a tick for each finished record: acknowledged, sent, or, longer and red, acknowledged and lost."""
    drawn = [_lane("producer", f"process {run.pids['producer']}", TOP)]
    drawn.append(f'<line class="line" x1="{LEFT}" y1="{TOP}" x2="{scale.width - RIGHT}" y2="{TOP}"/>')
    gone = set(run.missing)
    for one in run.attempts:
        x, bad = scale.x(one.seconds), one.number in gone
        if one.what in (ACKNOWLEDGED, SENT):
            half, colour = (11, "red") if bad else (6, "green")
            drawn.append(
                f'<line x1="{x:.1f}" y1="{TOP - half}" x2="{x:.1f}" y2="{TOP + half}" '
                f'style="stroke:var(--eo-{colour});stroke-width:{2.5 if bad else 1.2}"/>'
            )
    first = next((one for one in run.attempts if one.number in gone and one.what in (ACKNOWLEDGED, SENT)), None)
    if first is not None:
        word = "acknowledged" if first.what == ACKNOWLEDGED else "sent"
        drawn.append(_said(scale.x(first.seconds) + 5, TOP + 22, f"✗ {first.number} {word}, and lost", "bad", scale))
    return "".join(drawn)


def _broker(run, scale, name, y):
    """Draw a broker's line: thick where it leads, cut by its death, on again after its next start."""
    moments = [one for one in run.timeline if one.who == name]
    drawn, at, leads, alive = [_lane(name, f"process {run.pids[name]}", y)], scale.start, False, True
    for one in [*moments, None]:
        until = scale.end if one is None else max(one.seconds, scale.start)
        x1, x2 = scale.x(at), scale.x(until)
        if leads:
            drawn.append(
                f'<line x1="{x1:.1f}" y1="{y}" x2="{x2:.1f}" y2="{y}" style="stroke:var(--eo-blue);stroke-width:6"/>'
            )
        else:
            drawn.append(
                f'<line class="{"line" if alive else "gone"}" x1="{x1:.1f}" y1="{y}" x2="{x2:.1f}" y2="{y}"/>'
            )
        if one is None:
            break
        at = until
        if one.what == "leads":
            leads = True
            drawn.append(_said(x2 + 3, y - 9, one.text, "sub", scale))
        elif one.what == "dies":
            leads = alive = False
            drawn.append(_cross(x2, y) + _said(x2 + 10, y + 17, "dies by SIGKILL", "bad", scale))
        elif one.what == "starts" and not alive:
            alive = True
            drawn.append(_said(x2 + 3, y - 9, "starts again", "sub", scale))
        elif one.what == "cuts":
            drawn.append(_cross(x2, y, 4) + _said(x2 + 3, y + 18, "cuts its log back", "bad", scale))
    return "".join(drawn)


def _cross(x, y, size=7):
    return (
        f'<path class="cross" fill="none" style="stroke-width:3" '
        f'd="M{x - size:.1f} {y - size}l{2 * size} {2 * size}m0 {-2 * size}l{-2 * size} {2 * size}"/>'
    )


def _said(x, y, text, css, scale):
    """Write words at a place, to its left where they would not fit."""
    end = x + 6.4 * len(text) > scale.width - RIGHT
    anchor = f' text-anchor="end" x="{scale.width - 4}"' if end else f' x="{x:.1f}"'
    return f'<text class="{css} halo"{anchor} y="{y}">{escape(text)}</text>'


def _axis(scale, height):
    ticks = []
    for tenth in range(0, int((scale.end - scale.start) * 10) + 1, 2):
        x = scale.x(scale.start + tenth / 10)
        ticks.append(f'<text class="sub" x="{x:.1f}" y="{height - 4}" text-anchor="middle">{tenth / 10:.1f} s</text>')
    return "".join(ticks)


def _logs(run):
    """Return a table of the files: a row for each broker, a column for each offset around the death."""
    first = max(0, run.at - 1 - AROUND)
    offsets = range(first, min(run.at + AROUND, max(map(len, run.logs.values()))))
    dead = run.leader_before
    rows = [(f"broker {dead}, when it died", run.logs[dead])]
    rows += [(f"broker {one}", run.logs[one]) for one in sorted(run.logs) if one != dead]
    rows.append((f"broker {dead}, in sync again", run.came_back))
    head = "".join(f'<th scope="col">offset {offset}</th>' for offset in offsets)
    body = "".join(
        f'<tr><th scope="row">{name}</th>{"".join(_cell(run, log, offset) for offset in offsets)}</tr>'
        for name, log in rows
    )
    grid = f'<table class="eo-grid"><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>'
    return scrolling(grid, "Files")


def _cell(run, log, offset):
    if offset >= len(log):
        return '<td><span class="eo-word">–</span></td>'
    number = log[offset]
    if number in run.missing:
        return f'<td><span class="eo-word eo-loses"><i>✗</i>{number}</span></td>'
    if log.count(number) > 1:
        return f'<td><span class="eo-word eo-doubles"><i>×</i>{number}</span></td>'
    return f'<td><span class="eo-word">{number}</span></td>'
