"""A participant in doubt in PostgreSQL: what is there after its death and the server's, and its two ends."""

import pytest

from exactly_once.errors import BadInput
from exactly_once.servers import in_doubt


@pytest.mark.parametrize(("decision", "balance"), [("commit", 70), ("rollback", 100)])
def test_a_prepared_transaction_outlives_its_process_and_the_server_until_somebody_ends_it(
    decision, balance, postgresql
):
    found = in_doubt(postgresql)
    assert found.prepared["gid"] == found.row["held by"] == found.gid
    assert found.row["balance"] == 100
    assert "lock timeout" in found.writer
    assert found.gid in repr(found)
    with pytest.raises(BadInput):
        found.resolve("perhaps")
    assert found.resolve(decision) == balance
