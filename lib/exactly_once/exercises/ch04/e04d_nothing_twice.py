"""Exercise 04d: nothing twice at any moment, and at most one item lost."""

from ..kinds.run_answer import proved
from .rules import JOB, averages_of, crashed_anywhere, right_outcome


def losing(view, outputs, counter):
    """The rule of 04d: at no moment is an average wrong or there twice; in the end at most one item is lost."""
    hours = []
    for value in view.outputs:
        if value not in outputs:
            return f"the output holds the average {float(value):.2f}, which is right for no hour{_after(hours)}"
        hour = outputs.index(value) + 1
        if hour in hours:
            return f"the average of hour {hour} is in the output more than once"
        if hours and hour < hours[-1]:
            return f"the average of hour {hour} comes after that of hour {hours[-1]}"
        hours.append(hour)
    if view.counter > counter:
        return f"the counter is {view.counter} and should never be more than {counter}: an increment is doubled"
    lost = sorted(set(range(1, len(outputs) + 1)) - set(hours))
    if view.done and len(lost) > 1:
        return f"{averages_of(lost)} missing from the output; one crash may cost one item, no more"
    if view.done and view.counter < counter - 1:
        return f"the counter is {view.counter}, and with one item lost it should be {counter - 1} at least"
    return True


def _after(hours):
    return f", after that of hour {hours[-1]}" if hours else ""


def _lost(handler):
    found = proved(handler, right_outcome(complete, "outputs"), JOB, crashes=1).counterexample
    return "It never loses an average at all." if found is None else f"The price: {found.sentence}"


def complete(view, outputs):
    """The rule that shows the price of 04d: all averages are there in the end."""
    lost = [hour for hour, value in enumerate(outputs, 1) if value not in view.outputs]
    return not view.done or not lost or f"{averages_of(lost)} missing from the output"


TASK = crashed_anywhere(
    answer="losing",
    rule=right_outcome(losing, "outputs", "counter"),
    praise="No average is ever wrong or there twice, and one crash costs one item at most.",
    remains=_lost,
)
