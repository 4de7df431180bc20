"""The sentences of verdicts: they name life, place and hour, tell causes apart, and claim no write that was none."""

import itertools
import random
import re

import pytest

from exactly_once import Job, Window, ideal_outcomes, judge, simulate
from exactly_once.faults import POINTS, Fault, FaultPlan
from exactly_once.handlers import ORDERS, at_least_once, handler_in_order, lock_free, offset_in_sink, two_phase
from tests.node.conformance_handlers import writer
from tests.verdict.test_verdict import random_plan

PHRASES = {  # of a verdict, and the part that each speaks of
    "pushed the average": "output", "incremented the counter": "counter", "saved the state": "state",
    "saved the positions": "positions", "written the decision": "decided", "raised the epoch": "epoch",
    "moved the index on": "index", "saved the batch id": "batch",
}  # fmt: skip
DEATH = re.compile(
    r"Incarnation (\d+) (?:was killed|gave up)((?: (?:at|before|after) [\w.]+)?), "
    r"in the pass of hour (\d+), (.*?)\.(?= |$)"
)
AGAIN = re.compile(r"Incarnation (\d+) found [^.]*? and did hour (\d+) again: it (.*?)\.")
DID = re.compile(r"(.+?) (a second time|a third time|once more)(?:, and |$)")
WINDOW = re.compile(r"Incarnation (\d+) found [^.]*? and did hour (\d+) again, so that it entered the window (.*?)\.")
NOBODY = re.compile(r"Incarnation (\d+) found [^.]*? and went on after hour (\d+), so nobody (.*?) for it\.")
TIMES = {"a second time": 2, "a third time": 3}


def parts(words):
    """Return the parts that phrases such as "pushed the average and saved the state" speak of."""
    return {part for phrase, part in PHRASES.items() if phrase in words}


def written_by(run, life, hour):
    """Return the parts that a life wrote for an hour."""
    return {entry.part for entry in run.writes if (entry.life, entry.item) == (life, hour)}


def untrue(verdict):
    """Return the claims of a verdict's sentences that the journals of the stores do not bear out."""
    run, text, wrong = verdict.run, verdict.sentence, []
    for life, _, hour, how in DEATH.findall(text):
        did = written_by(run, int(life), int(hour))
        had, _, had_not = how.partition("but had not yet")
        if run.job.arrival != "together":  # one of several passes of that hour is told
            right = parts(how) <= did
        elif "before the first" in how:
            right = not did
        else:
            right = parts(had) == did and not parts(had_not) & did if "when it had" in how else bool(did)
        wrong += [] if right else [f"incarnation {life} at hour {hour}: {how!r}, but it wrote {did}"]
    again = ((life, hour, did) for life, hour, dids in AGAIN.findall(text) for did in DID.findall(dids))
    for life, hour, (what, times) in again:
        for part in parts(what):
            writers = {entry.life for entry in run.writes if (entry.part, entry.item) == (part, int(hour))}
            number = len([one for one in writers if one <= int(life)])
            if int(life) not in writers or number < 2 or TIMES.get(times, number) != number:
                wrong.append(
                    f"incarnation {life} is said to have {what} {times} for hour {hour}; incarnations {writers} did"
                )
    for life, hour, _ in WINDOW.findall(text):
        saved = [entry.value for entry in run.writes if (entry.part, entry.life) == ("state", int(life))]
        pushed = [entry.inputs for entry in run.writes if (entry.part, entry.life) == ("output", int(life))]
        held = [[(one.hour, one.stream) for one in state.readings] for state in saved] + [list(one) for one in pushed]
        if not any(inputs.count(key) > 1 for inputs in held for key in inputs if key[0] == int(hour)):
            wrong.append(f"incarnation {life} is said to have let hour {hour} into the window again")
    for _, hour, what in NOBODY.findall(text):
        if done := parts(what) & {entry.part for entry in run.writes if entry.item == int(hour)}:
            wrong.append(f"nobody is said to have {what} for hour {hour}; {done} was written")
    return wrong


