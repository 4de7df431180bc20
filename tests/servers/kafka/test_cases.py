"""The cases of the log, posed to a real broker: it answers as the case says, and so as the course's log does."""

import os
from pathlib import Path

import pytest

from exactly_once.log.cases.judging import protocols, run_case
from exactly_once.log.cases.reading import read_cases
from exactly_once.log.kafka.driver import BrokerDriver, compared, unposable
from tests.log.test_cases import OTHERS, OURS

CASES = [(case, protocol) for case in read_cases(OURS) if not unposable(case) for protocol in protocols(case)]
KNOWN = {"PS-38"}  # in the other file: after a crash 4.3.1 begins with a snapshot, see `test_faults`


@pytest.mark.parametrize(("case", "protocol"), CASES, ids=[f"{case['id']}-{protocol}" for case, protocol in CASES])
def test_the_broker_answers_as_the_case_says(case, protocol, kafka):
    found = run_case(case, lambda one: BrokerDriver(one, protocol))
    assert found.outcome == "passed", str(found)


def test_what_a_client_cannot_pose_is_said(kafka):
    reasons = {case["id"]: unposable(case) for case in read_cases(OURS)}
    assert len(CASES) >= 20
    assert any("replication" in why for why in reasons.values() if why)


def test_the_table_has_a_line_for_each_case_and_protocol(kafka):
    found = compared(OURS, ["retry-is-recognised", "replicas-and-failover"])
    assert {(one.case, one.log, one.broker) for one in found} >= {("retry-is-recognised", "passed", "passed")}
    assert not any(one.differs for one in found)


@pytest.mark.skipif(OTHERS not in os.environ, reason=f"{OTHERS} names no file of cases")
def test_the_cases_of_another_file(kafka):
    found = compared(Path(os.environ[OTHERS]))
    assert {one.case for one in found if one.differs} <= KNOWN, "\n".join(map(str, found))
    assert sum(one.broker == "passed" for one in found) > 100
