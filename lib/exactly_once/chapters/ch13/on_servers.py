"""A handler on a real broker, which is killed on the way, and a real database: each incarnation in turn."""

from dataclasses import dataclass
from pathlib import Path

from ...node.program import live, program_of
from ...node.world import DATABASE, Stores
from ...pipeline import Job
from ...servers.by_url import new_name, opened
from ...servers.kafka import Kafka
from ...stores.codec import decode
from ...trace import MemoryRecorder
from ...verdict.outcome import Outcome
from ...verdict.verdict import IdealWorld

ON_SERVERS = Job(items=6, duration=2, threshold=1)
STORES = "kafka:,postgresql:"
LIVES = 12
KILLED_AT = (7, 19)  # steps of the handler, which takes some thirty
LOOK_SECONDS = 0.002  # between two looks for the next moment


class OnServers(IdealWorld):
    """The world of incarnations on stores by URL; before some of its steps a file is made, for whoever kills."""

    def __init__(self, program, urls, folder):
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
    seen = Seen(outputs, world.stores[DATABASE].look("readings", "table"))
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
