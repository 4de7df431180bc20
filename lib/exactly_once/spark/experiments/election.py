"""The store's own leader, killed while twins work: everybody waits for the election, and for how long is measured.

No node of a lock-free handler waits for another node; all of them wait for the store. Three members of etcd hold its
registers; one leads, and the others elect a new leader when they have not heard of it for an election timeout (1 s).
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from itertools import pairwise

from ...errors import CourseError, whole
from ...handlers.stream.lock_free import lock_free
from ...node.program import deployment_of
from ...pipeline import Job
from ...servers.kinds import Etcd
from ...trace import Event
from ...verdict.verdict import Verdict, judge
from ..run.tasks import Prepared
from . import experiment

MEMBERS, TWINS = 3, 2
EVENTS_AN_HOUR = 50  # of a run of twins, about
MACHINE = "machines."  # how the name of the register begins that holds the twins' state


@dataclass(frozen=True, repr=False)
class StoreElection:
    """The longest gaps between two successful compare-and-swaps of the twins, in seconds.

    `before` is the longest gap before the leader's death, `at` the longest from then on, `after` the longest after
    that one.
    """

    leader_before: str
    leader_after: str
    swaps: int
    before: float
    at: float
    after: float
    verdict: Verdict

    @property
    def exactly_once(self) -> bool:
        """Whether the outcome of the run is that of one node without faults."""
        return self.verdict.exactly_once

    def __repr__(self) -> str:
        right = "Exactly once." if self.exactly_once else "Not exactly once."
        return (
            f"{self.leader_before} led the store and was killed, {self.leader_after} leads. Between two successful "
            f"compare-and-swaps of {TWINS} twins the longest gap was {self.before:.2f} s before, {self.at:.2f} s at "
            f"the death, and {self.after:.2f} s after it ({self.swaps} in all). {right}"
        )


def kill_the_stores_leader(hours: int = 60, etcd: Etcd | None = None) -> StoreElection:
    """Run twins on the cluster over an etcd of three members, and SIGKILL its leader when a third is done.

    The member is started again in the end. It takes 15 s with `hours` of 60, and three slots. Raises `BadInput` for
    other hours, `CourseError` where etcd cannot be had, or the run is over before the leader's death.
    """
    whole("hours", hours, least=10, most=500)
    etcd = etcd or Etcd.shared(members=MEMBERS)
    deployment = deployment_of(lock_free)
    assert deployment is not None
    twins, struck = replace(deployment, twins=TWINS), dict[str, float]()

    def strike(run: Prepared) -> None:
        if not struck and run.folder.events() > EVENTS_AN_HOUR * hours // 3:
            leader = etcd.leader()
            struck[leader] = time.time()
            etcd.kill(leader)

    programs = {"twins": twins.programs(Job(items=hours))}
    done = experiment(programs, strike, lambda _, run: run, stores=etcd.url)["twins"]
    if not struck:
        raise CourseError("The run was over before the store's leader was killed. Ask for more hours.")
    ((leader, when),) = struck.items()
    after = etcd.leader()
    etcd.start(leader)
    walls = sorted(one.wall for one in done.trace if one.wall is not None and _swapped(one))
    gaps = [(later - earlier, later > when) for earlier, later in pairwise(walls)]
    late = [gap for gap, is_late in gaps if is_late] or [0.0]
    at = late.index(max(late))
    before = max((gap for gap, is_late in gaps if not is_late), default=0.0)
    later = max(late[at + 1 :], default=0.0)
    return StoreElection(leader, after, len(walls), before, late[at], later, judge(done, twins))


def _swapped(event: Event) -> bool:
    """Tell whether an event is a compare-and-swap of the twins' state that was carried out: its text is the state."""
    asked = event.process.startswith(MACHINE) and (event.kind, event.verb) == ("receive", "cas")
    return asked and event.text != event.verb
