"""A history as a diagram and a table: their parts, their order, and refusals."""

import re

from exactly_once import show
from exactly_once.clocks import Event, History, random_history

RUN = History([Event("b", "receive", "m"), Event("a", "local"), Event("a", "send", "m"), Event("b", "local")])


def test_each_event_has_its_dot_its_name_and_its_stamp():
    drawn = show.history(RUN)
    assert re.findall(r'class="stamp[^>]*>(\d+)<', drawn.html) == ["3", "1", "2", "4"]
    assert [name in drawn.html for name in (">a.1<", ">a.2<", ">b.1<", ">b.2<")] == [True] * 4
    assert drawn.table["vector"].tolist() == ["b:1, a:2", "b:0, a:1", "b:0, a:2", "b:2, a:2"]
    assert drawn.table["from"].tolist() == ["a.2", "", "", ""]


def test_an_arrow_never_points_back_in_time():
    for seed in range(30):
        run = random_history(4, 25, seed)
        scattered = History.merge(
            [[run[place] for place in reversed(row)][::-1] for row in reversed(run.rows.values())]
        )
        for line in re.findall(
            r'<line class="ask" x1="([\d.]+)" y1="[\d.]+" x2="([\d.]+)"', show.history(scattered).html
        ):
            assert float(line[0]) < float(line[1])


def test_in_an_order_of_their_own_events_stand_in_it_and_a_message_that_goes_back_is_marked():
    right, wrong = (show.history(RUN, order=order) for order in ([1, 2, 0, 3], [0, 3, 1, 2]))
    assert 'class="over"' not in right.html
    assert wrong.html.count('class="over"') == 1
    assert wrong.table["event"].tolist() == ["b.1", "b.2", "a.1", "a.2"]
    spots = dict(re.findall(r'text-anchor="middle" x="([\d.]+)" y="[\d.]+">([ab]\.\d)<', wrong.html))
    assert [name for _, name in sorted((float(x), name) for x, name in spots.items())] == ["b.1", "b.2", "a.1", "a.2"]


def test_a_path_and_marks_are_drawn():
    html = show.history(RUN, path=RUN.path(1, 3), marked={3: "4 <, not 5"}).html
    assert html.count('class="way"') == 3
    assert "4 &lt;, not 5" in html


def test_other_stamps_stand_beside_the_right_ones():
    drawn = show.history(RUN, stamps=["?", 1, 7, None])
    assert drawn.table["drawn"].tolist() == ["?", "1", "7", "None"]
    assert drawn.table["stamp"].tolist() == [3, 1, 2, 4]


def test_names_are_escaped_and_nothing_is_something():
    assert "<b>" not in show.history(History([Event("<b>", "local")]))._repr_html_()
    assert "Nothing has happened yet" in show.history(History([])).html
