"""The words of the timeline: the one sentence on top on the newest important event."""

from ...log.transactions.rules import RESULTS
from ..base.nodes import listed
from .parts import PARTITION, PRODUCERS, TIMEOUT_S

GOOD, BAD, PLAIN = "good", "bad", "none"
FENCED = ("INVALID_PRODUCER_EPOCH", "PRODUCER_FENCED")
FIRST = (
    PLAIN,
    "Nothing is open.",
    "Two producers, each with a transactional id of its own, write to one partition. Begin a transaction, or choose "
    "a story and guess before each step.",
)


def verdict(world, forecast):
    """Return the most important event, as (kind, headline, the rest). `forecast` is the model's."""
    rows, spans = world.partition()
    now = world.events[world.mark :]
    for found in (
        _wrong(rows),
        _refusal(world, now),
        _hanging(world, rows, spans),
        _blocked(world, rows, spans, forecast),
        _undelivered(world),
        _ended(world, rows),
        _down(world),
        _stuck(world, forecast),
        _open(world, rows, forecast),
        _last(world, now),
    ):
        if found:
            return found
    return FIRST


def hanging(world, spans):
    """Return the span that no coordinator will end, or None: its transactional id has nothing open there."""
    for span in spans:
        found = world.known[span.owner]
        if span.last is None and (found.started is None or PARTITION not in found.partitions):
            return span
    return None


def waiting(rows):
    """Return the names of records that are committed and not read yet."""
    return [row.name for row in rows if row.kind == "record" and row.ended == "commit" and not row.seen]


def twice(names):
    """Return the names of records that are there more than once, each name once."""
    return [name for place, name in enumerate(names) if names[:place].count(name) == 1]


def _are(names):
    return "is" if len(names) == 1 else "are"


def _them(names):
    return "it" if len(names) == 1 else "them"


def _wrong(rows):
    bad = [row.name for row in rows if row.seen and row.meant == "abort"]
    if not bad:
        return None
    return (
        BAD,
        f"{listed(bad)} {_are(bad)} read, although aborted.",
        "The late record opened a transaction in the partition after its own had been aborted. The next transaction "
        "of the same producer id joined it, and its commit marker committed both. Under KIP-890 each transaction has "
        "an epoch of its own.",
    )


def _refusal(world, now):
    """Return the sentence on the last refusal, unless it was answered soon after."""
    found = next((event for event in reversed(now) if event.error), None)
    if found is None:
        return None
    owner, what = found.who[:2], found.what
    if found.error in FENCED and owner in PRODUCERS:
        return _fenced(world, found, owner)
    if found.who == PARTITION:
        return _too_late(world, found)
    if found.error == "CONCURRENT_TRANSACTIONS":
        if any(event.who == found.who for event in now[now.index(found) + 1 :]):
            return None
        return (PLAIN, f"{owner} has to wait: CONCURRENT_TRANSACTIONS.", f"It {what}. It asks again until it is.")
    if found.error == "INVALID_TXN_STATE":
        return (
            BAD,
            f"{owner} is refused: INVALID_TXN_STATE.",
            "The coordinator has aborted its transaction, so there is nothing to commit. In Java this is fatal: the "
            "producer has to be closed, and a new incarnation of it begins at the committed position.",
        )
    if found.error == "left out":
        return (PLAIN, "A step of the story is not possible here.", f"{found.who} {what}")
    return (BAD, f"{found.who} gets no further: {found.error}.", f"It {what}. Nothing is written.")


def _too_late(world, found):
    name = found.what.removeprefix("the late ").split()[0]
    why = (
        "Under KIP-890 each end raises the epoch, and the leader asks the coordinator before it writes."
        if world.protocol == 2
        else "The partition has seen a newer epoch."
    )
    return (
        GOOD,
        f"The late {name} is refused, and nothing hangs.",
        f"{found.error}: it carries the epoch of a transaction that has ended. {why}",
    )


