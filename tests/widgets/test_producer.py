"""The producer lab: three lanes under the same faults, each a run that the explorer's tokens carry out again."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactly_once.errors import BadInput
from exactly_once.explore import replay
from exactly_once.handlers.logs.idempotent import CLIENTS
from exactly_once.widgets import ProducerModel, producer_lab
from exactly_once.widgets.producer.lane import LANES, OUTAGES, TRANSIT, Outage, Settings, Strike, programs, run_lane
from exactly_once.widgets.producer.view import fragments
from exactly_once.widgets.producer.words import compared, first_difference, story, verdict

FIRST = Settings(strikes=(Strike(2, 1, "reply"), Strike(3, 1, "late")))


def logs(found):
    return {rule: "".join("abcdefgh"[batch - 1] for batch in log_of(found, rule)) for rule in LANES}


def log_of(found, rule):
    lane = found.state.lanes[rule] if isinstance(found, ProducerModel) else run_lane(rule, found)
    return lane.moments[-1].log


@st.composite
def settings_of_a_lab(draw):
    batches = draw(st.integers(1, 5))
    sendings = st.tuples(st.integers(1, batches), st.integers(1, 2))
    kinds = st.sampled_from(["request", "reply", "late"])
    faults = draw(st.dictionaries(sendings, st.tuples(kinds, st.integers(3, 25)), max_size=4))
    outages = draw(st.dictionaries(st.integers(0, 25), st.sampled_from(OUTAGES), max_size=2))
    return Settings(
        batches,
        draw(st.integers(1, 6)),
        draw(st.booleans()),
        draw(st.sampled_from(CLIENTS)),
        strikes=tuple(Strike(*sending, *fault) for sending, fault in faults.items()),
        outages=tuple(Outage(*each) for each in sorted(outages.items())),
    )


@settings(max_examples=40, deadline=None)
@given(settings_of_a_lab())
def test_each_lane_is_drawn_as_it_ran_and_replays_and_both_rules_hold(chosen):
    for rule in LANES:
        lane = run_lane(rule, chosen)
        log = lane.moments[-1].log
        again = replay(lane.token, programs(rule, lane.settings))
        assert [push.value for push in again.run.pushes] == list(log), "the token gives the same log"
        steps = [tick for one in lane.packets for tick in (one.sent, one.heard)]
        assert len(set(steps)) == len(steps), "a producer takes one step at a time"
        assert [moment.tick for moment in lane.moments] == sorted(moment.tick for moment in lane.moments)
        for one in lane.packets:
            assert one.arrived is None or one.arrived >= one.sent + TRANSIT
            assert not one.answered or one.heard >= one.arrived + TRANSIT, "an answer comes after the question"
        if rule == "naive":
            assert verdict(lane, lane.last())[0] == (list(log) == sorted(set(log)))
        elif rule == "article" or (chosen.first_alone and chosen.in_flight < 6):
            assert log == tuple(range(1, chosen.batches + 1)), "once each, and in order"
            assert verdict(lane, lane.last())[0]


WHO = {"Naive": 1, "The article’s rule": 1, "Kafka’s rule": 1, "The other two": 2, "All three": 3,
       "Naive and the article’s rule": 2, "Naive and Kafka’s rule": 2}  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(settings_of_a_lab())
def test_the_sentence_of_each_step_names_an_event_and_tells_of_each_lane_once(chosen):
    lanes = [run_lane(rule, chosen) for rule in LANES]
    stories, ticks = [story(lane) for lane in lanes], sorted(set().union(*(lane.ticks() for lane in lanes)))
    for tick in ticks:
        head, *rest = compared(stories, lanes, tick, ticks)
        events = [one for told in stories for one in told.get(tick, ())]
        assert head[:-1].lower() in [one.head.lower() for one in events]
        who = [max((name for name in WHO if each.startswith((f"{name} ", f"{name}, "))), key=len)
               for each in rest]  # fmt: skip
        assert sum(WHO[name] for name in who) == len(LANES), rest
        for name in ("naive", "article’s", "kafka’s"):
            told = [name in each.lower() for each in rest]
            assert sum(told) + ("The other two" in who or "All three" in who) >= 1 >= sum(told), rest
        for each in (head, *rest):
            assert re.fullmatch(r"[A-Z].*[^.]\.", each), each
            assert not re.search(r"None|[][{}]|  | ,|, , ", each), each
            assert each.count("*") % 2 == 0
    differs = first_difference(lanes)
    assert differs is None or differs in ticks
    if differs is None:
        assert {lane.moments[-1].log for lane in lanes} == {tuple(range(1, chosen.batches + 1))}


CONNECTION = Settings(7, 6, client="java", strikes=tuple(Strike(batch, 1, "reply") for batch in range(2, 8)))
LOST_FIRST = Settings(first_alone=False, strikes=(Strike(1, 1, "request"),))
OUTAGE = Settings(outages=(Outage(7, "fail over"), Outage(90, "restart")))


@pytest.mark.parametrize(
    ("chosen", "step"), [(FIRST, 10), (CONNECTION, 12), (LOST_FIRST, 4), (OUTAGE, None), (Settings(), None)]
)
def test_the_lab_tells_at_which_step_the_lanes_first_differ(chosen, step):
    shown = fragments(ProducerModel(chosen))
    there = [at for at, words in enumerate(shown["says"], 1) if "Here the lanes differ for the first time." in words]
    assert there == [step] * (step is not None)
    assert shown["differs"] == (step or 0) - 1
    assert [at + 1 for at, sign in shown["marks"] if sign == "≠"] == there


def test_the_first_run_doubles_and_reorders_without_numbers_and_not_with_them():
    assert logs(FIRST) == {"naive": "abdbcc", "article": "abcd", "kafka": "abcd"}
    lane = run_lane("naive", FIRST)
    assert verdict(lane, lane.last())[1] == "Naive: b, c are there twice, c after d."


def test_a_duplicate_is_answered_by_each_rule_in_its_way():
    answers = {
        rule: [one.answer for one in run_lane(rule, FIRST).packets if (one.batch, one.attempt) == (2, 2)]
        for rule in LANES
    }
    assert answers == {"naive": ["offset"], "article": ["have"], "kafka": ["again"]}
    (known,) = [one for one in run_lane("kafka", FIRST).packets if (one.batch, one.attempt) == (2, 2)]
    assert known.offset == 1, "with the offset that it got the first time"


def test_what_follows_a_gap_is_refused_and_comes_again():
    chosen = Settings(strikes=(Strike(2, 1, "request"),))
    for rule in ("article", "kafka"):
        lane = run_lane(rule, chosen)
        assert {one.batch for one in lane.packets if one.answer == "gap"} == {3, 4}
        assert logs(chosen)[rule] == "abcd"
    assert logs(chosen)["naive"] == "acdb"


def test_the_window_of_five_breaks_with_six_in_flight_and_the_articles_rule_does_not():
    chosen = Settings(7, 6, strikes=(Strike(2, 1, "reply"),))
    lane = run_lane("kafka", chosen)
    assert "OutOfOrderSequence" in lane.error
    assert verdict(lane, lane.last())[1] == "Kafka’s rule: the producer stopped."
    assert logs(chosen)["article"] == "abcdefg"
    assert logs(Settings(7, 5, strikes=chosen.strikes))["kafka"] == "abcdefg"


def test_java_doubles_what_was_on_a_lost_connection_and_gives_up_what_is_refused_behind_others():
    connection = tuple(Strike(batch, 1, "reply") for batch in range(2, 8))
    lane = run_lane("kafka", Settings(7, 6, client="java", strikes=connection))
    assert "".join("abcdefg"[batch - 1] for batch in lane.moments[-1].log) == "abcdefgbcdefg"
    said = "Refused, as the broker was past its number: b. All were acknowledged: the producer never learns of it."
    assert verdict(lane, lane.last())[2] == said
    lane = run_lane("kafka", Settings(7, 6, client="java", strikes=connection[:1]))
    assert "".join("abcdefg"[batch - 1] for batch in lane.moments[-1].log) == "abcdefg"
    good, headline, rest = verdict(lane, lane.last())
    assert (good, headline) == (False, "Kafka’s rule: b timed out.")
    assert rest == "Refused until it expired: b. In the log all the same: b."
    lost = run_lane("kafka", Settings(client="java", first_alone=False, strikes=(Strike(1, 1, "request"),)))
    assert verdict(lost, lost.last())[1] == "Kafka’s rule: a is lost, a timed out."


def test_a_first_batch_that_is_not_alone_and_is_lost_is_refused_for_good():
    chosen = Settings(first_alone=False, strikes=(Strike(1, 1, "request"),))
    assert logs(chosen) == {"naive": "bcda", "article": "abcd", "kafka": "bcd"}
    lane = run_lane("kafka", chosen)
    assert verdict(lane, lane.last())[1] == "Kafka’s rule: a is lost, the producer stopped."


@pytest.mark.parametrize("kind", OUTAGES)
def test_an_outage_cuts_what_is_on_its_way_and_a_broker_remembers(kind):
    chosen = Settings(outages=(Outage(7, kind),))
    for rule in ("article", "kafka"):
        lane = run_lane(rule, chosen)
        cut = [one.batch for one in lane.packets if one.cut]
        assert cut == [2, 3, 4], "b has arrived, and its answer is lost; c and d are on their way"
        assert lane.at(7).memory == lane.at(8).memory != {}
        assert lane.at(8).broker == (kind == "fail over")
        assert lane.moments[-1].log == (1, 2, 3, 4)
        assert {one.place(8) for one in lane.packets if one.cut} == {"lost"}


def test_what_is_clicked_strikes_in_all_lanes_and_a_second_click_heals():
    model = ProducerModel(Settings())
    assert logs(model)["naive"] == "abcd"
    model.do("strike", "2|1|request")
    assert all(lane.packets[1].fate == "request" for lane in model.state.lanes.values() if lane.packets[1].batch == 2)
    assert logs(model)["naive"] == "acdb"
    model.do("strike", "2|1|late")
    assert model.state.settings.strikes == (Strike(2, 1, "late"),)
    model.do("strike", "2|1|late|1")
    assert model.state.settings.strikes == (Strike(2, 1, "late", TRANSIT + 1),), "late is later than in time"
    model.do("strike", "2|1|late|3")
    model.do("strike", "3|1|reply")
    assert [one.kind for one in model.state.settings.strikes] == ["reply"]
    model.do("strike", str(Strike(3, 1, "reply")))
    assert model.state.settings == Settings()


def test_faults_are_taken_away_one_by_one_or_all_and_reset_brings_the_first_back():
    model = ProducerModel(FIRST)
    model.do("restart", "3")
    model.do("strike", "2|1|reply")
    assert [one.kind for one in model.state.settings.strikes] == ["late"]
    model.do("fail_over", "3")
    assert model.state.settings.outages == (Outage(3, "fail over"),)
    model.do("fail_over", "3")
    assert model.state.settings.outages == ()
    model.do("restart", "3")
    model.do("clear")
    assert (model.state.settings.strikes, model.state.settings.outages) == ((), ())
    model.do("first_alone")
    model.do("batches", "2")
    model.do("client", "java")
    assert model.state.settings == Settings(2, 5, first_alone=False, client="java")
    model.do("reset")
    assert model.state.settings == FIRST


def test_fewer_batches_drop_the_faults_of_those_that_are_gone():
    model = ProducerModel(FIRST)
    model.do("batches", "2")
    assert [one.batch for one in model.state.settings.strikes] == [2]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("batches", "9", "between 1 and 8"),
        ("in_flight", "", "give a whole number from 1 to 6"),
        ("strike", "2|1", "names no message"),
        ("strike", "9|1|request", "There is no sending 1 of batch 9"),
        ("strike", "1|1|both", "request, reply, late"),
        ("strike", "1|1|late|soon", "cannot do 'strike' with"),
        ("client", "perl", "java, librdkafka"),
        ("restart", "soon", "'soon'"),
        ("explode", None, "The lab's action is 'explode'"),
    ],
)
def test_a_value_that_makes_no_sense_changes_nothing_and_is_told(name, value, words):
    model = ProducerModel(FIRST)
    before = model.state.settings, model.state.lanes
    model.do(name, value)
    assert words in model.state.error.message
    assert (model.state.settings, model.state.lanes) == before


def test_there_is_an_end_to_faults():
    model = ProducerModel(Settings(8))
    for tick in range(5):
        model.do("restart", str(tick))
    assert "4 times already" in model.state.error.message
    for batch in range(1, 9):
        for attempt in (1, 2):
            model.do("strike", f"{batch}|{attempt}|request")
    assert len(model.state.settings.strikes) == 12
    assert "12 faults already" in model.state.error.message


def test_the_screen_tells_every_step_and_marks_the_faults():
    model = ProducerModel(FIRST)
    shown = fragments(model)
    assert len(shown["says"]) == len(shown["stages"]) == len(shown["ticks"])
    assert [sign for _, sign in shown["marks"]] == ["◷", "✖", "◷", "✖", "≠"]
    for place, sign in shown["marks"]:
        assert sign == "≠" or "eo-producer-hurts" in shown["says"][place]
    last = shown["stages"][-1]
    assert last.count("⤨ after d") == 1
    assert re.findall(r">(× twice)</small>", last) == ["× twice"] * 2
    for words in ("next = 4", "3@3", "remembers nothing of its producers"):
        assert words in last
    said = re.sub("<[^>]+>", "", shown["words"])
    assert "recognises the late c and acknowledges its old offset 2 again; sends the second d as number 3" in said
    assert model.lane("kafka").token in said


def test_a_long_log_shows_its_end_and_counts_the_rest():
    chosen = Settings(8, 6, strikes=tuple(Strike(batch, 1, "reply") for batch in range(1, 9)))
    last = fragments(ProducerModel(chosen))["stages"][-1]
    assert '<li class="eo-cell eo-before"><small>0–7</small>' in last


def test_the_lab_is_made_with_faults_and_gives_tokens_and_programs():
    lab = producer_lab(7, 6, lost_replies="b", late_requests="", outages=[("restart", 3)])
    faults = {"strikes": (Strike(2, 1, "reply"),), "outages": (Outage(3, "restart"),)}
    assert lab.model.state.settings == Settings(7, 6, **faults)
    lab = producer_lab(lost_requests="bb", lost_replies="", late_requests="")
    assert lab.model.state.settings.strikes == (Strike(2, 1, "request"), Strike(2, 2, "request"))
    for rule in LANES:
        again = replay(lab.token(rule), lab.programs(rule))
        assert tuple(push.value for push in again.run.pushes) == log_of(lab.model, rule)
    assert repr(lab) == "Producer lab: naive [1, 3, 4, 2], article [1, 2, 3, 4], kafka [1, 2, 3, 4]."


@pytest.mark.parametrize(
    ("given_to_it", "words"),
    [
        ({"batches": 9}, "between 1 and 8"),
        ({"in_flight": 0}, "between 1 and 6"),
        ({"late_requests": "e"}, "no batch 'e'"),
        ({"lost_replies": "c"}, "has two faults"),
        ({"outages": [("explode", 3)]}, "restart, fail over"),
    ],
)
def test_a_lab_of_nonsense_is_refused(given_to_it, words):
    with pytest.raises(BadInput, match=words):
        producer_lab(**given_to_it)


def test_the_page_hears_what_was_chosen():
    lab = producer_lab()
    before = lab.stages
    lab._heard(None, {"do": "strike", "value": "1|1|request"}, ())
    assert lab.stages != before
    assert "first request of a lost" in lab.toolbar
    lab._heard(None, {"do": "batches", "value": "9"}, ())
    assert "This is the run of 4 batches" in lab.stale
    lab._heard(None, "nonsense", ())
    assert "The lab&#x27;s action is" in lab.error
    with pytest.raises(BadInput, match="naive, article, kafka"):
        lab.token("paxos")
