"""Exercise 01e: which of several versions of one value a reader may drop, decided by their vector stamps.

Source: G. DeCandia and others, "Dynamo: Amazon's Highly Available Key-value Store", SOSP 2007, section 4.4.
"""

from html import escape
from itertools import combinations

from ... import show as drawing
from ..kinds.cases import Cases
from .runs import PAIRS, small_runs

EXAMPLE = (PAIRS, (0, 5, 3, 4))
MOST = 3  # versions that one reader gets, in the small runs


def versions_of(run, places):
    """Return a reader's result: (value, vector stamp) of each write; the value is the event's name."""
    return [(run.name(place), dict(run.vectors[place])) for place in places]


def kept(run, places):
    """Return the names of the writes that no other of these writes had seen, by the paths of the run."""
    return sorted(
        {run.name(place) for place in places if not any(run.happened_before(place, other) for other in places)}
    )


def cases():
    """Return (run, places) for sets of versions, no two with the same stamps, the smallest first; some come twice."""
    found = {}
    for run in [*small_runs(), PAIRS]:
        everywhere = range(len(run))
        for size in range(1, min(len(run), MOST) + 1):
            for places in combinations(everywhere, size):
                for versions in (places, places[::-1], (*places, places[0])):
                    key = tuple(tuple(sorted(run.vectors[place].items())) for place in versions)
                    found.setdefault(key, (run, versions))
    return sorted(found.values(), key=lambda case: (len(case[1]), len(case[0])))


def objection(run, places, said):
    """Return a sentence on the mistake in one answer, or None."""
    names = _names(run, places, said)
    if names is None:
        return (
            f"{_called(run, places)} gives {str(said)[:120]}; it gives a list of some of the versions, each "
            "(value, stamp) as it came."
        )
    expected = kept(run, places)
    if lost := [name for name in expected if name not in names]:
        return (
            f"{_called(run, places)} drops {lost[0]}, and no other version was written by somebody who had seen it: "
            "what was written there is lost, and nobody is told."
        )
    if stale := [name for name in names if name not in expected]:
        place = next(place for place in places if run.name(place) == stale[0])
        newer = next(run.name(other) for other in places if run.happened_before(place, other))
        return (
            f"{_called(run, places)} keeps {stale[0]}, although {newer} was written by somebody who had seen it, so "
            f"what was replaced comes back."
        )
    if len(names) > len(expected):
        return f"{_called(run, places)} gives a version twice. Two replicas have the same write; it is one version."
    return None


def _names(run, places, said):
    """Return the names of the versions that a function gave, or None if it gave anything else."""
    versions = versions_of(run, places)
    try:
        given = [(value, dict(stamp)) for value, stamp in said]
    except (TypeError, ValueError):
        return None
    return [value for value, _ in given] if all(version in versions for version in given) else None


def _called(run, places):
    return f"siblings({versions_of(run, places)})"


def drawn(run, places, said=None):
    """Return the picture of a run whose writes bear their vector stamps, with those marked that are judged wrong."""
    processes = sorted(run.processes)
    stamps = [""] * len(run)
    for place in places:
        stamps[place] = ",".join(str(run.vectors[place].get(process, 0)) for process in processes)
    names, expected = _names(run, places, said or ()) or [], kept(run, places)
    marked = {}
    for place in places if said is not None else ():
        if (run.name(place) in expected) != (run.name(place) in names):
            marked[place] = "lost" if run.name(place) in expected else "replaced"
    return drawing.history(run, stamps, marked=marked)


def sketch(told):
    """Draw the versions of the example in their run, and say which of them this function keeps."""
    words = f"The reader gets {', '.join(value for value, _ in versions_of(*EXAMPLE))}. Nothing is kept yet."
    for fine, said in told or ():
        names = _names(*EXAMPLE, said) if fine else None
        words = f"Your function {'gives' if fine else 'fails with'} {said}"
        words = words if names is None else f"Your function keeps {', '.join(names) or 'nothing'}."
    picture = drawn(*EXAMPLE)
    return drawing.Picture(f"{picture.html}<p>{escape(words)}</p>", picture.table, words)


TASK = Cases(
    answer="siblings",
    form="a function of a list of versions",
    cases=cases,
    arguments=lambda run, places: [versions_of(run, places)],
    oracle=lambda run, places: [version for version in versions_of(run, places) if version[0] in kept(run, places)],
    objection=objection,
    fails=lambda run, places, said: f"{_called(run, places)} fails with {said}.",
    draw=drawn,
    sketch=sketch,
    praise="It decides {count} lists of versions as the paths of their runs do: nothing is lost, nothing comes back.",
    example=EXAMPLE,
)
