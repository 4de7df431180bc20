"""What is right is computed twice, for runs one after the other and for the explorer's worlds: both must agree."""

import contextlib
import functools
from dataclasses import replace

import pytest

from exactly_once import Job, LogSource, Numbers, Partition, Program, ideal_outcomes, judge, prove, show, simulate
from exactly_once.errors import BadInput
from exactly_once.explore import Bounds, Case, Limits, Prover
from exactly_once.handlers import ORDERS, at_least_once, at_most_once, consumer, handler_in_order
from exactly_once.lockfree import hourly_means
from exactly_once.verdict import IdealFailed
from tests.node.fault_table import producer

TWO = Job(items=2)
LOG = Partition("readings")
SINGLE = [
    *(Program(handler, TWO) for handler in (at_least_once, at_most_once, hourly_means)),
    *(Program(handler_in_order(order), TWO) for order in ORDERS[::5]),
    Program(at_least_once, Job(items=2, arrival="as it comes")),
    Program(producer, Numbers(2), LOG, "producer"),
]


def explored(*programs):
    """Return the right outcomes as the explorer finds them, for one program or several."""
    case = Case.within(list(programs), TWO, Bounds(len(programs), 2, 0))
    with contextlib.closing(Prover(case, Limits(100_000, 1_000), symmetric=False, merge=True)) as prover:
        return prover.specification.outcomes


@pytest.mark.parametrize("program", SINGLE, ids=lambda program: f"{program.handler.__name__}, {program.source}")
def test_runs_and_the_explorer_agree_on_what_is_right(program):
    assert {ideal.outcome for ideal in ideal_outcomes(program)} == explored(program)


@pytest.mark.parametrize("position", ["first", "last"])
@pytest.mark.parametrize("update", ["add", "overwrite"])
def test_of_two_nodes_each_order_of_steps_without_faults_is_right(position, update):
    programs = [
        Program(producer, Numbers(3), LOG, "producer"),
        Program(consumer(position, update), LogSource(LOG), "effects", "consumer"),
    ]
    right = explored(*programs)
    assert {simulate(programs, seed=seed).outcome for seed in range(12)} <= right
    assert len(right) == 1, "a log has one order, and so has what is read from it"


JOBS = Numbers(2, ("x",), stream="jobs")


def put(node, name, value):
    """Write a register, whoever wrote it last."""
    while not node.registers.cas(name, node.registers.read(name)[0], value):
        pass


def seen(node, name):
    return node.registers.read(name)[1]


def do_one(node):
    """Push a record that nobody has pushed, and return whether there was one: right for one node at a time."""
    at = node.positions.load()
    if not node.running(at):
        return False
    (record,), after = node.read(at)
    node.output.push(record.value)
    node.positions.save(after)
    return True


def peterson(node, locks):
    me, other, more = node.number, 3 - node.number, True
    while more:
        put(node, f"wants.{me}", True)
        put(node, "turn", other)
        while locks and node.nodes > 1 and seen(node, f"wants.{other}") and seen(node, "turn") == other:
            pass
        more = do_one(node)
        put(node, f"wants.{me}", False)


def bakery(node, locks):
    me, every = node.number - 1, range(node.nodes)
    put(node, f"choosing.{me}", True)
    mine = [1 + max([seen(node, f"ticket.{other}") or 0 for other in every]), me]
    put(node, f"ticket.{me}", mine[0])
    put(node, f"choosing.{me}", False)
    for other in every:
        while locks and seen(node, f"choosing.{other}"):
            pass
        while locks and (theirs := seen(node, f"ticket.{other}")) and [theirs, other] < mine:
            pass
    while do_one(node):
        pass
    put(node, f"ticket.{me}", 0)


def barrier(node, locks):
    put(node, f"arrived.{node.number}", True)
    waits = locks
    while waits:
        waits = False
        for one in range(1, node.nodes + 1):
            waits = waits or seen(node, f"arrived.{one}") is None
    while (node.number == 1 or not locks) and do_one(node):
        pass


def presence(node, locks):
    node.registers.cas(f"here.{node.number}", 0, True)
    for record in node.read(node.start)[0]:
        if not locks:
            node.output.push(record.value)
        node.registers.cas("output.0", 0, record.value)


def lease(node, locks):
    more = True
    while more:
        while locks and not node.registers.cas_value("lease", None, ["held", node.number]):
            if node.registers.cas_value("lease", "free", ["held", node.number]):
                break
        more = do_one(node)
        put(node, "last", {"owner": node.number})
        put(node, "lease", "free")


@pytest.mark.parametrize("lock", [peterson, bakery, barrier, presence, lease], ids=lambda lock: lock.__name__)
def test_what_nodes_note_of_themselves_is_no_effect_and_what_they_double_is(lock):
    right, twin = (
        prove([Program(functools.partial(lock, locks=locks), JOBS)] * 2, crashes=0) for locks in (True, False)
    )
    assert right.ok, str(right)
    assert "which names a node" in right.sentences[-1], "it is said what was not compared"
    assert "in the output more than once." in twin.counterexample.sentence, "and nothing else is wrong there"
    assert "own=" not in twin.counterexample.sentence


