"""A JupyterLab for the whole session and a page for each test. Without Chromium: skipped, but in CI a failure."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import jupyter

NO_CHROMIUM = "no Chromium here: install one (apt-get install chromium), or name one in EO_CHROMIUM"


def pytest_collection_modifyitems(items):
    """Mark every test of this folder."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


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
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, jupyter.browser(playwright) as found:
        yield found


@pytest.fixture
def page(opened):
    """Give a fresh page, and fail the test when the page reports an error of ours."""
    context = opened.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors, f"the page reported: {errors}"
