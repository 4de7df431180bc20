"""Exercise 02a: two clients with their defaults write to one topic, and equal keys part; and how to mend it."""

import zlib

import pandas as pd

from ... import show as drawing
from ...errors import BadInput, one_of
from ...log import murmur2, partition_for
from ...log.client.partitioner import is_none
from ..kinds.reply import has_dots, right, unsolved, wrong
from ..kinds.run_answer import answers, called
from ..kinds.task import Task

JAVA, DEFAULT = "murmur2_random", "consistent_random"  # librdkafka's names for the two clients' defaults
KEYS = (b"21", b"abc", b"foobar", b"", None, "Grüße".encode(), b"a-little-bit-longer-string", b"zoe", b"dora")
CASES = [(key, partitions, DEFAULT) for partitions in (1, 2, 3, 6, 10) for key in KEYS]
CASES += [(key, partitions, other) for other in (JAVA, "random") for partitions in (1, 3) for key in KEYS]
CUSTOMERS = ("ann", "bob", "cleo", "dora", "eve", "finn", "gus", "hana")
PARTITIONS = 6
NAMES = ("together", "partitioner")
CURES = {  # what becomes of librdkafka's setting `partitioner` (its CONFIGURATION.md, v2.15.0)
    JAVA: "",
    "murmur2": "",
    "random": "spreads the records of one key over all partitions, so that not even its own stay in order",
    "consistent": "is CRC-32 as before, for empty keys and missing ones too: the Java client still uses murmur2",
    DEFAULT: "is librdkafka's default: CRC-32, where the Java client uses murmur2",
    "fnv1a": "is a third hash, and the Java client uses murmur2",
    "fnv1a_random": "is a third hash, and the Java client uses murmur2",
}


def is_together(key, partitions, partitioner):
    """Tell whether Java's client and librdkafka's with this `partitioner` put all records of a key into one place."""
    if partitions == 1:
        return True
    if partitioner == "random" or is_none(key, JAVA) or is_none(key, partitioner):
        return False
    return partition_for(key, partitions) == partition_for(key, partitions, partitioner)


def guesses(_, cases):
    """Return what often stands in place of the rule, by name; `hash` is that of the learner's process."""

    def by(java, other=zlib.crc32):
        return [_alike(key, number, how, java, other) for key, number, how in cases]

    return {
        "sign": by(murmur2),
        "absolute": by(lambda key: abs(murmur2(key))),
        "hash": by(hash),
        "same": [True for _ in cases],
        "one rule": [is_together(key, number, JAVA) for key, number, _ in cases],
    }


def _alike(key, partitions, partitioner, java, other):
    if partitions == 1:
        return True
    if partitioner == "random" or key is None or (partitioner == DEFAULT and not key):
        return False
    return partitioner == JAVA or java(key) % partitions == other(key) % partitions


ALIKE = {"murmur2": JAVA, "consistent": DEFAULT}  # for a key that is not empty
WHY = {
    "sign": "Of a negative hash Java's client clears the sign bit first; Python's % alone gives another remainder.",
    "absolute": "Java's client clears the sign bit. The absolute value of a negative hash is another number.",
    "hash": "Python's own hash is nobody's rule here, and it differs from process to process.",
    "same": "Each of the two clients keeps equal keys together, among its own records.",
    "one rule": "The two defaults hash differently: murmur2 and CRC-32.",
}


def check(answer):
    """Ask the function about keys, the shortest first, and then for the setting."""
    answer = read(answer)
    if answer is None:
        return unsolved("your function and the setting")
    told = answers(answer["together"], [list(case) for case in CASES])
    if all(fine and said is None for fine, said in told):
        return unsolved("the body of your function")
    for case, (fine, said) in zip(CASES, told, strict=True):
        if sentence := _objection(case, fine, said, told):
            return wrong(sentence, picture=placed([case[0]], case[1], case[2]))
    chosen = answer["partitioner"]
    if CURES[chosen]:
        sentence = f"together is right, but with partitioner={chosen!r} equal keys still part: it {CURES[chosen]}."
        return wrong(sentence, picture=placed(CUSTOMERS, PARTITIONS, chosen))
    return right(
        "With this setting both clients put each key where the other does, and your function tells which keys their "
        "defaults separate. What was written before the change stays where it was, so for a time the older records "
        f"of a key and the newer ones lie in two partitions.{_of_murmur2(chosen)}",
        picture=placed(CUSTOMERS, PARTITIONS, chosen),
    )


