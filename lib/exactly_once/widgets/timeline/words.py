"""What the timeline says: the one sentence on top that matters now, and how things are called in the picture."""

from ...log.transactions.rules import PREPARE_ABORT, PREPARE_COMMIT
from .parts import OUTPUT, PRODUCERS, TIMEOUT_S

GOOD, BAD, PLAIN = "good", "bad", "plain"
DECISION = {"commit": "commit", "abort": "abort"}
PREPARED = {PREPARE_COMMIT: "commit", PREPARE_ABORT: "abort"}
FIRST = (
    PLAIN,
    "Nothing is open.",
    "Two producers, each with a transactional id of its own, write to one partition. Begin a transaction, or choose a "
    "story and guess before each step.",
)


def listed(words):
    """Return words with commas, and an "and" before the last."""
    *most, last = words or ["nothing"]
    return f"{', '.join(most)} and {last}" if most else last


def verdict(world, forecast):
    """Return what matters now, as (kind, headline, the rest). `forecast` is the model's."""
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
        found = world.described(span.owner)
        if span.last is None and (found.started is None or f"{OUTPUT}-0" not in found.partitions):
            return span
    return None


def waiting(rows):
    """Return the names of records that are committed and not read yet."""
    return [row.name for row in rows if row.kind == "record" and row.ended == "commit" and not row.seen]


def twice(names):
    """Return the names that are there more than once, each once."""
    return [name for place, name in enumerate(names) if names[:place].count(name) == 1]


def _names(rows, owner, ended):
    return [row.name for row in rows if (row.kind, row.owner, row.ended) == ("record", owner, ended)]


def _are(names):
    return "is" if len(names) == 1 else "are"


def _wrong(rows):
    bad = [row.name for row in rows if row.seen and row.meant == "abort"]
    if not bad:
        return None
    return (
        BAD,
        f"{listed(bad)} {_are(bad)} read, although aborted.",
        "The late record opened a transaction in the partition after its own had been aborted. The next transaction of the "
        "same producer id joined it, and its commit marker committed both. KIP-890 gives each transaction its own epoch.",
    )  # fmt: skip


def _refusal(world, now):
    found = next((event for event in reversed(now) if event.error), None)
    if found is None:
        return None
    owner, what = found.who[:2], found.what
    if found.error in ("INVALID_PRODUCER_EPOCH", "PRODUCER_FENCED") and owner in PRODUCERS:
        return _fenced(world, found, owner)
    if found.who == "out-0":
        name = what.removeprefix("the late ").split()[0]
        return (
            GOOD,
            f"The late {name} is refused, and nothing hangs.",
            f"{found.error}: it carries the epoch of a transaction that has ended. "
            + (
                "Under KIP-890 each end raises the epoch, and the leader asks the coordinator before it writes."
                if world.protocol == 2
                else "The partition has seen a newer epoch."
            ),
        )
    if found.error == "CONCURRENT_TRANSACTIONS":
        if all(not life.asks for owner in PRODUCERS for life in world.lives[owner]):
            return None  # it was answered at once, and other words tell what came of it
        return (PLAIN, f"{owner} has to wait: CONCURRENT_TRANSACTIONS.", f"It {what}. It asks again and again.")
    if found.error == "INVALID_TXN_STATE":
        return (
            BAD,
            f"{owner} is refused: INVALID_TXN_STATE.",
            "The coordinator has aborted its transaction, so there is nothing to commit. In Java this is fatal: the producer "
            "has to be closed, and a new life of it begins at the committed position.",
        )  # fmt: skip
    if found.error == "left out":
        return (PLAIN, "A step of the story is not possible here.", f"{found.who} {what}")
    return (BAD, f"{found.who} gets no further: {found.error}.", f"It {what}. Nothing is written.")


