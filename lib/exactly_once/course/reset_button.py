"""The button *Reset this chapter*, which asks before it does anything: older copies import it from here."""

from html import escape

from ..widgets.base.buttons import AskingButton
from .chapters import chapter_named, title
from .my_work import FOLDER
from .reset import reset_chapter


def reset_button(name):
    """Return the button for a chapter such as "04-crash-points". Raises `BadInput` for any other name."""
    name = chapter_named(name)
    return AskingButton(
        "Reset this chapter",
        "bring the notebook back to how it came",
        f"Chapter {escape(title(name))} goes back to how it came, and its cluster stops. <b>Save first</b> (Ctrl-S): "
        f"your version, as it was last saved, is kept in the folder <code>{FOLDER}/</code>.",
        ("Yes, reset it", "keep my version, then reset"),
        ("Leave it as it is", "do nothing"),
        lambda: reset_chapter(name),
        "eo-reset",
    )
