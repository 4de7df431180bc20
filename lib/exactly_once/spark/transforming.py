"""Consume, transform, produce as tasks of the cluster: consumers, executors and the coordinator are killed at random.

A consumer for each input partition is a task, and so is the coordinator; Spark's retries are their next incarnations.
The programs are those that `simulate` runs.
"""

import random
import time

from ..delivery.transforming import (
    BATCH,
    COORDINATOR,
    ELSEWHERE,
    INPUTS,
    OUTPUTS,
    PLACES,
    Lifetime,
    Strike,
    Transformed,
    predict_doubled,
    transforming,
)
from ..errors import CourseError, one_of, whole
from ..faults import Fault
from ..handlers.logs.consume_transform_produce import GROUP
from ..log.machine import KIND, committed_in
from ..log.transactions.machine import OFFSETS_KIND, OFFSETS_PART
from ..node.source import LOG
from ..node.world import ENGINE, OFFSETS
from .cluster.cluster import check_executors, warm_again
from .run.killing import living
from .run.tasks import Prepared, in_turn, with_slots

EVENTS = 8, 4  # between kills, for each reading: some half of what a run records, in transactions and without
EVERY = 12  # kills, of which one takes a whole executor with it
KINDS = "crash after", "crash before"  # of a kill at a step, in turn
STEPS_WITHOUT = {"append": "log.append", "add offsets": "positions.save"}
PACE = 0.02  # s before each step of what has no transactions, whose run would be over before the kills


def transform_on_cluster(
    transactional=True, kills=10, records=40, seed=1, executors=True, places=None, spark=None, patience=60.0
):
    """Transform `records` readings of each input partition, and kill `kills` times. Returns a `Transformed`.

    Every other kill comes from inside, in turn after and before a step of those in `places` (keys of `PLACES`; all by
    default), the others from outside, wherever the process is. Which node, which step, and after how many events of
    the run, is drawn by `seed`. With `executors` every twelfth kill takes an executor with all its processes. A run
    that ends before its last kill has fewer.

    It needs three tasks at once, so `cluster(slots=4)`; two without transactions. Raises `BadInput` for settings that
    make no sense, and as `run_on_cluster` does.
    """
    known = PLACES if one_of("transactional", transactional, (True, False)) else STEPS_WITHOUT
    for place in places or ():
        one_of("a place to kill at", place, known)
    whole("the number of kills", kills)
    whole("the number of readings", records, least=1, most=1_000)
    run = _Run(transactional, records)
    try:
        spark = with_slots(spark, len(run.inputs))
        if executors:
            check_executors(spark)
        killer = _Killer(run, kills, random.Random(f"transform {seed}"), executors, places)
        (found,) = in_turn([run], spark, lambda _: killer.look(), patience)
        if "executor" in killer.kills.values():
            warm_again(spark)
    finally:
        run.remove()
    if found.error:
        raise CourseError(f"A node failed on the cluster: {found.error.strip().splitlines()[-1]}")
    return run.transformed(found, transactional, records, killer)


class _Run(Prepared):
    """A prepared run that reads the records of a read_committed reader before its folder is removed."""

    def __init__(self, transactional, records):
        super().__init__(transforming(transactional, records))
        self.names = [program.name for program in self.programs]

    def run(self):
        found = super().run()
        contents = self.stores[LOG].held(KIND)
        self.found = {name: tuple(key for _, key, *_ in committed_in(contents.get(name))) for name in OUTPUTS}
        everything = [record for name in OUTPUTS for record in self.stores[LOG].look(name, KIND)]
        self.uncommitted = len(everything) - sum(map(len, self.found.values()))
        saved = self.stores[OFFSETS].look(OFFSETS_PART, OFFSETS_KIND).get(GROUP, {})
        for name in INPUTS:
            saved |= self.stores[ENGINE].look(f"{name}.positions", "cell") or {}
        self.positions = saved
        return found

    def transformed(self, run, transactional, records, killer):
        """Return the result of this run."""
        began = min(event.wall for event in run.trace.lives())
        lives, strikes = [], []
        for start in run.trace.lives():
            events, who = run.trace.of_life(start.life), self.names[start.detail["node"]]
            last = events[-1]
            at = killer.times.get(start.life, last.wall)  # the next incarnation reports an outside kill later
            lives.append(Lifetime(who, start.life, start.wall - began, at - began, last.verb == "dies"))
            if last.verb == "dies":
                inside = "at" in last.detail
                kill = last.detail["kill"] if inside else killer.kills.get(start.life, "executor")
                step = last.detail["at"].split()[-1] if inside else _under_way(events)
                strikes.append(Strike(at - began, who, kill, _place(step, events, transactional), inside))
        return Transformed(
            transactional, records, self.found, self.uncommitted, self.positions,
            0 if transactional else predict_doubled(run), tuple(sorted(strikes)), tuple(lives), run.seconds,
        )  # fmt: skip


