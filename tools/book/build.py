"""Build the book, the course as pages for a browser without a kernel: `make book`, or `python -m tools.book.build`.

The chapters are run where Spark and the servers are there, up to *Further on*; with `--no-run` no chapter is run. The
crash console is asked everything that a reader can ask of it, and is alive in the book. No page asks another server.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from importlib import resources
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from tools.book import console as answers
from tools.book.cells import Cells
from traitlets.config import Config

from exactly_once.errors import CourseError
from exactly_once.faults import FaultPlan
from exactly_once.handlers import STRATEGIES
from exactly_once.paths import ROOT, temporary
from exactly_once.simulate.places import KINDS
from exactly_once.widgets.console.console_widget import crash_console
from exactly_once.widgets.console.runs import ROWS

HERE = Path(__file__).parent
PAGES = ("docs", "notebooks", "exercises", "data/README.md", "CONTRIBUTING.md", "README.md")
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?![a-z]+:|#)([^)#\s]+)(?:#[^)]*)?\)")
CLIENT = {"timeout": 400, "interrupt_on_timeout": True, "allow_errors": True, "kernel_name": "python3"}
UNSEEN = {"transport_encryption": "auto"}  # or each kernel warns on the terminal
SETTINGS = {"EXACTLY_ONCE_BOOK": "1", "EXACTLY_ONCE_LEASE": f"book-{os.getpid()}"}  # a cluster that nobody else has
HIDDEN = {
    re.escape(str(ROOT)): "the course's folder",
    re.escape(str(Path.home())): "the home folder",
    r" \(/[^ )]+\)": "",  # where Java is
    r"[\d.]+ of [\d.]+ GB available": "enough",
    r", [\d.]+ GB free": "",
}
FRONT = """# Exactly once

A course on what happens when a program that handles a stream of data dies in the middle of its work, and on how to
repair the damage.

Click a letter, and the handler is killed there. Then choose another strategy. The real console gave these answers
when this book was built; [chapter 04](notebooks/04-crash-points.ipynb) goes on from here.

<div class="eo-book-widget" data-widget="CONSOLE">The console comes to life with JavaScript.</div>

```{toctree}
:hidden:
:glob:
:caption: Chapters
notebooks/[0-9]*
```

```{toctree}
:hidden:
:glob:
:caption: Beside them
README
notebooks/glossary
notebooks/sources
notebooks/teaching
exercises/README
docs/README
data/README
CONTRIBUTING
docs/*
```

```{toctree}
:hidden:
:glob:
:caption: Exercises
exercises/[0-9]*
```
"""
NO_REAL = "A real process is killed in the notebook alone: make lab."
REAL = "Recorded when this book was built: at B of hour 3 a real process of a Spark cluster died by SIGKILL."
FURTHER = "## Further on"


def main(arguments: list[str] | None = None) -> int:
    """Build the book into `book/`. Returns Sphinx's exit status."""
    parser = argparse.ArgumentParser(prog="make book", description="Build the course as a book.")
    parser.add_argument("--no-run", action="store_true", help="do not run the chapters: the book has no outputs")
    parser.add_argument("--out", type=Path, default=ROOT / "book", help="the folder of the pages (default: book/)")
    asked = parser.parse_args(arguments)
    source = Path(tempfile.mkdtemp(dir=temporary("book")))
    static = source / "_static"
    static.mkdir(parents=True)
    gather(source)
    cells = Cells(static / "widgets", HIDDEN, "")
    cells.console = live_console(cells, static, real=not asked.no_run)
    for path in sorted(source.rglob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            cell.source = linked(cell.source, path) if cell.cell_type == "markdown" else cell.source
        runs = path.parent.name == "notebooks" and not asked.no_run
        last = main_line(notebook) if runs else 0
        if runs:
            print(f"{path.stem} …", flush=True)
            run(notebook, last)
        ran = {cell.id for cell in notebook.cells[:last]}
        nbformat.write(cells.turn(notebook, ran), path)
    for path in source.rglob("*.md"):
        path.write_text(linked(path.read_text(encoding="utf-8"), path), encoding="utf-8")
    (source / "index.md").write_text(FRONT.replace("CONSOLE", cells.console), encoding="utf-8")
    shutil.copy(str(resources.files("plotly") / "package_data" / "plotly.min.js"), static)
    shutil.copytree(HERE / "pages", static, dirs_exist_ok=True)
    shutil.rmtree(asked.out, ignore_errors=True)
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-c", str(HERE)]
    command += ["-D", f"html_static_path={static}", str(source), str(asked.out)]
    status = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False).returncode
    shutil.rmtree(asked.out / ".doctrees", ignore_errors=True)
    shutil.copytree(source / "notebooks" / "images", asked.out / "notebooks" / "images", dirs_exist_ok=True)
    shutil.rmtree(source)
    size = sum(each.stat().st_size for each in asked.out.rglob("*") if each.is_file())
    print(f"{asked.out}: {size / 1e6:.0f} MB. To read it: python -m http.server -b 127.0.0.1 -d {asked.out}")
    return status


def gather(source: Path) -> None:
    """Copy what becomes a page into Sphinx's folder."""
    for name in PAGES:
        there = source / name
        there.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, there, ignore=shutil.ignore_patterns(".*", "*.py"))
        else:
            shutil.copy(ROOT / name, there)


def linked(text: str, path: Path) -> str:
    """Return a page's Markdown with words in the place of each link to a file that is not in the book."""

    def there(found: re.Match[str]) -> str:
        return found[0] if (path.parent / found[2]).is_file() else found[1]

    return LINK.sub(there, text)


def main_line(notebook: NotebookNode) -> int:
    """Return the number of cells before the first section *Further on*."""
    heads = (number for number, cell in enumerate(notebook.cells) if cell.source.startswith(FURTHER))
    return next(heads, len(notebook.cells))


def run(notebook: NotebookNode, last: int) -> None:
    """Run the first cells of a notebook, and the last one, which stops what they have started."""
    client = NotebookClient(notebook, **CLIENT, config=Config(KernelManager=UNSEEN))
    folder = Path(temporary("book")) / "run"
    folder.mkdir(exist_ok=True)
    with client.setup_kernel(cwd=str(folder), env=os.environ | SETTINGS):
        for number in (*range(last), *([len(notebook.cells) - 1] if last < len(notebook.cells) else [])):
            client.execute_cell(notebook.cells[number], number)
        client.set_widgets_metadata()


def live_console(cells: Cells, static: Path, real: bool) -> str:
    """Ask the console everything, and return the file of its first state. `real`: kill a real process, too."""
    answers.write(static / "console")
    widget = crash_console()
    widget.set_width(answers.WIDTH)
    proofs = {}
    for name in STRATEGIES:
        widget.model.do("strategy", name)
        widget.proving.do("prove")
        if not widget.proving.wait(answers.LIMIT_SECONDS):
            raise CourseError(f"The proof of {name} has taken more than {answers.LIMIT_SECONDS} s.")
        proofs[name] = widget.proof
    widget.model.do("strategy", "at_least_once")
    state = answers.traits(widget) | {"row": "at_least_once", "proofs": proofs, "filled": answers.filled()}
    state |= {"rows": ROWS, "kinds": list(KINDS), "calmToken": FaultPlan().token}
    killed = answers.killed() if real else {}
    state |= {"proof": proofs["at_least_once"], "real": killed, "realSays": REAL if killed else NO_REAL}
    return cells.kept({**cells.page(widget.get_state()), "state": state, "kind": "console"})


if __name__ == "__main__":
    sys.exit(main())
