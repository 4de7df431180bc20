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
ORDINALS = {2: "second", 3: "third", 4: "fourth", 5: "fifth"}
RANK = ("outage", "arrives", "lost", "heard", "stops", "sent")  # with which event of a tick the sentence begins
PAST = {"send": "sent", "hear": "heard", "lose": "lost", "give": "gave", "begin": "began", "stop": "stopped"}


class Event(NamedTuple):
    """An event of a lane. Its `key` is the same in each lane that has the event, and `head` names it.

    `does` says what the lane does: verbs stand in brackets, {it} is the event's `thing`, *stars* mark what hurts.
    """

    key: tuple
    head: str
    thing: str
    does: str

    def said(self, it="", many=False, past=False):
        """Return `does` as it is said of one lane or of `many`; `it` stands for the thing in the place of its name."""

        def verb(found):
            word = found[1]
            if past:
                return PAST.get(word, word + ("d" if word.endswith("e") else "ed"))
            return word if many else f"{word}s"

        return re.sub(r"\[(\w+)\]", verb, self.does.format(it=it or self.thing))


def letter(batch):
    """Return the letter of a batch."""
    return LETTERS[batch - 1]


def ordinal(number):
    """Return a number as a place in a row, such as "2nd"."""
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(number, f"{number}th")


def sending(packet):
    """Return a packet's name: "b", or "the second b"."""
    again = "" if packet.attempt == 1 else f"the {ORDINALS.get(packet.attempt, ordinal(packet.attempt))} "
    return again + letter(packet.batch)


def fault_words(fault, ticks):
    """Return a fault of the settings in words: "1st request of b lost", or "restart at step 4"."""
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
        event(lost, "lost", f"{gone} is lost", gone, f"[lose] {{it}} *on the way {way}*")
        event(packet.heard, "heard", *_hears(lane, packet, name, thing), key=(name, packet.answered, packet.taken))
        number = "without a number" if packet.sequence is None else f"as number {packet.sequence}"
        number += f" of epoch {packet.epoch}" * bool(packet.epoch) + ": *it will be late*" * late
        event(packet.sent, "sent", f"{thing} is sent", thing, f"[send] {{it}} {number}")
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
    return Event(("outage", tick), head, "", does)


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
    """Return the head of what a producer hears of a packet, the thing, and what the producer does."""
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
    """Return (head, rest) of the sentence on a tick: an event, and what each lane does with it, or did with it before,
    or else what the lane does meanwhile. Lanes that do the same are told together. `stories` are the lanes' own.
    """
    every = [event for told in stories for event in told.get(tick, ())]
    shared = [one.key for one in every]
    plain = [one for one in every if one.does.startswith("[append]") and "*" not in one.does]
    main = min(every, key=lambda one: (RANK.index(one.key[0]), one in plain, -shared.count(one.key)))
    groups = {}
    for lane, told in zip(lanes, stories, strict=True):
        groups.setdefault(_part(lane, told, main, tick, ticks), []).append(NAMES[lane.rule])
    left, said = len(lanes), []
    for (step, here, others), who in sorted(groups.items(), key=lambda one: one[0][1] is None):
        left, many = left - len(who), len(who) > 1
        named = "all three" if len(who) == 3 else "the other two" if many and not left else " and ".join(who)
        does = [event.said("", many) for event in others]
        if step:
            now = f"; now {_and(does)}" if does else ""
            does = [f"{here.said('it', past=True)} (step {step}){now}"]
        elif here:
            does.insert(0, here.said("it", many))
        said.append(_capital(f"{named} {_and(does)}.").replace(" ,", ","))
    return _capital(f"{main.head}."), " ".join(said)


def _part(lane, told, main, tick, ticks):
    """Return what a lane does at a tick: the step of the main event if that is past, or 0; the event or None; others."""
    when = next((at for at, events in told.items() if at <= tick for one in events if one.key == main.key), None)
    here = None if when is None else next(one for one in told[when] if one.key == main.key)
    others = tuple(one for one in told.get(tick, ()) if one.key != main.key)
    if here is None and not others:
        flying = [one for one in lane.packets if one.sent <= tick and (one.heard is None or one.heard > tick)]
        does = f"[wait] for the answer to {sending(flying[0])}" if flying else "[take] no further step"
        others = (Event((), "", "", does),)
    return (ticks.index(when) + 1 if here and when < tick else 0), here, others


def first_difference(lanes):
    """Return the first tick at which a broker answers a sending in another way than a broker before it, or at which a
    log has a flaw; None if there is none.
    """
    answers, here = {}, [(one.arrived, lane, one) for lane in lanes for one in lane.packets if one.arrived is not None]
    for tick, lane, packet in sorted(here, key=lambda one: one[0]):
        answer = packet.answer.replace("have", "again")
        first = answers.setdefault((packet.batch, packet.attempt), answer)
        if first != answer or (answer == "offset" and mark(lane.at(tick).log, packet.offset)):
            return tick
    return None


def in_words(told, tick):
    """Return what a lane does at a tick, for a table."""
    return "; ".join(one.said().strip(", ").replace("*", "") for one in told.get(tick, ())) or "–"


def _and(phrases):
    *most, last = phrases
    return f"{', '.join(most)}, and {last}" if most else last


def _capital(text):
    return text[0].upper() + text[1:]


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
    return not ills, f"{TITLES[lane.rule]}: {headline}", " ".join(_rest(lane, tick, ills, over, stopped))


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
    here = [packet for packet in lane.packets if packet.arrived is not None and packet.arrived <= tick]
    refused = [packet for packet in here if packet.answer == "gap"]
    if stopped and (expired := lane.expired()):
        there = names(batch for batch in expired if batch in lane.at(tick).log)
        yield f"Refused until it expired: {names(expired)}. In the log all the same: {there or 'none'}."
    elif stopped:
        yield f"{letter(lane.packets[-1].batch)}, its oldest, was refused for good (OutOfOrderSequence)."
    else:
        for said, packets in (
            ("Refused, as a number was missing", [one for one in refused if one.sequence > one.number]),
            ("Refused, as the broker was past its number", [one for one in refused if one.sequence <= one.number]),
            ("Recognised", [one for one in here if one.answer in ("again", "have")]),
        ):
            if packets:
                yield f"{said}: {names(sorted({one.batch for one in packets}))}."
        if ills and over:
            yield "All were acknowledged: the producer never learns of it."
        elif ills:
            yield "The producer does not learn of it."


def answer_words(packet, rule):
    """Return an answer in the few characters of a packet."""
    name = letter(packet.batch)
    if packet.answer == "have":
        return f"≤{packet.number} ✓ {name}"
    if packet.answer in ("offset", "again"):
        return f"✓ {name}@{packet.offset}" if rule == "kafka" else f"✓ {name}"
    return f"✗ {name}"


def names(batches):
    """Return the letters of batches, with commas between them."""
    return ", ".join(map(letter, batches))
