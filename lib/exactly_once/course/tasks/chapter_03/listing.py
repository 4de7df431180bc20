"""The source of a handler that is given with an exercise, as a picture."""

import inspect
import textwrap
from html import escape

from .... import show as drawing


def listing(handler):
    """Return the source of a handler."""
    source = textwrap.dedent(inspect.getsource(handler))
    return drawing.Picture(f'<pre class="eo-listing eo-given">{escape(source)}</pre>', text=source)
