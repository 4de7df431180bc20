"""The gaps of chapter 02: how the lines that a learner writes in it are judged."""

import copy
from dataclasses import dataclass, field

from ... import show
from ...log import Consumer, Producer, open_log
from ...solutions import library_of
from ..kinds.old_gap import gap
from ..kinds.reply import right, unsolved, wrong
from ..kinds.run_answer import called

# 02-answer-fetch: the leader's update of its state from a fetch, and its response.

STORIES = (  # each an append, or a fetch of a follower from an offset
    (("append", "tea"), (1, 0)),
    (("append", "tea"), (1, 0), (1, 1)),
    (("append", "tea"), (1, 0), (1, 1), (2, 0), (2, 1)),
    (("append", "tea"), ("append", "cake"), (1, 0), (2, 0), (1, 2), (2, 2)),
    (("append", "tea"), (1, 0), (2, 0), ("append", "cake"), (1, 1), (2, 1), (2, 2), (1, 2)),
    (("append", "tea"), (1, 0), (2, 0), (2, 1), ("append", "cake"), (2, 1), (2, 2), (1, 1), (1, 2)),
)


@dataclass
class Leader:
    """A leader's state: its records, the log end of each in-sync follower, and the high watermark."""

    records: list = field(default_factory=list)
    ends: dict = field(default_factory=lambda: {1: 0, 2: 0})
    high_watermark: int = 0


def played_answer_fetch(answers, story):
    """Return, after each step, (what was answered, the high watermark, how far each follower's log goes for sure)."""
    leader, logs, found = Leader(), {1: 0, 2: 0}, []
    for who, what in story:
        said = None
        if who == "append":
            leader.records.append(what)
        else:
            logs[who] = max(logs[who], what)  # it would not ask for this offset without what is below it
            said = answers(leader, who, what)
        found.append((said, leader.high_watermark, dict(logs), list(leader.records)))
    return found


@gap("02-answer-fetch")
def check_answer_fetch(answer):
    """Let two followers fetch in several orders, and look at the high watermark after each fetch."""
    found = [called(played_answer_fetch, answer, story) for story in STORIES]
    if all(said is None and high == 0 for told in found for said, high, *_ in told):
        return unsolved("your lines")
    for story, told in zip(STORIES, found, strict=True):
        for number, (step, mine, library) in enumerate(
            zip(story, told, played_answer_fetch(library_of("02-answer-fetch"), story), strict=True)
        ):
            if step[0] != "append" and (sentence := objection_answer_fetch(step, mine, library)):
                return wrong(f"{_told(story[: number + 1])} {sentence}", picture=drawn_answer_fetch(*mine[1:]))
    return right(
        "The offset in a request says what the follower has. A record is committed when all in-sync replicas have it."
    )


def objection_answer_fetch(step, mine, library):
    """Return a sentence on the mistake after one fetch, or None."""
    (said, high, logs, records), (should, right_high, *_) = mine, library
    if type(high) is int and high > right_high:
        behind = min(logs, key=logs.get)
        known = f"has the offsets below {logs[behind]}" if logs[behind] else "may have nothing yet"
        return (
            f"The high watermark is {high}. But of follower {behind} the leader knows only that it {known}, because "
            f"the answer to its fetch may be lost. If follower {behind} leads next, {records[logs[behind]]}, which "
            "readers saw, is lost."
        )
    if high != right_high:
        return (
            f"The high watermark is {high!r}. Both followers have the offsets below {right_high}, so it should be "
            f"{right_high}."
        )
    if not isinstance(said, (tuple, list)) or len(said) != 2 or list(said[0]) != list(should[0]):
        return (
            f"Your function returns {said!r}. Return a pair: the records from offset {step[1]} on, which are "
            f"{should[0]}, and the high watermark."
        )
    if said[1] != should[1]:
        return f"Your function returns the high watermark {said[1]!r}. After this fetch it is {should[1]}."
    return None


def _told(story):
    return " ".join(
        f"The leader appends {what}." if who == "append" else f"Follower {who} asks for offset {what}."
        for who, what in story
    )


def drawn_answer_fetch(high, logs, records):
    """Return the picture of leader and followers, as far as the leader knows, with the high watermark."""
    tapes = {"leader": records} | {f"follower {number}": records[:end] for number, end in logs.items()}
    readers = {f"high watermark {high}": {"leader": high}} if type(high) is int and 0 <= high < 9 else None
    return show.log(tapes, readers=readers)


# 02-audit: acknowledged records that are lost, and duplicates.

AUDIT_CASES = (  # the numbers of the acknowledged records, and the numbers of the readable records
    ([1, 2, 3], [1, 2, 3]),
    ([1, 2, 3], [1, 3]),
    ([1, 2, 3], [1, 2, 2, 3]),
    ([1, 2, 3], [1, 3, 3]),
    ([1, 3], [1, 2, 3]),
    ([1, 2, 3], [1, 2, 3, 1, 2, 3]),
    ([1, 2, 3, 4], [4, 4, 2, 2, 2]),
    ([], [1]),
    ([1], [1, 2, 2]),
)


