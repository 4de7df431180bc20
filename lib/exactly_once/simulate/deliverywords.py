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
    ("retry", "first"): "the producer may double records, and the consumer may lose them",
    ("give up", "last"): "the producer may lose records, and the consumer may double them",
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
    """Return (good, headline, sentences) of a whole run: what happened, and whether the promise was kept."""
    end = delivery.end
    times, said = Counter(end.applied), []
    if end.lost:
        said.append(f"{_records(end.lost).capitalize()} never took effect{_whose(delivery)}.")
    if end.doubled:
        often = {count: [n for n in end.doubled if times[n] == count] for count in sorted(set(times.values()) - {1})}
        many = " and ".join(f"{_records(numbers)} {_times(count)}" for count, numbers in often.items())
        said.append(f"Took effect more than once: {many}.")
    said += [_effects(delivery), _kept(delivery)]
    return delivery.harmless, _headline(delivery), tuple(said)


def _headline(delivery):
    end = delivery.end
    if not delivery.struck:
        return "Nothing went wrong, so nothing was put to the test."
    if not end.lost and not end.doubled:
        return "Every record took effect once."
    words = [word for word, found in (("lost", end.lost), ("doubled", end.doubled)) if found]
    if delivery.harmless:
        return f"{' and '.join(words).capitalize()}, and right in the end."
    return f"{' and '.join(words).capitalize()}."


def _kept(delivery):
    choice, once = (delivery.retry, delivery.position), not delivery.end.lost and not delivery.end.doubled
    if choice == ("retry", "last"):
        return "At-least-once was promised, and is kept: nothing is lost."
    if choice == ("give up", "first"):
        return "At-most-once was promised, and is kept: nothing is doubled."
    return f"Neither at-least-once nor at-most-once was promised{', and this run was lucky' if once else ''}."


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
        return f"A count keeps every error: {'; '.join(told)}."
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
