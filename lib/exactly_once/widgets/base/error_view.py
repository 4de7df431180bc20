"""An error as a widget shows it: a sentence, and where needed a traceback or an offer to take the cluster over."""

import traceback
from dataclasses import dataclass
from html import escape

from ...errors import CourseError, in_one_line, message_of
from .controls import button


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
    def of(cls, why, take_over=False, what="The console"):
        """Return the view of an error: the course's own errors as their sentence, others with traceback."""
        if isinstance(why, CourseError):
            return cls(*message_of(why), take_over)
        text = "".join(traceback.format_exception(why))
        said = f"{what} itself failed ({in_one_line(why)}). It goes on working; try again."
        return cls(said, text, expected=False)


def error_html(trouble):
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
