"""Telling a run of both sides of a log, each step in a sentence."""

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


def struck(who, fault, number):
    """Describe the fault that struck a step, and the handler's uncertainty."""
    if fault.kind == "pause":
        place = PLACES[fault.at].format("before", number)
        return f"The {who} falls asleep {place}. It is taken for dead, and the next incarnation begins."
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
