"""Telling a run of both sides of a log: each step in a sentence; in the end the promise, and whether it was kept."""

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

PLACES = {
    "output.push": "{} it sends record {}",
    "database.increment": "{} it counts record {}",
    "register.read": "{} it looks under the key of record {}",
    "register.cas": "{} it writes record {} under its key",
    "positions.save": "{} it saves its position",
    "positions.load": "{} it loads its position",
    "input.read": "{} it reads a record",
    "log.close": "{} it says that all is sent",
}
EFFECTS = ("output.push", "database.increment", "register.cas")


def death(who, fault, number):
    """Return how an incarnation ended."""
    place = PLACES[fault.at].format("before" if fault.kind == "crash before" else "right after", number)
    if fault.at == "output.push" and fault.kind == "crash after":
        place = f"when record {number} is written, before it has heard of it"
    return f"The {who} dies {place}. What it had in memory is gone."


def gave_up(who):
    """Return how an incarnation ended that let an error pass."""
    return f"The {who} cannot know what came of it. This incarnation ends, and the next one takes over."


def begins(who, life, position):
    """Return from where a next incarnation goes on."""
    if who == "producer":
        return f"The producer's incarnation {life} begins. Its note says: go on with record {position + 1}."
    return f"The consumer's incarnation {life} begins. The saved position says: go on at offset {position}."


def saved(who, position):
    """Return which position was saved."""
    if who == "producer":
        return f"The producer notes that it is through with record {position}."
    return f"The consumer saves its position: offset {position} is next."


def sent(number, again):
    """Return that a record leaves for the log."""
    return f"The producer sends record {number}{' once more' if again else ''}."


def appended(number, offset, late):
    """Return that the log appends a record."""
    came = f"The late request with record {number} arrives. " if late else ""
    return f"{came}The log appends record {number} at offset {offset}."


def acknowledged(number):
    """Return that an acknowledgement arrives."""
    return f"The acknowledgement of record {number} arrives: the producer knows that it is written."


def read(number, offset):
    """Describe the consumer's read."""
    return f"The consumer reads record {number} at offset {offset}."


def effect(verb, number, late):
    """Return which effect a record has."""
    came = f"The late request for record {number} arrives. " if late else ""
    if verb == "add":
        return f"{came}The consumer counts record {number}: one more for its key."
    return f"{came}The consumer writes record {number} under its key."


def struck(who, fault, number, broker):
    """Describe the fault that struck a step, and the handler's uncertainty."""
    if fault.kind == "pause":
        place = PLACES[fault.at].format("before", number)
        return f"The {who} falls asleep {place}. It is taken for dead, and the next incarnation begins."
    if broker:
        when = "before it writes" if fault.kind == "lost request" else "when it has written"
        return f"The broker dies {when} record {number}, and restarts with its log. No answer comes."
    if fault.at == "output.push":
        gone = {
            "lost request": f"Record {number} gets lost on its way to the log.",
            "late request": f"Record {number} is held up on its way to the log.",
            "duplicated request": f"The request with record {number} is doubled on its way: it arrives twice.",
            "lost reply": f"The acknowledgement of record {number} gets lost.",
        }[fault.kind]
        return gone if fault.kind == "duplicated request" else f"{gone} The producer waits, and no answer comes."
    wants = {
        "positions.save": "save its position",
        "positions.load": "load its position",
        "input.read": "read a record",
        "register.read": f"look under the key of record {number}",
        "register.cas": f"write record {number}",
        "database.increment": f"count record {number}",
    }[fault.at]
    done = "the position is saved" if fault.at == "positions.save" else "it is done"
    came = {
        "lost request": "request never arrives",
        "late request": "request is held up on its way",
        "duplicated request": "request arrives twice",
        "lost reply": f"answer gets lost, though {done}",
    }[fault.kind]
    return f"The {who} wants to {wants}; the {came}."


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
        differences = [f"{key} counts {held[key]} and should count {right[key]}" for key in wrong]
        return f"A count keeps every error: {'; '.join(differences)}."
    back = [f"{key} went back from record {before} to record {after}" for key, before, after in delivery.backward]
    moment = f" For a moment an old value was back: {'; '.join(back)}." if back else ""
    if not wrong:
        return f"In the end each key holds its newest record.{moment}"
    differences = [f"{key} holds {_record(held[key])} and should hold record {right[key]}" for key in wrong]
    return f"What is lost is not made up for: {'; '.join(differences)}.{moment}"


def _record(number):
    return f"record {number}" if number else "nothing"


def _records(numbers):
    return f"record {numbers[0]}" if len(numbers) == 1 else f"records {', '.join(map(str, numbers))}"


def _times(count):
    return {2: "twice", 3: "three times"}.get(count, f"{count} times")


def why(delivery, place, number):
    """Return why the run went on as it did after the fault at a moment; the fault struck at this record."""
    fault, later = delivery.moments[place], delivery.moments[place + 1 :]
    if fault.who == "consumer":
        return _read_again(delivery.moments[place - 1], later)
    again = any(moment.wire == ("producer", True, number, False) for moment in later)
    if not fault.wire and number not in fault.log:  # it died before it sent
        noted = "did not say that it was sent" if again else "said that it was sent"
        return f"Record {number} was {'sent after all' if again else 'never sent'}: the note of the producer {noted}."
    arrived = "had arrived" if number in fault.log else "had not arrived"
    return f"Record {number} was {'' if again else 'not '}sent again: the sender could not know that it {arrived}."


def _read_again(before, later):
    begun = next((moment for moment in later if moment.lives[1] > before.lives[1]), later[-1])
    again = before.log[begun.saved : before.reached]
    if again:
        were, them = ("was", "it") if len(again) == 1 else ("were", "them")
        return f"{_records(again).capitalize()} {were} read again: the saved position stood before {them}."
    return f"Nothing was read again: the saved position said that all before offset {begun.saved} was done."
