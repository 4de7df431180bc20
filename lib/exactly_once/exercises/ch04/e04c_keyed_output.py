"""Exercise 04c: an output that is right at every moment, wherever the process dies."""

from ...stores.codec import apart
from ..kinds.run_answer import proved
from .rules import JOB, averages_of, crashed_anywhere, right_outcome


def keyed(view, outputs, counter):
    """The rule of 04c: the output is right at every moment, and complete in the end; no increment is missing, and
    none happens more than twice.
    """
    if said := _first_oddity(view.outputs, outputs):
        return said
    if view.done and len(view.outputs) < len(outputs):
        return f"{averages_of(range(len(view.outputs) + 1, len(outputs) + 1))} missing from the output"
    if view.done and view.counter < counter:
        return f"the counter is {view.counter} and should be at least {counter}: an increment is missing"
    if view.counter > 2 * counter:
        return f"the counter is {view.counter} and should be at most {2 * counter}: an increment may happen twice"
    return True


def _first_oddity(found, outputs):
    for place, value in enumerate(found):
        if place < len(outputs) and value == outputs[place]:
            continue
        if value in outputs[:place]:
            return f"the average of hour {outputs.index(value) + 1} is in the output more than once"
        if value in outputs:
            return f"the average of hour {place + 1} is missing from the output, and a later average is there"
        should = outputs[place : place + 1]
        said = "it is {} and should be {}".format(*apart(value, *should)) if should else "there is no such hour"
        return f"the average of hour {place + 1} is wrong: {said}"
    return None


def _remains(handler):
    """Name the harm that a keyed output does not repair, found by the same search."""
    found = proved(handler, right_outcome(counted, "counter"), JOB, crashes=1).counterexample
    if found is None:
        return "The counter is right as well, although the exercise did not ask for that."
    return f"What remains to be repaired: {found.sentence} The output is in one system, the counter in another."


def counted(view, counter):
    """The rule that shows what remains: the counter is right in the end."""
    return not view.done or view.counter == counter or f"the counter is {view.counter} and should be {counter}"


TASK = crashed_anywhere(
    answer="keyed",
    rule=right_outcome(keyed, "outputs", "counter"),
    praise="The output is right at every moment, wherever the process dies.",
    remains=_remains,
)
