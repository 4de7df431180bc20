"""The first level: the transaction protocol shows nothing that the abstract store could not, and what breaks it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactly_once import prove
from exactly_once.explore import replay
from exactly_once.handlers import story
from exactly_once.handlers.transaction_protocol import parts
from exactly_once.log import (
    HISTORY,
    MUTANTS,
    VERSIONS,
    LogError,
    a_run,
    as_the_abstract_store,
    open_log,
    transaction_protocol,
)

FEW = [{}, {"pauses": 1}]  # bounds of proofs that take a few seconds each
LONG = [  # up to two minutes each, of a quiet machine
    {"timeouts": 1}, {"deaths": 2}, {"deaths": 1, "pauses": 1}, {"lost_replies": 1, "pauses": 1},
    {"timeouts": 1, "pauses": 1}, {"deaths": 2, "pauses": 1, "transactions": 1},
]  # fmt: skip
LATE = [  # only the present protocol stands these
    {"late_records": 1, "pauses": 1}, {"late_requests": 1, "pauses": 1}, {"late_markers": 1, "pauses": 1},
    {"late_markers": 1, "deaths": 1}, {"late_markers": 1, "deaths": 1, "pauses": 1, "transactions": 1},
    {"late_records": 1, "deaths": 1, "pauses": 1, "transactions": 1},
]  # fmt: skip
WORDS = {
    "marker forgotten": "a transaction is open in output-0 that nobody will ever end",
    "offsets outside": "position 1: no transactional store could show this",
    "epoch not raised": "incarnation 1 is told that its commit is done, and another had been let in after it",
    "init does not wait": "a transaction is open in output-0 that nobody will ever end",
    "state read uncommitted": "incarnation 2 loads the state of 1.1, and that is not what was committed last",
    "last stable offset too high": "readers see 1.1 in output-0",
    "acknowledged early": "though 1.1 had been committed",
}
IN_HISTORY = {
    "hanging transaction": "a transaction is open in output-0 that nobody will ever end",
    "in the next transaction": "readers see 1.1, 1.2 in output-0",
    "ended by an old marker": "no transactional store could show this",
    "ended by an old request": "though 1.1 had been committed",
}


def proof(*arguments, invariant=as_the_abstract_store, seconds=120, **bounds):
    handler = transaction_protocol(*arguments, **bounds)
    return prove(handler, items=1, crashes=0, invariant=invariant, seconds=seconds)


def lines(found):
    """Return the events of a counterexample."""
    return [name for name, _ in story(found)[1:]]


@pytest.mark.parametrize("protocol", [1, 2])
@pytest.mark.parametrize("bounds", FEW, ids=str)
@pytest.mark.some(day=1)
def test_the_protocol_shows_what_the_store_could_show(protocol, bounds):
    found = proof(protocol, **bounds)
    assert found.ok, str(found)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("protocol", "bounds"), [*((1, one) for one in LONG), *((2, one) for one in LONG + LATE)], ids=str
)
def test_more_faults(protocol, bounds):
    found = proof(protocol, **bounds, seconds=900)
    assert found.ok, str(found)


@pytest.mark.parametrize("protocol", [1, 2])
@pytest.mark.parametrize("name", MUTANTS)
@pytest.mark.some(day=7, ci=10)
def test_each_mutant_breaks_it(protocol, name):
    bounds = MUTANTS[name].bounds
    found = proof(protocol, name, **bounds).counterexample
    assert found is not None
    assert WORDS[name] in found.sentence
    again = replay(found.token, transaction_protocol(protocol, name, **bounds))
    assert again.run.outcome == found.run.outcome


@pytest.mark.not_by_day
def test_what_a_mutant_lacks_is_needed():
    """Within the mutants' bounds, nothing breaks the protocol when no rule is struck out."""
    others = [mutant.bounds for mutant in MUTANTS.values() if mutant.bounds not in FEW]
    for bounds in {str(one): one for one in others}.values():
        assert proof(**bounds).ok, bounds


LAST_BROKEN = {  # the last versions of Kafka in which a story can happen
    "hanging transaction": "before 3.6",
    "in the next transaction": "before 3.6",
    "ended by an old marker": "4.0 and 4.1",
    "ended by an old request": "3.6 to 3.9",
}


