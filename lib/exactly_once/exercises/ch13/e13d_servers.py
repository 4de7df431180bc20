"""Exercise 13d, a challenge: output in Kafka and a total in PostgreSQL, right under every fault, and on the servers.

First the handler is proved on the course's own stores, under every kind of fault. Then it runs on a real broker,
which is killed on the way, and a real database: in the sandbox, each incarnation in turn.
"""

import functools
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ...errors import CourseError
from ...extras import Missing
from ...node.program import live, program_of
from ...node.world import DATABASE, Stores
from ...paths import temporary
from ...pipeline import Job, Window
from ...servers.by_url import chosen, new_name, opened
from ...servers.kafka.broker import Kafka
from ...stores.codec import decode, describe
from ...trace import MemoryRecorder
from ...verdict.outcome import Outcome
from ...verdict.verdict import IdealWorld
from ..kinds.challenge import challenge
from ..kinds.proved import Proved
from ..kinds.reply import right, wrong
from ..kinds.run_answer import called

TABLE = "readings"
ON_SERVERS = Job(items=6, duration=2, threshold=1)
STORES = "kafka:,postgresql:"
LIVES = 12
KILLED_AT = (7, 19)  # steps of the handler, which takes some thirty
SECONDS = 120.0
LOOK_SECONDS = 0.002  # between two looks for the next moment


@functools.cache
def wanted(job):
    """Return (averages, total): each hour's average, and how many readings all windows hold together."""
    window, averages, total = Window(), [], 0
    for readings in zip(*job.inputs().values(), strict=True):
        window.push(readings)
        window.trim(job.duration)
        averages.append(window.average())
        total += len(window)
    return averages, total


def both_right(view, job):
    """In the end the output holds each hour's average once and in order, and the database's table "readings" holds
    the number of readings of all windows.
    """
    averages, total = wanted(job)
    return not view.done or (list(view.outputs) == averages and view.look("database", "readings", "table") == total)


def objection(view, job):
    """Return a sentence on the mistake in the outcome."""
    (averages, total), outputs = wanted(job), list(view.outputs)
    for hour, average in enumerate(averages, 1):
        if hour > len(outputs):
            return f"the average of hour {hour} is missing from the output"
        if outputs[hour - 1] != average:
            return f"at the place of hour {hour} the output does not hold the average of this hour"
    if len(outputs) > len(averages):
        return f"the output holds more than the {len(averages)} averages"
    return f'the table "readings" holds {describe(view.look("database", TABLE, "table"))} and should hold {total}'


class OnServers(IdealWorld):
    """The world of incarnations on stores by URL; before some of its steps a file is made, for whoever kills."""

    def __init__(self, program, urls, folder):
        from ...log.kafka import steps  # noqa: F401 - by_url opens a log in Kafka with it

        super().__init__(program)
        where = new_name()
        self.stores = Stores(lambda name: opened(urls[name == DATABASE], name, f"{where}_{name}"))
        self.recorder, self.folder = MemoryRecorder(), folder
        program.load_inputs(self.stores)

    def turn(self, event):
        """Say that the step is due."""
        super().turn(event)
        if self.steps in KILLED_AT:
            (self.folder / f"step-{self.steps}").touch()


@dataclass(frozen=True)
class Seen:
    """The end of a run on servers, as the rule looks at it."""

    outputs: list
    total: object
    done: bool = True

    def look(self, *_):
        """Return the total."""
        return self.total


def lived(handler, urls, folder):
    """Return (the end of a run on servers, how many incarnations it took, the handler's error). For `called`."""
    program = program_of(handler, ON_SERVERS)
    world = OnServers(program, urls, Path(folder))
    lives, ending, text = 0, "gave up", None
    while ending == "gave up" and lives < LIVES:
        ending, text = live(world, handler)
        lives += 1
    outputs = [decode(each) for each in Outcome.of(world.stores, [program]).outputs]
    seen = Seen(outputs, world.stores[DATABASE].look(TABLE, "table"))
    for store in world.stores.values():
        store.remove()
        store.close()
    return seen, lives, None if ending == "ended" else text


def struck(folder, over):
    """Kill the broker at each of the moments, and start it again; return how often. Ends with the run."""
    kafka = Kafka.shared()
    for kills, step in enumerate(KILLED_AT):
        while not (folder / f"step-{step}").exists():
            if over.wait(LOOK_SECONDS):
                return kills
        kafka.kill()
        kafka.start()
    return len(KILLED_AT)


@dataclass(frozen=True, kw_only=True)
class OnBoth(Proved):
    """A challenge that is proved, and then carried out on servers."""

    def check(self, answer):
        """Prove the handler; then run it on Kafka and PostgreSQL, with a broker that is killed twice."""
        reply = super().check(answer)
        if not reply.right:
            return reply
        try:
            urls = chosen(STORES)
        except (CourseError, Missing) as why:
            return right(f"{reply.sentence} The servers are not here, so it was not carried out on them: {why}")
        over = threading.Event()
        with tempfile.TemporaryDirectory(dir=temporary("challenges")) as folder, ThreadPoolExecutor(1) as pool:
            kills = pool.submit(struck, Path(folder), over)
            try:
                seen, lives, error = called(lived, answer, urls, folder, seconds=SECONDS)
            finally:
                over.set()
        if error:
            return wrong(f"On the servers your handler fails: {error}")
        if not both_right(seen, ON_SERVERS):
            return wrong(f"On the servers {objection(seen, ON_SERVERS)}.")
        return right(
            f"{reply.sentence} On Kafka and PostgreSQL, too, both are right (kills of the broker: "
            f"{kills.result()}, incarnations: {lives})."
        )


PROVED = challenge(
    answer="mine",
    rule=both_right,
    objection=objection,
    jobs=(Job(items=3, duration=2, threshold=1),),
    praise="Output and total are right in the end, in two systems.",
)
TASK = OnBoth(**vars(PROVED))
