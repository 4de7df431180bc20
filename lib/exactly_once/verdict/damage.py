"""Names the differences between an outcome and a right outcome.

Whether an outcome is right depends only on observable values. The names of the differences also use provenance: the
incarnation and the item of each record are known, so equal neighbouring values are never mistaken for each other.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, TypeAlias

from ..node.access import named_part
from ..pipeline import Window, spans
from ..stores.codec import Value, apart, decode, describe, encode
from ..stores.interface import Inputs
from .outcome import Outcome
from .run import Ideal, Push, Run

Passes: TypeAlias = dict[Any, list[Push]]  # by the last reading of the pass, or else by its item


@dataclass(frozen=True)
class Damage:
    """The difference between a run and a right outcome; all fields are empty or equal when there is no difference.

    `duplicated`, `missing` and `wrong` are sorted items; `counter` and `expected_counter` are counts;
    `doubled_inputs` and `lacking_inputs` are (hour, stream) pairs that the saved window holds too often or too
    rarely.

    An item of several outputs can be both duplicated and missing. `extra` holds, in words, the values of items that
    should have none. `wrong_because` maps wrong items to the odd inputs of their windows, and `wrong_values` maps
    wrong items to (found value, right value). `state` and `positions` are such pairs in words.
    """

    duplicated: tuple[int | None, ...] = ()
    missing: tuple[int | None, ...] = ()
    wrong: tuple[int | None, ...] = ()
    disordered: bool = False
    counter: int = 0
    expected_counter: int = 0
    doubled_inputs: Inputs = ()
    lacking_inputs: Inputs = ()
    state_differs: bool = False
    positions_differ: bool = False
    wrong_because: dict[int | None, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    wrong_values: dict[int | None, tuple[str, str]] = field(default_factory=dict)
    extra: dict[int | None, str] = field(default_factory=dict)
    state: tuple[str, ...] = ()
    positions: tuple[str, ...] = ()
    others: tuple[tuple[str, str | None, str | None], ...] = ()  # (part, found text, right text); None for no value
    in_doubt: tuple[tuple[str, str], ...] = ()  # (store, id) of transactions that are prepared and not ended
    cells: tuple[tuple[str, str], ...] = ()  # (store, name) of these `others`, if nothing else differs

    @property
    def advice(self) -> str:
        """What to do where nothing differs but cells that a handler may keep for itself, in a sentence; or ""."""
        those = "those cells are" if len(self.cells) > 1 else "that cell is"
        return f"If {those} the handler's own, and no effect, say own={self.cells!r}." if self.cells else ""

    @property
    def outputs(self) -> bool:
        """True when the output log is not as it should be."""
        return bool(self.duplicated or self.missing or self.wrong or self.disordered)

    @property
    def any(self) -> bool:
        """True when anything is not as it should be."""
        return (
            self.outputs
            or self.counter != self.expected_counter
            or self.state_differs
            or self.positions_differ
            or bool(self.others)
            or bool(self.in_doubt)
        )

    @property
    def weight(self) -> int:
        """The number of named differences. Of several right outcomes, a run is compared with the one of least
        weight.
        """
        several = self.duplicated, self.missing, self.wrong, self.others, self.in_doubt
        count = sum(map(len, several)) + abs(self.counter - self.expected_counter)
        return count + self.disordered + self.state_differs + self.positions_differ

    @property
    def oddities(self) -> int:
        """The number of inputs that are in a window too often or too rarely: it decides between equal weights."""
        reasons = sum(len(reasons) for reasons in self.wrong_because.values())
        return reasons + len(self.doubled_inputs) + len(self.lacking_inputs)

    def phrases(self) -> list[str]:
        """Return the differences in words, one clause for each; an empty list when there is none."""
        both = [item for item in self.duplicated if item in self.missing]
        whole = {item for item in self.duplicated if item not in both and item not in self.extra}
        said = [f"{_averages(whole)} in the output more than once"] if whole else []
        said += [f"of hour {item} one average is in the output more than once, and one is missing" for item in both]
        missing = {item for item in self.missing if item not in both}
        if missing:
            said.append(f"{_averages(missing)} missing from the output")
        for item, values in self.extra.items():
            when = "before any hour was read" if item is None else f"for hour {item}"
            said.append(f"the output holds {values}, pushed {when}, as no crash-free run does")
        if wrong := self._wrong():
            said.append(f"{_averages(wrong)} wrong{self._reasons(wrong)}")
        if self.disordered:
            said.append("the averages are in another order than any crash-free run gives")
        if self.counter != self.expected_counter:
            said.append(f"the counter is {self.counter} and should be {self.expected_counter}")
        return [*said, *self.state_phrases()]

    def state_phrases(self) -> list[str]:
        """Return the differences of state and positions in words."""
        said = []
        if self.doubled_inputs:
            said.append(f"the window holds {spans(hour for hour, _ in self.doubled_inputs)} too often")
        if self.lacking_inputs:
            said.append(f"the window lacks {spans(hour for hour, _ in self.lacking_inputs)}")
        if self.state_differs and not said:
            said.append(f"the saved state is another than after any crash-free run{_instead('it is', self.state)}")
        if self.positions_differ:
            instead = _instead("they are", self.positions)
            said.append(f"the saved positions are others than after any crash-free run{instead}")
        said += [f"{named_part(part) or part} {_apart(*texts)}" for part, *texts in self.others]
        for store, identifier in self.in_doubt:
            said.append(f"the transaction {identifier!r} is prepared in the {store}, and nobody has ended it")
        return said

    def _wrong(self) -> list[int | None]:
        """Return the wrong items, without the items that should not be there at all."""
        return [item for item in self.wrong if item not in self.extra]

    def _reasons(self, wrong: Collection[int | None]) -> str:
        """Return why the wrong items are wrong: the odd inputs of their windows; of one value, what it should be."""
        reasons = {reason for item in wrong for reason in self.wrong_because.get(item, ())}
        windows, said = "its window" if len(wrong) == 1 else "their windows", []
        for kind, where in (("twice", f"in {windows} more than once"), ("left out", f"left out of {windows}")):
            hours = {hour for odd, hour in reasons if odd == kind}
            if hours:
                said.append(f"{spans(hours)} {'is' if len(hours) == 1 else 'are'} {where}")
        since = f", since {' and '.join(said)}" if said else ""
        item = next((item for item in wrong if item in self.wrong_values), None)
        if item is None or (since and len(wrong) > 1):  # their windows tell more than one of their values
            return since
        which = "it" if len(wrong) == 1 else f"that of hour {item}"
        return f"{since}: {which} is {{}} and should be {{}}".format(*self.wrong_values[item])


def _apart(found: str | None, right: str | None) -> str:
    """Describe the difference between a part's found text and its right text; None stands for no value."""
    if found is None:
        return f"is not there and should hold {describe(decode(right or ''))}"
    if right is None:
        return f"holds {describe(decode(found))} and should not be there"
    windows = _windows_apart(decode(found), decode(right))
    return windows or "holds {} and should hold {}".format(*apart(decode(found), decode(right)))


