"""Four processes in conversation: real messages, wrong clocks, and what sorting by each kind of time makes of
them.
"""

import pytest

from exactly_once.clocks import effects_before_causes, exchange_messages

pytestmark = [pytest.mark.slow, pytest.mark.cluster]  # chapter 01 has the same conversation on its cluster


def test_stamps_put_causes_first_and_wrong_clocks_do_not(four):
    talk = exchange_messages(rounds=15, seed=5)
    assert tuple(talk.table["stamp"]) == talk.history.lamport, "those that the messages imply"
    assert set(talk.table["process"]) == {"p1", "p2", "p3", "p4"}
    messages = len(talk.history.arrows)
    assert messages == (talk.table["kind"] == "send").sum() > 20
    assert len(effects_before_causes(talk.table.sort_values(["stamp", "process"]))) == 0
    assert messages / 4 < len(effects_before_causes(talk.table.sort_values("clock"))) < messages
    assert len(effects_before_causes(talk.table[::-1])) == messages
