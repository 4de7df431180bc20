"""The sentences of the producer lab: the events of the lanes, compared at a tick, and the result of a lane so far."""

import re
from bisect import bisect_right
from typing import NamedTuple

from .model import LETTERS

TITLES = {"naive": "Naive", "article": "Article’s rule", "kafka": "Kafka’s rule"}
NAMES = TITLES | {"article": "the article’s rule"}  # in a sentence
ABOUT = {
    "naive": "no numbers; the broker appends whatever comes",
    "article": "only the next number; duplicate: “I have up to n”; gap: refused",
    "kafka": "only the next number; duplicate of the last five: acked; gap: OUT_OF_ORDER_SEQUENCE_NUMBER",
}
ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}
RANK = ("outage", "arrives", "lost", "heard", "stops", "sent")  # with which event of a tick the sentence begins
PAST = {"send": "sent", "hear": "heard", "lose": "lost", "give": "gave", "begin": "began", "stop": "stopped"}


class Event(NamedTuple):
    """An event of a lane. Its `key` is the same in each lane that has the event, and `head` names it.

    `does` says what the lane does: verbs stand in brackets, {it} is the event's `thing`, *stars* mark what hurts.
    `sign` stands for a fault on the slider.
    """

    key: tuple
    head: str
    thing: str
    does: str
    sign: str = ""

    def said(self, it="", many=False, past=False):
        """Return `does` as it is said of one lane or of `many`; `it` stands in the place of the thing's name."""

        def verb(found):
            regular = found[1] + ("d" if found[1].endswith("e") else "ed")
            return PAST.get(found[1], regular) if past else found[1] + "s" * (not many)

        return re.sub(r"\[(\w+)\]", verb, self.does.format(it=it or self.thing))


def letter(batch):
    """Return the letter of a batch."""
    return LETTERS[batch - 1]


def ordinal(number):
    """Return a number as a place in a row, such as "second"."""
    return ORDINALS.get(number, f"{number}th")


def sending(packet):
    """Return a packet's name: "b", or "the second b"."""
    return f"the {ordinal(packet.attempt)} " * (packet.attempt > 1) + letter(packet.batch)


def fault_words(fault, ticks):
    """Return a fault of the settings in words: "first request of b lost", or "restart at step 4"."""
    if not hasattr(fault, "batch"):
        return f"{fault.kind} at step {bisect_right(ticks, fault.tick) + 1}"
    what = "answer" if fault.kind == "reply" else "request"
    return f"{ordinal(fault.attempt)} {what} of {letter(fault.batch)} {'late' if fault.kind == 'late' else 'lost'}"


def story(lane):
    """Return {tick: [`Event`]} of a lane, the events of a tick in the order of `RANK`."""
    found = [(when, _outage(lane, when, kind, broker)) for when, kind, broker in lane.outages]
    for packet in lane.packets:
        name, late = sending(packet), packet.fate == "late"
        thing = name if packet.attempt > 1 else f"batch {name}"

        def event(tick, kind, *said, key=(packet.batch, packet.attempt)):
            if tick is not None:
                found.append((tick, Event((kind, *key), *said)))

        came = f"the late {letter(packet.batch)}" if late else thing
        event(packet.arrived, "arrives", f"{came} arrives", came, _answer(lane, packet))
        gone, way = (f"the answer to {name}", "back") if packet.fate == "reply" else (thing, "to the broker")
        lost = None if packet.cut else packet.lost
        event(lost, "lost", f"{gone} is lost", gone, f"[lose] {{it}} *on the way {way}*", "✖")
        event(packet.heard, "heard", *_hears(lane, packet, name, thing), key=(name, packet.answered, packet.taken))
        number = "without a number" if packet.sequence is None else f"as number {packet.sequence}"
        number += f" of epoch {packet.epoch}" * bool(packet.epoch) + ": *it will be late*" * late
        event(packet.sent, "sent", f"{thing} is sent", thing, f"[send] {{it}} {number}", "◷" * late)
    if lane.error:
        expired = lane.expired()
        does = f"[hear] *TimeoutException for {names(expired)}*" if expired else "[stop] *for good*"
        found.append((lane.end, Event(("stops",), "the producer gives up", "", does)))
    told = {}
    for tick, each in sorted(found, key=lambda one: (one[0], RANK.index(one[1].key[0]))):
        told.setdefault(tick, []).append(each)
    return told