def _windows_apart(found: Value, right: Value) -> str:
    """Describe the difference between two windows, which an outcome holds as lists of readings; "" for other
    values.
    """
    if not all(isinstance(value, list) and value and all(map(_is_reading, value)) for value in (found, right)):
        return ""
    here, there = (Counter((hour, stream) for hour, stream, _ in value) for value in (found, right))
    said = [f"holds {spans(hour for hour, _ in here - there)} too often"] if here - there else []
    said += [f"lacks {spans(hour for hour, _ in there - here)}"] if there - here else []
    return " and ".join(said)


def _is_reading(value: Value) -> bool:
    return isinstance(value, list) and [type(each) for each in value[:2]] == [int, str] and len(value) == 3


def _averages(items: Collection[int | None]) -> str:
    hours = [item for item in items if item is not None]
    if len(hours) < len(items):  # a handler that had read nothing pushed a record
        return f"what belongs to {spans(hours)} and a value of no hour are" if hours else "a value of no hour is"
    return f"the average of {spans(hours)} is" if len(hours) == 1 else f"the averages of {spans(hours)} are"


def _instead(verb: str, said: tuple[str, ...]) -> str:
    return ": {} {} and should be {}".format(verb, *said) if said else ""


def damage(run: Run, ideal: Ideal) -> Damage:
    """Return the `Damage` of a run against one `Ideal`."""
    named: dict[str, Any] = {}
    if run.outcome.outputs != ideal.outcome.outputs:
        named = output_damage(run.pushes, ideal.pushes)
        named["disordered"] = not any(named[kind] for kind in ("duplicated", "missing", "wrong"))
    if run.outcome.state != ideal.outcome.state:
        found, right = Counter(run.state_count), Counter(ideal.state_count)
        named |= {
            "doubled_inputs": tuple(sorted(found - right)),
            "lacking_inputs": tuple(sorted(right - found)),
            "state": () if found != right else _state_apart(run, ideal),
        }
    return Damage(**_but_outputs(run.outcome, ideal.outcome), **named)


