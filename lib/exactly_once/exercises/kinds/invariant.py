"""Exercises whose answer is a rule: it must hold for each right handler, and fail for each wrong handler."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...explore.proof import Counterexample, Proof
from ...show import Picture
from .by_cases import by_cases
from .kind import Kind
from .reply import Reply, right, unsolved, wrong
from .run_answer import called, proved


@dataclass(frozen=True)
class Moment:
    """One moment that a rule is asked about: `when` describes it, `view` is the rule's argument.

    `holds` is the right answer, `why` a sentence on the reason.
    """

    when: str
    view: Any
    holds: bool
    why: str


def refused_moment(rule: Callable, moments: Sequence[Moment]) -> Reply | None:
    """Return the reply to the first of `moments` about which a learner's rule is wrong; or None.

    A rule without an answer to any moment is unsolved.
    """
    return by_cases(
        rule,
        [(moment,) for moment in moments],
        lambda moment: moment.when,
        _misjudged,
        arguments=lambda moment: [moment.view],
        fails=": your rule fails with {}.",
    )


def _misjudged(moment: Moment, said: Any) -> str | None:
    if not isinstance(said, (bool, str)):
        return f": your rule returns {said!r}. It returns True, or False, or a text that says what is wrong."
    return None if (said is True) == moment.holds else f". {moment.why} Your rule returns {said!r}."


@dataclass(frozen=True)
class System:
    """A system, right or wrong, that a learner's rule is explored with.

    `rule(holds)` returns the invariant for `prove` that asks the function `holds` at each moment; `left(found)`
    describes the result of a counterexample; `bounds` are further arguments of `prove`, by default without crashes.
    """

    programs: Any
    rule: Callable[[Callable], Callable]
    left: Callable[[Counterexample], str]
    bounds: Mapping[str, Any] = field(default_factory=dict)

    def prove(self, holds: Callable) -> Proof:
        """Return the `Proof` of the system under a rule. Raises as `proved` does."""
        return proved(self.programs, self.rule(holds), None, **{"crashes": 0, **self.bounds})

    def shown(self, said: str, found: Counterexample) -> Reply:
        """Return the reply that a counterexample shows."""
        return wrong(f"{said}: {self.left(found)}", found, self.programs)


@dataclass(frozen=True, kw_only=True)
class Invariant(Kind):
    """One exercise whose answer is a rule: it holds in each system of `keeps`, and is broken in each of `breaks`.

    Both map a description of a system to the system; `subject` names the kind of system, such as "a transfer".
    `truth` is the exercise's own rule, which finds violations that a learner's rule misses. `check` and `show` first
    call the rule with each of `views`; `drawn(said)` draws the rule's answers as texts, "–" while there is no rule.
    The reply to a right answer is `praise`, which may name {keeps}, {breaks} and {states}.
    """

    subject: str
    keeps: Mapping[str, System]
    breaks: Mapping[str, System]
    truth: Callable[[Any], Any]
    views: Sequence[Any]
    drawn: Callable[[list[str]], Picture]
    praise: str

    def check(self, answer: Any) -> Reply:
        """Explore the right systems under the rule, then the wrong ones."""
        if not self.is_there(answer):
            return unsolved(self.asks)
        if all(said is None for said in called(asked, answer, self.views)):
            return unsolved(f"the body of {self.asks}")
        states = 0
        for name, system in self.keeps.items():
            proof = system.prove(answer)
            if proof.counterexample is not None:
                return system.shown(f"It refuses {self.subject} that is right ({name})", proof.counterexample)
            states += proof.states
        for what, system in self.breaks.items():
            proof = system.prove(answer)
            if proof.counterexample is None:
                found = system.prove(self.truth).counterexample
                assert found is not None, f"the exercise's own rule does not notice {self.subject} that {what}"
                return system.shown(f"It does not notice {self.subject} that {what}", found)
            states += proof.states
        counts = {"keeps": len(self.keeps), "breaks": len(self.breaks), "states": f"{states:,}"}
        return right(self.praise.format(**counts))

    def show(self, answer: Any) -> Picture:
        """Draw the rule's answers to a few moments, without the right answers."""
        if not self.is_there(answer):
            return self.drawn(["–"] * len(self.views))
        return self.drawn([str(said) for said in called(asked, answer, self.views)])


def asked(holds: Callable, views: Sequence[Any]) -> list[Any]:
    """Return a rule's answers to some moments."""
    return [holds(view) for view in views]