def _outage(lane, tick, kind, broker):
    head = "the broker restarts" if kind == "restart" else "the broker dies"
    head += f", and broker {broker} leads" if lane.settings.brokers > 1 else ""
    cut = [one for one in lane.packets if one.cut and one.lost == tick]
    gone = ", ".join("the answer to " * (one.fate == "reply") + sending(one) for one in cut)
    does = f"[lose] *what was on its way: {gone}*" if cut else "[lose] nothing: nothing was on its way"
    return Event(("outage", tick), head, "", does, "↻")


def _answer(lane, packet):
    """Return what a broker does with a packet that arrives."""
    if packet.answer == "again":
        return f"[recognise] {{it}} and [acknowledge] its old offset {packet.offset} again"
    if packet.answer == "have":
        return f"[recognise] {{it}} and [answer] “I have up to {packet.number}”"
    if packet.answer == "gap":
        return f"[refuse] {{it}} and [wait] for number {packet.number}"
    if packet.answer != "offset":
        return f"[refuse] {{it}} with {packet.answer}"
    ill = mark(lane.at(packet.arrived).log, packet.offset)
    ill = f", *behind {ill[-1]}*" if ill.startswith("after") else f": it is there *{ill}*" if ill else ""
    missing = packet.epoch, packet.sequence
    gaps = [one for one in lane.packets if one.answer == "gap" and one.arrived < packet.arrived]
    waited = any((one.epoch, one.number) == missing for one in gaps)
    waiting = f", waiting for number {packet.sequence}, " if waited else ""
    return f"{waiting}[append] {{it}} at offset {packet.offset}{ill}"


def _hears(lane, packet, name, thing):
    """Return the head of the sentence on an answer, the name of the packet, and the producer's next act."""
    if packet.taken:
        return f"{thing} is acknowledged", name, "[hear] that {it} is in the log"
    batch, later = letter(packet.batch), [one for one in lane.packets if one.sent > packet.heard]
    if packet.batch not in [one.batch for one in later]:
        then = f"[give] {batch} up"
    elif later[0].batch == packet.batch and later[0].epoch > packet.epoch:
        then = f"[begin] epoch {later[0].epoch} with {batch}"
    else:
        then = f"[queue] {batch} again"
    if packet.answered:
        return f"the refusal of {name} comes back", f"the refusal of {name}", f"[hear] of {{it}} and {then}"
    waited = f"[stop] waiting for {{it}} after {packet.heard - packet.sent} ticks and {then}"
    return f"no answer to {name} comes", f"the answer to {name}", waited


def compared(stories, lanes, tick, ticks):
    """Return the sentences on a tick: an event, and what each lane does with it, or did with it, or does meanwhile.

    Lanes that do the same are told together. `stories` are the lanes' own.
    """
    every = [event for told in stories for event in told.get(tick, ())]
    shared = [one.key for one in every]
    plain = [one for one in every if one.does.startswith("[append]") and "*" not in one.does]
    main = min(every, key=lambda one: (RANK.index(one.key[0]), one in plain, -shared.count(one.key)))
    groups, left, said = {}, len(lanes), [f"{main.head}."]
    for lane, told in zip(lanes, stories, strict=True):
        does = tuple(_does(lane, told, main, tick, ticks, many) for many in (False, True))
        groups.setdefault(does, []).append(NAMES[lane.rule])
    for does, who in groups.items():
        left -= len(who)
        named = "all three" if len(who) == 3 else "the other two" if len(who) == 2 and not left else " and ".join(who)
        said.append(f"{named} {does[len(who) > 1]}.".replace(" ,", ","))
    return [each[0].upper() + each[1:] for each in said]


def _does(lane, told, main, tick, ticks, many):
    """Return what a lane does at a tick, as it is said of one lane or of `many`: first with the `main` event."""
    phrases = [one.said("", many) for one in told.get(tick, ()) if one.key != main.key]
    for when, here in [(at, one) for at, events in told.items() for one in events if one.key == main.key]:
        if when < tick:
            now = f"; now {_and(phrases)}" if phrases else ""
            return f"{here.said('it', past=True)} (step {ticks.index(when) + 1}){now}"
        phrases = [here.said("it", many), *phrases] if when == tick else phrases
    flying = [one for one in lane.packets if one.sent <= tick and (one.heard is None or one.heard > tick)]
    idle = f"[wait] for the answer to {sending(flying[0])}" if flying else "[take] no further step"
    return _and(phrases or [Event((), "", "", idle).said("", many)])


