"""The store's leader is killed while twins work over it: they wait for the election, and the outcome is right."""

import pytest
from tests.servers.conftest import had

from exactly_once.errors import BadInput
from exactly_once.servers import kill_the_stores_leader
from exactly_once.servers.kinds import Etcd

pytestmark = [pytest.mark.cluster, pytest.mark.slow]


def test_all_wait_for_the_stores_election_and_for_nothing_else(shared_cluster):
    etcd = had(Etcd, members=3)
    found = kill_the_stores_leader(40, etcd=etcd)
    assert found.exactly_once
    assert found.leader_before != found.leader_after
    assert all(etcd.alive(name) for name in etcd.ports), "the dead member was started again"
    assert found.at > 0.5, "the election timeout is 1 s, and a member's share of it is at random"
    assert found.at > max(found.before, found.after)
    assert found.swaps > 40
    assert f"{found.at:.2f} s at the death" in repr(found)
    with pytest.raises(BadInput, match="hours"):
        kill_the_stores_leader(1, etcd=etcd)
