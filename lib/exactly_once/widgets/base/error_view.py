"""An error as a console shows it: a sentence, perhaps a traceback, perhaps an offer to take the cluster over."""

import traceback
from dataclasses import dataclass
from html import escape

from ...errors import CourseError, message_of
from .controls import button


@dataclass(frozen=True)
class ErrorView:
    """What went wrong, in a sentence; `traceback` is "" where there is none to show."""

    message: str
    traceback: str = ""
    take_over: bool = False

    @classmethod
    def of(cls, why, take_over=False):
        """Return what to show of an error: what the course raises on purpose as its sentence, other with
        traceback.
        """
        if isinstance(why, CourseError):
            return cls(*message_of(why), take_over)
        text = "".join(traceback.format_exception(why))
        return cls(f"The console itself failed ({type(why).__name__}: {why}). It goes on working; try again.", text)


def error_html(trouble):
    """Return an error as HTML; nothing for None."""
    if trouble is None:
        return ""
    trace = f'<pre class="eo-traceback">{escape(trouble.traceback)}</pre>' if trouble.traceback else ""
    offer = ""
    if trouble.take_over:
        offer = f"<p>{button('eo-take-over', 'take_over', 'Take the cluster over and run')}</p>"
    return f'<div class="eo-says eo-is-bad"><strong>!</strong> {escape(trouble.message)}{trace}{offer}</div>'
