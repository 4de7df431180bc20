"""The book without outputs: each link leads somewhere, no page asks another server, the console is the kernel's."""

import contextlib
import functools
import gzip
import html
import http.server
import json
import re
import subprocess
import sys
import threading
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from exactly_once import FaultPlan, judge, show, simulate
from exactly_once.handlers import STRATEGIES
from exactly_once.paths import ROOT
from exactly_once.simulate.places import KINDS
from exactly_once.widgets.console.console_widget import crash_console
from exactly_once.widgets.console.runs import ROWS

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
MOST_BYTES = 60_000_000
CHAPTERS = ("04-crash-points", "12-sparks-own-exactly-once", "glossary")
PAGES = ("index.html", *(f"notebooks/{name}.html" for name in CHAPTERS))
PLACES = [
    ("at_least_once", "B", 3),
    ("at_least_once", "D", 5),
    ("idempotent_output", "C", 2),
    ("lock_free", "none", 3),
]


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Give the folder of a book that was built without a run; a warning of Sphinx would have failed it."""
    folder = tmp_path_factory.mktemp("book") / "pages"
    command = [sys.executable, "-m", "tools.book.build", "--no-run", "--out", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return folder


class Page(HTMLParser):
    """The anchors of a page, and where its links lead."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links = set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.anchors |= {found[name] for name in ("id", "name") if found.get(name)}
        self.links += [found[name] for name in ("href", "src") if found.get(name)]


def test_each_link_and_each_anchor_is_there(book):
    own = [path for path in book.rglob("*.html") if "_static" not in path.parts]
    pages = {path.resolve(): Page(path) for path in own}
    lost = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or link.startswith("//"):
                continue
            there = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            if not there.exists() or (there in pages and anchor and anchor not in pages[there].anchors):
                lost.append((path.name, link))
    assert lost == []


def test_it_is_small_and_says_nothing_of_this_machine(book):
    files = [path for path in book.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) <= MOST_BYTES
    words = [str(ROOT).encode(), str(Path.home()).encode() + b"/"]
    told = [path.name for path in files if path.suffix in (".html", ".js", ".json")
            and any(word in path.read_bytes() for word in words)]  # fmt: skip
    assert told == []


@pytest.fixture(scope="module")
def served(book):
    """Serve the book on loopback; give its address."""
    handler = functools.partial(Quiet, directory=str(book))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves without a word."""

    def log_message(self, *_):
        """Say nothing."""


@contextlib.contextmanager
def paged(opened, width):
    """Give a page of a width, and the list of the addresses that it asks for."""
    context = opened.new_context(viewport={"width": width, "height": 900})
    page, asked = context.new_page(), []
    page.set_default_timeout(60_000)  # a busy machine is no failure
    page.on("request", lambda request: asked.append(request.url))
    yield page, asked
    context.close()


@pytest.mark.parametrize("width", [1280, 390])
def test_a_page_asks_nobody_else_and_is_no_wider_than_the_screen(served, opened, width):
    with paged(opened, width) as (page, asked):
        for name in PAGES:
            page.goto(f"{served}/{name}")
            if name == PAGES[0]:
                page.wait_for_selector("[data-live]")
                page.evaluate("document.documentElement.dataset.theme = 'dark'")
                ink = "getComputedStyle(document.querySelector('.eo')).getPropertyValue('--eo-ink')"
                assert page.evaluate(ink) == "#fff", "dark letters on the dark page"
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name
        assert [url for url in asked if not url.startswith((served, "data:", "blob:"))] == []


def test_the_console_of_the_book_says_what_the_kernels_says(served, opened):
    with paged(opened, 1280) as (page, _):
        page.goto(f"{served}/index.html")
        page.wait_for_selector(".eo-console [data-do=strategy]")
        for strategy, point, hour in PLACES:
            page.select_option(".eo-console [data-do=strategy]", strategy)
            page.wait_for_selector(".eo-console:not([data-waits])")
            page.fill(".eo-console .eo-item", str(hour))
            page.press(".eo-console .eo-item", "Tab")
            page.click(f".eo-console .eo-toolbar [data-do=point][data-value={point}]")
            until_it_says(page, words_of(struck(strategy, point, hour)))
        page.click("[data-tab=matrix]")
        page.click(".eo-fill-matrix")
        page.wait_for_function("document.querySelectorAll('.eo-matrix [data-do=cell]').length >= 50")
        assert "not run" not in page.inner_text(".eo-matrix-grid")


def until_it_says(page, wanted):
    """Wait until the console of a page says this of a run."""
    page.wait_for_function(
        "wanted => document.querySelector('.eo-console-verdict')?.textContent.trim() === wanted", arg=wanted
    )


@pytest.mark.slow
def test_each_answer_of_the_book_is_what_a_run_of_its_token_says(book):
    """Each place of each strip, that is: each strategy and fault, against a simulation of its own."""
    files = sorted((book / "_static" / "console").glob("*.json.gz"))
    assert len(files) == len(ROWS) * len(KINDS)
    different, compared = [], 0
    for file in files:
        row, _, _ = file.name.removesuffix(".json.gz").partition("-")
        handler = STRATEGIES[row.partition(".")[0]]
        answers = json.loads(gzip.decompress(file.read_bytes()))
        for token, held in zip(answers["tokens"], answers["held"], strict=True):
            verdict = judge(simulate(handler, FaultPlan.parse(token)), handler)
            compared += 1
            found = show.verdict_html(verdict, deaths=3), show.facts_html(verdict, ran=False)
            if found != (held["verdict"], held["facts"]):
                different.append((file.name, token))
    assert different == []
    assert compared >= 1500


def test_a_link_holds_the_run_for_the_book_and_for_the_notebook(served, opened):
    before_the_first_hour = "lock_free/eo2-xrb*wn1-XTBU"
    wanted = {f"#console={before_the_first_hour}": words_of(replayed(before_the_first_hour))}
    for strategy, point, hour in (("lock_free", "B", 3), ("offset_in_sink", "D", 2)):
        console = struck(strategy, point, hour)
        link = f"#console={strategy}/{console.model.plan().token}"
        wanted[link] = words_of(console)
    with paged(opened, 1280) as (page, _):
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        for link, says in wanted.items():
            page.goto("about:blank")
            page.goto(f"{served}/index.html{link}")
            until_it_says(page, says)
            page.click(".eo-book-link")
            page.wait_for_function("document.querySelector('.eo-book-linked').textContent.startsWith('Copied')")
            copied = page.evaluate("navigator.clipboard.readText()")
            assert copied == f"{served}/index.html{link}"
            assert len(copied) <= 300
            assert words_of(replayed(copied)) == says
        page.goto(f"{served}/index.html#console=lock_free/eo2-B3wn1-XXXX")
        page.wait_for_selector(".eo-console .eo-error:has-text('The book has no run')")


def replayed(link):
    """Return the kernel's console after it read a link."""
    console = crash_console()
    console.model.do("replay", link)
    assert console.model.wait(60)
    return console


def struck(strategy, point, hour):
    """Return the kernel's console after a crash."""
    console = crash_console(strategy=strategy)
    console.model.do("item", hour)
    console.model.do("strike", point)
    assert console.model.wait(60)
    return console


def words_of(console):
    """Return the words of a console's verdict."""
    return plain(console.verdict)


def plain(fragment):
    """Return the text of a fragment of HTML."""
    return html.unescape(re.sub(r"<[^>]*>", "", fragment)).strip()
