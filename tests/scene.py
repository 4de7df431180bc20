"""The scene of the page "How to write a scene", by which the player is tested."""

import re

from exactly_once.paths import ROOT
from exactly_once.widgets import play

PAGE = (ROOT / "docs" / "how-to-write-a-scene.md").read_text(encoding="utf-8")
CODE = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]


def seats(**chosen):
    """Return the player of the page's scene; the page's code is what runs."""
    names = {"__name__": "a_scene"}
    exec(compile(CODE, "how-to-write-a-scene.md", "exec"), names)
    return play(names["Seats"](), **chosen)