def differences(left: Outcome, right: Outcome) -> list[str]:
    """Return the differences between an outcome and a right outcome, a list of clauses."""
    said = []
    if left.outputs != right.outputs:
        found, wanted = ([decode(text) for text in one.outputs] for one in (left, right))
        said.append("the output holds {} and should hold {}".format(*apart(found, wanted)))
    differs = left.state != right.state
    states: dict[str, Any] = {"state": apart(decode(left.state), decode(right.state))} if differs else {}
    return said + Damage(**_but_outputs(left, right), **states).phrases()


def _but_outputs(left: Outcome, right: Outcome) -> dict[str, Any]:
    """Return the fields of a `Damage` that say what differs elsewhere than in the output, the state's words apart."""
    same = left.positions == right.positions
    return {
        "counter": left.counter,
        "expected_counter": right.counter,
        "state_differs": left.state != right.state,
        "positions_differ": not same,
        "positions": () if same else apart(decode(left.positions), decode(right.positions)),
        "others": _other_parts(left, right),
        "in_doubt": left.in_doubt if left.in_doubt != right.in_doubt else (),
        "cells": _cells_apart(left, right),
    }


def _cells_apart(found: Outcome, right: Outcome) -> tuple[tuple[str, str], ...]:
    """Return (store, name) of each cell that holds another value, if nothing differs but such cells and registers."""
    cells, others = dict(found.cells), _other_parts(found, right) if found.effects() == right.effects() else ()
    return tuple(cells[part] for part, text, _ in others if text is not None and part in cells)


def _other_parts(found: Outcome, right: Outcome) -> tuple[tuple[str, str | None, str | None], ...]:
    """Return (part, found text, right text) of each other part, and each register, that differs.

    Parts of several kinds can have one name, so parts of one name are compared by their place in the order.
    """
    here, there = (_by_name(one.others + one.registers) for one in (found, right))
    cells = dict(found.cells)  # what may be no effect comes last
    return tuple(
        (part, *texts)
        for part in sorted(here.keys() | there.keys(), key=lambda part: (part in cells, part))
        for texts in zip_longest(here.get(part, ()), there.get(part, ()))
        if texts[0] != texts[1]
    )


