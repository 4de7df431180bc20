"""The producer lab without its screen: the settings, the faults, and the three resulting lanes."""

from dataclasses import dataclass, replace

from ...errors import BadInput, one_of
from ...handlers.logs.idempotent import CLIENTS
from ..base.model import BaseState, Model, typed_number
from .lane import DECISIONS, LANES, OUTAGES, TRANSIT, Outage, Settings, Strike, run_lane

MOST_FAULTS, MOST_OUTAGES = 12, 4
LETTERS = "abcdefgh"
NUMBERS = {"batches": ("The number of batches", 8), "in_flight": ("The number in flight", 6)}  # from 1 to this


@dataclass(frozen=True)
class State(BaseState):
    """The settings, and the lanes on the screen, by their names."""

    settings: Settings
    lanes: dict


class ProducerModel(Model):
    """Three producers under the same faults: without numbers, by the article's rule, and by Kafka's."""

    what = "The lab"

    def __init__(self, settings):
        self.first = settings
        super().__init__(State(settings, {}))
        self.show()

    def actions(self):
        """Return the actions that `do` knows."""
        return {
            "batches": lambda value: self.number("batches", value),
            "in_flight": lambda value: self.number("in_flight", value),
            "first_alone": lambda _: self.show(first_alone=not self.state.settings.first_alone),
            "client": lambda value: self.show(client=one_of("The client", value, CLIENTS)),
            "strike": self.strike,
            "restart": lambda tick: self.outage("restart", tick),
            "fail_over": lambda tick: self.outage("fail over", tick),
            "clear": lambda _: self.show(strikes=(), outages=()),
            "reset": lambda _: self.reset(),
        }

    def number(self, name, value):
        """Change the number of batches, or the largest number in flight."""
        self.show(**{name: typed_number(name, NUMBERS[name][0], value, 1, NUMBERS[name][1])})

    def strike(self, value):
        """Strike a message in all lanes: "2|1|request" and "2|1|reply" are lost, "2|1|late" is late, "2|1|late|7"
        arrives 7 ticks after its sending. The same strike again removes the fault.
        """
        settings, parts = self.state.settings, str(value).split("|")
        if len(parts) not in (3, 4):
            raise BadInput(f"{str(value)[:40]!r} names no message of the lab.")
        batch, attempt = map(int, parts[:2])
        one_of("What is struck", parts[2], tuple(DECISIONS)[1:])
        if not (1 <= batch <= settings.batches and 1 <= attempt <= MOST_FAULTS):
            raise BadInput(f"There is no sending {attempt} of batch {batch}.")
        new = Strike(batch, attempt, parts[2], *(max(int(delay), TRANSIT + 1) for delay in parts[3:]))
        had = settings.strike(batch, attempt)
        others = tuple(one for one in settings.strikes if one is not had)
        if had != new and len(others) == MOST_FAULTS:
            raise BadInput(f"There are {MOST_FAULTS} faults already; take one away first.")
        self.show(strikes=others if had == new else (*others, new))

    def outage(self, kind, tick):
        """Have the broker restarted, or another take over, after a tick. The same again removes it."""
        outages = self.state.settings.outages
        new = Outage(typed_number(kind, "The tick", tick, 0, 9_999), kind)
        others = tuple(one for one in outages if one.tick != new.tick)
        if len(others) == MOST_OUTAGES:
            raise BadInput(f"The broker went down {MOST_OUTAGES} times already; take one away first.")
        self.show(outages=others if new in outages else tuple(sorted((*others, new), key=lambda one: one.tick)))

    def reset(self):
        """Return to the first settings."""
        self.put_right(*self.state.refused)
        self.show(**vars(self.first))

    def show(self, **changes):
        """Change the settings, and run their three lanes. Faults of batches that are no more are dropped."""
        changed = replace(self.state.settings, **changes)
        strikes = tuple(one for one in changed.strikes if one.batch <= changed.batches)
        settings = replace(changed, strikes=strikes)
        self.update(settings=settings, lanes={rule: run_lane(rule, settings) for rule in LANES})

    @property
    def ticks(self):
        """The ticks of events in any lane, in order."""
        return sorted(set().union(*(lane.ticks() for lane in self.state.lanes.values())))

    @property
    def stale(self):
        """Describe the run on the screen while a field holds a wrong input; otherwise ""."""
        of = self.state.settings
        run = f"This is the run of {of.batches} batches, up to {of.in_flight} in flight."
        return f"{run} Put the marked field right, in Settings, to see another." if self.state.refused else ""

    def lane(self, rule):
        """Return the `Lane` of a name. Raises `BadInput` for another one."""
        return self.state.lanes[one_of("A lane of the lab", rule, LANES)]


def settings_of(batches, in_flight, first_alone, client, lost_requests, lost_replies, late_requests, outages):
    """Return the `Settings` of the arguments of `producer_lab`. Raises `BadInput` where they make no sense."""
    for name, value in (("batches", batches), ("in_flight", in_flight)):
        typed_number(name, NUMBERS[name][0], value, 1, NUMBERS[name][1])
    strikes = []
    for kind, letters in (("request", lost_requests), ("reply", lost_replies), ("late", late_requests)):
        for letter in letters:
            if letter not in tuple(LETTERS[:batches]):
                raise BadInput(f"There is no batch {letter!r}; the batches are {', '.join(LETTERS[:batches])}.")
            attempt = 1 + sum(LETTERS[one.batch - 1] == letter and one.kind == kind for one in strikes)
            strikes.append(Strike(LETTERS.index(letter) + 1, attempt, kind))
    if len({(one.batch, one.attempt) for one in strikes}) < len(strikes):
        raise BadInput("The same sending of a batch has two faults; give each its one.")
    client, found = one_of("The client", client, CLIENTS), []
    for kind, tick in outages:
        found.append(Outage(typed_number("outages", "The tick", tick, 0, 9_999), one_of("An outage", kind, OUTAGES)))
    return Settings(batches, in_flight, bool(first_alone), client, tuple(strikes), tuple(found))