def _fenced(world, found, owner):
    mine = [one for one in world.of(owner) if one.why in ("timed out", "restart")]
    if mine and mine[-1].why == "timed out":
        why = f"the coordinator aborted its transaction by time-out at {mine[-1].decided:.0f} s"
    else:
        why = "a newer incarnation with its transactional id began"
    zombie = len(world.lives[owner]) > 1 and "incarnation" in found.who
    if found.error == "PRODUCER_FENCED":
        then = "Its transaction is not its own any more: it has to be closed."
    elif zombie:
        then = "Nothing of it is written, and the new incarnation goes on undisturbed."
    else:
        then = "Nothing is written. In Java it can only abort now, and that abort tells it the rest."
    return (
        BAD,
        f"{'The zombie' if zombie else owner} is fenced: {found.error}.",
        f"{found.who} {found.what.split(',')[0]}, but {why}, and the epoch is {world.state(owner)[2]} now. {then}",
    )


def _hanging(world, rows, spans):
    span = hanging(world, spans)
    if span is None:
        return None
    name = next(row.name for row in rows if row.offset == span.first)
    held = waiting(rows)
    blocked = f"; {listed(held)} {_are(held)} committed, and read by no read_committed consumer" if held else ""
    return (
        BAD,
        "A hanging transaction: no time-out will end it.",
        f"The late {name} arrived after its transaction’s abort marker, and opened another one at offset "
        f"{span.first}, of which the coordinator knows nothing. Until an operator aborts it "
        f"(KIP-664), the last stable offset stays at {world.stable}{blocked}.",
    )


def _blocked(world, rows, spans, forecast):
    held = waiting(rows)
    if not held:
        return None
    first = min((one for one in spans if one.last is None or one.last >= world.stable), key=lambda one: one.first)
    other = first.owner
    done = [one for one in spans if one.result == "commit" and one.last >= world.stable]
    whose = listed([owner for owner in PRODUCERS if any(one.owner == owner for one in done)])
    life = world.life(other)
    decided = RESULTS.get(world.state(other)[1])
    if decided:
        until = f"until {other}’s {decided} marker is written"
    elif other in forecast:
        ends = "ends it"
        if life.fate:
            ends = "begins a new incarnation" if life.state == "dead" else "wakes and ends its transaction"
        until = f"until {other} {ends}, or until the coordinator aborts it in {forecast[other] - world.now:.0f} s"
    else:
        until = "until a coordinator is there that can end it"
    how = f"{other} {life.fate}. " if life.fate else ""
    return (
        BAD,
        f"{whose} has committed, and no read_committed consumer sees it.",
        f"{whose}’s commit marker is at offset {done[-1].last}, but the last stable offset stays at {world.stable}: "
        f"{other}’s transaction began there and is still open. {how}{listed(held)} wait{'s' * (len(held) == 1)} "
        f"{until}.",
    )


def _undelivered(world):
    for owner in PRODUCERS:
        state = world.state(owner)[1]
        result = RESULTS.get(state)
        if result is None:
            continue
        asked = any(one.ended is None and one.why == "asked" for one in world.of(owner))
        told = f"{owner} has been told so. " if asked else ""
        if world.coordinator is None:
            rest = (
                "The coordinator is dead, but the decision is in its log: when it comes back, it writes the markers."
            )
        else:
            rest = "Its markers are on their way; until they are in the partitions, the last stable offset stays."
        return (
            BAD if world.coordinator is None else PLAIN,
            f"{owner}’s {result} is decided, and not yet seen.",
            f"{state} is durable: it cannot become anything else. {told}{rest}",
        )
    return None


def _ended(world, rows):
    """Return the sentence on the transaction that the last step ended."""
    began = world.starts[-2][0] if len(world.starts) > 1 else 0
    done = [
        one for one in world.transactions if one.ended is not None and one.ended >= began and one.why != "refused"
    ]
    if not done:
        return None
    one = done[-1]
    if not one.known:
        rest = "The coordinator never heard of it, and nothing is in the log."
        return (PLAIN, f"{one.owner}’s transaction was empty.", rest)
    names = [text for _, kind, text in one.marks if kind == "record"]
    low = world.before[0]
    moved = f"The last stable offset moves from {low} to {world.stable}. " if world.stable != low else ""
    if one.result == "commit":
        return _committed(world, rows, one, names, moved)
    rest = ""
    if names:
        stay = f"{listed(names)} stay{'s' * (len(names) == 1)} in the log"
        rest = f"{stay}: read_uncommitted sees {_them(names)}, read_committed does not. "
    again = f"The committed position of {one.owner} is still {world.positions(one.owner)[0]}."
    if one.why == "timed out":
        new = [row.name for row in rows if row.seen and low <= row.offset]
        freed = f"read_committed now sees {listed(new)}. " if new else ""
        fenced = f"The coordinator raised its epoch to {world.state(one.owner)[2]}: {one.owner} is fenced. "
        return (
            BAD,
            f"{one.owner}’s transaction was aborted by time-out at {one.decided:.0f} s.",
            f"It was open for over {TIMEOUT_S} s. {fenced}{moved}{freed}{rest}",
        )
    if one.why == "restart":
        epoch = world.life(one.owner).epoch
        return (
            PLAIN,
            f"The new incarnation of {one.owner} fences the old one.",
            f"Before it gets epoch {epoch}, the coordinator aborts what was open. {rest}{again}",
        )
    return (PLAIN, f"{one.owner} has aborted.", f"{moved}{rest}{again}")


