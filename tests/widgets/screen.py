"""A widget's screen in words, and a reader who presses what is named there: for files of approved screens.

The words are those that can be read or heard: text, names of controls and sections, titles, what is off, pressed or
current, keys. Tags and classes do not count.
"""

import json
import re
from html.parser import HTMLParser
from typing import NamedTuple

VOID = {"input", "br", "img", "line", "circle", "rect", "path", "polygon", "use"}
CONTROLS = {"button", "select", "input", "textarea"}
FIXED = ("head", "error", "about", "faults", "words")  # regions that may be drawn once for all
BLOCKS = {"p", "div", "li", "tr", "section", "h3", "ol", "ul", "table", "summary", "details", "svg", "g", "text"}


class Control(NamedTuple):
    """A control: its name after those of the sections around it, its attributes, the options of a list."""

    name: str
    attributes: dict
    options: dict


class Screen(HTMLParser):
    """The words of a fragment of HTML, in `lines`, and its `controls`."""

    def __init__(self, html):
        super().__init__()
        self.text, self.controls, self.open, self._here = [], [], [], []
        self.feed(html)
        self.lines = [line for each in "".join(self.text).split("\n") if (line := re.sub(r"\s+", " ", each).strip())]

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if tag in BLOCKS:
            self.text.append("\n")
        if tag in CONTROLS:
            state = {"aria-disabled": "off", "aria-pressed": "pressed", "aria-invalid": "wrong"}
            states = [word for name, word in state.items() if found.get(name) == "true"]
            said = {"aria-keyshortcuts": "key", "aria-description": "says"} | (
                {"value": "holds"} if tag == "input" else {}
            )
            states += [f"{word} {found[name]!r}" for name, word in said.items() if name in found]
            self.text.append(" ⟨" + "".join(f"{word}; " for word in states))
            self._here = [[], {}]
        if tag == "option":
            self._here[1][found["value"]] = "selected" in found
            self.text.append("* " if "selected" in found else "· ")
        for name in ("aria-label", "title", "aria-current", "placeholder"):
            if found.get(name):
                self.text.append(f" [{'current ' if name == 'aria-current' else ''}{found[name]}] ")
        if tag not in VOID:
            self.open.append((tag, found, len(self.text)))
        elif tag in CONTROLS:
            self._close(tag, found, "")

    def handle_endtag(self, tag):
        if tag in VOID or not self.open:
            return
        last, found, since = self.open.pop()
        assert last == tag, f"<{last}> is closed by </{tag}>"
        if tag in CONTROLS:
            self._close(tag, found, "".join(self.text[since:]))
        if tag in ("td", "th", "option"):
            self.text.append(" | ")
        if tag in BLOCKS:
            self.text.append("\n")

    def handle_data(self, data):
        self.text.append(re.sub(r"\s+", " ", data))

    def _close(self, tag, found, words):
        around = [of["aria-label"] for _, of, _ in self.open if of.get("aria-label")]
        own = found.get("aria-label") or re.sub(r"\s+", " ", words).strip()
        own = own or found.get("placeholder") or found.get("data-do", "")
        self.controls.append(Control(" / ".join([*around, own]), found, self._here[1]))
        self.text.append("⟩ ")


def regions(widget):
    """Return {region: its HTML} of a widget's screen."""
    found = {name: value for name, value in widget.fragments().items() if isinstance(value, str)}
    fixed = {name: getattr(widget, name) for name in FIXED if isinstance(getattr(widget, name, None), str)}
    return {**fixed, **found}


def press(widget, named):
    """Press the first control that is on and bears all these names, as in "Node 2 / kill".

    "Name = value" types a value into a field, or chooses it from a list. "→ do = value" is what the page itself
    sends, such as the place to which a slider was dragged, as JSON or as a text.
    """
    named, _, value = named.partition(" = ")
    if named.startswith("→ "):
        try:
            sent = json.loads(value)
        except ValueError:
            sent = value
        widget._heard(widget, {"do": named.removeprefix("→ "), "value": sent, "number": 1}, [])
        return
    for html in regions(widget).values():
        for control in Screen(html).controls:
            acts = "data-do" in control.attributes and not control.attributes.get("aria-disabled")
            if acts and _fits(control.name, named.split(" / ")):
                do = control.attributes["data-do"]
                sent = value or control.attributes.get("data-value")
                widget._heard(widget, {"do": do, "value": sent, "number": 1}, [])
                return
    raise AssertionError(f"no control is named {named!r}")


def _fits(name, parts):
    at = 0
    for part in parts:
        at = name.find(part, at) + len(part)
        if at < len(part):
            return False
    return True


def script_of(widget, presses, settle=lambda widget: None, only=()):
    """Return what is on the screen at first and after each press, in words: of each region that has changed.

    `only` names the regions that count, if not all do.
    """
    settle(widget)
    found, before = [], {}
    for named in ("", *presses):
        if named:
            press(widget, named)
            settle(widget)
        found.append(f"==== {named or 'at first'}")
        for region, html in sorted(regions(widget).items()):
            lines = Screen(html).lines
            if (not only or region in only) and lines != before.get(region, []):
                found += [f"-- {region}", *lines]
            before[region] = lines
    return "\n".join(found) + "\n"
