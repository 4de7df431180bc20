"""Chapter 13's scene: a commit without an answer, as a real broker dealt with it."""

import json
from collections.abc import Mapping

from ...servers.kafka import Kafka
from ...widgets.player.recorded import Recording, Step
from ...widgets.player.scene import Choice, Question
from .commits import CALLS, STOPS, recorded, run

COMES = {  # of the next call, and of the number of records that read_committed sees in the end: kind and sentence
    ("commit", 1): ("good", "Committed, once.", "Called again, the commit gets its answer, whatever had happened."),
    ("abort", 1): ("warn", "Committed.", "The client refuses to abort: the coordinator may have decided. It had."),
    ("abort", 0): ("bad", "Open.", "The client refuses to abort, the coordinator has heard nothing, readers wait."),
    ("new", 1): ("warn", "Committed.", "It was decided before the new producer came, who cannot see that."),
    ("new", 0): ("bad", "Aborted.", "The new producer ends what is open: the record is lost for read_committed."),
}


class Commits(Recording):
    """The broker stops at a commit, and one of three calls follows."""

    what, where = "The commit", "It is of Apache Kafka 4.3.1 and librdkafka 2.16.0: take its steps one by one."
    names = ("producer", "coordinator", "new producer", "reader")
    question = Question(
        "A commit times out. Which call ends the transaction as the producer meant, whatever became of the broker?",
        {"abort": "abort", "commit": "commit again", "new": "those of a new producer with the same id"},
    )
    choices = {"stop": Choice("The broker", STOPS), "call": Choice("Then the producer calls", CALLS)}

    def steps(self, chosen: Mapping[str, str]) -> list[Step]:
        """Return the recorded steps."""
        return recorded()[f"{chosen['stop']}-{chosen['call']}"]

    def again(self, kafka: Kafka, chosen: Mapping[str, str]) -> list[Step]:
        """Return the steps of the same run, carried out now on a broker."""
        return run(kafka, chosen["stop"], chosen["call"])

    def verdict(self, chosen: Mapping[str, str]) -> tuple[str, str, str]:
        """Return what readers see in the end, and why."""
        seen = next(hears for who, does, hears in self.steps(chosen) if does == "read_committed")
        return COMES[chosen["call"], len(json.loads(seen))]


SCENE = Commits()
