"""The demo for a projector, as `python -m exactly_once demo` serves it: its token, its three screens, its end."""

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
from jupyter import axe_findings, kernels_below
from playwright.sync_api import Error

from exactly_once.paths import ROOT, temporary

pytestmark = pytest.mark.not_by_day

MEASURE = (Path(__file__).parent / "demo.js").read_text(encoding="utf-8")
LAYOUT = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")
SIZES = ((1280, 720), (1366, 768), (1920, 1080))
SCREENS = ("console", "scrubber", "adversary")
START_SECONDS, END_SECONDS = 280, 60  # the archive for Spark may have to be made first
KERNEL = "JSON.parse(document.querySelector('#jupyter-config-data').textContent).kernelId"
SECRET = re.compile(r"^ +(http://127\.0\.0\.1:\d+/)\?token=(\w+)$", re.MULTILINE)


class Demo:
    """A running demo: its `base` address, its `token`, and the address with both, `url`."""

    def __init__(self, told, **variables):
        self.told = told
        with told.open("w") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "exactly_once", "demo", "--no-browser"],
                cwd=ROOT, env={**os.environ, **variables}, stdin=subprocess.DEVNULL, stdout=out,
                stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
        deadline = time.monotonic() + START_SECONDS
        while not (found := SECRET.search(told.read_text())):
            assert self.process.poll() is None, told.read_text()
            assert time.monotonic() < deadline, told.read_text()
            time.sleep(0.1)
        self.base, self.token = found.groups()
        self.url = f"{self.base}?token={self.token}"

    def family(self):
        """Return the server's process and all below it."""
        process = psutil.Process(self.process.pid)
        return [process, *process.children(recursive=True)]

    def kernels(self):
        """Return the processes of the kernels."""
        return kernels_below(psutil.Process(self.process.pid))

    def stop(self, sign=signal.SIGINT):
        """End the demo; return what it leaves behind."""
        if self.process.poll() is not None:
            return []
        family = self.family()
        self.process.send_signal(sign)
        try:
            self.process.wait(END_SECONDS)
            return psutil.wait_procs(family, timeout=END_SECONDS)[1]
        finally:
            for each in family:
                with contextlib.suppress(psutil.NoSuchProcess):
                    each.kill()


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """Give a demo for all tests of this file that leave it running."""
    with running(tmp_path_factory.mktemp("demo")) as found:
        yield found


@contextlib.contextmanager
def running(folder, **variables):
    """Give a demo of a test's own."""
    found = Demo(folder / "told", **variables)
    try:
        yield found
    finally:
        found.stop()


@contextlib.contextmanager
def shown(opened, demo, size=SIZES[0]):
    """Give a page with the demo. Fails when the page reports an error, or asks another machine for anything."""
    context = opened.new_context(viewport=dict(zip(("width", "height"), size, strict=True)))
    context.set_default_timeout(60_000)
    page, elsewhere, told = context.new_page(), [], []
    errors = page.errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: told.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: elsewhere.append(request.url) if _is_elsewhere(request.url, demo) else None)
    page.goto(demo.url)
    try:
        page.wait_for_selector(".eo-demo .eo-run-cluster")
        page.wait_for_selector(".eo-demo .eo-step-0", state="attached")
    except Error as why:
        why.add_note(f"the page says: {page.inner_text('body')[:4000]}\nits errors: {errors}, {told}")
        raise
    yield page
    context.close()
    assert not errors, f"the page reported: {errors}"
    assert elsewhere == []


def _is_elsewhere(url, demo):
    return urlsplit(url).scheme in ("http", "https") and not url.startswith(demo.base)


def go(page, screen):
    """Show a screen, and wait until what it draws for its width is there."""
    page.click(f".eo-demo-tab-{screen}")
    page.wait_for_timeout(500)  # longer than a widget waits until it tells the kernel of a new width


def asked(base, path, token=None, method="GET"):
    """Return the status of a request and the place to which it is sent on; nothing is followed."""

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_):
            return None

    request = urllib.request.Request(base + path, method=method)
    if token:
        request.add_header("Authorization", f"token {token}")
    try:
        with urllib.request.build_opener(Stay).open(request, timeout=20) as reply:
            return reply.status, ""
    except urllib.error.HTTPError as why:
        return why.code, urlsplit(why.headers.get("Location", "")).path


async def _status_of_websocket(url):
    from tornado.httpclient import HTTPClientError
    from tornado.websocket import websocket_connect

    try:
        connection = await websocket_connect(url, connect_timeout=20)
    except HTTPClientError as why:
        return why.code
    connection.close()
    return 101


