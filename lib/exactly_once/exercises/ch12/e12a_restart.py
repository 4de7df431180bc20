"""Exercise 12a: what a restart of a query does, from the listing of its checkpoint.

The rules are those of Spark's `MicroBatchExecution.populateStartOffsets`, tried on Spark 4.3.0.
"""

import re
from html import escape

from ...show import Picture
from ..kinds.cases import Cases, sketched

NEW, AGAIN, TWICE = WORDS = ("new", "again", "twice")


def listing(offsets=(), commits=(), state=None, metadata=True, more=()):
    """Return the paths in a checkpoint. `state` has for each partition the newest version; None: no state."""
    paths = ["metadata"] * metadata
    paths += [f"offsets/{batch}" for batch in offsets] + [f"commits/{batch}" for batch in commits]
    for partition, newest in enumerate(state or ()):
        paths += [f"state/0/{partition}/{version}.delta" for version in range(1, newest + 1)]
    return [*paths, *more]


CASES = (  # the smallest that shows a mistake stands first
    (listing(),),
    (listing([0]),),
    (listing([0], [0]),),
    (listing(metadata=False),),
    (listing([0, 1, 2], [0, 1]),),
    (listing([0, 1, 2], [0, 1, 2], [3]),),
    (listing([0, 1, 2], [0, 1], [3]),),
    (listing([0, 1, 2], [0, 1], [2]),),
    (listing([0, 1, 2], [0, 1], [3, 2]),),
    (listing([0, 1], [0], [2], more=["offsets/.2.5d0a.tmp", "commits/.1.77fe.tmp", "commits/.0.crc"]),),
    (listing([0, 1], [0], [2], more=["state/1/0/1.delta"]),),
    (listing(range(11), range(10)),),
    (listing([100, 8, 99, 9, 98], [98, 9, 99, 8, 100]),),
    (listing(range(103, 204), range(103, 203)),),
    (listing([0, 1], [0], metadata=False),),
    (listing([], [0, 1], [2]),),
    (listing([0, 1, 3], [0, 1, 2]),),
    (listing([0, 1], [0, 1, 2]),),
)


def restart(paths):
    """Return (the batch that runs next, one of `WORDS`), or None where the engine refuses to start."""
    offsets, commits = ({int(p.split("/")[1]) for p in paths if re.fullmatch(f"{log}/\\d+", p)} for log in LOGS)
    if not offsets:
        return None if commits else (0, NEW)
    last = max(offsets)
    if "metadata" not in paths or (last and last - 1 not in offsets):
        return None
    if last == max(commits, default=-1):
        return last + 1, NEW
    stores = {path.rpartition("/")[0] for path in paths if path.startswith("state/")}
    done = all(f"{store}/{last + 1}.delta" in paths for store in stores)
    return last, TWICE if done else AGAIN


LOGS = ("offsets", "commits")


def told(paths):
    """Return a listing in a few words."""
    return ", ".join(paths if len(paths) < 13 else [*paths[:3], f"… ({len(paths)} paths)", *paths[-3:]]) or "nothing"


def objection(paths, said):
    """Return a sentence on what is wrong with an answer, or None."""
    right, heard = restart(paths), tuple(said) if isinstance(said, list) else said
    if heard == right:
        return None
    if heard is not None and not (isinstance(heard, tuple) and len(heard) == 2 and heard[1] in WORDS):
        return f"With {told(paths)}: restart returns {said!r}; it returns a batch and one of {WORDS}, or None."
    return f"With {told(paths)}: restart returns {said!r}. {because(paths, right)}"


def because(paths, right):
    """Return a sentence on the right answer."""
    if right is None:
        return "The engine refuses to start: the metadata, the offsets, or those before the newest are missing."
    batch, word = right
    if word == NEW:
        return f"Batch {batch} is new: no offsets/{batch} is there, and what came before it is committed."
    seen = "its state versions are not all there, so the sink cannot have had its rows"
    if word == TWICE:
        seen = "nothing says that the sink has not had its rows"
    return f"Batch {batch} is logged and not committed: it runs again, and {seen}."


def drawn(paths, said, told=True):
    """Return the picture of a listing, and of an answer to it."""
    words = f"Yours: {said!r}." + told * f" Right: {restart(paths)!r}."
    shown = "\n".join(paths) or "nothing"
    return Picture(f"<pre>{escape(shown)}</pre><p>{escape(words)}</p>", text=f"{shown}\n{words}")


TASK = Cases(
    answer="restart",
    tier="warm-up",
    form="a function, restart(paths)",
    cases=CASES,
    example=CASES[8],
    oracle=restart,
    objection=objection,
    draw=drawn,
    sketch=sketched(drawn, CASES[8]),
    fails=lambda paths, said: f"With {told(paths)}: restart fails with {said}.",
    praise="Right for {count} checkpoints. The newest offsets say which batch was begun, the newest commit "
    "whether it is done, and the versions of the state how far its tasks came.",
)
