"""A JupyterLab for the whole session and a page for each test. Without Chromium: skipped, but in CI a failure."""

import contextlib
import os
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import jupyter
from jupyter import leave_notebooks, watched_page

from exactly_once.paths import temporary

CONSOLE_CELLS = ("from exactly_once.widgets import crash_console", "crash_console()")
NO_CHROMIUM = "no Chromium here: install one (apt-get install chromium), or name one in EO_CHROMIUM"


def pytest_collection_modifyitems(items):
    """Mark every test of this folder."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Keep a picture of each page that is open when a test fails, in .tmp/failed, and say where, and its errors."""
    report = yield
    browser = item.funcargs.get("opened") if report.failed else None
    pages = [page for context in browser.contexts for page in context.pages] if browser else []
    for number, page in enumerate(pages):
        file = temporary("failed") / f"{item.path.stem}-{re.sub(r'[^A-Za-z0-9]+', '-', item.name)[:80]}-{number}.png"
        try:
            page.screenshot(path=file, timeout=10_000)
            said = f"{page.url.partition('?')[0]} as it looks: {file}; its errors: {getattr(page, 'errors', [])}"
        except Exception as why:  # noqa: BLE001 - the test's own failure is what counts
            said = f"no picture of the page: {why}"
        report.sections.append(("page", said))
    return report


@pytest.fixture(scope="session")
def chromium():
    """Give the path of a Chromium."""
    found = jupyter.chromium()
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(NO_CHROMIUM)
    return found


@pytest.fixture(scope="session")
def lab(chromium, tmp_path_factory):
    """Give a JupyterLab that serves a temporary folder."""
    lab = jupyter.Lab(tmp_path_factory.mktemp("lab"))
    yield lab
    lab.stop()


@pytest.fixture(scope="session")
def opened(chromium):
    """Give one Chromium for all tests."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=60_000)  # as the pages have

    with sync_playwright() as playwright, jupyter.browser(playwright) as found:
        yield found


@pytest.fixture(scope="session")
def tabs(opened, lab):
    """Give a function that gives a page with no notebook, within a `with`: the one that the last test has left.

    Given to nobody else is a page that reported an error, that a dialog covers, or that a desk has at the moment.
    """
    free = []
    with contextlib.ExitStack() as left:

        @contextlib.contextmanager
        def give():
            page = free.pop() if free else left.enter_context(watched_page(opened, lab))
            yield page
            errors, page.errors[:] = [*page.errors], []
            assert not errors, f"the page reported: {errors}"
            leave_notebooks(page)
            if not page.locator(".jp-Dialog").count():
                free.append(page)

        yield give


@pytest.fixture
def page(tabs):
    """Give a page for one test."""
    with tabs() as page:
        yield page


@pytest.fixture
def fresh_page(opened, lab):
    """Give a page that no test had before."""
    with watched_page(opened, lab) as page:
        yield page


@pytest.fixture(scope="module")
def desk(tabs, lab, request):
    """Give a page with one notebook for all tests of a file: its `CELLS`, or a crash console."""
    name = f"desk-{request.module.__name__.rpartition('.')[2]}.ipynb"
    jupyter.notebook(lab.folder / name, *getattr(request.module, "CELLS", CONSOLE_CELLS))
    with tabs() as page:
        jupyter.open_notebook(page, lab, name)
        yield page


@pytest.fixture
def console(desk):
    """Give the page after its cells ran again: with a console that nobody has touched."""
    jupyter.again(desk, ".eo-console", ".eo-run-simulated")
    desk.wait_for_timeout(400)  # the diagram asks for its width once; after that the page stands still
    return desk