def test_without_the_token_nothing_is_served_and_the_kernel_is_closed(opened, demo):
    with shown(opened, demo) as page:
        kernel = page.evaluate(KERNEL)
        assert "token" not in page.url, "the room reads the address"
        for path in ("", "?token=wrong", "voila/render/demo.ipynb", "voila/tree"):
            assert asked(demo.base, path) == (302, "/login"), path
        assert asked(demo.base, f"api/kernels/{kernel}")[0] == 403
        for path in ("voila/files/demo.ipynb", "voila/files/serve.py"):
            assert asked(demo.base, path, demo.token)[0] == 403, "not even with it"
        for method, path in (("POST", f"voila/api/shutdown/{kernel}"), ("DELETE", f"api/kernels/{kernel}")):
            assert asked(demo.base, path, method=method)[0] == 403
        channels = f"{demo.base.replace('http', 'ws', 1)}api/kernels/{kernel}/channels"
        with ThreadPoolExecutor(1) as beside:  # in this thread Playwright's own loop runs
            assert beside.submit(asyncio.run, _status_of_websocket(channels)).result() == 403
            ours = _status_of_websocket(f"{channels}?token={demo.token}")
            assert beside.submit(asyncio.run, ours).result() == 101
        assert asked(demo.base, f"api/kernels/{kernel}", demo.token)[0] == 200
    ports = []
    for process in demo.family():
        with contextlib.suppress(psutil.Error):  # one that ended meanwhile
            ports += [each.laddr for each in process.net_connections() if each.status == "LISTEN"]
    assert {ip for ip, _ in ports} == {"127.0.0.1"}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.slow
def test_each_screen_fits_in_letters_for_a_projector(opened, demo, size):
    with shown(opened, demo, size) as page:
        for screen in SCREENS:
            go(page, screen)
            judge_screen(page, f"{screen}-{size[1]}")
        go(page, "console")
        page.click(".eo-point-B")
        page.wait_for_selector(".eo-console-verdict :text('Not exactly once.')")
        assert page.locator(".eo-console-tape .eo-again").count() == 1
        for letter in "ACED":  # at D the verdict is longest
            page.click(f".eo-toolbar .eo-point-{letter}")
            page.wait_for_selector(f".eo-console-code .eo-death-line .eo-letter-{letter}")
            judge_screen(page, f"console-{letter}-{size[1]}")
        go(page, "adversary")
        page.click(".eo-simplest")
        page.wait_for_selector(".eo-adversary .eo-banner-bad")
        for screen in SCREENS:
            go(page, screen)
            judge_screen(page, f"{screen}-D-{size[1]}")
        page.click(".eo-demo-dark")
        for screen in SCREENS:
            go(page, screen)
            judge_screen(page, f"{screen}-dark-{size[1]}")
        for strategy in ("two_phase", "transactional", "lock_free"):
            go(page, "console")
            page.select_option(".eo-strategy", strategy)
            page.click(".eo-toolbar .eo-point-C")
            go(page, "scrubber")
            judge_screen(page, f"scrubber-{strategy}-{size[1]}")


def judge_screen(page, name):
    """Assert, once nothing is stale, that all is in the window and large enough, and that axe finds no fault."""
    page.wait_for_function("![...document.querySelectorAll('.eo-stale-says')].some(each => each.offsetParent)")
    page.screenshot(path=temporary("screenshots") / f"demo-{name}.png")
    assert page.evaluate(MEASURE) == {"small": [], "out": [], "scrolls": []}, name
    assert page.locator(".eo-demo").evaluate(LAYOUT) == [], name
    assert axe_findings(page, "html") == [], name


@pytest.mark.slow
def test_the_keyboard_is_enough_and_the_measure_sees_what_is_small_or_outside(opened, demo):
    with shown(opened, demo) as page:
        page.focus(".eo-demo-tab-console")
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.querySelector('.eo-demo').dataset.screen") == "scrubber"
        page.focus(".eo-console-kill")
        said = page.get_attribute(".eo-console-kill", "aria-valuetext")
        page.keyboard.press("ArrowRight")
        page.wait_for_function("was => document.querySelector('.eo-console-kill').ariaValueText !== was", arg=said)
        page.focus(".eo-demo-tab-scrubber")
        page.keyboard.press("End")
        page.focus(".eo-step-0")
        page.keyboard.press("Enter")
        page.wait_for_selector(".eo-adversary .eo-player-move[aria-current]")
        go(page, "console")
        page.evaluate("document.querySelector('.eo-demo h1').style.fontSize = '11px'")
        page.evaluate("document.querySelector('.eo-demo-dark').style.marginRight = '-100px'")
        page.evaluate("document.querySelector('.eo-demo .eo-listing').style.maxHeight = '100px'")
        assert all(page.evaluate(MEASURE).values())


