"""A learner's own rule on acknowledged records and the leader's log, as an invariant of the replicated log."""

from exactly_once.explore import prove
from exactly_once.handlers.logs.replicated_log import as_invariant, replicated_log, what_happened, what_is_left


def tried(rule, **settings):
    cluster = replicated_log(**{"records": 1, "deaths": 1, "lags": 0} | settings)
    return prove(cluster, items=1, crashes=0, invariant=as_invariant(rule))


def there(acknowledged, leader):
    return leader is None or all(value in leader for _, value in acknowledged)


def test_a_rule_that_holds_is_asked_in_every_state_with_and_without_a_leader():
    asked = set()

    def rule(acknowledged, leader):
        asked.add((tuple(acknowledged), None if leader is None else tuple(leader)))
        return there(acknowledged, leader)

    assert tried(rule).ok
    assert {((), ()), ((), ("a",)), (((0, "a"),), ("a",)), (((0, "a"),), None)} <= asked


def test_a_rule_that_breaks_is_told_with_the_shortest_schedule_and_the_log_that_is_left():
    found = tried(there, acks=1).counterexample
    assert "'a' at offset 0 was acknowledged, and broker 1, which leads, has []" in found.sentence
    assert [line.partition(" ")[2] for line in what_happened(found)] == [
        "the producer sends a",
        "broker 0 dies",
        "a leader is elected",
    ]
    (promise,) = what_is_left(found).snapshot()["partitions"][0]["promises"]
    assert promise["lost"]
    assert promise["promise"] == "leader"


def test_a_rule_that_calls_waiting_a_loss_is_told_that_nobody_leads():
    found = tried(lambda acknowledged, leader: leader is not None).counterexample
    assert "nobody leads" in found.sentence
