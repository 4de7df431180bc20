"""Style sheets keep to their own widget: one notebook shows them all, and one may stand inside another."""

import re
from collections import defaultdict

import pytest

from exactly_once import show
from exactly_once.paths import ROOT
from exactly_once.widgets.base import widget as base

HOME = ROOT / "lib" / "exactly_once" / "widgets"
ROOTS = {
    "adversary": "eo-adversary", "ask": "eo-ask", "carry": "eo-carry",
    "console": "eo-console", "debug": "eo-debugger", "exercise": "eo-exercise",
    "playground": "eo-playground", "player": "eo-player",
    "timeline": "eo-timeline", "twins": "eo-twins",
}  # fmt: skip
OF_PICTURES = {"timeline": "eo-tt"}  # a picture that stands outside the widget as well
# Class names that several widgets use with different styles: the parts that `board` lays out, banners, and the
# names that `controls` makes of actions. Rules for them begin with the widget's root, too.
COMMON = {
    "eo-error", "eo-status", "eo-toolbar", "eo-opened", "eo-open-row", "eo-node-sign", "eo-banner-good",
    "eo-banner-warn", "eo-banner-bad", "eo-pace", "eo-story", "eo-earlier", "eo-speed",
}  # fmt: skip


def selectors(css):
    """Return the selectors of a style sheet, each alternative by itself."""
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    found = [each.strip() for each in re.findall(r"([^{};]+)\{", css)]
    return [
        one.strip()
        for each in found
        if not each.startswith("@") and not re.fullmatch(r"to|from|\d+%", each)
        for one in alternatives(each)
    ]


def alternatives(selector):
    """Return the parts of a selector between the commas that stand in no brackets."""
    parts, depth = [""], 0
    for letter in selector:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def classes(css):
    """Return the classes that a style sheet has rules for."""
    return {name for selector in selectors(css) for name in re.findall(r"\.(eo-[\w-]+)", selector)}


def sheet(name):
    """Return the style sheet of a widget's folder."""
    return "".join(path.read_text(encoding="utf-8") for path in sorted((HOME / name).glob("*.css")))


SHARED = classes(show.CSS) | classes(sheet("base")) | classes(sheet("player")) | COMMON


def test_every_sheet_is_known():
    assert {path.parent.name for path in HOME.glob("*/*.css")} == {*ROOTS, "base", "demo"}
    assert base.HERE == HOME


@pytest.mark.parametrize("name", ROOTS)
def test_every_rule_of_a_widget_begins_with_its_root(name):
    roots = (ROOTS[name], OF_PICTURES.get(name, ROOTS[name]))
    own = re.compile(r"\.(?:" + "|".join(map(re.escape, roots)) + r")(?![\w])")
    assert [each for each in selectors(sheet(name)) if not own.search(each.partition(" ")[0])] == []


def test_a_class_that_a_widget_styles_is_its_own_or_carries_its_name():
    """A name without the widget's is nowhere in the sources of another widget."""
    sources = defaultdict(str)
    for path in HOME.glob("*/*"):
        if path.parent.name == "demo":
            continue  # it lays out the console and the adversary for a projector, alone on its page
        if path.suffix in (".py", ".js", ".css"):
            sources[path.parent.name] += path.read_text(encoding="utf-8")
    taken = {}
    for name, root in ROOTS.items():
        for css in classes(sheet(name)) - SHARED - {root, OF_PICTURES.get(name)}:
            if css.startswith(f"{root}-"):
                continue
            word = re.compile(rf"(?<![\w-]){css}(?![\w-])")
            others = [other for other, text in sources.items() if other != name and word.search(text)]
            if others:
                taken[f"{css} of {name}"] = others
    assert taken == {}