@pytest.mark.parametrize("order", ORDERS, ids=",".join)
@pytest.mark.some(day=6, ci=12)
def test_one_death_is_told_with_life_place_and_hour_and_truly(order):
    handler = handler_in_order(order)
    ideals = ideal_outcomes(handler, Job())
    told = {}
    for point, item in itertools.product(POINTS, (1, 3, 6)):
        verdict = judge(simulate(handler, FaultPlan.crash(point, item)), handler, ideals)
        told[point, item] = verdict.sentence
        assert untrue(verdict) == []
        assert verdict.sentence.endswith(".")
        assert verdict.sentence.startswith(("Exactly once: ", "Not exactly once: ", "Not reached: "))
        if verdict.reached:
            assert f"Incarnation 1 was killed at {point}, in the pass of hour {item}, " in verdict.sentence
            assert "Incarnation 2 found positions" in verdict.sentence
        else:
            assert f"Not reached: {point} at hour {item}; hour {item} was handled" in verdict.sentence
            assert "Incarnation" not in verdict.sentence
    assert len(set(told.values())) == len(told), "no two places have the same sentence"


@pytest.mark.not_by_day
def test_many_lives_and_lost_messages_are_told_truly():
    chance, handlers = random.Random(3), [handler_in_order(order) for order in ORDERS[::5]] + [writer(), writer(1)]
    ideals, killed, faulty = {}, 0, 0
    for seed in range(300):
        handler, plan = chance.choice(handlers), random_plan(chance)
        job = Job(items=4, arrival=chance.choice(["together"] * 4 + ["as it comes"]), duration=3, threshold=2)
        if job.arrival == "as it comes":
            job = Job(items=2, arrival=job.arrival, threshold=1)
        run = simulate(handler, plan, job, seed)
        if (handler, job) not in ideals:
            ideals[handler, job] = ideal_outcomes(handler, job)
        verdict = judge(run, handler, ideals[handler, job])
        assert untrue(verdict) == [], plan.token
        for death in run.trace.deaths():
            assert re.search(rf"Incarnation {death.life} (was killed|gave up)", verdict.sentence), plan.token
            killed += 1
        for event in run.trace:
            if event.verb == "fault":
                step = plan.faults[int(event.detail["key"].split(".")[0])].at
                assert f"{step} of incarnation {event.life}" in verdict.sentence, plan.token
                faulty += 1
        assert not re.search(r"(\b[\w ]+?),? (?:and|or) \1[ .,]", verdict.sentence), verdict.sentence
    assert killed > 100
    assert faulty > 50


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault("output.push", 3, "lost request"), "The request for output.push of incarnation 1 at hour 3 was lost"),
        (
            Fault("output.push", 3, "lost reply"),
            "The output.push of incarnation 1 at hour 3 was done, but its reply was lost.",
        ),
        (Fault("output.push", 3, "duplicated request"), "output.push of incarnation 1 at hour 3 arrived twice"),
        (
            Fault("output.push", 3, "crash before"),
            "Incarnation 1 was killed before output.push, in the pass of hour 3, before",
        ),
        (
            Fault("output.push", 3, "crash after"),
            "Incarnation 1 was killed after output.push, in the pass of hour 3, when it",
        ),
        (
            Fault("state.load", None, "crash before"),
            "Incarnation 1 was killed before state.load, before it had read anything.",
        ),
        (
            Fault("output.push", 9, "lost reply"),
            "lost reply of output.push at hour 9; no pass came there, so nothing happ",
        ),
    ],
)
def test_each_cause_is_told_in_its_own_words(fault, said):
    assert said in judge(simulate(at_least_once, FaultPlan((fault,))), at_least_once).sentence


def test_a_repeated_compare_and_swap_is_told_as_refused_the_second_time():
    run = simulate(lock_free, FaultPlan((Fault("store.cas", 1, "duplicated request"),)))
    assert "arrived twice, and was refused the second time" in judge(run, lock_free).sentence


def test_the_cause_of_equal_damage_is_told_apart():
    faults = [Fault("B", 3), *(Fault("output.push", 3, kind) for kind in ("crash after", "lost reply"))]
    faults += [Fault("output.push", 3, "duplicated request")]
    verdicts = [judge(simulate(at_least_once, FaultPlan((fault,))), at_least_once) for fault in faults]
    assert len({verdict.damage.duplicated for verdict in verdicts}) == 1
    assert len({verdict.sentence for verdict in verdicts}) == len(faults)