def answers_audit(function, cases):
    """Return the function's answer to each case."""
    return [function(list(acknowledged), list(readable)) for acknowledged, readable in cases]


@gap("02-audit")
def check_audit(answer):
    """Ask the learner's audit about what producers were told and readers found."""
    told = called(answers_audit, answer, AUDIT_CASES)
    if all(said is None for said in told):
        return unsolved("your lines")
    for case, said in zip(AUDIT_CASES, told, strict=True):
        if sentence := objection_audit(*case, said):
            titles = dict(zip(("acknowledged", "to be read"), case, strict=True))
            return wrong(sentence, picture=show.log(titles, numbers="place"))
    return right("Your audit finds a loss even where a doubled record makes the two lists equally long.")


def objection_audit(acknowledged, readable, said):
    """Return a sentence on the mistake in one audit, or None."""
    lists = isinstance(said, (tuple, list)) and [type(part) in (list, tuple, set) for part in said] == [True, True]
    if not lists:
        return (
            f"It returns {said!r}; return two lists, the numbers that are lost and the numbers that are there twice."
        )
    for part in said:
        if len(set(part)) < len(part):
            return f"It returns {said!r}; name each record once, however often it is there."
    for what, mine, should in zip(
        ("lost", "there twice"), map(sorted, said), library_of("02-audit")(acknowledged, readable), strict=True
    ):
        if mine != should:
            why = ""
            if len(acknowledged) == len(readable):
                why = " The two lists are equally long, but their numbers are not the same."
            elif what == "lost" and not set(mine) <= set(acknowledged):
                why = " A record that was never acknowledged was never promised."
            elif what == "there twice" and not set(mine) <= set(should):
                why = " A record that a reader finds once is no double, even if it was never acknowledged."
            return f"It says that {mine or 'none'} are {what}; {should or 'none'} are.{why}"
    return None


# 02-nothing-lost: the invariant of a replicated partition: each acknowledged record is there.

NOTHING_LOST_CASES = (  # the acknowledged records, the leader's log (None without a leader), and the story
    ([], ["tea"], "One record is on its way, and nobody was told anything."),
    ([(0, "tea")], ["tea"], "The tea was acknowledged, and the leader has it."),
    ([(0, "tea")], None, "The tea was acknowledged, the leader is dead, and nobody is elected yet."),
    ([(0, "tea")], [], "The tea was acknowledged with acks=1, and a follower that never had the tea leads."),
    ([(0, "tea")], ["tea", "cake"], "The tea was acknowledged; the cake is on its way."),
    ([(0, "tea"), (1, "cake")], ["tea"], "Tea and cake were acknowledged, and the leader has one of them."),
    ([(0, "tea"), (0, "cake")], ["cake"], "The tea was lost with its leader, and the next one put the cake there."),
    ([(1, "cake")], ["tea", "cake"], "The tea was never answered; the cake was acknowledged, and is there."),
    ([(0, "tea")], ["cake", "tea"], "The tea was lost and sent again; its offset 0 holds something else."),
)


def answers_nothing_lost(function, cases):
    """Return the function's answer to each state of a cluster."""
    return [function(list(told), None if leader is None else list(leader)) for told, leader, _ in cases]


@gap("02-nothing-lost")
def check_nothing_lost(answer):
    """Ask the learner's invariant about states of a cluster, good ones and bad ones."""
    said = called(answers_nothing_lost, answer, NOTHING_LOST_CASES)
    if all(each is None for each in said):
        return unsolved("your lines")
    for (told, leader, story), mine in zip(NOTHING_LOST_CASES, said, strict=True):
        should = library_of("02-nothing-lost")(told, leader)
        if type(mine) is bool and mine == should:
            continue
        picture = show.log(
            {
                "acknowledged": [value for _, value in told],
                "nobody leads" if leader is None else "leader": leader or [],
            }
        )
        if type(mine) is not bool:
            return wrong(f"{story} The invariant says {mine!r}; let it return True or False.", picture=picture)
        if leader is None:
            return wrong(f"{story} Nothing is lost while nobody leads: the invariant holds.", picture=picture)
        what = "holds: nothing that was acknowledged is missing" if should else "is broken: a promise was not kept"
        return wrong(f"{story} The invariant {what}. Yours says {mine}.", picture=picture)
    return right(
        "Your invariant holds where nothing was acknowledged and where nobody leads, and breaks where an "
        "acknowledged record is missing."
    )


# 02-send: put a record with a key into the partition where it belongs.

SEND_SENT = (("ann", "tea"), ("bob", "coffee"), ("ann", "cake"), ("ann", "tea"), ("dora", "juice"))
SIZES = (3, 2, 1)


def played_send(sends, partitions):
    """Return the answer of `sends` to each record, and the topic after each record."""
    topic, told = [[] for _ in range(partitions)], []
    for key, value in SEND_SENT:
        answer = sends(topic, key, value)
        told.append((answer, copy.deepcopy(topic)))
    return told


