"""What makes no sense is refused in a sentence: the arguments of chapters 07 to 10."""

import pytest

from exactly_once import widgets
from exactly_once.articles import flaws
from exactly_once.claims import claims
from exactly_once.errors import BadInput
from exactly_once.handlers.stream.lock_free import database_twins
from exactly_once.handlers.transfer import Bank, Chain, two_locks
from exactly_once.lockfree import weaker
from exactly_once.lockfree.general import general
from exactly_once.lockfree.given import Given
from exactly_once.sandbox.pure import Setting
from exactly_once.sandbox.review import review


def nothing(state, inputs):
    return state, []


@pytest.mark.parametrize("orders", [None, 5, (("a", "b", 7),), ((("a", "b"),),), [[]]])
@pytest.mark.parametrize("make", [lambda orders: Bank(two_locks, orders), Chain])
def test_orders(make, orders):
    with pytest.raises(BadInput, match=r"give each mover at least one, such as \('a', 'b', 7\)"):
        make(orders)


@pytest.mark.parametrize("accounts", [3, ["a", "b"]])
@pytest.mark.parametrize(
    "make", [lambda accounts: Bank(two_locks, accounts=accounts), lambda one: Chain(accounts=one)]
)
def test_accounts(make, accounts):
    with pytest.raises(BadInput, match="give the balance of each"):
        make(accounts)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: Bank("two_locks"), "The transfer is 'two_locks'; give a function"),
        (lambda: Bank(two_locks, auditor="twice"), "The auditor is 'twice'; give a function"),
        (lambda: database_twins("x"), "the number of messages is 'x'"),
        (lambda: database_twins(1, "x"), "the number of nodes is 'x'"),
        (lambda: weaker.stale_reads("hints"), "the read is 'hints'; it can be hint, search, compare"),
        (lambda: general(nothing, outputs=5), "The outputs are 5; give the names of queues"),
        (lambda: general(nothing, inputs=5), "The queues to read are 5; give their names"),
        (lambda: Given(5), "The queues to read are 5; give their names"),
        (lambda: Given(("a",), 5), "The values are 5; give a list for each of a"),
        (lambda: Given(("a",), "x"), "The values are 'x'; give a list for each of a"),
        (lambda: Setting(inputs=("a",), values=5), "The values are 5; give a list of values for each queue"),
        (lambda: review(nothing, 5), "The setting is 5; give a Setting"),
        (lambda: claims(faults=5), "The faults are 5; give a list of tuples"),
        (lambda: claims(faults=("crashes",)), "give a list of tuples, such as"),
        (lambda: flaws("the early return"), "The subjects are 'the early return'; give a list of them"),
        (lambda: flaws(5), "The subjects are 5; give a list of them"),
        (lambda: widgets.twins(job=5), "The job is 5; give a Job"),
    ],
)
def test_arguments(call, says):
    with pytest.raises(BadInput, match=r"^[^\n]+[.]$") as why:
        call()
    assert says in str(why.value)