def test_an_heir_that_dies_at_once_is_not_said_to_have_done_anything():
    plan = FaultPlan((Fault("B", 3), Fault("state.load", None, "crash before", lives=(2,))))
    text = judge(simulate(at_least_once, plan), at_least_once).sentence
    assert "Incarnation 2 found" not in text
    assert "Incarnation 2 was killed before state.load, before it had read anything." in text
    plan = FaultPlan((Fault("B", 3), Fault("A", 3, lives=(2,))))
    text = judge(simulate(at_least_once, plan), at_least_once).sentence
    assert "Incarnation 2 found positions and state both at hour 2 and read hour 3 again." in text


def test_a_window_that_takes_no_hour_twice_is_not_said_to():
    def careful(node):
        positions = node.positions.load()
        window = node.state.load()
        while node.running():
            items, positions = node.read(positions)
            window.push([item for item in items if item not in window.readings])
            node.output.push(window.average())
            node.state.save(window)
            node.crash_point("D")
            node.positions.save(positions)

    text = judge(simulate(careful, FaultPlan.crash("D", 3)), careful).sentence
    assert "entered the window" not in text
    assert "did hour 3 again: it pushed the average and saved the state a second time." in text


def saves_in_a_store_of_its_own(node):
    streams = node.store("streams")
    window, positions = streams.read("window")[1] or Window(), streams.read("positions")[1] or node.start
    while node.running(positions):
        items, positions = node.read(positions)
        window.push(items)
        node.output.push(window.average())
        node.crash_point("B")
        streams.write("window", window)
        node.crash_point("D")
        streams.write("positions", positions)


def test_what_is_saved_in_a_store_of_the_handlers_own_is_told():
    handler = saves_in_a_store_of_its_own
    text = judge(simulate(handler, FaultPlan.crash("B", 3)), handler).sentence
    assert "when it had pushed the average but had not yet saved streams.window or saved the positions." in text
    assert (
        "Incarnation 2 found offset 2 in streams.positions and hours 1–2 in streams.window and did hour 3 again"
        in text
    )
    text = judge(simulate(handler, FaultPlan.crash("B", 1)), handler).sentence
    assert "Incarnation 2 found nothing yet in streams.positions and nothing yet in streams.window" in text
    text = judge(simulate(handler, FaultPlan.crash("D", 3)), handler).sentence
    assert "; streams window holds hour 3 too often." in text


@pytest.mark.parametrize(
    ("handler", "fault", "said"),
    [
        (
            two_phase,
            Fault("D", 4),
            "when it had prepared the transaction '1.4' but before its other writes. "
            "Incarnation 2 rolled back '1.4', found positions and state both at hour 3 and did hour 4 again.",
        ),
        (
            two_phase,
            Fault("database.commit_prepared", 4, "crash before"),
            "written the decision but had not yet incremented the counter. "
            "Incarnation 2 committed '1.4', found positions and state both at hour 4 and went on after hour 4.",
        ),
        (
            lock_free,
            Fault("B", 4, node=1),
            "saved the state, saved the positions and pushed the average but had not yet sent the message. "
            "Incarnation 3 found positions and state both at hour 4 and finished hour 4: it sent the message.",
        ),
        (
            lock_free,
            Fault("A", 4, node=2),
            "Incarnation 2 was killed at A in the sink, in the pass of hour 4, before the first of its writes. "
            "Incarnation 3 found where it was and did hour 4 again.",
        ),
        (
            offset_in_sink,
            Fault("E", 4, node=1),
            "Incarnation 1 was killed at E, in the pass of hour 4, after the last of its writes.",
        ),
        (
            offset_in_sink,
            Fault("A", 4, node=2),
            "Incarnation 2 was killed at A in the sink, in the pass of hour 4, before the first of its writes. "
            "Incarnation 3 found where it was and did hour 4 again.",
        ),
        (
            offset_in_sink,
            Fault("E", 4, node=2),
            "Incarnation 2 was killed at E in the sink, in the pass of hour 4, after the last of its writes. "
            "Incarnation 3 found where it was and went on after hour 4.",
        ),
    ],
)
def test_a_death_in_the_way_to_another_system_is_told(handler, fault, said):
    assert said in judge(simulate(handler, FaultPlan([fault])), handler).sentence
