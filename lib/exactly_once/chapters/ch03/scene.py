"""Chapter 03's scene: two records on their way from a producer through a log to a consumer's effects."""

from ...handlers.logs.both_sides import both_sides, key_of
from ...simulate.schedule import LOST_REPLY, LOST_REQUEST
from ...widgets.player.scene import Choice, Question, Scene

RECORDS = 2


def effects(view):
    """Return how often each record took effect: each is counted under a key of its own."""
    return [view.look("database", f"counter.{key_of(number)}", "table") for number in range(1, RECORDS + 1)]


class Delivery(Scene):
    """A producer and a consumer with two settings each; requests and answers can be lost, and both can die."""

    what, names = "The delivery", ("producer", "consumer")
    question = Question(
        "The producer sends again, and the consumer saves its position first. What can a single fault do?",
        {"double": "double a record", "lose": "lose a record", "either": "either, it depends on the fault"},
    )
    choices = {
        "retry": Choice("After an error the producer", {"retry": "sends again", "give up": "gives up"}),
        "position": Choice("The consumer saves its position", {"last": "last", "first": "first"}),
    }
    strikes = (LOST_REQUEST, LOST_REPLY)
    bounds = {"crashes": 1, "lost_requests": 1, "lost_replies": 1}
    good = "Each record took effect once."

    def programs(self, chosen):
        """Return producer and consumer."""
        return both_sides(chosen["retry"], chosen["position"], records=RECORDS, batch=1)

    def rule(self, view, chosen):
        """No record takes effect twice, and in the end each has taken effect."""
        for number, times in enumerate(effects(view), 1):
            if times > 1:
                return f"record {number} took effect {times} times"
            if view.done and not times:
                return f"record {number} is lost: it took no effect"
        return True

    def because(self, state):
        """Return the values of the log and the records that took effect, as a sentence."""
        view = state.position.view
        log = ", ".join(str(value) for _, _, value, _ in view.look("log", "readings", "partition")) or "nothing"
        return f"In the log: {log}. Effects: {' and '.join(map(str, effects(view)))}."


SCENE = Delivery()
