"""The sentences of the producer lab: the events of a tick in a lane, the result so far, and the names of packets."""

from bisect import bisect_right

from .lane import TIMEOUT, TRANSIT
from .model import LETTERS

TITLES = {"naive": "Naive", "article": "Article’s rule", "kafka": "Kafka’s rule"}
ABOUT = {
    "naive": "no numbers; the broker appends whatever comes",
    "article": "only the next number; duplicate: “I have up to n”; gap: refused",
    "kafka": "only the next number; duplicate of the last five: acked again; gap: OUT_OF_ORDER_SEQUENCE_NUMBER",
}
KINDS = {"request": "✖", "reply": "✖", "late": "◷"}
OUTAGE = {"restart": "the broker restarts", "fail over": "the broker dies, and another takes over"}


def letter(batch):
    """Return the letter of a batch."""
    return LETTERS[batch - 1]


def ordinal(number):
    """Return a number as a place in a row, such as "2nd"."""
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(number, f"{number}th")


def sending(packet):
    """Return a packet's name: "b", or "the 2nd b"."""
    again = "" if packet.attempt == 1 else f"the {ordinal(packet.attempt)} "
    return again + letter(packet.batch)


def fault_words(fault, ticks):
    """Return a fault of the settings in words: "1st request of b lost", or "restart at step 4"."""
    if not hasattr(fault, "batch"):
        return f"{fault.kind} at step {bisect_right(ticks, fault.tick) + 1}"
    what = "answer" if fault.kind == "reply" else "request"
    return f"{ordinal(fault.attempt)} {what} of {letter(fault.batch)} {'late' if fault.kind == 'late' else 'lost'}"


def happens(lane, tick):
    """Return the events of a tick in a lane, as (words, whether it hurts), in the order of the picture."""
    found = []
    for when, kind, broker in lane.outages:
        if when == tick:
            leads = f" (broker {broker} leads)" if lane.settings.brokers > 1 else ""
            found.append((f"{OUTAGE[kind]}{leads}: what was on its way is lost", True))
    for packet in lane.packets:
        name = sending(packet)
        if packet.arrived == tick:
            found.append(_arrives(lane, packet, name))
        if packet.lost == tick and not packet.cut:
            what = "the answer to " if packet.fate == "reply" else ""
            found.append((f"{what}{name} is lost", True))
        if packet.heard == tick:
            found.append((_hears(packet, name), False))
        if packet.sent == tick:
            late = packet.fate == "late"
            found.append((f"{name} is sent{' and is late' if late else ''}", late))
    if lane.error and lane.end == tick:
        expired = lane.expired()
        said = f"the application hears TimeoutException for {_names(expired)}" if expired else "the producer gives up"
        found.append((said, True))
    return found


def _arrives(lane, packet, name):
    if packet.fate == "late":
        name = f"the late {letter(packet.batch)}"
    if packet.answer == "offset":
        log = lane.at(packet.arrived).log[: packet.offset + 1]
        ill = mark(log, packet.offset)
        return (f"{name} arrives, offset {packet.offset}{': ' + ill if ill else ''}", bool(ill))
    if packet.answer == "again":
        return (f"{name} arrives, is known, and gets its old offset {packet.offset}", False)
    if packet.answer == "have":
        return (f"{name} arrives, is known: “I have up to {packet.number}”", False)
    if packet.answer == "gap":
        return (f"{name} arrives and is refused: {packet.number} comes next", False)
    return (f"{name} arrives and is refused: {packet.answer}", False)


def _hears(packet, name):
    if packet.taken:
        return f"{name} is acknowledged"
    if packet.answered:
        return f"the producer hears that {name} was refused"
    return f"the producer has waited {TIMEOUT} ticks for an answer to {name}, and none came"


def mark(log, offset):
    """Return the flaw of the record at an offset: "twice", "after d", or ""."""
    batch, before = log[offset], log[:offset]
    if batch in before:
        times = before.count(batch) + 1
        return "twice" if times == 2 else f"{times} times"
    return f"after {letter(max(before))}" if before and max(before) > batch else ""


