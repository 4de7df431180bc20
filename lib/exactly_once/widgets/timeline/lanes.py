"""The upper part of the timeline's picture: both producers' transactions over time, the coordinator's states, and
future events.
"""

from itertools import pairwise

from ...log.transactions.rules import COMPLETE_ABORT, COMPLETE_COMMIT, EMPTY, ONGOING, RESULTS
from ...show.base.canvas import box, dot, fits, mark
from ..base.nodes import listed
from .drawing import AXIS, BOTTOM, CSS, LANES, LEFT, ROWS, TITLE, TOP
from .parts import PRODUCERS, TIMEOUT_S
from .words import hanging

HALF = 12  # of the height of a transaction's box
ZOMBIE = 20  # below a producer's line: the line of an earlier incarnation
RING = 19
SIGNS = {"commit": "◆", "abort": "✗"}
COMING_AT = 100  # pixels from now to the future events
STANDINGS = {"dead": "dead ✖", "fenced": "fenced ✗", "must abort": "has to abort"}
ENDS = {COMPLETE_COMMIT: " ◆", COMPLETE_ABORT: " ✗"}


def time_part(sketch):
    """Draw the producers' lanes, the coordinator's rows, and on their right the future events."""
    _axis(sketch)
    for owner in PRODUCERS:
        _who(sketch, owner)
        _lane(sketch, owner)
        _states(sketch, owner)
        _coming(sketch, owner)
    sketch.text(0, TITLE, "Coordinator", "head")
    _downs(sketch)
    if not sketch.forecast:
        _nothing_to_come(sketch)
    sketch.line(sketch.place.now, TOP - 4, sketch.place.now, BOTTOM, "now")


def _axis(sketch):
    place, world = sketch.place, sketch.world
    sketch.text(0, AXIS, "Time, seconds", "head")
    sketch.box(place.now, TOP, place.width - place.now, BOTTOM - TOP, "coming", radius=0)
    last = None
    for at in range(0, int(world.now) + 1, 10):
        x = place.x(at)
        if x < LEFT or (last is not None and x - last < 26):
            continue
        sketch.line(x, TOP, x, BOTTOM, "grid")
        if place.now - x > 46 and not (place.cut and x < LEFT + 62):
            sketch.text(x, AXIS, f"{at}", "dim", "middle")
            last = x
    sketch.text(place.now, AXIS, f"now {world.now:.0f}", "strong", "middle")
    sketch.text(place.width, AXIS, "to come", "dim lean", "end")
    if place.cut:
        sketch.text(LEFT + 2, AXIS, "earlier …", "dim lean")
    times = sorted({round(at) for at in sketch.forecast.values()})
    if times:
        x = place.now + COMING_AT
        sketch.text(place.now + COMING_AT / 2 + 6, AXIS, "//", "dim", "middle")
        sketch.text(x, AXIS, " / ".join(map(str, times)), "dim", "middle")
        sketch.line(x, TOP, x, BOTTOM, "grid-coming")


def _who(sketch, owner):
    """Name a producer, its epoch, and its standing; and its row of the coordinator."""
    world, y = sketch.world, LANES[owner]
    life = world.life(owner)
    sketch.add(_badge(10, y - 10, owner))
    sketch.text(22, y - 5.5, owner, f"name {CSS[owner]}")
    epoch = "–" if life.epoch is None else life.epoch
    words = f"e{epoch}, incarnation {life.number}" if life.number > 1 else f"epoch {epoch}"
    sketch.text(45, y - 5.5, words, "dim")
    words, css = standing(world, owner)
    sketch.text(22, y + 11, words, f"name {css}")
    sketch.add(_badge(10, ROWS[owner], owner))
    sketch.text(22, ROWS[owner] + 4.5, f"{owner}’s state", f"name {CSS[owner]}")


def _badge(x, y, owner):
    if owner == PRODUCERS[0]:
        return dot(x, y, 6.5, "badge p1")
    return box(x - 6.5, y - 6.5, 13, 13, "badge p2", rx=3)


