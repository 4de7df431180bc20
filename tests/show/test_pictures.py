"""Pictures say what the verdict says: tape, facts, words, code, diagram, figures. Everything is escaped."""

import itertools
import re
from dataclasses import replace
from html import escape
from html.parser import HTMLParser

import pandas as pd
import pytest

from exactly_once import show
from exactly_once.errors import BadInput
from exactly_once.explore import prove
from exactly_once.faults import POINTS, Fault, FaultPlan
from exactly_once.handlers import ORDERS, handler_for
from exactly_once.node import Numbers, Program
from exactly_once.pipeline import Job
from exactly_once.show.charts.figures import series_table
from exactly_once.show.diagrams.excerpt import excerpt
from exactly_once.show.verdicts.tape import entries
from exactly_once.simulate import simulate
from exactly_once.trace import Trace
from exactly_once.verdict import judge


def crashed(point, item=3, strategy="at_least_once", lives=None, job=None):
    handler = handler_for(strategy)
    return judge(simulate(handler, FaultPlan.crash(point, item, lives=lives), job), handler)


class Balance(HTMLParser):
    """Finds tags that are not closed."""

    VOID = ("input", "br", "meta")

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("strategy", ["at_least_once", "at_most_once"])
@pytest.mark.parametrize("point", POINTS)
def test_every_fragment_is_whole(strategy, point):
    verdict = crashed(point, strategy=strategy)
    for picture in (show.verdict(verdict), show.spacetime(verdict)):
        parser = Balance()
        parser.feed(picture._repr_html_())
        assert parser.open == []
        assert repr(picture)


def test_a_double_is_marked_by_colour_sign_and_word():
    tape = show.tape_html(crashed("B"))
    assert "eo-again" in tape
    assert "× twice" in tape
    marks = show.tape_table(crashed("B"))["mark"].tolist()
    assert marks == ["✓", "✓", "✓", "× twice", "✓", "✓", "✓"]


def test_a_wrong_value_is_marked_where_it_is_wrong():
    marks = show.tape_table(crashed("D"))["mark"].tolist()
    assert marks == ["✓", "✓", "✓", "× twice, ≠ wrong", "≠ wrong", "≠ wrong", "≠ wrong"]


def test_a_gap_stands_where_the_record_is_missing():
    tape = entries(crashed("C", strategy="at_most_once"))
    assert [cell.item for cell in tape] == [1, 2, 3, 4, 5, 6]
    assert [cell.gap for cell in tape] == [False, False, True, False, False, False]
    html = show.tape_html(crashed("C", strategy="at_most_once"))
    assert "eo-gap" in html
    assert "○ missing" in html
    assert show.tape_table(crashed("C", strategy="at_most_once"))["place"].tolist() == [1, 2, "", 3, 4, 5]


def test_the_last_item_missing_is_a_gap_at_the_end():
    verdict = crashed("C", item=6, strategy="at_most_once")
    assert entries(verdict)[-1].gap
    assert entries(verdict)[-1].item == 6


def test_a_long_tape_shows_its_end():
    verdict = crashed("B", item=3, job=Job(items=100))
    html = show.tape_html(verdict)
    assert "… 41 before" in html
    assert "1 damaged" in html
    assert html.count("<li") == 61


def test_facts_say_is_and_should_be():
    html = show.facts_html(crashed("D"))
    assert '5</span> is · 4 should be <b class="eo-bad">✗ wrong</b>' in html
    assert 'the window holds hour 3 too often <b class="eo-bad">≠ wrong</b>' in html
    assert show.facts_html(crashed("A")).count('<span class="eo-good">✓') == 2


@pytest.mark.parametrize(
    ("point", "item", "strategy", "word"),
    [
        ("A", 3, "at_least_once", "harmless"),
        ("B", 3, "at_least_once", "doubles"),
        ("C", 3, "at_least_once", "doubles"),
        ("D", 3, "at_least_once", "corrupts"),
        ("E", 3, "at_least_once", "harmless"),
        ("B", 1, "at_least_once", "not reached"),
        ("C", 3, "at_most_once", "loses"),
    ],
)
def test_the_word_follows_from_the_verdict(point, item, strategy, word):
    assert show.word(crashed(point, item, strategy)) == word


def test_harmless_is_said_exactly_when_the_run_is_consistent_and_reached():
    for order in ORDERS[::5]:
        handler = handler_for(order=order)
        for point in POINTS:
            verdict = judge(simulate(handler, FaultPlan.crash(point, 3)), handler)
            assert (show.word(verdict) == "harmless") == verdict.consistent


def test_headline_and_explanation_make_the_sentence():
    for point, item in (("B", 3), ("A", 3), ("B", 1)):
        verdict = crashed(point, item)
        _, words, _ = show.headline(verdict)
        assert (words.rstrip(".") + ": " + show.explanation(verdict)).lower() == verdict.sentence.lower()


