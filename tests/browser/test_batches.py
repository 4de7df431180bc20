"""The micro-batch timeline in a real browser: a kill is placed by the pointer and by keys, and taken back."""

import pytest
from jupyter import notebook, open_notebook, reached_by_keys

ROOT = ".eo-batch-timeline"
AGAIN = f"{ROOT} .eo-batch-timeline-mark.again"


@pytest.fixture
def timeline(page, lab):
    notebook(lab.folder / "batches.ipynb", "from exactly_once.widgets import batch_timeline\nbatch_timeline()")
    open_notebook(page, lab, "batches.ipynb")
    page.wait_for_selector(f"{ROOT} .eo-letter")
    return page


def test_a_kill_is_placed_and_taken_back_by_pointer_and_keys(timeline):
    page = timeline
    page.click(f"{ROOT} [data-key=kill-D2]")
    page.wait_for_selector(AGAIN)
    assert page.locator(f"{ROOT} .eo-cell.eo-again").inner_text().split()[-1] == "twice"
    assert "hour 3 is in the sink more than once" in page.locator(f"{ROOT} .eo-says").inner_text()
    page.click(f"{ROOT} .eo-sink-batch-id")
    page.wait_for_selector(AGAIN, state="detached")
    page.click(f"{ROOT} .eo-sink-append")
    page.wait_for_selector(AGAIN)
    page.click(f"{ROOT} .eo-reset")
    page.wait_for_selector(AGAIN, state="detached")
    page.focus(f"{ROOT} [data-key=kill-B1]")
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector(AGAIN)
    assert page.evaluate("document.activeElement.dataset.key") == "kill-D2", "the focus stays"
    page.keyboard.press("Backspace")
    page.wait_for_selector(AGAIN, state="detached")
    page.focus(f"{ROOT} .eo-sink-append")
    assert {"eo-sink-append", "eo-batch-timeline-real", "eo-letter"} <= reached_by_keys(page, 6)
    assert page.locator(f"{ROOT}").bounding_box()["height"] <= 680
