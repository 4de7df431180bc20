"""Controls as HTML: real buttons, lists and fields, so that the keyboard works by itself; `data-do` names the action.

`data-key` is what the page finds a control by after a change, to give it the focus back.
"""

from html import escape


def field(title, control):
    """Return a control under its title."""
    inside = f"<span>{escape(title)}</span>{control}"
    if control.startswith("<span"):
        return f'<div class="eo-field" role="group" aria-label="{escape(title)}">{inside}</div>'
    return f'<label class="eo-field">{inside}</label>'


def select(name, options, value, off=False):
    """Return a list to choose from. `options` are (value, title) pairs."""
    inside = "".join(
        f'<option value="{escape(str(key))}"{" selected" if key == value else ""}>{escape(str(title))}</option>'
        for key, title in options
    )
    return f'<select class="eo-{name}" {_what(name)}{_off(off)}>{inside}</select>'


def segments(name, titles, chosen, off=False, spoken="{}"):
    """Return buttons side by side of which one is pressed; the arrow keys go from one to the next.

    `titles` maps values to titles; `spoken` is a pattern for what is read aloud instead of a title.
    """
    inside = "".join(
        f'<button type="button" class="eo-seg eo-{name}-{str(key).replace(" ", "-")}" {_what(name, key)} '
        f'aria-pressed="{truth(key == chosen)}" aria-label="{escape(spoken.format(title))}"{_off(off)}>'
        f"{escape(title)}</button>"
        for key, title in titles.items()
    )
    return f'<span class="eo-segments" data-arrows>{inside}</span>'


def number(name, value, most=None, off=False, least=1):
    """Return a field for a whole number from `least` to `most`."""
    limit = f' max="{most}"' if most else ""
    return f'<input class="eo-{name}" type="number" min="{least}"{limit} value="{value}" {_what(name)}{_off(off)}>'


def text(name, example, off=False):
    """Return a field for a text, which Enter sends."""
    kind = f'class="eo-{name}" type="text" spellcheck="false" placeholder="{example}"'
    return f"<input {kind} data-enter {_what(name)}{_off(off)}>"


def button(css, do, title, off=False, primary=False, pressed=None):
    """Return a button that carries out an action; `pressed` makes it one that stays down."""
    kind = " eo-primary" if primary else ""
    state = "" if pressed is None else f' aria-pressed="{truth(pressed)}"'
    return (
        f'<button type="button" class="eo-button {css}{kind}" {_what(do)}{state}{_off(off)}>{escape(title)}</button>'
    )


def truth(value):
    """Return a truth value as HTML writes it."""
    return "true" if value else "false"


def _what(do, value=None):
    if value is None:
        return f'data-do="{do}" data-key="{do}"'
    return f'data-do="{do}" data-value="{escape(str(value))}" data-key="{do}-{escape(str(value))}"'


def _off(off):
    """A control that is off keeps the keyboard's focus, which `disabled` would take away."""
    return ' aria-disabled="true"' if off else ""