def test_of_many_deaths_the_last_are_told():
    verdict = crashed("A", lives=(1, 2, 3))
    assert show.explanation(verdict, deaths=3).count("was killed") == 3
    told = show.explanation(verdict, deaths=1)
    assert "2 earlier deaths are not described" in told
    assert "Incarnation 3 was killed" in told
    assert "Incarnation 1" not in told


def test_a_run_over_records_is_shown_as_well():
    def pass_on(node):
        positions = node.positions.load()
        while node.running():
            (record,), positions = node.read(positions)
            node.output.push(record.value)
            node.positions.save(positions)

    program = Program(pass_on, Numbers(3))
    shown = show.verdict(judge(simulate(program, FaultPlan((Fault("output.push", 2, "crash after"),))), program))
    assert "Record 2 is in the output more than once" in str(shown)
    assert "positions at record 3" in shown.html


def test_the_listing_has_the_letters_and_the_death():
    handler = handler_for()
    assert [line.point for line in show.source_lines(handler) if line.point] == list(POINTS)
    html = show.code_html(handler, "B", crashed("B"), buttons="point")
    assert "incarnation 1 dies here, at hour 3" in html
    last = re.search(r'class="eo-last-line" data-line="(\d+)"', html)
    lines = {line.number: line.text for line in show.source_lines(handler)}
    assert "node.output.push" in lines[int(last[1])]
    at_point = next(line.number for line in show.source_lines(handler) if line.point == "C")
    marked = re.search(r'class="eo-last-line" data-line="(\d+)"', show.code_html(handler, last_line=at_point))
    assert "node.database.increment" in lines[int(marked[1])], "the line before the crash point"
    assert html.count("<button") == 5


def test_the_docstring_is_not_shown_and_numbers_are_those_of_the_source():
    lines = show.source_lines(handler_for())
    assert not any('"""' in line.text for line in lines)
    assert [line.number for line in lines][:2] == [1, 3]


def test_a_handler_without_source_or_points_says_so():
    assert "cannot be shown" in show.code_html(eval("lambda node: None"))
    assert "no letter can be reached" in show.code_html(Balance.handle_endtag)


def test_the_diagram_tells_the_crash_and_the_takeover():
    verdict = crashed("B")
    svg = show.spacetime_svg(verdict.run.trace, 3, 900)
    assert svg.startswith("<svg")
    assert "SIGKILL at B" in svg
    assert "incarnation 2 takes over" in svg
    assert "43.3 × again" in svg
    for event in excerpt(verdict.run.trace, 3):
        if event.verb not in ("crash point", "dies", "reply"):
            assert f">{event.stamp}</text>" in svg


def test_the_excerpt_holds_all_passes_of_the_item_and_no_other():
    trace = crashed("B").run.trace
    items = {event.item for event in excerpt(trace, 3)}
    assert items == {3, None}
    chosen = set(map(id, excerpt(trace, 3)))
    assert all(id(event) in chosen for event in trace if event.item == 3 and event.verb != "ends")
    # An successor that never comes to the item shows what it did instead.
    after = crashed("E").run.trace
    assert {event.item for event in excerpt(after, 3)} == {3, 4, None}


def test_a_request_that_was_cut_off_and_a_reply_that_was_lost_are_drawn():
    handler = handler_for()
    for kind, words in (
        ("lost request", "request cut off"),
        ("lost reply", "reply cut off"),
        ("crash after", "reply cut off"),
    ):
        plan = FaultPlan((Fault("output.push", 3, kind),))
        svg = show.spacetime_svg(simulate(handler, plan).trace, 3)
        assert words in svg, kind


def test_a_request_that_arrived_twice_has_two_arrows():
    asked = {}
    for kind in (None, "duplicated request"):
        plan = FaultPlan((Fault("output.push", 3, kind),) if kind else ())
        asked[kind] = len(
            re.findall(r'<line class="(?:ask|faulty)"', show.spacetime_svg(simulate(handler_for(), plan).trace, 3))
        )
    assert asked["duplicated request"] == asked[None] + 1


def test_three_deaths_in_a_row_are_all_drawn():
    svg = show.spacetime_svg(crashed("A", lives=(1, 2, 3)).run.trace, 3)
    assert svg.count("takes over") == 3
    assert "incarnation 4" in svg


@pytest.mark.parametrize("item", [2, 20, 200, 2000])
def test_dots_of_one_line_do_not_touch_however_long_their_stamps(item):
    trace = Trace(replace(event, stamp=event.stamp + 100 * item) for event in crashed("B").run.trace)
    dots = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"', show.spacetime_svg(trace, 3, 480))
    assert len(dots) > 20
    lines = {y: sorted((float(x), float(width)) for x, at, width in dots if at == y) for _, y, _ in dots}
    for line in lines.values():
        gaps = [right - left - width for (left, width), (right, _) in itertools.pairwise(line)]
        assert min(gaps, default=9) >= 2.9


def test_the_table_has_every_event_of_the_trace():
    run = crashed("B").run
    table = show.trace_table(run.trace)
    assert len(table) == len(run.trace)
    assert table["stamp"].is_monotonic_increasing


