"""The small pictures at the head of the chapters, made from declarations."""

from . import first, second, third
from .first import Scene
from .marks import picture

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


def svg(chapter: str) -> str:
    """Return the picture of a chapter such as "04-crash-points" as the text of a file of SVG."""
    about, caption, marks = SCENES[chapter]()
    return picture(f"Chapter {chapter[:2]}: {caption}", about, caption, *marks)


def about(chapter: str) -> str:
    """Return what the picture of a chapter shows, for readers who cannot see it."""
    scene: Scene = SCENES[chapter]()
    return scene[0]