def _fenced(world, found, owner):
    state, epoch = world.state(owner)[1:]
    mine = [one for one in world.transactions if one.owner == owner and one.why in ("timed out", "restart")]
    if mine and mine[-1].why == "timed out":
        why = f"the coordinator aborted its transaction by time-out at {mine[-1].decided:.0f} s"
    else:
        why = "a newer life with its transactional id began"
    then = {
        "INVALID_PRODUCER_EPOCH": "Nothing is written. In Java it can only abort now, and that abort tells it the rest.",
        "PRODUCER_FENCED": "Its transaction is not its own any more: it has to be closed. Restart it.",
    }[found.error]
    if len(world.lives[owner]) > 1 and found.error == "INVALID_PRODUCER_EPOCH":
        then = "Nothing of it is written, and the new life goes on undisturbed."
    action = found.what.split(",")[0]
    what = f"{found.who} {action}" if not action.startswith("asks") else f"{found.who} {action}"
    whose = "The zombie" if len(world.lives[owner]) > 1 and "life" in found.who else owner
    return (BAD, f"{whose} is fenced: {found.error}.", f"{what}, but {why}, and the epoch is {epoch} now. {then}")


def _hanging(world, rows, spans):
    span = hanging(world, spans)
    if span is None:
        return None
    name = next(row.name for row in rows if row.offset == span.first)
    held = waiting(rows)
    blocked = f"; {listed(held)} {_are(held)} committed, and read by no read_committed consumer" if held else ""
    return (
        BAD,
        "A hanging transaction: nobody will ever end it.",
        f"The late {name} arrived after its transaction’s abort marker, and opened another one at offset {span.first}, of which the "
        f"coordinator knows nothing. No time-out will end it. The last stable offset stays at {world.stable}{blocked}.",
    )  # fmt: skip


def _blocked(world, rows, spans, forecast):
    held = waiting(rows)
    if not held:
        return None
    whose = listed([owner for owner in PRODUCERS if any(row.owner == owner and row.name in held for row in rows)])
    first = min((span for span in spans if span.last is None or span.last >= world.stable), key=lambda one: one.first)
    marker = max(span.last for span in spans if span.result == "commit" and span.owner != first.owner)
    life, other = world.life(first.owner), first.owner
    state = {"dead": "was killed"}.get(life.state, "has stalled" if life.stalled is not None else "")
    how = f"{other} {state}. " if state else ""
    decided = PREPARED.get(world.state(other)[1])
    if decided:
        until = f"until {other}’s {decided} marker is written"
    elif other in forecast:
        ends = (
            "wakes and ends its transaction"
            if life.stalled is not None
            else "begins a new life"
            if state
            else "ends it"
        )
        until = f"until {other} {ends}, or until the coordinator aborts it in {forecast[other] - world.now:.0f} s"
    else:
        until = "until a coordinator is there that can end it"
    return (
        BAD,
        f"{whose} has committed, and no read_committed consumer sees it.",
        f"{whose}’s commit marker is at offset {marker}, but the last stable offset stays at {world.stable}: {other}’s transaction began "
        f"there and is still open. {how}{listed(held)} wait{'s' * (len(held) == 1)} {until}.",
    )  # fmt: skip


def _undelivered(world):
    for owner in PRODUCERS:
        result = PREPARED.get(world.state(owner)[1])
        if result is None:
            continue
        asked = any(one.owner == owner and one.ended is None and one.why == "asked" for one in world.transactions)
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
            f"{'PrepareCommit' if result == 'commit' else 'PrepareAbort'} is durable: it cannot become anything else. {told}{rest}",
        )  # fmt: skip
    return None


def _ended(world, rows):
    """Return what the last thing done has ended."""
    began = world.starts[-2][0] if len(world.starts) > 1 else 0
    done = [
        one for one in world.transactions if one.ended is not None and one.ended >= began and one.why != "refused"
    ]
    if not done:
        return None
    one = done[-1]
    span = [row.name for row in rows if row.kind == "record" and row.owner == one.owner and row.epoch == one.epoch]
    names = [text for _, kind, text in one.marks if kind == "record"]
    if not one.known:
        return (
            PLAIN,
            f"{one.owner}’s transaction was empty.",
            "The coordinator never heard of it, and nothing is in the log.",
        )
    low, _ = world.before
    moved = f"The last stable offset moves from {low} to {world.stable}. " if world.stable != low else ""
    if one.result == "commit":
        return _committed(world, rows, one, names, moved)
    rest = (
        f"{listed(names)} stay{'s' * (len(names) == 1)} in the log: read_uncommitted sees {'it' if len(names) == 1 else 'them'}, read_committed does not. "
        if names
        else ""
    )
    position = world.positions(one.owner)[0]
    again = f"The committed position of {one.owner} is still {position}."
    new = [row.name for row in rows if row.seen and low <= row.offset]
    freed = f"read_committed now sees {listed(new)}. " if new else ""
    if one.why == "timed out":
        return (
            BAD,
            f"{one.owner}’s transaction was aborted by time-out at {one.decided:.0f} s.",
            f"It was open for over {TIMEOUT_S} s. The coordinator raised its epoch to {world.state(one.owner)[2]}: {one.owner} is fenced. {moved}{freed}{rest}",
        )  # fmt: skip
    if one.why == "restart":
        return (
            PLAIN,
            f"The new life of {one.owner} fences the old one.",
            f"Before it gets epoch {world.life(one.owner).epoch}, the coordinator aborts what was open. {rest}{again}",
        )
    return (PLAIN, f"{one.owner} has aborted.", f"{moved}{rest}{again}")