def test_an_empty_trace_draws_a_sentence():
    assert "Nothing has happened" in show.spacetime_svg(excerpt(crashed("A").run.trace, 99))


def test_the_matrix_says_what_was_not_run():
    rows = [("at_least_once", "at least once"), ("mine", "<b>mine</b>")]
    html = show.matrix_html(rows, {("at_least_once", "B"): crashed("B")}, here=("at_least_once", "B"), buttons=True)
    assert html.count("not run") >= 9
    assert "<b>mine" not in html
    assert "eo-here" in html
    table = show.matrix_table(rows, {("at_least_once", "B"): crashed("B")})
    assert table.loc["at least once", "B"] == "× doubles"
    assert table.loc["at least once", "A"] == "· not run"


def test_the_orders_have_words_in_their_cells():
    results = {}
    for order in ORDERS[:3]:
        handler = handler_for(order=order)
        results |= {(order, point): judge(simulate(handler, FaultPlan.crash(point, 3)), handler) for point in POINTS}
    picture = show.orders(results)
    drawn = re.findall(r'<text text-anchor="middle"[^>]*>([^<]*)</text>', picture.html)
    assert drawn == picture.table["damage"].tolist()
    assert (len(drawn), drawn[0]) == (15, "✓ harmless")
    width = int(re.search(r'width="(\d+)"', picture.html)[1])
    assert width <= 813, "JupyterLab's place for it at 1280 pixels"
    hints = re.findall(r"<title>.*?, ([A-E]): (.*?)</title>", picture.html)
    assert hints == list(zip(picture.table["crash at"], map(escape, picture.table["in sentences"]), strict=True))
    assert picture.html.count('tabindex="0"') == 1 + 3, "the frame and each row can have the focus"
    with pytest.raises(BadInput, match="no results"):
        show.orders({})


def test_the_series_carry_the_window_average():
    table = series_table(Job(items=30, duration=2))
    assert list(table.columns) == ["hour", "seattle", "san_francisco", "average"]
    expected = table[["seattle", "san_francisco"]].iloc[3:5].to_numpy().mean()
    assert table["average"].iloc[4] == pytest.approx(expected, abs=0.001)
    assert len(show.series_figure(Job(items=30)).data) == 3


def test_tables_are_escaped():
    html = show.table_html(pd.DataFrame({"<a>": ["<script>", None]}))
    assert "<script>" not in html
    assert "<a>" not in html
    assert "&lt;script&gt;" in html


def counts_its_lives(node):
    version, lives = node.registers.read("lives")
    node.registers.cas("lives", version, (lives or 0) + 1)


def sold_once(view):
    return view.counter <= 1


def opposite_locks(node):
    first, second = ("a", "b") if node.number == 1 else ("b", "a")
    node.lock(first).acquire()
    node.lock(second).acquire()


DAMAGED = {  # of each kind: what is drawn, the last words below a line, words that stand on a line
    "duplicated": (lambda: prove(handler_for(), items=2, crashes=1).counterexample, "× 43.6", ""),
    "missing": (lambda: crashed("C", item=6, strategy="at_most_once"), "", "○ hour 6 never came here"),
    "wrong": (lambda: crashed("B", strategy="at_most_once"), "≠ 43.2", "○ hour 3 never came here"),
    "state": (lambda: crashed("D"), "≠ hours 1–3", ""),
    "counter": (lambda: crashed("C", strategy="transactional"), "× 1 → 2", ""),
    "invariant": (lambda: prove(handler_for(), items=3, invariant=sold_once).counterexample, "✗ 1 → 2", ""),
    "register": (lambda: prove(counts_its_lives, items=1, crashes=1).counterexample, "2 ≠ wrong", ""),
    "deadlock": (
        lambda: prove(opposite_locks, nodes=2, items=1, crashes=0).counterexample,
        "",
        "waits to acquire lock b",
    ),
}


def test_an_invariant_without_words_is_told_with_what_it_looked_at():
    said = prove(handler_for(), items=3, invariant=sold_once).counterexample.sentence
    assert said == "After this schedule the invariant does not hold: view.counter is 2."


def test_processes_that_were_killed_are_told_by_their_numbers():
    verdict = crashed("D")
    assert "killed for real" not in show.run_html(verdict)
    for start, pid in zip(verdict.run.trace.lives(), (16998, 16721), strict=True):
        start.detail.update(executor=0, pid=pid)
    assert "killed for real simulated: pid 16998 → pid 16721, " in show.run_html(verdict)


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_picture_ends_on_the_damage_and_marks_it(kind):
    make, mark, said = DAMAGED[kind]
    svg = show.spacetime(make()).html
    drawn = re.findall(
        r'<text class="(?:sub|bad)" text-anchor="middle" x="([\d.]+)"[^>]*>(?:<title>.*?</title>)?(.*?)</text>', svg
    )
    last = max(drawn, key=lambda each: float(each[0]))
    assert re.sub("<.*?>", "", last[1]) == mark or not mark
    assert said in svg
    assert float(re.search(r'<svg[^>]* width="([\d.]+)"', svg)[1]) <= 1000
