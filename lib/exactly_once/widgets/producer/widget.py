"""The producer lab on the screen: binds its model to one widget, whose JavaScript plays the steps of a run."""

from ..base.widget import HtmlWidget
from .lane import programs
from .model import ProducerModel, settings_of
from .view import fragments


class ProducerLab(HtmlWidget, page="producer/producer", view=fragments):
    """The producer lab. `model` is its `ProducerModel`; the page has all steps of a run and needs no kernel to
    play.
    """

    def token(self, rule):
        """Return the token of a lane's run, "naive", "article" or "kafka"; `replay` performs it."""
        return self.model.lane(rule).token

    def programs(self, rule):
        """Return the programs of a lane, for `replay` and `debugger`."""
        return programs(rule, self.model.lane(rule).settings)

    def __repr__(self):
        logs = {rule: list(lane.moments[-1].log) for rule, lane in self.model.state.lanes.items()}
        return f"Producer lab: {', '.join(f'{rule} {log}' for rule, log in logs.items())}."


def producer_lab(
    batches=4,
    in_flight=5,
    first_alone=True,
    client="librdkafka",
    lost_requests="",
    lost_replies="b",
    late_requests="c",
    outages=(),
):
    """Return the producer lab: three producers and their brokers under the same faults, without numbers, by the
    article's rule and by Kafka's.

    `batches` is from 1 to 8, `in_flight` from 1 to 6. With `first_alone` the producer sends no other batch until the
    first batch is acknowledged. `client` names the client whose rules apply to a batch that is sent alone and
    refused: "librdkafka" stops, "java" begins a new epoch or sends the batch again until it expires (see
    `numbered_burst`). The faults are letters of batches: "b" is its first sending, "bb" its first and second.
    `outages` are (kind, tick), "restart" or "fail over". Raises `BadInput` for arguments that make no sense.
    """
    faults = lost_requests, lost_replies, late_requests, outages
    settings = settings_of(batches, in_flight, first_alone, client, *faults)
    return ProducerLab(ProducerModel(settings))
