"""Naming what is wrong with an outcome, against one that is right.

Whether an outcome is right is a matter of what can be observed. What is named then uses provenance: which life pushed
a record for which item is known, so equal neighbouring values are never mistaken for each other.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Damage:
    """The difference between a run and a right outcome; all empty and equal when there is none.

    `duplicated`, `missing` and `wrong` are sorted items; `counter` and `expected_counter` are counts; `doubled_inputs`
    and `lacking_inputs` are (hour, stream) pairs that the saved window holds too often or too rarely.
    """

    duplicated: tuple = ()
    missing: tuple = ()
    wrong: tuple = ()
    disordered: bool = False
    counter: int = 0
    expected_counter: int = 0
    doubled_inputs: tuple = ()
    lacking_inputs: tuple = ()
    state_differs: bool = False
    positions_differ: bool = False
    wrong_because: dict = field(default_factory=dict)
    others: tuple = ()  # (part, what is there, what should be there), as text, None for nothing

    @property
    def outputs(self):
        """True when the output log is not as it should be."""
        return bool(self.duplicated or self.missing or self.wrong or self.disordered)

    @property
    def any(self):
        """True when anything is not as it should be."""
        return (
            self.outputs
            or self.counter != self.expected_counter
            or self.state_differs
            or self.positions_differ
            or bool(self.others)
        )

    @property
    def weight(self):
        """How much is named: of several right outcomes, the one with the least is the one to compare with."""
        count = len(self.duplicated) + len(self.missing) + len(self.wrong) + abs(self.counter - self.expected_counter)
        return count + self.disordered + self.state_differs + self.positions_differ + len(self.others)

    @property
    def oddities(self):
        """How many inputs are said to be in a window too often or too rarely: what decides between equal weights."""
        reasons = sum(len(reasons) for reasons in self.wrong_because.values())
        return reasons + len(self.doubled_inputs) + len(self.lacking_inputs)


def damage(run, ideal):
    """Return the `Damage` of a run against one `Ideal`."""
    named = {}
    if run.outcome.outputs != ideal.outcome.outputs:
        named = output_damage(run.pushes, ideal.pushes)
        named["disordered"] = not any(named[kind] for kind in ("duplicated", "missing", "wrong"))
    if run.outcome.state != ideal.outcome.state:
        found, right = Counter(run.state_count), Counter(ideal.state_count)
        named |= {
            "state_differs": True,
            "doubled_inputs": tuple(sorted(found - right)),
            "lacking_inputs": tuple(sorted(right - found)),
        }
    return Damage(
        counter=run.outcome.counter,
        expected_counter=ideal.outcome.counter,
        positions_differ=run.outcome.positions != ideal.outcome.positions,
        others=_other_parts(dict(run.outcome.others), dict(ideal.outcome.others)),
        **named,
    )


def _other_parts(found, right):
    """Return (part, what is there, what should be there) of each other part that differs."""
    parts = sorted(found.keys() | right.keys())
    return tuple((part, found.get(part), right.get(part)) for part in parts if found.get(part) != right.get(part))


def output_damage(pushes, right):
    """Return which items are duplicated, missing and wrong among `pushes`, and why the wrong ones are.

    A record stands for the pass that pushed it, which is known by the last reading that the pass had read.
    """
    found, wanted = _by_pass(pushes), _by_pass(right)
    duplicated, missing, wrong, because = set(), set(), set(), defaultdict(set)
    for key in found.keys() | wanted.keys():
        item = (found.get(key) or wanted.get(key))[0].item
        if len(found.get(key, ())) > len(wanted.get(key, ())):
            duplicated.add(item)
        if len(found.get(key, ())) < len(wanted.get(key, ())):
            missing.add(item)
        values = [push.value for push in wanted.get(key, ())]
        for push in found.get(key, ()):
            if push.value not in values:
                wrong.add(item)
                because[item] |= _odd_inputs(push, wanted.get(key, ()))
    return {
        "duplicated": _sorted(duplicated),
        "missing": _sorted(missing),
        "wrong": _sorted(wrong),
        "wrong_because": {item: tuple(sorted(reasons)) for item, reasons in because.items()},
    }


def _by_pass(pushes):
    passes = defaultdict(list)
    for push in pushes:
        passes[push.inputs[-1] if push.inputs else push.item].append(push)
    return passes


def _odd_inputs(push, right):
    """Return {("twice", hour), ("left out", hour)} for the inputs that are more than once or not at all in the window.

    One that is there once, and should come in a later window, is neither: it is only early.
    """
    if not right:
        return set()
    found, wanted = Counter(push.inputs), Counter(right[0].inputs)
    twice = {("twice", key[0]) for key, count in found.items() if count > max(1, wanted[key])}
    return twice | {("left out", hour) for hour, _ in wanted - found}


def _sorted(items):
    return tuple(sorted(items, key=lambda item: -1 if item is None else item))
