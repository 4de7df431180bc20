"""A JupyterLab of one's own on loopback, and a Chromium to look at it: for the browser tests and the benchmarks."""

import contextlib
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat

from exactly_once.course.setup.lab import environment, kernels
from exactly_once.paths import temporary
from exactly_once.servers.process import free_port
from exactly_once.spark.cluster.processes import command_line

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
# What Chromium needs as root and without a network.
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
START_SECONDS = 180


def chromium():
    """Return the path of a Chromium, or None. EO_CHROMIUM names one."""
    named = os.environ.get("EO_CHROMIUM")
    return named or next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)


def kernels_below(process):
    """Return the kernels among the processes below one."""
    return [each for each in process.children(recursive=True) if "ipykernel_launcher" in command_line(each)]


class Lab:
    """A running JupyterLab that serves one folder."""

    def __init__(self, folder):
        self.folder, self.port, self.token = folder, free_port(), secrets.token_hex(16)
        self.log = folder / "lab.log"
        command = [
            sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1",
            f"--port={self.port}", f"--ServerApp.root_dir={folder}", f"--IdentityProvider.token={self.token}",
            "--LabApp.expose_app_in_browser=True", "--LabApp.news_url=",
            "--LabApp.check_for_updates_class=jupyterlab.handlers.announcements.NeverCheckForUpdate",
            "--LanguageServerManager.autodetect=False",
            *(f"--KernelManager.{name}={value}" for name, value in kernels().items()),
        ]  # fmt: skip
        # Folders of its own: what a test does to the theme must not reach the next one, nor `make lab`'s.
        own = {
            "JUPYTER_CONFIG_DIR": str(folder / "config"),
            "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
            "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
        }
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                command, env={**os.environ, **environment(), **own}, stdout=log, stderr=log, start_new_session=True
            )
        self._wait()

    def _wait(self):
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            with contextlib.suppress(OSError), urllib.request.urlopen(self.url("api/status"), timeout=2) as reply:
                json.load(reply)
                return
            time.sleep(0.2)
        self.stop()
        raise RuntimeError(f"JupyterLab did not answer within {START_SECONDS} s:\n{self.log.read_text()[-2000:]}")

    def url(self, path):
        """Return an address of this server, with its token."""
        return f"http://127.0.0.1:{self.port}/{path}?token={self.token}"

    def sessions(self):
        """Return the ids of the notebooks' sessions that run now."""
        return {session["id"] for session in self._ask("GET", "api/sessions")}

    def end_sessions(self, but=()):
        """End sessions and their kernels, all but some."""
        for session in self.sessions() - set(but):
            self._ask("DELETE", f"api/sessions/{session}")

    def _ask(self, method, path):
        request = urllib.request.Request(self.url(path), method=method)
        with urllib.request.urlopen(request, timeout=60) as reply:
            text = reply.read()
        return json.loads(text) if text else None

    def stop(self):
        """Shut the server and its kernels down."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def notebook(path, *cells):
    """Write a notebook with these code cells."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(book, path)


@contextlib.contextmanager
def browser(playwright):
    """Give a headless Chromium. Raises `RuntimeError` when there is none."""
    path = chromium()
    if path is None:
        raise RuntimeError(
            "There is no Chromium. Install one (apt-get install chromium), or name one in EO_CHROMIUM."
        )
    homes = {name: str(temporary("chromium", name)) for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
    found = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS, env={**os.environ, **homes})
    try:
        yield found
    finally:
        found.close()


VIEWPORT = {"width": 1280, "height": 800}
LEAVE = """async () => {
  for (const panel of [...window.jupyterapp.shell.widgets('main')]) {
    await panel.context?.sessionContext?.shutdown();
    panel.dispose();
  }
}"""
LATE = "[anywidget] Failed to initialize model."  # it took two seconds; base/page.js lets the model go on


