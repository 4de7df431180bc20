"""One decision of a schedule: which actor goes on, and the fault that strikes it."""

from typing import NamedTuple

STEP, CRASH, STEP_AND_CRASH, PAUSE = "s", "c", "e", "p"
LOST_REQUEST, LOST_REPLY, DUPLICATE, OPTION = "q", "r", "d", "o"
LATE_REQUEST, LATE_DUPLICATE, ARRIVAL = "l", "w", "a"
NETWORK = 1 << 16  # the actor of an arrival
MOST_OF_EACH = 15  # nodes, and faults of each kind
# The kind of fault that a decision spends.
SPENDS = {
    CRASH: "crashes",
    STEP_AND_CRASH: "crashes",
    PAUSE: "pauses",
    LOST_REQUEST: "lost_requests",
    LOST_REPLY: "lost_replies",
    DUPLICATE: "duplicates",
    LATE_REQUEST: "late_requests",
    LATE_DUPLICATE: "duplicates",  # where requests can be late at all, the second copy can be, too
}


class Decision(NamedTuple):
    """A decision of the world: the actor that takes the next step, and the fault that strikes it.

    Actors are the nodes, from 0, and after them the incarnations that sleep or woke up as zombies, in the order of
    their pauses. `kind` is "s" (the step is taken), "c" (the incarnation dies before it), "e" (the step is taken, and
    the incarnation dies of it), "p" (the incarnation falls asleep before it, and the node's next incarnation begins),
    "q" (the request is lost), "r" (the reply is lost), "d" (the request arrives twice) or "o" (a choice; `option` is
    its number). Where a message of any sender may be received, `option` is the sender's number. "l" leaves the
    request to the network, and "w" a second copy of it; "a" is the arrival of the request that was left there as
    number `option`, counted from 0 (`actor` then names the sender whose message a late receive takes, or is 0).
    """

    actor: int
    kind: str
    option: int = 0
