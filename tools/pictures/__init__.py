"""The small pictures at the head of the chapters, and the picture of all chapters, made from declarations."""

from . import chapters, first, second, third
from .first import Scene
from .marks import HEIGHT, picture

SCENES = {
    "00-start-here": first.start_here,
    "01-lamport-clocks": first.lamport_clocks,
    "02-the-log": first.the_log,
    "03-delivery-semantics": first.delivery_semantics,
    "04-crash-points": first.crash_points,
    "05-the-idempotent-producer": first.idempotent_producer,
    "06-transactions": first.transactions,
    "07-into-another-system": second.into_another_system,
    "08-half-transactions": second.half_transactions,
    "09-the-lock-free-queue": second.lock_free_queue,
    "10-the-lock-free-handler": second.lock_free_handler,
    "11-what-it-promises": second.what_it_promises,
    "12-sparks-own-exactly-once": second.sparks_own,
    "13-on-real-servers": third.on_real_servers,
    "14-what-a-guarantee-costs": third.what_a_guarantee_costs,
}
OTHERS = {"00-the-chapters": chapters.the_chapters}
HEIGHTS = {"00-the-chapters": chapters.HEIGHT}


def svg(name: str) -> str:
    """Return a picture, such as that of chapter "04-crash-points", as the text of a file of SVG."""
    about, caption, marks = _scene(name)
    return picture(f"Chapter {name[:2]}: {caption}", about, caption, *marks, height=HEIGHTS.get(name, HEIGHT))


def about(name: str) -> str:
    """Return what a picture shows, for readers who cannot see it."""
    return _scene(name)[0]


def _scene(name: str) -> Scene:
    return {**SCENES, **OTHERS}[name]()
