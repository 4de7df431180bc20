"""Does a life, left alone by all others for good, come to its end? Where not, it waits, or goes round for ever."""

from .specification import alone

DONE, OPEN = 1, 0


def endless_alone(automaton, pairs):
    """Return a (world, local state) of `pairs` from which an actor alone never ends, or None when there is none.

    All ways of choosing count: one that goes round is one too many.
    """
    known = {}
    for pair in sorted(pairs):
        if pair not in known and _goes_round(automaton, pair, known):
            return pair
    return None


def _goes_round(automaton, start, known):
    """Tell whether a way from `start` comes back to where it was; note what comes to its end in `known`."""
    known[start] = OPEN
    path = [(start, _ways(automaton, start))]
    while path:
        pair, ways = path[-1]
        after = next(ways, None)
        if after is None:
            known[pair] = DONE
            path.pop()
        elif after not in known:
            known[after] = OPEN
            path.append((after, _ways(automaton, after)))
        elif known[after] == OPEN:
            return True
    return False


def _ways(automaton, pair):
    return alone(automaton, *pair)
