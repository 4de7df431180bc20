"""Producer and consumer as tasks over a log on disk: what was lost and doubled for real is what was predicted."""

import itertools

import pytest

from exactly_once.errors import BadInput, CourseError, HandlerStuck
from exactly_once.faults import Fault, FaultPlan
from exactly_once.handlers.producer import PRODUCERS
from exactly_once.log.opening import open_log
from exactly_once.paths import temporary
from exactly_once.simulate.client import Client
from exactly_once.simulate.prediction import misfortunes
from exactly_once.spark.delivery import deliver_on_cluster, delivery_table
from exactly_once.spark.deliveryground import TOPIC, Sending

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(180)]


def same(run):
    """Tell whether log and effects are, record for record, what was predicted."""
    return run.found == run.predicted


def test_nothing_goes_wrong(spark):
    run = deliver_on_cluster(records=100, spark=spark)
    assert run.found.log == run.found.applied == tuple(range(1, 101))
    assert (run.held, run.deaths) == (run.right, 0)


@pytest.mark.parametrize(("retry", "position"), [("retry", "last"), ("give up", "first")])
def test_losses_and_deaths_come_to_what_was_predicted(spark, retry, position):
    plans = misfortunes(200, seed=5, requests=4, replies=3, deaths=2)
    run = deliver_on_cluster(retry, position, "add", *plans, records=200, spark=spark)
    assert same(run)
    assert run.deaths == 4
    assert (run.found.lost == 0) == (retry == "retry")
    assert (run.found.doubled == 0) == (retry == "give up")


def test_a_replay_brings_old_values_back_and_ends_right(spark):
    dies = FaultPlan([Fault("register.cas", 38, "crash after")])
    run = deliver_on_cluster("retry", "last", "overwrite", None, dies, records=60, spark=spark)
    assert same(run)
    assert (run.back, run.deaths) == (3, 1)  # 31 to 38 again: three of the five keys had gone on meanwhile
    assert run.held == run.right


def test_a_producer_that_dies_takes_its_broker_along_with_a_transaction_open(tmp_path, monkeypatch):
    with open_log(f"sqlite:{tmp_path}", brokers=1) as log:
        log.create_topic(TOPIC)
    ground = Sending(tmp_path, FaultPlan([Fault("output.push", 2, "crash before")]), records=3, keys=1)
    connection, open_then = ground.log.disks[0].connection, []

    def die():
        open_then.append(connection.in_transaction)
        connection.set_trace_callback(None)
        connection.rollback()  # what the death of the process comes to
        raise KeyboardInterrupt

    monkeypatch.setattr("exactly_once.spark.deliveryground.kill_worker", die)
    with pytest.raises((KeyboardInterrupt, CourseError)):
        PRODUCERS["retry"](Client(ground))
    with open_log(f"sqlite:{tmp_path}") as log:
        assert [record.value for record in log.fetch(TOPIC, 0, 0)] == [1]
    assert open_then[0]


def test_a_run_that_is_stuck_says_what_is_stuck_and_leaves_nothing_behind(spark):
    with pytest.raises(HandlerStuck, match=r"producer .* consumer .* 0\.001 seconds") as caught:
        deliver_on_cluster(records=999_999, spark=spark, patience=0.001)
    assert "search" not in str(caught.value)
    assert list(temporary("runs").iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize(("retry", "position"), list(itertools.product(("retry", "give up"), ("last", "first"))))
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_thousands_of_records_under_many_seeds(spark, retry, position, seed):
    plans = misfortunes(2_000, seed=seed, requests=30, replies=30, deaths=4)
    run = deliver_on_cluster(retry, position, "add", *plans, spark=spark)
    assert same(run)
    assert run.deaths == 8


@pytest.mark.slow  # the chapter runs it, too
def test_the_table_has_a_row_for_each_setting(spark):
    seen = []
    table = delivery_table(100, seed=2, spark=spark, progress=seen.append, requests=2, replies=2, deaths=1)
    assert seen == [1, 2, 3, 4]
    assert list(zip(table["producer"], table["position"], strict=True)) == list(
        itertools.product(("retry", "give up"), ("last", "first"))
    )
    for kind in ("lost", "doubled"):
        assert list(table[kind]) == list(table[f"{kind}, predicted"])


@pytest.mark.parametrize(
    "settings", [{"retry": "never"}, {"position": 1}, {"update": "x"}, {"records": 0}, {"spark": "no session"}]
)
def test_settings_that_make_no_sense_are_refused(settings):
    with pytest.raises(BadInput):
        deliver_on_cluster(**settings)
