"""Exercise 14c, a challenge: the promise of 13d, with at most three operations a record."""

from dataclasses import dataclass

from ...costs.counted import counted, in_words, number
from ...pipeline import Job
from ..ch13.e13d_servers import both_right, objection
from ..kinds.challenge import challenge
from ..kinds.proved import Proved
from ..kinds.reply import right, wrong
from ..kinds.run_answer import called

MOST = 3  # operations a record
SECONDS = 20.0


def asked(handler):
    """Return (the operations a record, the same in words). For `called`."""
    found = counted(handler)
    return found.operations, in_words(found.nodes[0])


@dataclass(frozen=True, kw_only=True)
class Within(Proved):
    """A challenge that is proved, and whose operations are counted then."""

    def check(self, answer):
        """Prove the handler; then count what it asks of its stores."""
        reply = super().check(answer)
        if not reply.right:
            return reply
        operations, words = called(asked, answer, seconds=SECONDS)
        told = f"{number(operations)} operations a record ({words})"
        if operations > MOST:
            return wrong(f"Output and total are right in the end, and it takes {told}; at most {MOST} were allowed.")
        return right(f"{reply.sentence} It takes {told}.")


PROVED = challenge(
    answer="mine",
    rule=both_right,
    objection=objection,
    jobs=(Job(items=3, duration=2, threshold=1),),
    praise="Output and total are right in the end, in two systems.",
)
TASK = Within(**vars(PROVED))