def verdict(lane, tick):
    """Return the result of a lane up to a tick: (whether all is well, headline, the rest)."""
    log, over = lane.at(tick).log, tick >= lane.last()
    stopped = bool(lane.error) and tick >= lane.end
    given_up = f"{_names(lane.expired())} timed out" if lane.expired() else "the producer stopped"
    ills = _ills(lane, log, over) + [given_up] * stopped
    names = [letter(batch) for batch in log]
    if ills:
        headline = f"{', '.join(ills)}."
    elif not log:
        headline = "the log is empty."
    else:
        there = f"{names[0]} to {names[-1]}" if len(names) > 3 else _listed(names)
        how = ", in order, once each" if len(names) > 1 else ", once"
        headline = f"{there}{how}{'' if over else ' so far'}."
    return not ills, f"{TITLES[lane.rule]}: {headline}", " ".join(_rest(lane, tick, ills, over, stopped))


def _ills(lane, log, over):
    """Return the flaws of a log, in words: doubled batches, batches out of order, and at the end lost batches."""
    found = []
    for times in sorted(set(map(log.count, log)) - {1}):
        names = sorted({letter(batch) for batch in log if log.count(batch) == times})
        found.append(f"{_listed(names)} {_are(names)} there {'twice' if times == 2 else f'{times} times'}")
    late = [f"{letter(batch)} {mark(log, at)}" for at, batch in enumerate(log) if mark(log, at).startswith("after")]
    found += [*late[:3], f"{len(late) - 3} more out of order"] if len(late) > 4 else late
    lost = [letter(batch) for batch in range(1, lane.settings.batches + 1) if over and batch not in log]
    return [*found, f"{_listed(lost)} {_are(lost)} lost"] if lost else found


def _are(names):
    return "is" if len(names) == 1 else "are"


def _rest(lane, tick, ills, over, stopped):
    here = [packet for packet in lane.packets if packet.arrived is not None and packet.arrived <= tick]
    refused = [packet for packet in here if packet.answer == "gap"]
    early = [packet for packet in refused if packet.sequence > packet.number]
    past = [packet for packet in refused if packet not in early]
    known = [packet for packet in here if packet.answer in ("again", "have")]
    if stopped and (expired := lane.expired()):
        there = [batch for batch in expired if batch in lane.at(tick).log]
        yield f"Refused until it expired: {_names(expired)}. In the log all the same: {_names(there) or 'none'}."
        return
    if stopped:
        yield f"{letter(lane.packets[-1].batch)}, its oldest, was refused for good (OutOfOrderSequence)."
        return
    if early:
        yield f"Refused, as a number was missing: {_letters(early)}."
    if past:
        yield f"Refused, as the broker was past its number: {_letters(past)}."
    if known:
        yield f"Recognised: {_letters(known)}."
    if ills:
        yield (
            "All were acknowledged: the producer never learns of it."
            if over
            else "The producer does not learn of it."
        )


def answer_words(packet, rule):
    """Return an answer in the few characters of a packet."""
    name = letter(packet.batch)
    if packet.answer == "have":
        return f"≤{packet.number} ✓ {name}"
    if packet.answer in ("offset", "again"):
        return f"✓ {name}@{packet.offset}" if rule == "kafka" else f"✓ {name}"
    return f"✗ {name}"


def is_on_its_way(packet, tick):
    """Return the place of a packet at a tick: "", "request", "late", "reply" (on its way) or "waits" (arrived)."""
    if packet.sent > tick or (packet.lost is not None and packet.cut and tick >= packet.lost):
        return ""
    if packet.fate == "late":
        return "late" if packet.arrived is None or tick < packet.arrived else ""
    if packet.fate == "request":
        return "request" if packet.cut and tick < packet.sent + TRANSIT else ""
    if tick < packet.sent + TRANSIT:
        return "request"
    if packet.fate == "reply":
        return "reply" if packet.cut else ""
    if packet.heard is not None and tick >= packet.heard:
        return ""
    return "reply" if tick < packet.sent + 2 * TRANSIT else "waits"


def _letters(packets):
    return _names(sorted({packet.batch for packet in packets}))


def _names(batches):
    return _listed(letter(batch) for batch in batches)


def _listed(names):
    return ", ".join(names)
