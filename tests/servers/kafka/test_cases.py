"""The cases of the log, posed to a real broker: it answers as the case says, and so as the course's log does."""

import os

import pytest

from tests.log.cases import OTHERS, OURS, protocols, read_cases, run_case
from tests.servers.kafka.driver import BrokerDriver, unposable

FILES = [OURS, *([os.environ[OTHERS]] if OTHERS in os.environ else [])]
CASES = [
    (case, protocol)
    for path in FILES
    for case in read_cases(path)
    if not unposable(case)
    for protocol in protocols(case)
]
DIFFERENT = {
    "PS-38": "step 8, append: expected {'offset': 1, 'duplicate': True}, seen OUT_OF_ORDER_SEQUENCE_NUMBER",
    "five-retries-after-a-crash": "step 4, append: expected {'offset': 0, 'duplicate': True}, seen OUT_OF_ORDER",
}


@pytest.mark.some(day=4, ci=10)
@pytest.mark.parametrize(("case", "protocol"), CASES, ids=[f"{case['id']}-{protocol}" for case, protocol in CASES])
def test_the_broker_answers_as_the_case_says(case, protocol, kafka):
    """`DIFFERENT` are those where Kafka 4.3.1 does not: see `test_faults` for its snapshot after a crash."""
    found = run_case(case, BrokerDriver(case, protocol))
    if case["id"] in DIFFERENT:
        assert found.reason.startswith(DIFFERENT[case["id"]])
    else:
        assert found.outcome == "passed", str(found)


def test_what_a_client_cannot_pose_is_said():
    reasons = {case["id"]: unposable(case) for case in read_cases(OURS)}
    assert len(CASES) >= 20
    assert any("replication" in why for why in reasons.values() if why)