@pytest.mark.slow
def test_a_killed_kernel_is_told_in_plain_words_and_one_button_starts_anew(opened, demo):
    with shown(opened, demo) as page:
        page.click(".eo-point-B")
        page.wait_for_selector(".eo-console-verdict :text('Not exactly once.')")
        for kernel in demo.kernels():
            kernel.send_signal(signal.SIGKILL)
        page.wait_for_selector(".eo-demo-over:visible")
        assert "died" in page.inner_text(".eo-demo-over")
        assert page.locator(".eo-demo-over button").count() == 1
        assert page.evaluate("document.querySelector('.eo-demo main').inert")
        page.screenshot(path=temporary("screenshots") / "demo-over.png")
        page.keyboard.press("Enter")  # the button has the focus
        page.wait_for_selector(".eo-console-verdict :text('What will happen?')")
        page.click(".eo-point-D")
        page.wait_for_selector(".eo-console-verdict :text('Not exactly once.')")
        assert page.locator(".eo-demo-over:visible").count() == 0
        page.errors[:] = [each for each in page.errors if each != "widget model not found"]  # of the killed kernel


@pytest.mark.slow
def test_a_page_that_is_loaded_again_ends_its_kernel(opened, demo):
    with shown(opened, demo) as page:
        kernel = page.evaluate(KERNEL)
        page.reload()
        page.wait_for_selector(".eo-demo .eo-run-cluster")
        assert page.evaluate(KERNEL) != kernel
        deadline = time.monotonic() + END_SECONDS
        while asked(demo.base, f"api/kernels/{kernel}", demo.token)[0] != 404:
            assert time.monotonic() < deadline, "it lives on"
            time.sleep(0.1)


@pytest.mark.slow
def test_a_page_that_was_drawn_before_its_widgets_were_known_is_loaded_again(opened, demo):
    with opened.new_context() as context:
        context.set_default_timeout(60_000)
        page, loads = context.new_page(), []
        page.on("request", lambda request: loads.append(request) if request.is_navigation_request() else None)
        page.add_init_script(
            "if (!sessionStorage.told) document.addEventListener('DOMContentLoaded', () => {"
            "sessionStorage.told = 1;"
            "document.getElementById('rendered_cells').append('Error displaying widget: model not found'); })"
        )
        page.goto(demo.url)
        page.wait_for_selector(".eo-demo .eo-run-cluster")
        assert [urlsplit(load.url).query for load in loads] == [f"token={demo.token}", ""], "loaded twice"
        assert page.evaluate("sessionStorage.eoAgain") is None, "the next time counts anew"


@pytest.mark.slow
def test_a_server_that_is_gone_is_told_and_leaves_nothing_behind(opened, tmp_path):
    with running(tmp_path) as demo, shown(opened, demo) as page:
        assert demo.kernels()
        assert demo.stop(signal.SIGINT) == []
        page.wait_for_selector(".eo-demo-over:visible")
        page.click(".eo-demo-again")
        page.wait_for_selector(".eo-demo-over :text('make demo')")


@pytest.mark.cluster
@pytest.mark.slow
def test_now_for_real_works_and_the_cluster_ends_with_the_demo(opened, tmp_path):
    with running(tmp_path, EXACTLY_ONCE_LEASE=f"demo-{os.getpid()}") as demo:
        with shown(opened, demo) as page:
            page.click(".eo-point-D")
            page.wait_for_selector(".eo-console-verdict :text('Not exactly once.')")
            assert page.locator(".eo-killed").count() == 0
            page.click(".eo-run-cluster")
            page.wait_for_selector(".eo-status:visible :text('luster')")
            judge_screen(page, "starting")
            page.wait_for_selector('.eo-console[data-busy="idle"]', timeout=200_000)
            killed = page.locator(".eo-killed:visible")
            assert re.fullmatch(r"killed for real on the cluster: pid \d+ → pid \d+, \d+\.\d s", killed.inner_text())
            assert killed.evaluate("e => parseFloat(getComputedStyle(e).fontSize) * e.currentCSSZoom") >= 26
            judge_screen(page, "real")
            assert "Not exactly once." in page.inner_text(".eo-console-verdict")
            assert "pid" in page.text_content(".eo-console-spacetime")
            assert any("java" in each.name() for each in demo.family() if each.is_running())
        assert demo.stop(signal.SIGTERM) == []