@gap("02-send")
def check_send(answer):
    """Send the same records through the learner's lines and through the library's."""
    found = {size: called(played_send, answer, size) for size in SIZES}
    if all(said is None and not any(topic) for told in found.values() for said, topic in told):
        return unsolved("your lines")
    for size in SIZES:
        for (said, topic), (should, right_topic), (key, value) in zip(
            found[size], played_send(library_of("02-send"), size), SEND_SENT, strict=True
        ):
            if sentence := objection_send(said, topic, should, right_topic, key, value, size):
                return wrong(sentence, picture=drawn_send(topic))
    return right("Equal keys go to one partition, and stand there in the order in which they came.")


def objection_send(said, topic, should, right_topic, key, value, size):
    """Return a sentence on the mistake after one record, or None."""
    where = [number for number, log in enumerate(topic) if (key, value) in log]
    what = f"With {size} partitions, ({key!r}, {value!r})"
    if not where:
        return f"{what} is in no partition. Add the pair (key, value) to a log. The picture shows the topic."
    if where != [should[0]]:
        there = ", ".join(map(str, where))
        return (
            f"{what} is in partition {there}. partition_for({key!r}, {size}) is {should[0]}: it belongs there alone."
        )
    if topic != right_topic:
        return f"{what} does not stand at the end of its log. A log grows at its end, and nothing else in it changes."
    if not isinstance(said, (tuple, list)) or tuple(said) != should:
        return (
            f"{what} is in its place, and the function returns {said!r}. Return {should}: the partition, and the "
            "offset, which is counted from 0."
        )
    return None


def drawn_send(topic):
    """Return the picture of a topic."""
    return show.log({f"partition {number}": list(map(tuple, log)) for number, log in enumerate(topic)})


# 02-to-commit: which positions a consumer has to commit when some of its records are done.

TO_COMMIT_SENT = (
    ("ann", "tea"),
    ("bob", "coffee"),
    ("ann", "cake"),
    ("bob", "milk"),
    ("ann", "scone"),
    ("bob", "juice"),
)
TO_COMMIT_CASES = (
    (0, 1),
    (0, 2),
    (0, 6),
    (0, 5),
    (0, 0),
    (2, 4),
    (3, 4),
)  # records committed before, and done by now


def orders():
    """Return a log of orders in three partitions."""
    log = open_log("memory:")
    log.create_topic("orders", partitions=3)
    producer = Producer(log)
    for key, value in TO_COMMIT_SENT:
        producer.send("orders", value, key=key)
    return log


def polled(cases=TO_COMMIT_CASES):
    """Return the records whose work is done now in each case."""
    reader = Consumer(orders(), "orders")
    records = reader.poll()
    return [records[before:done] for before, done in cases]


def answers_to_commit(function, lists):
    """Return the function's answer to each list."""
    return [function(done) for done in lists]


@gap("02-to-commit")
def check_to_commit(answer):
    """Commit the offsets of the learner's lines, and let a successor read on."""
    lists = polled()
    told = called(answers_to_commit, answer, lists)
    if all(said is None for said in told):
        return unsolved("your lines")
    for (before, _), done, said in zip(TO_COMMIT_CASES, lists, told, strict=True):
        if reply := objection_to_commit(polled([(0, before)])[0], done, said):
            return reply
    return right("A successor begins with the first record that is not done, in each partition.")


def objection_to_commit(before, done, said):
    """Return the reply to one wrong answer, or None: the successor's reading decides.

    `before` are the records whose positions the group had committed already.
    """
    values, finished = ([record.value for record in records] for records in (done, [*before, *done]))
    if not isinstance(said, dict) or not all(type(each) is int for each in [*said, *said.values()]):
        return wrong(f"For the records {values} it returns {said!r}; return a dictionary from partition to offset.")
    log = orders()
    if unknown := [partition for partition in said if partition not in range(3)]:
        return wrong(f"For the records {values} it names partition {unknown[0]}; there are 0, 1 and 2.")
    for partition, offset in said.items():
        if not 0 <= offset <= log.log_end("orders", partition):
            return wrong(
                f"Your lines commit offset {offset} of partition {partition}, which is not there.",
                picture=show.log(log),
            )
    for positions in filter(None, (library_of("02-to-commit")(before), said)):
        Consumer(log, "orders", group="kitchen").commit(positions)
    successor = Consumer(log, "orders", group="kitchen")
    picture = show.log(log, readers={"successor": successor.positions})
    again = [record.value for record in successor.poll()]
    earlier = f"Committed before: {', '.join(record.value for record in before)}. " if before else ""
    story = f"{earlier}Done: {', '.join(values) or 'nothing'}. The successor"
    left = [value for _, value in TO_COMMIT_SENT if value not in finished]
    if twice := [value for value in finished if value in again]:
        return wrong(f"{story} reads {twice[0]} again: your lines commit {_commits(said)}.", picture=picture)
    if lost := [value for value in left if value not in again]:
        return wrong(f"{story} skips {lost[0]}: your lines commit {_commits(said)}.", picture=picture)
    return None


def _commits(said):
    return ", ".join(f"offset {offset} of partition {number}" for number, offset in said.items()) or "nothing"