def _by_name(parts: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return {part: [the texts of the parts of that name]}."""
    named: dict[str, list[str]] = {}
    for part, text in parts:
        named.setdefault(part, []).append(text)
    return named


def output_damage(pushes: Iterable[Push], right: Iterable[Push]) -> dict[str, Any]:
    """Return the duplicated, missing and wrong items among `pushes`, and why the wrong items are wrong.

    A record stands for the pass that pushed it; the last reading of a pass identifies the pass. A record whose value
    is not the value of its pass stands for the one pass that has this value, if there is one.
    """
    found, wanted = _by_pass(pushes), _by_pass(right)
    _move_to_their_values(found, wanted)
    duplicated, missing, wrong = set[int | None](), set[int | None](), set[int | None]()
    because: defaultdict[int | None, set[tuple[str, int]]] = defaultdict(set)
    values_of: dict[int | None, tuple[str, str]] = {}
    for key in found.keys() | wanted.keys():
        item = (wanted.get(key) or found[key])[0].item
        if len(found.get(key, ())) > len(wanted.get(key, ())):
            duplicated.add(item)
        if len(found.get(key, ())) < len(wanted.get(key, ())):
            missing.add(item)
        values = [push.value for push in wanted.get(key, ())]
        for push in found.get(key, ()):
            if push.value not in values:
                wrong.add(item)
                because[item] |= _odd_inputs(push, wanted.get(key, ()))
                if values:
                    values_of.setdefault(item, apart(push.value, values[0]))
    return {
        "duplicated": _sorted(duplicated),
        "missing": _sorted(missing),
        "wrong": _sorted(wrong),
        "wrong_because": {item: tuple(sorted(reasons)) for item, reasons in because.items()},
        "wrong_values": values_of,
        "extra": _extra(found, wanted),
    }


def odd_pushes(pushes: Sequence[Push], right: Sequence[Push]) -> dict[tuple[int, int], str]:
    """Return {(incarnation, step): "again" or "wrong"} of the records that are too many, or hold another value than
    that of their pass; "first" are those that the former repeat.
    """
    found, wanted, odd = _by_pass(pushes), _by_pass(right), {}
    _move_to_their_values(found, wanted)
    for key, mine in found.items():
        values = [push.value for push in wanted.get(key, ())]
        for number, push in enumerate(sorted(mine, key=pushes.index)):
            if 0 < len(values) <= number:
                odd[push.life, push.step] = "again"
            elif push.value not in values or len(mine) > len(values):
                odd[push.life, push.step] = "first" if push.value in values else "wrong"
    return odd


def _extra(found: Passes, wanted: Passes) -> dict[int | None, str]:
    """Return {item: the values pushed for it, in words} of items that should have no value."""
    right = {push.item for pushes in wanted.values() for push in pushes}
    extra: dict[int | None, list[str]] = {}
    for pushes in found.values():
        for push in pushes:
            if push.item not in right:
                extra.setdefault(push.item, []).append(describe(push.value))
    return {item: " and ".join(extra[item]) for item in _sorted(extra)}


def _move_to_their_values(found: Passes, wanted: Passes) -> None:
    """Move each record with the value of another pass to that pass, if each such record fits exactly one pass."""
    owners: defaultdict[str, set[Any]] = defaultdict(set)
    for key, pushes in wanted.items():
        for push in pushes:
            owners[encode(push.value)].add(key)
    strays = [(key, push, owners[encode(push.value)]) for key, pushes in found.items() for push in pushes]
    strays = [(key, push, of) for key, push, of in strays if key not in of]
    if all(len(of) == 1 for _, _, of in strays):
        for key, push, (owner,) in strays:
            found[key].remove(push)
            found.setdefault(owner, []).append(push)
    for key in [key for key, pushes in found.items() if not pushes]:
        del found[key]


def _state_apart(run: Run, ideal: Ideal) -> tuple[str, str]:
    """Return (found saved state, right saved state), in words."""
    found, right = decode(run.outcome.state), decode(ideal.outcome.state)
    found = Window(found) if run.state_count else found
    return apart(found, Window(right) if ideal.state_count else right)


def pass_of(push: Push) -> Any:
    """Return the key of the pass behind a record: the last reading that the pass had read, or else its item."""
    return push.inputs[-1] if push.inputs else push.item


def _by_pass(pushes: Iterable[Push]) -> Passes:
    passes: Passes = defaultdict(list)
    for push in pushes:
        passes[pass_of(push)].append(push)
    return passes


def _odd_inputs(push: Push, right: Sequence[Push]) -> set[tuple[str, int]]:
    """Return {("twice", hour), ("left out", hour)} for the inputs that are more than once or not at all in the
    window.

    An input that is in the window once, and should come in a later window, is neither: it is only early.
    """
    if not right:
        return set()
    found, wanted = Counter(push.inputs), Counter(right[0].inputs)
    twice = {("twice", key[0]) for key, count in found.items() if count > max(1, wanted[key])}
    return twice | {("left out", hour) for hour, _ in wanted - found}


def _sorted(items: Iterable[int | None]) -> tuple[int | None, ...]:
    return tuple(sorted(items, key=lambda item: -1 if item is None else item))
