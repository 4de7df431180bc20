"""Controls as HTML: real buttons, lists and fields, so that the keyboard works by itself; `data-do` names the action.

By `data-key` the page finds a control after a change, to give the focus back to it. An error is shown as a sentence,
and where needed with a traceback or an offer to take the cluster over. A node has its sign and colour everywhere.
"""

import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Any

from ...errors import CourseError, in_one_line, message_of

NODE_SIGNS = "●■▲◆★✚"
NODE_COLOURS = ("blue", "green", "purple", "amber")


def field(title: str, control: str) -> str:
    """Return a control under its title."""
    inside = f"<span>{escape(title)}</span>{control}"
    if control.startswith("<span"):
        return f'<div class="eo-field" role="group" aria-label="{escape(title)}">{inside}</div>'
    return f'<label class="eo-field">{inside}</label>'


def select(name: str, options: Any, value: Any, off: bool = False) -> str:
    """Return a list to choose from. `options` are (value, title) pairs."""
    inside = "".join(
        f'<option value="{escape(str(key))}"{" selected" if key == value else ""}>{escape(str(title))}</option>'
        for key, title in options
    )
    return f'<select class="eo-{name}" {_what(name)}{_off(off)}>{inside}</select>'


def segments(name: str, titles: dict[Any, Any], chosen: Any, off: bool = False, spoken: str = "{}") -> str:
    """Return buttons side by side with one of them pressed: one stop for Tab, the arrow keys go from one to the next.

    `titles` maps values to titles; `spoken` is a pattern for the words that are read aloud instead of a title.
    """
    stop = chosen if chosen in titles else next(iter(titles))
    inside = "".join(
        f'<button type="button" class="eo-seg eo-{name}-{str(key).replace(" ", "-")}" {_what(name, key)} '
        f'tabindex="{0 if key == stop else -1}" aria-pressed="{truth(key == chosen)}" '
        f'aria-label="{escape(spoken.format(title))}"{_off(off)}>{escape(title)}</button>'
        for key, title in titles.items()
    )
    return f'<span class="eo-segments" data-arrows="choose">{inside}</span>'


def row(css: Any, label: Any, *buttons: Any) -> Any:
    """Return a row of buttons: one stop for Tab, the arrow keys go from one to the next."""
    return f'<div class="{css}" role="toolbar" aria-label="{escape(label)}" data-arrows>{"".join(buttons)}</div>'


def number(name, value, most=None, off=False, least=1, wrong="", spoken=""):
    """Return a field for a whole number from `least` to `most`; `wrong` is the error sentence for its content.

    `spoken` is read aloud for a field that stands in no label of its own.
    """
    limit = f' max="{most}"' if most else ""
    label = f' aria-label="{escape(spoken)}"' if spoken else ""
    mark = _wrong(wrong) if wrong else ""
    return (
        f'<input class="eo-{name}" type="number" min="{least}"{limit} value="{escape(str(value))}" {_what(name)}'
        f"{label}{mark}{_off(off)}>"
    )


def number_field(title, name, value, refused, most=None, off=False, least=1):
    """Return a field for a whole number under its title. A refused input stays in it, with a sentence below its row.

    `refused` is that of a model's state; of several sentences the newest is on the screen.
    """
    typed, sentence = refused.get(name, (value, ""))
    return field(title, number(name, typed, most, off, least, sentence)) + field_says(name, refused)


def text_field(title: str, name: str, example: str, refused: dict[Any, Any], off: bool = False) -> str:
    """Return a field for a text under its title, which Enter sends; `refused` is as in `number_field`."""
    typed, sentence = refused.get(name, ("", ""))
    held = f'value="{escape(typed)}"{_wrong(sentence)} ' if sentence else ""
    kind = f'class="eo-{name}" type="text" spellcheck="false" placeholder="{example}"'
    return field(title, f"<input {held}{kind} data-enter {_what(name)}{_off(off)}>") + field_says(name, refused)