def _under_way(events):
    """Return the name, or its end, of the step in which an incarnation was killed; "" between two steps."""
    last = events[-2] if len(events) > 1 else events[-1]
    return last.verb if last.kind == "send" else ""


def _place(step, events, transactional):
    """Return the place of a step; a transaction begins with the first partition that is added to it."""
    places = PLACES if transactional else STEPS_WITHOUT
    place = next((place for place, name in places.items() if step and f".{name}".endswith(f".{step}")), ELSEWHERE)
    if place != "begin":
        return place
    added = 0
    for event in events:
        added = 0 if event.verb == "read" else added + ((event.verb, event.kind) == ("add_partitions", "send"))
    return place if added + events[-1].text.startswith("SIGKILL before") == 1 else ELSEWHERE


class _Killer:
    """Kills from the notebook, or by an incarnation itself at a step, after given numbers of recorded events."""

    def __init__(self, run, kills, rng, executors, places):
        self.run, self.left, self.rng, self.executors = run, kills, rng, executors
        self.places = PLACES if run.programs[0].protocol else STEPS_WITHOUT
        self.chosen = sorted(places or self.places)
        readings = len(INPUTS) * run.programs[0].source.records
        self.apart = max(2, readings * EVENTS[run.programs[0].protocol is None] // max(kills, 1))  # at most
        self.next = rng.randint(1, self.apart)
        self.times, self.kills, self.number = {}, {}, 0  # {life: time and kind of its kill from here}
        self.pace = 0 if run.programs[0].protocol else PACE
        self._tell(None)

    def look(self):
        """Kill, or arm a kill, if it is time to."""
        folder = self.run.folder
        if self.armed is not None:
            key, node = self.armed
            if key in self.run.recorder.fired_keys():
                self._struck()
            elif folder.node_ended(node):
                self._tell(None)
            return
        if not self.left or folder.events() < self.next:
            return
        going = self._living()
        if going and (self._kill(going) if self.number % 2 else self._arm(going)):
            self.number += 1

    def _living(self):
        """Return {node: start of its newest incarnation} of all nodes at work that were not killed here."""
        return {node: start for node, start in living(self.run).items() if start.life not in self.times}

    def _kill(self, going):
        start = going[self.rng.choice(sorted(going))]
        executor = self.executors and self.number % EVERY == EVERY // 2 + 1
        doomed = [
            one for one in going.values() if executor and one.detail["executor"] == start.detail["executor"]
        ] or [start]
        now = time.time()
        for one in doomed:
            self.run.recorder.fire(f"outside-{one.life}")  # so that it counts as a death that was meant
        if not self.run.folder.kill(start, executor):
            return False
        self.times |= dict.fromkeys((one.life for one in doomed), now)
        self.kills |= dict.fromkeys((one.life for one in doomed), "executor" if executor else "worker")
        self._struck()
        return True

    def _arm(self, going):
        place = self.rng.choice(self.chosen)
        of_coordinator = self.places[place].startswith("coordinator.")
        nodes = [node for node in sorted(going) if (self.run.names[node - 1] == COORDINATOR) == of_coordinator]
        if not nodes:
            return False
        node, item = self.rng.choice(nodes), None
        if place == "begin":  # the first step about a reading that is still to come
            events = self.run.recorder.events_of(going[node].life)
            item = max((event.item or 0 for event in events), default=0) + BATCH
        kind = KINDS[self.number // 2 % len(KINDS)]
        self._tell(Fault(self.places[place], item, kind, node=node))
        return True

    def _tell(self, fault):
        key = f"armed-{self.number}"
        self.armed = fault and (key, fault.node)  # the fault that an incarnation inflicts on itself
        self.run.folder.ask({"pace": self.pace, "armed": fault and {"fault": fault.code(), "key": key}})

    def _struck(self):
        self.armed, self.left = None, self.left - 1
        self.next = self.run.folder.events() + self.rng.randint(1, self.apart)