def standing(world, owner):
    """Return a producer's standing, in a word or two, and its colour."""
    life = world.life(owner)
    if life.stalled is not None:
        return "stalled", "bad"
    if life.asks:
        return "waits …", "late"
    if life.state in STANDINGS:
        return STANDINGS[life.state], "bad"
    if life.state == "open":
        return "in transaction", CSS[owner]
    mine = [one for one in world.of(owner) if one.life == life.number and one.known]
    done = {"commit": ("done ◆", CSS[owner]), "abort": ("aborted ✗", "dim")}
    return done.get(mine[-1].result if mine else "", ("ready", "dim"))


def _lane(sketch, owner):
    world, place, y = sketch.world, sketch.place, LANES[owner]
    _life_line(sketch, owner, y)
    mine = world.of(owner)
    for one in mine:
        _transaction(sketch, one, y, one is mine[-1])
    for one in mine:
        for done in one.marks:
            _mark_words(sketch, one, done, y)
    if mine:
        _labels(sketch, mine[-1], y)
    for who, since, until in world.stalls:
        if who == owner:
            _stall(sketch, owner, since, world.now if until is None else until, until is None, y)
    for one in mine:
        for done in one.marks:
            _mark(sketch, one, done, y)
    for who, at in world.deaths:
        if who == owner and place.x(at) >= LEFT:
            sketch.text(place.x(at + 1), y + 5, "✖", "bad strong", "middle", f"killed at {at:.0f} s")
    if owner in world.late:
        request = world.late[owner]
        sent = next(at for at, kind, name in request.transaction.marks if (kind, name) == ("late", request.name))
        x = max(LEFT, place.x(sent + 1))
        sketch.line(x + 10, y + 19, place.now, y + 19, "on-way")
        if place.now - x > 120:
            sketch.plate(x + 66, y + 19, f"◷ {request.name} on its way", "late")


def _life_line(sketch, owner, y):
    """Draw the line of each incarnation of a producer, up to its death."""
    world, place = sketch.world, sketch.place
    for life in world.lives[owner]:
        until = next((at + 1 for who, at in world.deaths if who == owner and at >= life.began), world.now)
        if place.x(until) > LEFT:
            sketch.line(max(LEFT, place.x(life.began)), y, place.x(until), y, "life")


def _transaction(sketch, one, y, newest):
    world, place = sketch.world, sketch.place
    open_ = one.ended is None
    x, end = place.x(one.began) + 3, place.now if open_ else place.x(one.ended)
    if end < LEFT:
        return
    x = max(LEFT, x)
    lost = one.why == "refused"
    life = world.lives[one.owner][one.life - 1]
    ill = open_ and one.decided is None and life.fate
    kind = "ill" if ill else "open" if open_ else "ended"
    kind += " void" if (one.result == "abort" and one.ended is not None) or lost else ""
    said = f"{one.owner}’s transaction in epoch {one.epoch}, from {one.began:.0f} s: {one.result or 'open'}"
    sketch.box(x, y - HALF, end - x, 2 * HALF, f"tx {CSS[one.owner]} {kind}", said)
    if one.decided is not None and one.known:
        first = max(x, place.x(one.decided))
        said = f"{one.result} decided at {one.decided:.0f} s"
        css = f"prepare {CSS[one.owner]}"
        sketch.box(first, y - HALF, max(3, end - first), 2 * HALF, css, said, fill="prepare")
    if not open_ and one.result and one.known:
        css = f"strong {CSS[one.owner]}" if one.result == "commit" else "strong dim"
        sketch.text(min(end + 4, place.now - 12) if not newest else end + 4, y + 5, SIGNS[one.result], css)


def _labels(sketch, one, y):
    """Write the requested result above the newest transaction."""
    place = sketch.place
    top, x = y - HALF - 5, place.x(one.began) + 3
    if one.ended is not None and place.x(one.ended) < LEFT:
        return
    decided = None if one.decided is None else max(LEFT, place.x(one.decided))
    words = {"asked": one.result, "timed out": "time-out", "restart": "new incarnation"}.get(one.why, "")
    if decided is not None and words and one.known:
        css = f"strong {CSS[one.owner]}" if one.result == "commit" else "strong dim"
        sketch.label(decided + 2, top, words, "bad strong" if one.why == "timed out" else css)
    if x >= LEFT and sketch.labels.is_free(x - 4, x + 38, top):
        sketch.text(x, top, "begin", "dim")


