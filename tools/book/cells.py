"""A notebook's outputs as a book shows them: widgets without a kernel, charts from a local file, no paths."""

import hashlib
import json
import re
from html import escape
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_output

WIDGET, CHART = "application/vnd.jupyter.widget-view+json", "application/vnd.plotly.v1+json"
STATES = "application/vnd.jupyter.widget-state+json"
CONSOLE = re.compile(r"^crash_console\(\)$", re.MULTILINE)
NOT_RUN = "This cell was not run for the book: open the notebook to run it."
FAILED = "This cell could not run where the book was built: {why}."
TOO_LONG = "it took too long"
STILL = '<p class="eo-book-says">Its first position. In the notebook it goes on: <code>make lab</code>.</p>'
NO_PAGE = '<p class="eo-book-says">The buttons here work in the notebook alone.</p>'
LEFT_OUT = ("_esm", "_css", "layout", "tabbable", "tooltip")


class Cells:
    """Turns the cells of executed notebooks into those of the book; what their widgets need goes into `folder`.

    `hidden` maps what tells of this machine, a regular expression, to what the book says. `console` is the
    file of a live console.
    """

    def __init__(self, folder: Path, hidden: dict[str, str], console: str):
        self.folder, self.hidden, self.console = folder, hidden, console
        folder.mkdir(parents=True, exist_ok=True)

    def turn(self, notebook: NotebookNode, ran: set[str]) -> NotebookNode:
        """Change a notebook's outputs in place, and return it.

        `ran` are the ids of the cells that were run. If there are none, no cell says that it was not run.
        """
        states = notebook.metadata.pop("widgets", {}).get(STATES, {}).get("state", {})
        for cell in notebook.cells:
            if cell.cell_type != "code":
                continue
            if CONSOLE.search(cell.source):
                cell.outputs = [_html(self._place(self.console))]
            elif ran and cell.id not in ran:
                cell.outputs = [_html(f'<p class="eo-book-says">{NOT_RUN}</p>')]
            else:
                cell.outputs = [self._output(output, states) for output in cell.outputs]
        return notebook

    def kept(self, data: dict[str, Any]) -> str:
        """Keep the state of a widget, and return the name of its file."""
        text = json.dumps(data, separators=(",", ":"), default=str)
        return self._file(self.clean(text), "json")

    def page(self, state: dict[str, Any]) -> dict[str, str]:
        """Keep a widget's JavaScript and style sheet, which widgets of one kind share; return their files."""
        return {kind: self._file(state[f"_{kind}"], suffix) for kind, suffix in (("esm", "js"), ("css", "css"))}

    def clean(self, text: str) -> str:
        """Return a text without this machine's paths."""
        for there, said in self.hidden.items():
            text = re.sub(there, said, text)
        return text

    def _file(self, text: str, suffix: str) -> str:
        name = f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.{suffix}"
        (self.folder / name).write_text(text, encoding="utf-8")
        return f"{self.folder.name}/{name}"

    def _place(self, file: str) -> str:
        return f'<div class="eo-book-widget" data-widget="{file}">This widget comes to life with JavaScript.</div>'

    def _output(self, output: NotebookNode, states: dict[str, Any]) -> NotebookNode:
        if output.output_type == "error":
            why = escape(self.clean(output.evalue) or TOO_LONG)  # an interrupt says nothing
            return _html(f'<p class="eo-book-says">{FAILED.format(why=why)}</p>')
        if output.output_type == "stream":
            output.text = self.clean(output.text)
            return output
        data = output.data
        if WIDGET in data:
            state = states.get(data[WIDGET]["model_id"], {}).get("state", {})
            if "_esm" not in state:
                below = [states[each.removeprefix("IPY_MODEL_")]["state"] for each in state.get("children", ())]
                if not below or below[0]["_model_name"] == "ButtonModel":
                    return _html(NO_PAGE)
                shown = "".join(each["value"] for each in below if each["_model_name"] == "HTMLModel")
                return _html(f'<div class="eo">{shown}</div>{STILL}')
            left = {name: value for name, value in state.items() if name not in LEFT_OUT}
            kind = "ask" if "opens" in left else ""
            kept = self.kept({**self.page(state), "state": {**left, "opened": None}, "kind": kind})
            return _html(self._place(kept) + ("" if kind else STILL))
        if CHART in data:
            inside = json.dumps({key: data[CHART].get(key) for key in ("data", "layout")}).replace("</", "<\\/")
            return _html(f'<div data-chart><script type="application/json">{inside}</script></div>')
        for kind in ("text/html", "text/markdown", "text/plain"):
            if kind in data:
                data[kind] = self.clean("".join(data[kind]))
        return output


def _html(text: str) -> NotebookNode:
    return new_output("display_data", {"text/html": text})