@pytest.mark.parametrize("name", HISTORY)
@pytest.mark.some(day=1, ci=2)
def test_history_is_found_up_to_the_version_that_closed_it(name):
    _, bounds = HISTORY[name]
    found = {version: proof(**rules, **bounds) for version, rules in VERSIONS.items()}
    broken = [version for version, each in found.items() if not each.ok]
    assert broken == list(VERSIONS)[: list(VERSIONS).index(LAST_BROKEN[name]) + 1]
    for version in broken:
        assert IN_HISTORY[name] in found[version].counterexample.sentence


def test_verification_alone_lets_a_late_marker_through():
    """KIP-890, part 1: a late record is refused before it opens anything; a late marker is not asked about."""
    found = proof(1, verification=True, lives=1, late_markers=1).counterexample
    assert lines(found)[-1].endswith("the late request arrives: the coordinator writes the commit marker to output-0")
    _, bounds = HISTORY["hanging transaction"]
    assert proof(1, verification=True, **bounds).ok


@pytest.mark.parametrize("protocol", [1, 2])
def test_position_and_state_would_disagree_if_init_did_not_wait(protocol):
    """What the handlers' proof over the abstract store takes for granted: a life that was let in loads both alike."""
    found = proof(protocol, "init does not wait", transactions=1, asks=("inclusion",)).counterexample
    assert "incarnation 2 loads no state, and that is not what was committed last" in found.sentence
    assert lines(found)[-3].endswith("incarnation 1 asks to commit 1.1")  # its markers are still to be written


def test_a_zombie_may_load_what_is_old():
    """Nothing holds its load of the state back: so the abstract store must not promise it the last one."""
    wanted = (
        "incarnation 1 initialises", "incarnation 1 is stalled", "incarnation 2 loads position 0",
        "incarnation 2 loads no state",
        "incarnation 2 adds output-0", "incarnation 2 writes 2.1 to output-0", "incarnation 2 adds output-1",
        "incarnation 2 writes 2.1 to output-1",
        "incarnation 2 adds the offsets", "incarnation 2 writes position 1", "incarnation 2 asks to commit 2.1",
        "incarnation 1 loads no state",
    )  # fmt: skip
    name, state = a_run(wanted, pauses=1, transactions=1)[len(wanted)]
    assert name == "incarnation 1 loads no state"
    assert {store.committed for store, _ in state.possible} == {(("2.1", 1),)}
    assert proof(pauses=1, transactions=1).ok


# The servers

REQUESTS = st.one_of(
    st.tuples(st.just("append"), st.integers(0, 2), st.integers(0, 2), st.sampled_from("ab")),
    st.tuples(
        st.just("marker"), st.integers(0, 3), st.sampled_from(["commit", "abort"]), st.integers(0, 2),
        st.sampled_from([1, 2]),
    ),
    st.just(parts.DIES),
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(REQUESTS, max_size=8))
def test_contents_in_their_one_form_answer_as_the_log_does(requests):
    """Contents that answer alike are one state for the explorer: no answer may tell them apart."""
    content, log = (), open_log("memory:", 2, **parts.BY_HAND)
    log.create_topic("output", replicas=2)
    for request in requests:
        content, answer = parts.asked("output-0", content, request)
        assert answer == carried_out(log, *request)
        values = tuple(record.value for record in log.fetch("output", 0, 0, isolation="read_committed"))
        assert parts.shown("output-0", content) == values
        assert parts.is_stable("output-0", content) == (log.last_stable("output", 0) == log.log_end("output", 0))


def carried_out(log, what, *arguments):
    """Ask a log itself; return its answer."""
    try:
        if what == "append":
            epoch, sequence, value = arguments
            log.append("output", 0, [value], "all", parts.PRODUCER, epoch, sequence, transactional=True)
        elif what == "marker":
            epoch, result, coordinator, rules = arguments
            log.write_marker("output", 0, parts.PRODUCER, epoch, result, coordinator, rules, "all")
        else:
            leader = log.leader("output", 0)
            log.kill(leader)
            log.revive(leader)
    except LogError as why:
        return type(why).__name__
    return parts.DONE
