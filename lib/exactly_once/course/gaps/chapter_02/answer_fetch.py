"""Gap 02-answer-fetch: what a leader learns from a fetch, and what it answers."""

from dataclasses import dataclass, field

from .... import show
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import called
from ..registry import Gap

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
    """What the leader knows: its records, how far each in-sync follower's log goes, and the high watermark."""

    records: list = field(default_factory=list)
    ends: dict = field(default_factory=lambda: {1: 0, 2: 0})
    high_watermark: int = 0


def answer_fetch(leader, follower, offset):
    """Answer a follower that asks for the records from `offset` on. Returns (records, high watermark)."""
    leader.ends[follower] = offset
    leader.high_watermark = min(leader.ends.values())
    return leader.records[offset:], leader.high_watermark


def played(answers, story):
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


def check(answer):
    """Let two followers fetch in several orders, and look at the high watermark after each fetch."""
    found = [called(played, answer, story) for story in STORIES]
    if all(said is None and high == 0 for told in found for said, high, *_ in told):
        return unsolved("your lines")
    for story, told in zip(STORIES, found, strict=True):
        for number, (step, mine, library) in enumerate(zip(story, told, played(answer_fetch, story), strict=True)):
            if step[0] != "append" and (sentence := objection(step, mine, library)):
                return wrong(f"{_told(story[: number + 1])} {sentence}", picture=drawn(*mine[1:]))
    return right("The request says what the follower has. What every one of them has is committed.")


def objection(step, mine, library):
    """Return what is wrong after one fetch, or None."""
    (said, high, logs, records), (should, right_high, *_) = mine, library
    if type(high) is int and high > right_high:
        behind = min(logs, key=logs.get)
        known = f"has the offsets below {logs[behind]}" if logs[behind] else "may have nothing yet"
        return (
            f"The high watermark is {high}, and all that the leader knows of follower {behind} is that it {known}: "
            f"the answer to its fetch may be lost. If it leads next, {records[logs[behind]]}, which readers saw, is "
            "gone."
        )
    if high != right_high:
        return f"The high watermark is {high!r}; both have the offsets below {right_high}, so it is {right_high}."
    if not isinstance(said, (tuple, list)) or len(said) != 2 or list(said[0]) != list(should[0]):
        return (
            f"It answers {said!r}; the records from offset {step[1]} on are {should[0]}, and the high watermark goes "
            "with them."
        )
    if said[1] != should[1]:
        return f"It answers with the high watermark {said[1]!r}, and {should[1]} is what it is now."
    return None


def _told(story):
    return " ".join(
        f"The leader appends {what}." if who == "append" else f"Follower {who} asks for offset {what}."
        for who, what in story
    )


def drawn(high, logs, records):
    """Return the picture of leader and followers, as far as the leader knows, with the high watermark."""
    tapes = {"leader": records} | {f"follower {number}": records[:end] for number, end in logs.items()}
    readers = {f"high watermark {high}": {"leader": high}} if type(high) is int and 0 <= high < 9 else None
    return show.log(tapes, readers=readers)


GAP = Gap(
    title="what a leader learns from a fetch",
    judge=check,
    library=answer_fetch,
    hints=(
        "A follower that asks for offset 3 has the offsets 0, 1 and 2. Where does the leader keep that?",
        "`leader.ends[follower] = offset`. The high watermark is the first offset that one of them may lack.",
        "The smallest of `leader.ends.values()`. What is answered: `leader.records[offset:]` and the high watermark.",
    ),
)
