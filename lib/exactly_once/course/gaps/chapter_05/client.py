"""Gap 05-client: a client that numbers what a producer pushes, and sends a record again under its number."""

from ....handlers.logs.producer import insist
from ...tasks.reply import right, wrong
from ..registry import Gap
from ..sides import broken, calm, failed, sent_nothing, stumbles
from .sessions import once_each, through, writes

RECORDS = 3
WORDS = ("tea", "milk", "tea")
CASES = {
    "One request is lost": {"lost_requests": 1},
    "One reply is lost": {"lost_replies": 1},
    "One request is late": {"late_requests": 1},
    "Two replies are lost": {"lost_replies": 2},
}


class Client:
    """Number the records of one session, and send each until it is acknowledged."""

    def __init__(self, node):
        self.node, self.number = node, 0
        self.identity = insist(node.log.producer_id, "readings")

    def push(self, value, key=None):
        """Append one record under the next number, and count on once it is acknowledged."""
        record, append = (key, value), self.node.log.append
        insist(append, "readings", [record], "all", self.identity, 0, self.number)
        self.number += 1


def says_words(node):
    """Push words, one of them twice: a number belongs to one push, and cannot be had from the value."""
    for word in WORDS:
        insist(node.output.push, word, "shop")


def check(answer):
    """Prove that each record is in the log once and in order, whatever one message does, while nobody dies."""
    program = writes(through(answer), RECORDS)
    if refused := stumbles(program, RECORDS, sent_nothing):
        return refused
    words = writes(through(answer, says_words), 1)
    run = calm(words)
    if refused := failed(run, words):
        return refused
    said = [push.value for push in run.pushes]
    if said != [*WORDS]:
        return wrong(
            f"A producer pushes {', '.join(WORDS)}, and the log holds {said}. A number belongs to one push, whatever "
            "its value.",
            run,
            words,
        )
    return broken(program, once_each(RECORDS), **CASES) or right(
        "Each record is in the log once and in order, wherever one request is lost or late, or two replies are lost, "
        "within three records."
    )


GAP = Gap(
    title="number what is pushed",
    judge=check,
    library=Client,
    hints=(
        "A record that is sent again must be recognised. What must be the same in both requests, and when may it "
        "change?",
        '`append` takes the partition "readings", a list of records, the acks "all", the producer id '
        "`self.identity`, the epoch 0, and the number `self.number`. It can end with the outcome unknown, so "
        "`insist` on it.",
        '`insist(append, "readings", [record], "all", self.identity, 0, self.number)`, and below it '
        "`self.number += 1`.",
    ),
)
