"""Both sides of a log, step by step: what each moment holds, and what the counting predicts."""

import itertools

import pytest

from exactly_once.errors import BadInput
from exactly_once.faults import Fault, FaultPlan
from exactly_once.handlers.consumer import UPDATES
from exactly_once.handlers.producer import PRODUCERS
from exactly_once.simulate.delivery import deliver
from exactly_once.simulate.delivery import key_of
from exactly_once.simulate.deliverywords import verdict
from exactly_once.simulate.prediction import misfortunes, predict

SETTINGS = list(itertools.product(PRODUCERS, ("last", "first")))
KINDS = ("lost request", "lost reply", "crash before", "crash after")
STEPS = {"add": "database.increment", "overwrite": "register.cas"}


def at_push(kind, number=3):
    return FaultPlan([Fault("output.push", number, kind)] if kind else [])


def at_effect(kind, number=3, update="add"):
    return FaultPlan([Fault(STEPS[update], number, kind)] if kind else [])


@pytest.mark.parametrize(("retry", "position"), SETTINGS)
@pytest.mark.parametrize("update", UPDATES)
def test_a_calm_run_is_right(retry, position, update):
    run = deliver(retry, position, update)
    assert run.end.log == run.end.applied == (1, 2, 3, 4, 5, 6)
    assert run.harmless
    assert not run.struck
    assert not any(moment.lost or moment.doubled or moment.hurt for moment in run.moments)
    assert "nothing was put to the test" in verdict(run)[1]


@pytest.mark.parametrize(("retry", "position"), SETTINGS)
@pytest.mark.parametrize("batch", [1, 2, 3, 4])
def test_every_pair_of_misfortunes_comes_to_what_was_predicted(retry, position, batch):
    for sent, received in itertools.product((None, *KINDS), (None, "crash before", "crash after")):
        for number in (2, 3):
            plans = at_push(sent), at_effect(received, number)
            run = deliver(retry, position, "add", *plans, records=7, batch=batch)
            foretold = predict(*plans, retry, position, 7, batch)
            assert (run.end.log, run.end.applied) == (foretold.log, foretold.applied), (sent, received, number)
            assert len(run.end.lost) == foretold.lost
            assert sum(foretold.times.values()) - 7 == foretold.doubled - foretold.lost


@pytest.mark.parametrize(("retry", "position"), SETTINGS)
def test_what_is_lost_stays_lost_and_what_is_doubled_stays_doubled(retry, position):
    for sent, received in itertools.product(KINDS, ("crash before", "crash after")):
        run = deliver(retry, position, "add", at_push(sent), at_effect(received, 4))
        for before, after in itertools.pairwise(run.moments):
            assert set(before.doubled) <= set(after.doubled)
            # a second copy in the log can still bring back what the position went past
            assert set(before.lost) <= set(after.lost) | set(after.applied) | {3}


def test_an_answer_to_the_save_of_a_position_can_be_lost():
    def saving(kind):
        return FaultPlan([Fault("positions.save", 2, kind)])

    assert deliver("retry", "last", receiving=saving("lost request")).end.doubled == (1, 2, 3)
    assert deliver("retry", "last", receiving=saving("lost reply")).end.doubled == ()
    assert deliver("retry", "first", receiving=saving("lost reply")).end.lost == (1, 2, 3)
    assert deliver("retry", "first", receiving=saving("lost request")).end.lost == ()


def test_a_broker_that_dies_looks_like_a_lost_message_and_keeps_its_log():
    for kind in ("lost request", "lost reply"):
        plain, broker = deliver(sending=at_push(kind)), deliver(sending=at_push(kind), broker=True)
        assert plain.end.log == broker.end.log
        assert (plain.end.lives[2], broker.end.lives[2]) == (1, 2)
        assert "The broker dies" in broker.struck[0]


def test_a_replay_brings_an_old_value_back_for_a_moment():
    run = deliver(update="overwrite", receiving=at_effect("crash after", 3, "overwrite"))
    north, south = key_of(1), key_of(2)
    assert run.backward == ((north, 3, 1),)
    assert any(dict(moment.held) == {north: 1, south: 2} for moment in run.moments[-15:])
    assert run.harmless
    good, headline, said = verdict(run)
    assert good
    assert headline == "Doubled, and right in the end."
    assert f"{north} went back from record 3 to record 1" in " ".join(said)


@pytest.mark.parametrize(
    ("retry", "position", "sent", "received", "good", "words"),
    [
        ("retry", "last", "lost reply", None, False, "Doubled. Took effect more than once: record 3 twice."),
        ("retry", "last", "lost request", None, True, "Every record took effect once."),
        ("give up", "first", "lost request", None, False, "Record 3 never took effect, for nobody wrote it"),
        ("give up", "first", None, "crash before", False, "though it is in the log: the position had moved on"),
        ("give up", "first", "crash before", None, False, "At-most-once was promised, and is kept"),
        ("give up", "last", "lost reply", None, True, "this run was lucky"),
    ],
)
def test_the_verdict_says_what_happened(retry, position, sent, received, good, words):
    found, headline, said = verdict(deliver(retry, position, "add", at_push(sent), at_effect(received)))
    assert found == good
    assert words in " ".join([headline, *said])


def test_misfortunes_come_from_the_seed_and_fit():
    plans = misfortunes(500, seed=3, requests=7, replies=5, deaths=4)
    assert plans == misfortunes(500, seed=3, requests=7, replies=5, deaths=4)
    assert plans != misfortunes(500, seed=4, requests=7, replies=5, deaths=4)
    struck = [fault.item for fault in plans[0].faults]
    assert len(set(struck)) == 16
    assert [fault.kind for fault in plans[1].faults] == ["crash after", "crash before"] * 2


@pytest.mark.parametrize("counts", [{"records": 9}, {"requests": -1}, {"deaths": 1.5}, {"records": 20, "replies": 21}])
def test_misfortunes_that_make_no_sense_are_refused(counts):
    with pytest.raises(BadInput):
        misfortunes(**counts)


@pytest.mark.parametrize("settings", [{"retry": "never"}, {"position": "middle"}, {"update": "delete"}, {"records": 0}])
def test_settings_that_make_no_sense_are_refused(settings):
    with pytest.raises(BadInput):
        deliver(**settings)
