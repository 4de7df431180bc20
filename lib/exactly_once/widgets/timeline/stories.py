"""The timeline's stories: codes of steps (`steps.py`), each with the sentence that announces it."""

from dataclasses import dataclass

OWN = "own"


@dataclass(frozen=True)
class Story:
    """`protocol` is 1, the classic one, or 2, KIP-890's; `steps` are (code, words)."""

    title: str
    protocol: int
    steps: tuple


LATE = (
    ("1b", "P1 begins a transaction."),
    ("1s", "It sends a1."),
    ("1l", "It sends a2, and the request is late in the network. P1 hears nothing of it."),
    ("1a", "P1 gives up and aborts. What is on its way stays on its way."),
    ("2b", "P2 begins a transaction."),
    ("1n", "Now the late a2 arrives, after the abort marker. What does the partition’s leader do with it?"),
    ("2s", "P2 sends b1."),
    ("2c", "P2 commits. Will a read_committed consumer see b1?"),
    *[("t", "Ten seconds pass. Who could end a transaction that the coordinator does not know of?")] * 2,
)

STORIES = {
    "commit": Story(
        "commit",
        1,
        (
            ("1b", "P1 begins a transaction. Who hears of that?"),
            ("1s", "It reads its first item and sends a1. Can anybody read a1 now?"),
            ("1s", "It sends a2."),
            ("1o", "It adds its position, 2, to the transaction."),
            ("1c", "It commits. Which offset does the commit take, and how far does the last stable offset move?"),
        ),
    ),
    "abort": Story(
        "abort, and again",
        1,
        (
            ("1b", "P1 begins a transaction."),
            ("1s", "It sends a1."),
            ("1s", "It sends a2."),
            ("1a", "It aborts. Are a1 and a2 gone from the log?"),
            ("1b", "P1 begins again, from the position that is committed."),
            ("1s", "It sends a1 again. Which isolation level now sees a1 twice?"),
            ("1o", "It adds its position."),
            ("1c", "It commits."),
        ),
    ),
    "zombie": Story(
        "zombie fenced",
        1,
        (
            ("1b", "P1 begins a transaction."),
            ("1s", "It sends a1."),
            ("1z", "P1 stalls, in the middle of its transaction."),
            ("1r", "It is taken for dead, and a new incarnation begins with the same transactional id. What of a1?"),
            ("1b", "The new incarnation begins a transaction."),
            ("1s", "It sends a1: it began at the committed position."),
            ("1w", "The first incarnation wakes up, knows of nothing, and sends a2. Is a2 written?"),
            ("1o", "The new incarnation adds its position."),
            ("1c", "It commits."),
        ),
    ),
    "stalled": Story(
        "stalled transaction",
        1,
        (
            ("1b", "P1 begins a transaction."),
            ("1s", "It sends a1."),
            ("1s", "It sends a2."),
            ("1o", "It adds its position."),
            ("1c", "It commits."),
            ("2b", "P2 begins a transaction."),
            ("2s", "It sends b1."),
            ("2a", "It aborts."),
            ("1b", "P1 begins its second transaction."),
            ("1s", "It sends a3."),
            ("2b", "P2 begins as well."),
            ("2s", "It sends b1 again."),
            ("1s", "P1 sends a4."),
            ("1o", "P1 adds its position."),
            ("1z", "P1 stalls. Nobody knows of it."),
            ("2s", "P2 sends b2."),
            ("2o", "P2 adds its position."),
            ("2c", "P2 commits. Will a read_committed consumer see b1 and b2?"),
            *[("t", "Ten seconds pass. How long will P2’s consumers have to wait?")] * 5,
            ("1w", "P1 wakes up; for it no time has passed."),
            ("1s", "It sends its next record."),
            ("1a", "It was refused, so it can only abort. Does the coordinator still know it?"),
        ),
    ),
    "coordinator": Story(
        "coordinator dies",
        1,
        (
            ("1b", "P1 begins a transaction."),
            ("1s", "It sends a1."),
            ("1s", "It sends a2."),
            ("1o", "It adds its position."),
            ("h", "The network is slow: the coordinator’s markers are held."),
            ("1c", "P1 commits. The coordinator writes PrepareCommit into its log, and answers. Is a1 read now?"),
            ("d", "The coordinator is killed before a marker is written. Is the commit lost?"),
            ("m", "The network is fast again. Who writes the markers?"),
            ("u", "The coordinator comes back and reads its log. What will it find, and do?"),
        ),
    ),
    "hanging": Story("late append hangs", 1, LATE),
    "kip-890": Story("late append, KIP-890", 2, LATE),
}