def _of_murmur2(chosen):
    if chosen == JAVA:
        return ""
    return " ('murmur2' puts all records without a key into one partition; 'murmur2_random' does as Java's client.)"


def read(answer):
    """Return the answer, or None for one with dots. Raises `BadInput` for another form."""
    if has_dots(answer):
        return None
    if not isinstance(answer, dict) or set(answer) != set(NAMES) or not callable(answer["together"]):
        raise BadInput(f"The answer is {answer!r}; it is a dictionary with together, a function, and partitioner.")
    one_of("librdkafka's partitioner", answer["partitioner"], tuple(CURES))
    return answer


def _objection(case, fine, said, told):
    """Return a sentence on the mistake in one answer, or None. `told` has the answers to all cases."""
    key, partitions, partitioner = case
    asked = f"For the key {key!r}, {partitions} partition{'s' * (partitions > 1)} and {partitioner!r}"
    if not fine:
        return f"{asked} your function fails with {said}."
    if said is not True and said is not False:
        return f"{asked} it says {said!r}; say True or False."
    if said == is_together(*case):
        return None
    return (
        f"{asked} it says {said}. {_why(case)} {_guessed([found if fine else None for fine, found in told])}".strip()
    )


def _why(case):
    key, partitions, partitioner = case
    if partitions == 1:
        return "There is only one partition, and everything is in it."
    if key is None:
        return "A record without a key goes to any partition, so nothing keeps two of them in order."
    if partitioner == "random":
        return "The setting 'random' does not look at the key."
    if not key and partitioner == DEFAULT:
        return "For librdkafka's default an empty key counts as none, and its record goes to any partition."
    java, other = partition_for(key, partitions), partition_for(key, partitions, partitioner)
    return f"Java's client puts it into partition {java}, librdkafka's into {other}."


def _guessed(said):
    return next((WHY[name] for name, made in called(guesses, None, CASES).items() if made == said), "")


def placed(keys, partitions, partitioner, told=None):
    """Return the picture of where each client's records lie, key by key, and of what a function says about them."""
    rows = []
    for number, key in enumerate(keys):
        places = [_place(key, partitions, JAVA), _place(key, partitions, partitioner)]
        row = {"key": key if isinstance(key, str) else repr(key), "Java's client": places[0], "librdkafka": places[1]}
        rows.append(row if told is None else row | {"together() says": _said(*told[number])})
    table = pd.DataFrame(rows)
    words = f"Where each client puts the records, of {partitions} partitions (librdkafka with {partitioner!r})"
    return drawing.Picture(
        f'<p class="eo-h">{words}</p>{drawing.table_html(table)}', text=f"{words}\n{table.to_string(index=False)}"
    )


def _place(key, partitions, partitioner):
    rule = ALIKE.get(partitioner, partitioner)
    if partitions > 1 and (rule not in (JAVA, DEFAULT) or is_none(key, rule)):
        return "by FNV-1a" if rule.startswith("fnv1a") and key else "any partition"
    return f"partition {0 if partitions == 1 else partition_for(key, partitions, rule)}"


def _said(fine, said):
    return said if fine else f"fails with {said}"


def show(answer):
    """Draw where eight customers' records lie with the setting that was chosen, and what the function says."""
    if not isinstance(answer, dict):
        return placed(CUSTOMERS, PARTITIONS, DEFAULT)
    chosen, function = answer.get("partitioner"), answer.get("together")
    chosen = DEFAULT if chosen is ... else one_of("librdkafka's partitioner", chosen, tuple(CURES))
    told = None
    if callable(function):
        told = answers(function, [[each.encode(), PARTITIONS, ALIKE.get(chosen, chosen)] for each in CUSTOMERS])
        told = None if all(fine and said is None for fine, said in told) else told
    return placed(CUSTOMERS, PARTITIONS, chosen, told)


TASK = Task(
    answer="answer_a",
    show=show,
    check=check,
)
