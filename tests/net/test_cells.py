"""Each cell of a main line shows this text, if it showed the same in two runs: what is measured is left out."""

import os

import pytest

from tests.notebooks.reading import NOTEBOOKS, read, without_further_on
from tests.notebooks.test_run import lease as lease
from tests.notebooks.test_run import run

from . import compare, kept, tidy

pytestmark = [pytest.mark.slow, pytest.mark.cluster, pytest.mark.timeout(1800), pytest.mark.usefixtures("lease")]


def shown(path):
    """Run a chapter's main line; return {id of a cell: its text}, of those that show any."""
    notebook = without_further_on(read(path))
    run(notebook)
    found = {}
    for cell in notebook.cells:
        texts = [
            "".join(output.get("text", "") or output.get("data", {}).get("text/plain", ""))
            for output in cell.get("outputs", ())
        ]
        if any(texts):
            found[cell.id] = tidy("".join(texts))
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells(path):
    part, found = f"cells/{path.stem}", shown(path)
    if os.environ.get("NET") == "record":
        again = shown(path)
        compare(part, {name: text for name, text in found.items() if again.get(name) == text})
    else:
        compare(part, {name: text for name, text in found.items() if name in kept(part)})