def _committed(world, rows, one, names, moved):
    again = twice([row.name for row in rows if row.seen])
    if again:
        return (
            BAD,
            f"{listed(again)} {_are(again)} read twice by read_committed.",
            f"{one.owner} committed {'it' if len(again) == 1 else 'them'} once without {one.owner}’s position in the transaction, and read "
            "the same items again. Exactly once needs records and positions in one transaction.",
        )  # fmt: skip
    seen = f"read_committed sees {listed(names)}. " if names else ""
    if one.position is None:
        rest = f"Its position is not in the transaction: a new life of {one.owner} would read the same items again."
        return (PLAIN, f"{one.owner} has committed, without its position.", f"{moved}{seen}{rest}")
    return (
        GOOD,
        f"{one.owner} has committed: records and position at once.",
        f"{moved}{seen}A new life of {one.owner} would go on at position {one.position}.",
    )


def _down(world):
    if world.coordinator is not None:
        return None
    open_ = [owner for owner in PRODUCERS if world.ongoing(owner)]
    rest = (
        f"{listed(open_)}’s transaction{'s' * (len(open_) > 1)} cannot end meanwhile, not even by time-out."
        if open_
        else "What is decided stays decided; nothing new can be."
    )
    return (BAD, "The coordinator is dead.", f"Its log is still there. {rest}")


def _stuck(world, forecast):
    for owner in PRODUCERS:
        life = world.life(owner)
        gone = "was killed" if life.state == "dead" else "has stalled" if life.stalled is not None else ""
        if gone and world.ongoing(owner):
            left = f" for {forecast[owner] - world.now:.0f} s more" if owner in forecast else ""
            return (
                BAD,
                f"{owner} {gone} with its transaction open.",
                f"The last stable offset stays at {world.stable}{left}: whoever commits meanwhile, no read_committed consumer sees it.",
            )
        if gone:
            return (PLAIN, f"{owner} {gone}.", "It had nothing open, so nobody waits for it.")
    return None


def _open(world, rows, forecast):
    owners = [owner for owner in PRODUCERS if world.life(owner).state in ("open", "must abort")]
    if not owners:
        return None
    over = next((one for owner in owners if (one := world.life(owner).transaction) and one.decided is not None), None)
    if over is not None:
        ended = "by time-out" if over.why == "timed out" else "already"
        return (
            BAD,
            f"{over.owner} believes that its transaction is open.",
            f"The coordinator aborted it {ended} at {over.decided:.0f} s, and nobody has told {over.owner}. What will it hear when "
            "it goes on?",
        )
    names = [name for owner in owners for name in _names(rows, owner, "")]
    headline = f"{listed(owners)} {'has' if len(owners) == 1 else 'have'} a transaction open."
    if not names:
        return (PLAIN, headline, "Nothing is written yet, and nobody but the producer knows of it.")
    left = [f"{owner} has {forecast[owner] - world.now:.0f} s left" for owner in owners if owner in forecast]
    limit = f" {listed(left)}, then the coordinator aborts." if left else ""
    return (
        PLAIN,
        headline,
        f"{listed(names)} {_are(names)} in the log, undecided: read_uncommitted sees {'it' if len(names) == 1 else 'them'}, "
        f"read_committed reads below the last stable offset, {world.stable}.{limit}",
    )  # fmt: skip


def _last(world, now):
    if not now and len(world.starts) > 1:
        return (PLAIN, "Nothing is open.", "Time passes, and nothing changes.")
    if not now:
        return None
    last = now[-1]
    return (PLAIN, "Nothing is open.", f"{last.who[0].upper()}{last.who[1:]} {last.what}.")