def _stall(sketch, owner, since, until, still, y):
    """Draw a stall, inside a transaction's box or on the line."""
    place, world = sketch.place, sketch.world
    first, last = max(LEFT, place.x(since)), place.x(until)
    if last <= LEFT:
        return
    inside = [one for one in world.of(owner) if one.began <= since and (one.ended is None or one.ended > since)]
    if inside:
        end = place.now if inside[-1].decided is None else place.x(inside[-1].decided)
        if last > end:
            replaced = len(world.lives[owner]) > inside[-1].life
            sketch.line(end, y + ZOMBIE * replaced, last, y + ZOMBIE * replaced, "stall-line")
        last = min(last, end)
        said = f"stalled since {since:.0f} s"
        sketch.box(first, y - HALF + 1, last - first - 1, 2 * HALF - 2, "stall", said, 2, "stall")
    else:
        sketch.line(first, y, last, y, "stall-line")
    if last - first > 76:
        middle = (first + last) / 2
        sketch.pause(middle - 32, y, "bad halo")
        sketch.text(middle - 20, y + 4.5, "stalled", "bad strong halo")
    elif last - first > 10:
        sketch.pause((first + last) / 2 - 2.5, y, "bad halo")


def _mark(sketch, one, done, y):
    at, kind, words = done
    x = sketch.place.x(at + 1)
    if x < LEFT + 8:
        return
    if kind == "offsets":
        sketch.add(mark("path", f"flag {CSS[one.owner]}", d=f"M{x - 4:.1f} {y + 7}v-13h9l-2.6 3.4 2.6 3.4h-9"))
        return
    decided = {"commit": "done", "abort": "void"}.get(one.result, "solid")
    late = kind in ("late", "arrived")
    css = "refused" if kind == "refused" else "late" if late else decided
    said = {"late": "is late", "arrived": "arrives late", "refused": "is refused"}.get(kind, "is sent")
    if _by_zombie(sketch, one, at):
        y += ZOMBIE
        sketch.plate(x - 45, y, "✗ zombie", "bad strong")
    sketch.record(x, y, words, one.owner, css, f"{words} {said} at {at:.0f} s, in epoch {one.epoch}")


def _mark_words(sketch, one, done, y):
    at, kind, _ = done
    x = sketch.place.x(at + 1)
    words = {"late": "◷ late", "arrived": "◷ arrives", "refused": "✗ refused"}.get(kind)
    if words and x >= LEFT + 8 and not _by_zombie(sketch, one, at):
        sketch.label(x, y - HALF - 5, words, "bad strong halo" if kind == "refused" else "late strong halo")


def _by_zombie(sketch, one, at):
    """Tell whether an incarnation did this after it was replaced; a late arrival does not count."""
    lives = sketch.world.lives[one.owner]
    kinds = [kind for when, kind, _ in one.marks if when == at]
    return len(lives) > one.life and lives[one.life].began <= at and "arrived" not in kinds


def _states(sketch, owner):
    """Draw the coordinator's states of a transactional id, over time."""
    world, place, y = sketch.world, sketch.place, ROWS[owner]
    found = [*world.states[owner], (world.now, None, None)]
    life = world.life(owner)
    for (since, state, epoch), (until, following, _) in pairwise(found):
        x, end = max(LEFT, place.x(since)), place.x(until)
        if end <= LEFT or end - x < 1:
            continue
        last = following is None
        kind = {EMPTY: "rest", ONGOING: "going"}.get(state, "prepare" if state in RESULTS else "rest")
        ill = last and state == ONGOING and life.fate
        words, (free, to) = state, _widest(sketch, x, end)
        if state == ONGOING and last:
            words = f"Ongoing, {world.now - world.known[owner].started / 1000:.0f} s of {TIMEOUT_S} s"
            words = words if fits(words, to - free) else state
        said = f"{owner}: {state} in epoch {epoch}, from {since:.0f} s"
        sketch.box(x + 0.5, y - 10, end - x - 1, 20, f"state {kind} {CSS[owner]}{' ill' if ill else ''}", said,
                   fill="prepare" if kind == "prepare" else "")  # fmt: skip
        css = "bad strong" if ill else "strong " + CSS[owner] if last and state == ONGOING else "dim"
        if kind == "prepare":
            if last:
                where = "in its log" if world.coordinator is None else "markers on their way"
                sketch.text(end + 7, y + 4.5, f"{state}: {where}", f"strong {CSS[owner]}")
        elif fits(words, to - free):
            sketch.text((free + to) / 2, y + 4.5, words, css, "middle")
        if last and state in ENDS and owner not in sketch.forecast:
            css = f"strong {CSS[owner] if state == COMPLETE_COMMIT else 'dim'}"
            sketch.text(end + 7, y + 4.5, f"{state}{ENDS[state]}", css)