def _committed(world, rows, one, names, moved):
    again = twice([row.name for row in rows if row.seen])
    if again:
        return (
            BAD,
            f"{listed(again)} {_are(again)} read twice by read_committed.",
            f"{one.owner} committed {_them(again)} once without its position in the transaction, and read the same "
            "items again. Exactly once needs records and positions in one transaction.",
        )
    seen = f"read_committed sees {listed(names)}. " if names else ""
    if one.position is None:
        rest = (
            f"Its position is not in the transaction: a new incarnation of {one.owner} would read these items again."
        )
        return (PLAIN, f"{one.owner} has committed, without its position.", f"{moved}{seen}{rest}")
    return (
        GOOD,
        f"{one.owner} has committed: records and position at once.",
        f"{moved}{seen}A new incarnation of {one.owner} would go on at position {one.position}.",
    )


def _down(world):
    if world.coordinator is not None:
        return None
    open_ = [owner for owner in PRODUCERS if world.ongoing(owner)]
    rest = "What is decided stays decided; nothing new can be."
    if open_:
        rest = (
            f"What {listed(open_)} {'has' if len(open_) == 1 else 'have'} open cannot end now, not even by time-out."
        )
    return (BAD, "The coordinator is dead.", f"Its log is still there. {rest}")


def _stuck(world, forecast):
    for owner in PRODUCERS:
        gone = world.life(owner).fate
        if gone and world.ongoing(owner):
            left = f" for {forecast[owner] - world.now:.0f} s more" if owner in forecast else ""
            return (
                BAD,
                f"{owner} {gone} with its transaction open.",
                f"The last stable offset stays at {world.stable}{left}: whoever commits meanwhile, no read_committed "
                "consumer sees it.",
            )
        if gone:
            return (PLAIN, f"{owner} {gone}.", "It had nothing open, so nobody waits for it.")
    return None


def _open(world, rows, forecast):
    lives = [life for owner in PRODUCERS if (life := world.life(owner)).state in ("open", "must abort")]
    if not lives:
        return None
    for life in lives:
        if life.transaction.decided is not None:
            return _believes(life.transaction)
    owners = [life.owner for life in lives]
    headline = f"{listed(owners)} {'has' if len(owners) == 1 else 'have'} a transaction open."
    names = [row.name for row in rows if row.kind == "record" and row.owner in owners and not row.ended]
    if not names:
        return (PLAIN, headline, "Nothing is written yet, and nobody but the producer knows of it.")
    left = [f"{owner} has {forecast[owner] - world.now:.0f} s left" for owner in owners if owner in forecast]
    limit = f" {listed(left)}, then the coordinator aborts." if left else ""
    return (
        PLAIN,
        headline,
        f"{listed(names)} {_are(names)} in the log, undecided: read_uncommitted sees {_them(names)}, "
        f"read_committed reads below the last stable offset, {world.stable}.{limit}",
    )


def _believes(one):
    how = "by time-out" if one.why == "timed out" else "already"
    return (
        BAD,
        f"{one.owner} believes that its transaction is open.",
        f"The coordinator aborted it {how} at {one.decided:.0f} s, and nobody has told {one.owner}. What will it "
        "hear when it goes on?",
    )


def _last(world, now):
    if len(world.starts) == 1:
        return None
    if not now:
        return (PLAIN, "Nothing is open.", "Time passes, and nothing changes.")
    last = now[-1]
    return (PLAIN, "Nothing is open.", f"{last.who[0].upper()}{last.who[1:]} {last.what}.")
