"""The button at a chapter's end shuts its kernel down as JupyterLab's menu does: without a dialog."""

import time

import jupyter
import pytest

pytestmark = pytest.mark.not_by_day

CELLS = ("from exactly_once.course.shut_down import shut_down_button", "shut_down_button()")


@pytest.mark.slow
def test_the_kernel_goes_without_a_dialog_and_a_cell_brings_a_new_one(lab, fresh_page):
    page = fresh_page
    name = "shut-down.ipynb"
    jupyter.notebook(lab.folder / name, *CELLS)
    before = lab.sessions()
    jupyter.open_notebook(page, lab, name)
    (mine,) = lab.sessions() - before
    assert "Frees the " in page.locator(".eo-shut-down-says").inner_text()
    page.locator(".eo-shut-down").click()
    deadline = time.monotonic() + 60
    while mine in lab.sessions() and time.monotonic() < deadline:
        page.wait_for_timeout(100)
    assert mine not in lab.sessions()
    page.get_by_text("No Kernel", exact=True).wait_for()
    assert "The kernel is shut down" in page.locator(".eo-shut-down-says").inner_text()
    assert page.locator(".jp-Dialog").count() == 0
    page.locator(".jp-CodeCell .cm-content").first.click()
    page.keyboard.press("Shift+Enter")
    jupyter.wait_for_idle(page)
    assert len(lab.sessions() - before) == 1
    assert page.locator(".jp-Dialog").count() == 0