def _widest(sketch, x, end):
    """Return the widest part between two places in which the coordinator was not dead."""
    place, edges = sketch.place, [x]
    for since, until in sketch.world.downs:
        edges += [place.x(since + 1), place.now if until is None else place.x(until)]
    edges = [min(max(edge, x), end) for edge in (*edges, end)]
    return max(zip(edges[::2], edges[1::2], strict=True), key=lambda part: part[1] - part[0])


def _downs(sketch):
    """Cover the coordinator's rows where it was dead."""
    world, place = sketch.world, sketch.place
    first, last = ROWS[PRODUCERS[0]] - 12, ROWS[PRODUCERS[1]] + 12
    for since, until in world.downs:
        x, end = max(LEFT, place.x(since + 1)), place.now if until is None else place.x(until)
        if end <= LEFT:
            continue
        sketch.box(x, first, end - x, last - first, "down", "the coordinator is dead", radius=2)
        said = "✖ dead" if end - x > 52 else "✖"
        sketch.text((x + end) / 2, (first + last) / 2 + 4.5, said, "bad strong", "middle")


def _coming(sketch, owner):
    """Draw the coordinator's next action on an open transaction, if no other step is done."""
    if owner not in sketch.forecast:
        return
    world, place, y, row = sketch.world, sketch.place, LANES[owner], ROWS[owner]
    at = sketch.forecast[owner]
    left = at - world.now
    now, then = place.now, place.now + COMING_AT
    life = world.life(owner)
    ill = "bad" if life.fate else CSS[owner]
    for edge in (y - HALF, y + HALF, row - 10, row + 10):
        sketch.line(now, edge, then, edge, f"ahead {ill}")
    part = max(0.02, min(1.0, left / TIMEOUT_S))
    around = 2 * 3.14159 * RING
    middle = now + COMING_AT / 2 + 6
    turned = {"transform": f"rotate(-90 {middle:.1f} {y})", "stroke_dasharray": f"{around * part:.1f} {around:.1f}"}
    sketch.add(dot(middle, y, RING, "ring"), dot(middle, y, RING, f"ring-left {ill}", **turned))
    sketch.text(middle, y + 4.5, f"{left:.0f} s", f"strong {ill}", "middle")
    if life.stalled is not None:
        sketch.text(then + 7, y + 25, "INVALID_PRODUCER_EPOCH", "code tight bad")
    words = f"aborted at {at:.0f} s, unless", f"{owner} ends it before"
    if life.stalled is not None:
        words = f"{owner} wakes too late, sends", f"at epoch {life.epoch}: ✗ fenced"
    if life.state == "dead":
        words = f"aborted at {at:.0f} s, or when", f"a new incarnation of {owner} starts"
    sketch.text(then + 7, y - 6, words[0], "dim")
    sketch.text(then + 7, y + 10, words[1], "strong bad" if life.stalled is not None else "dim")
    sketch.text(then + 7, row + 4.5, f"PrepareAbort, epoch {world.state(owner)[2] + 1}", "dim")


def _nothing_to_come(sketch):
    world, place = sketch.world, sketch.place
    words = ["Nothing is open: nothing", "changes by itself."]
    if hanging(world, world.partition()[1]):
        words = ["The coordinator has nothing open:", "no time-out will come."]
    pending = [owner for owner in PRODUCERS if world.state(owner)[1] in RESULTS]
    if world.coordinator is None:
        words = ["No coordinator: no time-out,", "and no marker is written."]
    elif pending and world.held:
        words = [f"{listed(pending)}’s markers are held:", "release them."]
    for line, words_ in enumerate(words):
        sketch.text(place.now + 16, LANES[PRODUCERS[0]] - 2 + 17 * line, words_, "dim lean")
