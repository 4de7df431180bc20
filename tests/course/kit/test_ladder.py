"""`ladder()`: a proof of one chapter is there in the next chapter, and two notebooks keep the proofs of both."""

import json

from exactly_once.course import my_work
from exactly_once.course.kit import ladder
from exactly_once.course.kit.ladder import FILE


def test_what_was_proved_is_kept_for_the_next_chapter():
    here, there = ladder(("two_phase",)), ladder()
    for widget, cell in ((here, "two_phase|duplicated request"), (there, "at_least_once|duplicated request")):
        widget.model.do("prove", cell)
        assert widget.model.wait(60)
        assert widget.model.state.error is None
    kept = json.loads((my_work.folder() / FILE).read_text())
    assert set(kept) == {"two_phase|duplicated request", "at_least_once|duplicated request"}
    later = ladder().model
    assert set(later.state.cells) == {tuple(cell.split("|")) for cell in kept}
    assert later.state.cells["at_least_once", "duplicated request"].damaged == ("output", "counter")


def test_a_damaged_file_is_kept_aside_and_the_ladder_is_empty():
    (my_work.folder() / FILE).write_text("{")
    assert ladder().model.state.cells == {}
    assert [path.name for path in my_work.folder().glob(f"*-{FILE}")]