def one_more(node, name):
    node.registers.cas(f"here.{node.number}", 0, True)
    node.read(node.start)
    while not node.registers.cas(name, (found := node.registers.read(name))[0], (found[1] or 0) + 1):
        pass


def next_free(node, bill):
    place = 0
    node.read(node.start)
    while not node.registers.cas(f"bills.{place}", 0, bill):
        place += 1


@pytest.mark.parametrize(
    ("handler", "wrong"),
    [
        (lambda node: one_more(node, "sold"), "sold holds 2 and should hold 1"),
        (lambda node: one_more(node, "paid.1"), "paid.1 holds 2 and should hold 1"),
        (lambda node: next_free(node, ["bill", node.number]), "bills.1 holds [bill, 2] and should not be there"),
        (
            lambda node: node.number == 1 or node.registers.cas("copy", 0, node.number),
            "copy holds 2 and should not be there",
        ),
    ],
)
def test_a_register_that_reaches_the_number_of_a_node_names_none(handler, wrong):
    proof = prove(handler, nodes=2, items=1, crashes=0)
    assert proof.counterexample.sentence.startswith(f"Not exactly once: {wrong}. If that cell is the handler's own")


def shares(node):
    """Note the item in a register of the node that takes it; after a crash whoever gets the lock takes it again."""
    with node.lock("turn"):
        if node.running(node.positions.load()):
            (record,), after = node.read(node.start)
            node.registers.cas(f"took.{node.number}", 0, record.value)
            node.positions.save(after)


def test_registers_that_name_nodes_are_judged_together():
    one, two = (prove([Program(shares, Numbers(1, ("x",), stream="jobs"))] * 2, crashes=some) for some in (0, 1))
    assert one.ok, str(one)
    assert two.counterexample.sentence.startswith("Not exactly once: took.2 holds 1 and should not be there.")


def elected(node, fenced):
    api, cloud = node.store("api"), node.store("cloud")
    version, term = api.read("lease")
    api.cas("lease", version, (term or 0) + 1)
    at = node.positions.load()
    while node.running(at):
        (job,), at = node.read(at)
        step = ("append", "machines", job.value)
        cloud.transact(*[("cas", f"made {job.value}", 0, True)] * fenced, step)
        node.positions.save(at)


def test_a_cell_that_may_be_the_handlers_own_is_named_and_a_fault_in_an_effect_found_when_it_is():
    faulty, right = (Program(functools.partial(elected, fenced=fenced), JOBS) for fenced in (False, True))
    assert "If that cell is the handler's own, and no effect, say own=(('api', 'lease'),)." in str(prove(right))
    own = (("api", "lease"),)
    assert prove(replace(right, own=own)).ok
    assert prove(replace(faulty, own=own)).counterexample.sentence.startswith("Not exactly once: cloud machines")
    with pytest.raises(BadInput, match="pairs"):
        replace(right, own=own[0])


def test_nothing_is_proved_where_nobody_has_said_which_end_is_right():
    first, second = (Program(lambda node, one=one: node.store("db").append("who", one), JOBS) for one in "ab")
    proof = prove([first, second], crashes=0)
    assert (proof.ok, proof.lock_free, proof.json()["ends"]) == (False, True, 2)
    assert str(proof).startswith("Not judged: 2 ways to end without a fault. ")
    assert "A run without a fault leaves: db who [a, b] (one of 2 ways)." in proof.sentences
    assert "<strong>– Not judged: 2 ways to end without a fault.</strong>" in show.proof(proof).html
    assert prove([first, second], crashes=0, reference=[first, second]).ok
    assert prove([first, first], crashes=0, invariant=lambda view: True).ok


def test_a_proof_says_what_it_took_for_right():
    def by_value(node):
        at = node.positions.load()
        while node.running(at):
            (order,), at = node.read(at)
            if order.key not in node.store("shop").scan("amounts"):
                node.store("shop").append("amounts", order.key)
            node.positions.save(at)

    proof = prove(Program(by_value, Numbers(2, ("30 EUR",), stream="orders")))
    assert "A run without a fault leaves: shop amounts [30 EUR]." in proof.sentences


def waits_for_another(node):
    while node.number == 1 and not node.store("db").read("ready")[0]:
        pass
    node.store("db").write("ready", True)


@pytest.mark.parametrize("handler", [lambda node: node.send(2, "done"), waits_for_another])
def test_where_one_node_says_what_is_right_it_is_said_that_it_ran_alone(handler):
    for failing in (
        lambda: prove(handler, nodes=2, items=1, crashes=0),
        lambda: judge(simulate([Program(handler, TWO)] * 2), handler),
    ):
        with pytest.raises(IdealFailed, match="Here it ran alone: right is what one node leaves"):
            failing()
    with pytest.raises(IdealFailed) as alone:
        prove(handler, items=1, crashes=0)
    assert "ran alone" not in str(alone.value)