@contextlib.contextmanager
def watched_page(opened, lab):
    """Give a fresh page, and fail when the page reports an error. Its kernels end with it."""
    before = lab.sessions()
    context = opened.new_context(viewport=VIEWPORT)
    context.set_default_timeout(60_000)  # a busy machine is no failure
    page = context.new_page()
    errors = page.errors = []
    page.on("pageerror", lambda error: errors.append(str(error)) if LATE not in str(error) else None)
    yield page
    context.close()
    lab.end_sessions(but=before)
    assert not errors, f"the page reported: {errors}"


def leave_notebooks(page):
    """Close all notebooks of a page, end their kernels, and bring the window back to its size."""
    page.mouse.up()
    page.evaluate(LEAVE)
    page.wait_for_function("!document.querySelector('.jp-NotebookPanel')")
    page.set_viewport_size(VIEWPORT)


def open_notebook(page, lab, name, theme="JupyterLab Light"):
    """Open a notebook in a page and run all its cells. Returns when the kernel is idle again.

    A page that has JupyterLab already opens the notebook in it: to load it anew takes five seconds.
    """
    if page.evaluate("!!window.jupyterapp"):
        # In braces, so that nobody waits for what the command returns: that comes seconds later than the notebook.
        page.evaluate("path => { window.jupyterapp.commands.execute('docmanager:open', {path}); }", name)
    else:
        # A workspace of its own for each notebook: the default one would open the notebooks of earlier tests again.
        page.goto(lab.url(f"lab/workspaces/{name.partition('.')[0]}/tree/{name}"))
    page.wait_for_function(
        "name => window.jupyterapp?.shell.currentWidget?.context?.path === name"
        " && document.querySelector('.jp-NotebookPanel .jp-Cell')",
        arg=name,
        timeout=90_000,
    )
    change_theme(page, theme)
    wait_for_idle(page)
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_timeout(300)
    wait_for_idle(page)


def change_theme(page, theme):
    """Change the theme, such as "JupyterLab Dark". Returns when the page has it: until then it is without styles."""
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
    page.wait_for_function(
        "name => document.body.dataset.jpThemeName === name && !document.querySelector('#jupyterlab-splash')",
        arg=theme,
    )


def wait_for_idle(page, seconds=90):
    """Wait until the notebook's kernel is there and idle, and the status bar says so."""
    page.wait_for_function(
        "window.jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"
        " && document.querySelector('#jp-main-statusbar')?.innerText.includes('| Idle')",
        timeout=seconds * 1000,
    )


def again(desk, root, there):
    """Run a desk's cells again, and give its page with a widget that nobody has touched.

    `root` selects the widgets that go, `there` what is in a new one.
    """
    desk.evaluate("root => document.querySelectorAll(root).forEach(each => each.remove())", root)
    desk.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    desk.wait_for_selector(f"{root} {there}")
    return desk


def axe_findings(page, root):
    """Return the serious and critical findings of axe-core below a selector: rule and place."""
    if page.evaluate("window.axe === undefined"):
        page.evaluate((Path(__file__).parent / "axe" / "axe.min.js").read_text(encoding="utf-8"))
    return page.evaluate(
        """async root => (await axe.run(document.querySelector(root), {resultTypes: ['violations']})).violations
             .filter(each => ['serious', 'critical'].includes(each.impact))
             .flatMap(each => each.nodes.map(node => `${each.id}: ${node.html.slice(0, 160)}`))""",
        root,
    )


def reached_by_keys(page, presses=60):
    """Return the classes of all that Tab reaches from here, and in a row of buttons the arrow keys."""
    reached = set()
    for _ in range(presses):
        reached |= set(
            page.evaluate(
                """[document.activeElement, ...document.activeElement.closest('[data-arrows]')
                    ?.querySelectorAll('button') ?? []].flatMap(each => [...each.classList])"""
            )
        )
        page.keyboard.press("Tab")
    return reached
