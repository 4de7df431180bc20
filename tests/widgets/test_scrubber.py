"""The kill scrubber's model: all places, their verdicts by real runs, the nearest first, each run once."""

import pytest

from exactly_once.errors import BadInput
from exactly_once.handlers import at_least_once
from exactly_once.pipeline import Job
from exactly_once.simulate.places import KINDS
from exactly_once.widgets.console.choices import OWN, Choices
from exactly_once.widgets.console.runs import Scrubber, Worlds

SHORT = Job(items=2)


class CountingWorlds(Worlds):
    """Worlds that write down the plans they run."""

    def __init__(self):
        super().__init__()
        self.ran = []

    def strikes(self, handler, plans, job, trusted, ideals=None):
        self.ran += plans
        return super().strikes(handler, plans, job, trusted, ideals)


@pytest.fixture
def scrubber():
    return Scrubber(CountingWorlds(), Job())


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_fault_is_really_run(kind):
    scrubber = Scrubber(CountingWorlds(), SHORT)
    strip = scrubber.strip(Choices(), kind)
    assert [index for chosen in scrubber.fill(strip, lambda: 0) for index in chosen] == [*range(len(strip.places))]
    assert "not run" not in strip.counts()
    assert "not reached" not in strip.counts()
    assert scrubber.worlds.ran == list(strip.plans)


def test_the_nearest_come_first_also_when_the_hand_moves(scrubber):
    strip, order = scrubber.strip(Choices(), "crash"), []
    for (index,) in scrubber.fill(strip, lambda: 20 if len(order) < 5 else 40):
        order.append(index)
    assert order[:8] == [20, 19, 21, 18, 22, 40, 39, 41]


def test_what_was_run_is_not_run_again(scrubber):
    strip = scrubber.strip(Choices(), "crash")
    verdict = scrubber.verdict(strip, 23)
    assert verdict.damage.duplicated == (3,)
    assert scrubber.verdict(strip, 23) is verdict
    assert len([*scrubber.fill(strip, lambda: 23)]) == 59
    assert len(scrubber.worlds.ran) == 60
    assert scrubber.strip(Choices(point="D", item=2), "crash") is strip, "the letter does not change the places"
    assert scrubber.strip(Choices(attempts=2), "crash") is not strip


@pytest.mark.parametrize("index", [-1, 60, "3", None, True])
def test_no_place(scrubber, index):
    with pytest.raises(BadInput, match="from 0 to 59"):
        scrubber.verdict(scrubber.strip(Choices(), "crash"), index)


def test_a_learners_handler_runs_in_the_child_process_several_at_a_time():
    scrubber = Scrubber(CountingWorlds(), SHORT, own=at_least_once)
    strip = scrubber.strip(Choices(OWN), "lost reply")
    told = [*scrubber.fill(strip, lambda: 0)]
    assert strip.counts() == {"harmless": 6, "doubles": 2, "corrupts": 2}
    assert [len(chosen) for chosen in told] == [1, 8, 1]
