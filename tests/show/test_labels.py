"""The words in a space–time diagram stay out of each other's way, and are whole for whoever points at them."""

import itertools
import re

import pytest

from exactly_once import Fault, FaultPlan, Numbers, Program, prove, show, simulate
from exactly_once.clocks import mutual_exclusion
from exactly_once.handlers import at_least_once, burst, one_at_a_time, readings
from exactly_once.paths import ROOT

CHARACTER, LEAST = 6.2, 7  # pixels of a letter, on the average; letters of the shortest word that is cut
LIB = ROOT / "lib" / "exactly_once"
TEXT = re.compile(r'<text(?: class="([^"]*)")? text-anchor="middle" x="([\d.]+)" y="([\d.]+)">(.*?)</text>')
LINE = re.compile(r"<tspan[^>]*>(.*?)</tspan>")
RUNS = {
    "a lost reply": (at_least_once, Fault("output.push", 3, "lost reply")),
    "the chapter's": (at_least_once, Fault("C", 3)),
}


def rows(svg):
    """Return the words of each row as (left, right), by the height of its last line."""
    found = {}
    for kind, x, y, inside in TEXT.findall(svg):
        lines = LINE.findall(inside)
        height = float(y) + 12 * (len(lines) - 1)
        half = max(map(len, lines)) * CHARACTER / 2
        if kind in ("", "sub", "bad"):
            found.setdefault(round(height), []).append((float(x) - half, float(x) + half))
    return found


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("width", [600, 1000])
def test_words_do_not_overlap(name, width):
    handler, fault = RUNS[name]
    svg = show.spacetime_picture(simulate(handler, FaultPlan([fault])).trace, fault.item, width)
    assert sum(map(len, rows(svg).values())) > 8
    for row in rows(svg).values():
        for before, after in itertools.pairwise(sorted(row)):
            assert before[1] <= after[0] + CHARACTER


def test_a_burst_says_which_records_it_sends_and_its_verb_once():
    burst_of_four = Program(burst(), Numbers(1), readings("none"), "producer")
    run = simulate(burst_of_four, FaultPlan([Fault("log.send", None, "lost request")]))
    svg = show.spacetime(run.trace).html
    words = [LINE.findall(inside) for _, _, _, inside in TEXT.findall(svg)]
    sent = [each[-1].removesuffix(" to readings") for each in words if each[0] == "append" or each[0].isdecimal()]
    assert sent == ["1", "2", "3", "4", "1"]
    assert ["append", ""] not in words
    assert ["3"] in words, "record 3 follows so closely that there is no room for the verb"


def test_an_inbox_says_what_arrived_and_nothing_is_cut_to_a_stump():
    program = mutual_exclusion(overtaking=True, clocks=(0, 3))
    html = show.proof(prove(program, nodes=3, items=1, crashes=0, invariant=one_at_a_time)).html
    words = [line for _, _, _, inside in TEXT.findall(html) for line in LINE.findall(inside)]
    assert not [line for line in words if line.startswith("from node")]
    assert "" in words, "there are places with no room for words"
    assert min(len(line) for line in words if line.endswith("…")) >= LEAST


def test_only_the_canvas_writes_svg():
    drawn = re.compile(r"<(svg|path|line|rect|circle|polygon|polyline|text)[ >]")
    rooms = [path for room in ("show", "widgets") for path in (LIB / room).rglob("*.py")]
    assert [path.name for path in rooms if drawn.search(path.read_text(encoding="utf-8"))] == []