def button(
    css, do, title, off=False, primary=False, pressed=None, value=None, spoken="", key="", tip="", number=0,
    look="eo-button", html="",
):  # fmt: skip
    """Return a button that carries out an action, with a `value` if the action has one.

    `pressed` makes a button that stays down; `spoken` is read aloud instead of the title; by `key` the page finds the
    button where its value changes; `tip` stands under the pointer; `number` is the digit that presses it; `look` is
    the class of its look, where that is another one; `html` is shown in the place of the title.
    """
    kind = " eo-primary" if primary else ""
    state = "" if pressed is None else f' aria-pressed="{truth(pressed)}"'
    label = f' aria-label="{escape(spoken)}"' if spoken else ""
    label += f' title="{escape(tip)}"' if tip else ""
    label += f' aria-keyshortcuts="{number}" data-number="{number}"' if number else ""
    shown = (html or escape(title)) + (f'<kbd aria-hidden="true">{number}</kbd>' if number else "")
    what = f"{_what(do, value, key)}{label}{state}{_off(off)}"
    return f'<button type="button" class="{look} {css}{kind}" {what}>{shown}</button>'


def banner(kind: str, words: str, more: str = "") -> str:
    """Return a verdict in its box, "good", "warn", "bad" or "none". `words`, and `more` beside them, are HTML."""
    return f'<div class="eo-banner eo-banner-{kind}"><p>{words}</p>{more}</div>'


def token_to_copy(token: str) -> str:
    """Return a token, with the button that copies it."""
    return (
        f'<code class="eo-token" title="Token of the way so far">{escape(token)}</code><button type="button" '
        f'class="eo-button eo-copy" data-copy="{escape(token)}" data-key="copy">Copy token</button>'
    )


def truth(value: Any) -> str:
    """Return a truth value as HTML writes it."""
    return "true" if value else "false"


def field_says(name: str, refused: dict[Any, Any]) -> str:
    """Return the sentence on a refused input, if it is the newest of several."""
    if next(reversed(refused), None) != name:
        return ""
    return f'<p class="eo-field-says" role="alert">{escape(refused[name][1])}</p>'


def _wrong(sentence: str) -> str:
    return f' aria-invalid="true" aria-description="{escape(sentence)}"'


def _what(do: str, value: Any = None, key: str = "") -> str:
    if value is None:
        return f'data-do="{do}" data-key="{key or do}"'
    shown = escape(str(value))
    return f'data-do="{do}" data-value="{shown}" data-key="{key or do + "-" + shown}"'


def _off(off: bool) -> str:
    """Mark a control as off. An off control keeps the keyboard's focus, which `disabled` would take away."""
    return ' aria-disabled="true"' if off else ""


@dataclass(frozen=True)
class ErrorView:
    """The sentence on an error; `traceback` is "" where there is none to show.

    `field` names the field with the error, beside which the sentence stands.
    """

    message: str
    traceback: str = ""
    take_over: bool = False
    field: str = ""
    expected: bool = True

    @classmethod
    def of(cls, why: Any, take_over: bool = False, what: str = "The console") -> "ErrorView":
        """Return the view of an error: the course's own errors as their sentence, others with traceback."""
        if isinstance(why, CourseError):
            return cls(*message_of(why), take_over)
        text = "".join(traceback.format_exception(why))
        said = f"{what} itself failed ({in_one_line(why)}). It goes on working; try again."
        return cls(said, text, expected=False)


def error_html(trouble: ErrorView | None) -> str:
    """Return an error as HTML; "" for None, and for an error that stands beside its field."""
    if trouble is None or trouble.field:
        return ""
    trace = f'<pre class="eo-traceback" tabindex="0">{escape(trouble.traceback)}</pre>' if trouble.traceback else ""
    if not trouble.expected:
        trace = f'<details class="eo-folded"><summary>Where it failed</summary>{trace}</details>'
    offer = ""
    if trouble.take_over:
        offer = f"<p>{button('eo-take-over', 'take_over', 'Take the cluster over and run')}</p>"
    return f'<div class="eo-says eo-is-bad"><strong>✗</strong> {escape(trouble.message)}{trace}{offer}</div>'


def colour(node):
    """Return the name of a node's colour."""
    return NODE_COLOURS[node % len(NODE_COLOURS)]


def who(node):
    """Return a node's sign, in its colour."""
    return f'<i class="eo-node-sign" style="color:var(--eo-{colour(node)})">{NODE_SIGNS[node % len(NODE_SIGNS)]}</i>'


def listed(words: Iterable[Any]) -> str:
    """Return words with commas, and an "and" before the last."""
    *most, last = [*words] or ["nothing"]
    return f"{', '.join(most)} and {last}" if most else last
