"""Chapter 05's scene: a producer that sends three records, and a broker with one of three rules."""

from ...handlers.logs.idempotent import burst, numbered_burst, readings
from ...node import Numbers, Program
from ...simulate.schedule import LOST_REPLY, LOST_REQUEST
from ...widgets.player.scene import Choice, Question, Scene

RECORDS = 3
RULES = {"none": "no rule", "article": "the article's", "kafka": "Kafka's"}


class Sequence(Scene):
    """A producer with one of three pairs of client and broker, under lost requests and acknowledgements."""

    what, names = "The producer", ("producer",)
    question = Question(
        "The acknowledgement of record 1 is lost while record 2 is on its way. What is in the log in the end?",
        {
            "same": "the same under each rule",
            "none": "without a rule 1 is there twice",
            "kafka": "under Kafka's 2 stands first",
        },
    )
    choices = {"rule": Choice("The broker's rule", RULES)}
    strikes = (LOST_REQUEST, LOST_REPLY)
    bounds = {"lost_requests": 1, "lost_replies": 1}
    good = "Each record is in the log once and in order."

    def programs(self, chosen):
        """Return the producer, beside a broker with the rule."""
        rule = chosen["rule"]
        client = burst(RECORDS) if rule == "none" else numbered_burst(RECORDS)
        return [Program(client, Numbers(RECORDS), readings(rule), "producer")]

    def rule(self, view, chosen):
        """The log holds the records once and in order, and in the end all."""
        log = list(view.outputs)
        if log != [*range(1, len(log) + 1)]:
            return f"the log holds {', '.join(map(str, log))}"
        return not view.done or len(log) == RECORDS or f"the producer has ended, and the log holds {log}"

    def because(self, state):
        """Return what is in the log."""
        return f"In the log: {', '.join(map(str, state.position.view.outputs)) or 'nothing'}."


SCENE = Sequence()
