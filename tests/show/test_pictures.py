"""Pictures say what the verdict says: tape, facts, words, code, diagram, figures. Everything is escaped."""

import re
from html import escape

import pandas as pd
import pytest
from tests.show.balanced import Balanced

from exactly_once import judge, prove, show, simulate
from exactly_once.errors import BadInput
from exactly_once.faults import POINTS, Fault, FaultPlan
from exactly_once.handlers import ORDERS, handler_for


def crashed(point, item=3, strategy="at_least_once", lives=None, job=None):
    handler = handler_for(strategy)
    return judge(simulate(handler, FaultPlan.crash(point, item, lives=lives), job), handler)


@pytest.mark.parametrize("strategy", ["at_least_once", "at_most_once"])
@pytest.mark.parametrize("point", POINTS)
def test_every_fragment_is_whole(strategy, point):
    verdict = crashed(point, strategy=strategy)
    for picture in (show.verdict(verdict), show.spacetime(verdict)):
        assert Balanced(picture._repr_html_()).text
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
    html = show.tape_html(crashed("C", strategy="at_most_once"))
    assert "eo-gap" in html
    assert "○ missing" in html
    assert show.tape_table(crashed("C", strategy="at_most_once"))["place"].tolist() == [1, 2, "", 3, 4, 5]


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


def test_the_diagram_tells_the_crash_and_the_takeover():
    verdict = crashed("B")
    svg = show.spacetime(verdict.run.trace, 3).html
    assert "SIGKILL at B" in svg
    assert "incarnation 2 takes over" in svg
    assert "43.3 × again" in svg


def test_an_incarnation_of_which_no_step_has_room_is_named_without_a_line():
    handler, plan = handler_for("lock_free"), FaultPlan((Fault("store.read", 6, "pause", node=1),))
    judged = judge(simulate(handler, plan), handler)
    for width in range(800, 900, 20):
        svg, _ = show.quiet_picture(judged, 6, width)
        assert "incarnation 3" in svg


def test_a_request_that_was_cut_off_and_a_reply_that_was_lost_are_drawn():
    handler = handler_for()
    for kind, words in (
        ("lost request", "request cut off"),
        ("lost reply", "reply cut off"),
        ("crash after", "reply cut off"),
    ):
        plan = FaultPlan((Fault("output.push", 3, kind),))
        svg = show.spacetime(simulate(handler, plan).trace, 3).html
        assert words in svg, kind


def test_the_matrix_says_what_was_not_run():
    rows = [("at_least_once", "at least once"), ("mine", "<b>mine</b>")]
    html = show.matrix_html(rows, {("at_least_once", "B"): crashed("B")}, here=("at_least_once", "B"), buttons=True)
    assert html.count("not run") >= 9
    assert "<b>mine" not in html
    assert "eo-here" in html
    table = show.matrix(rows, {("at_least_once", "B"): crashed("B")}).table.set_index("strategy")
    assert table.loc["at least once", "B"] == "× doubles"
    assert table.loc["at least once", "A"] == "· not run"


def test_the_orders_have_words_in_their_cells():
    results = {}
    for order in ORDERS[:3]:
        handler = handler_for(order=order)
        results |= {(order, point): judge(simulate(handler, FaultPlan.crash(point, 3)), handler) for point in POINTS}
    picture = show.orders(results)
    cells = re.findall(r'<span class="eo-word [^"]*" title=".*?, ([A-E]): (.*?)"><i [^>]*>(.*?)</span>', picture.html)
    assert [words.replace("</i>", "") for *_, words in cells] == picture.table["damage"].tolist()
    assert (len(cells), cells[0][2]) == (15, "✓</i> harmless")
    hints = [(point, told) for point, told, _ in cells]
    assert hints == list(zip(picture.table["crash at"], map(escape, picture.table["in sentences"]), strict=True))
    assert picture.html.count('scope="row"') == 3
    with pytest.raises(BadInput, match="no results"):
        show.orders({})


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