def first_difference(lanes):
    """Return the tick at which a broker first answers unlike a broker before it, or a log has a flaw; or None."""
    answers = {}
    here = [(one.arrived, lane, one) for lane in lanes for one in lane.packets if one.arrived is not None]
    for tick, lane, packet in sorted(here, key=lambda one: one[0]):
        answer = packet.answer.replace("have", "again")
        first = answers.setdefault((packet.batch, packet.attempt), answer)
        if first != answer or (answer == "offset" and mark(lane.at(tick).log, packet.offset)):
            return tick
    return None


def in_words(told, tick):
    """Return what a lane does at a tick, for a table."""
    said = [f"{one.head}: " * (one.key[0] == "outage") + one.said().strip(", ") for one in told.get(tick, ())]
    return "; ".join(said).replace("*", "") or "–"


def _and(phrases):
    *most, last = phrases
    return f"{', '.join(most)}, and {last}" if most else last


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
    stopped, expired = bool(lane.error) and tick >= lane.end, lane.expired()
    ills = _ills(lane, log, over) + [f"{names(expired)} timed out" if expired else "the producer stopped"] * stopped
    if ills:
        headline = f"{', '.join(ills)}."
    elif not log:
        headline = "the log is empty."
    else:
        there = f"{letter(log[0])} to {letter(log[-1])}" if len(log) > 3 else names(log)
        how = ", in order, once each" if len(log) > 1 else ", once"
        headline = f"{there}{how}{'' if over else ' so far'}."
    return not ills, f"{TITLES[lane.rule]}: {headline}", _rest(lane, tick, ills, over, stopped)


def _ills(lane, log, over):
    """Return the flaws of a log, in words: doubled batches, batches out of order, and at the end lost batches."""
    found = []
    for times in sorted(set(map(log.count, log)) - {1}):
        which = sorted({batch for batch in log if log.count(batch) == times})
        found.append(f"{_are(which)} there {'twice' if times == 2 else f'{times} times'}")
    late = [f"{letter(batch)} {mark(log, at)}" for at, batch in enumerate(log) if mark(log, at).startswith("after")]
    found += [*late[:3], f"{len(late) - 3} more out of order"] if len(late) > 4 else late
    lost = [batch for batch in range(1, lane.settings.batches + 1) if over and batch not in log]
    return [*found, f"{_are(lost)} lost"] if lost else found


def _are(batches):
    return f"{names(batches)} {'is' if len(batches) == 1 else 'are'}"


def _rest(lane, tick, ills, over, stopped):
    expired = lane.expired() if stopped else []
    if expired:
        there = names(batch for batch in expired if batch in lane.at(tick).log)
        return f"Refused until it expired: {names(expired)}. In the log all the same: {there or 'none'}."
    if stopped:
        return f"{letter(lane.packets[-1].batch)}, its oldest, was refused for good (OutOfOrderSequence)."
    here = [packet for packet in lane.packets if packet.arrived is not None and packet.arrived <= tick]
    gaps = [packet for packet in here if packet.answer == "gap"]
    kinds = (
        ("Refused, as a number was missing", [one for one in gaps if one.sequence > one.number]),
        ("Refused, as the broker was past its number", [one for one in gaps if one.sequence <= one.number]),
        ("Recognised", [one for one in here if one.answer in ("again", "have")]),
    )
    said = [f"{words}: {names(sorted({one.batch for one in found}))}." for words, found in kinds if found]
    learns = "All were acknowledged: the producer never learns" if over else "The producer does not learn"
    return " ".join([*said, *[f"{learns} of it."] * bool(ills)])


def answer_words(packet, rule):
    """Return an answer in the few characters of a packet."""
    known = f"≤{packet.number} " if packet.answer == "have" else ""
    offset = f"@{packet.offset}" if rule == "kafka" and packet.is_there else ""
    return f"{known}{'✓' if packet.is_there else '✗'} {letter(packet.batch)}{offset}"


def names(batches):
    """Return the letters of batches, with commas between them."""
    return ", ".join(map(letter, batches))
