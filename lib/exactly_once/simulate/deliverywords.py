"""Telling a run of both sides of a log: each step in a sentence; in the end the promise, and what came of it."""

from collections import Counter

PROMISES = {
    ("retry", "last"): "At-least-once",
    ("give up", "first"): "At-most-once",
    ("retry", "first"): "Neither at-least-once nor at-most-once",
    ("give up", "last"): "Neither at-least-once nor at-most-once",
}
EXPLAINED = {
    ("retry", "last"): "both sides do again what may not have been done",
    ("give up", "first"): "neither side ever does anything again",
    ("retry", "first"): "the producer may double what the consumer may lose",
    ("give up", "last"): "the producer may lose what the consumer may double",
}


def death(who, name, when, numbers):
    """Return how a life ended."""
    place = {
        "output.push": "{} it sends record {}",
        "database.increment": "{} it counts record {}",
        "register.cas": "{} it writes record {} under its key",
        "positions.save": "{} it saves its position",
    }[name].format("before" if when == "before" else "right after", numbers[0])
    if name == "output.push" and when == "after":
        place = f"when record {numbers[0]} is written, before it has heard of it"
    return f"The {who} dies {place}. What it had in memory is gone."


def done(side, name, numbers, value):
    """Return what an operation did, or "" for one that takes no moment of its own."""
    if name == "positions.load":
        if side.life == 1:
            return ""
        if side.name == "producer":
            return f"The producer's life {side.life} begins. Its note says: go on with record {value + 1}."
        return f"The consumer's life {side.life} begins. The saved position says: go on at offset {value}."
    if name == "positions.save":
        if side.name == "producer":
            return f"The producer notes that it is through with record {side.saved}."
        return f"The consumer saves its position: offset {side.saved} is next."
    if name == "output.push":
        return f"The log appends record {numbers[0]} at offset {value}."
    if name == "input.read" and side.name == "consumer":
        return f"The consumer reads record {value.hour} at offset {side.reached - 1}."
    if name == "database.increment":
        return f"The consumer counts record {numbers[0]}: one more for its key."
    if name == "register.cas":
        return f"The consumer writes record {numbers[0]} under its key."
    return ""


def unknown(side, name, what, numbers):
    """Return what got lost, and what the handler cannot know."""
    if name == "positions.save":
        lost = "request never arrives" if what == "request" else "answer gets lost, though the position is saved"
        return f"The {side.name} wants to save its position; the {lost}."
    number = numbers[0]
    if side.bench.broker:
        when = "before it writes" if what == "request" else "when it has written"
        return f"The broker dies {when} record {number}, and restarts with its log. No answer comes."
    if what == "request":
        return f"Record {number} gets lost on its way to the log. The producer waits, and no answer comes."
    return f"The acknowledgement of record {number} gets lost. The producer waits, and no answer comes."


def verdict(delivery):
    """Return (good, headline, sentences) of a whole run."""
    choice = delivery.retry, delivery.position
    end, said = delivery.end, []
    times = Counter(end.applied)
    if not delivery.struck:
        said.append("Nothing went wrong in this run, so nothing was put to the test.")
    if end.lost:
        said.append(f"Lost: {_records(end.lost)} never took effect{_whose(delivery)}.")
    if end.doubled:
        many = ", ".join(f"record {number} took effect {_times(times[number])}" for number in end.doubled)
        said.append(f"Doubled: {many}.")
    if delivery.struck and not end.lost and not end.doubled:
        said.append("This time every record took effect once; the promise allows it, and does not ask for it.")
    said.append(_effects(delivery))
    return delivery.harmless, f"{PROMISES[choice]}: {EXPLAINED[choice]}.", tuple(said)


def _whose(delivery):
    missing = [number for number in delivery.end.lost if number not in delivery.end.log]
    if len(missing) == len(delivery.end.lost):
        return ", for nobody wrote it to the log" if len(missing) == 1 else ", for nobody wrote them to the log"
    return ", though it is in the log: the position had moved on" if len(delivery.end.lost) == 1 else ""


def _effects(delivery):
    right, held = delivery.right, dict(delivery.end.held)
    wrong = [key for key in right if held[key] != right[key]]
    if delivery.update == "add":
        if not wrong:
            return "Each count is right."
        told = [f"{key} counts {held[key]} and should count {right[key]}" for key in wrong]
        return f"An addition cannot be taken back: {'; '.join(told)}."
    back = [f"{key} went back from record {before} to record {after}" for key, before, after in delivery.backward]
    moment = f" For a moment an old value was back: {'; '.join(back)}." if back else ""
    if not wrong:
        return f"In the end each key holds its newest record.{moment}"
    told = [f"{key} holds {_record(held[key])} and should hold record {right[key]}" for key in wrong]
    return f"What is lost is not made up for: {'; '.join(told)}.{moment}"


def _record(number):
    return f"record {number}" if number else "nothing"


def _records(numbers):
    return f"record {numbers[0]}" if len(numbers) == 1 else f"records {', '.join(map(str, numbers))}"


def _times(count):
    return {2: "twice", 3: "three times"}.get(count, f"{count} times")
