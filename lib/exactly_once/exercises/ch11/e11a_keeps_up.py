"""Exercise 11a: the smallest batch with which one machine keeps up with its input."""

from ...errors import is_whole
from ...show import Picture
from ...widgets.price.model import Price
from ..kinds.cases import Cases, sketched

CASES = (  # inputs that arrive in a second, the latency of an operation in ms, outputs of a step
    (10, 1, 1),
    (100, 2, 1),
    (100, 1, 0),
    (200, 2, 1),
    (450, 2, 3),
    (499, 2, 1),
    (500, 2, 1),
    (1000, 2, 0),
    (1, 20, 2),
)


def oracle(rate, latency, outputs):
    """Return the smallest number of inputs a step with which the machine keeps up, or None."""
    free = 1000 - rate * latency  # ms of a second that reading the inputs leaves
    return None if free <= 0 else max(1, -(-rate * latency * (2 + 7 * outputs) // free))


def handled(inputs, latency, outputs):
    """Return how many inputs one machine handles in a second."""
    return inputs * 1000 / ((2 + inputs + 7 * outputs) * latency)


def objection(rate, latency, outputs, said):
    """Return a sentence on the mistake in one answer, or None."""
    should = oracle(rate, latency, outputs)
    if said == should and type(said) is type(should):
        return None
    case = f"With {rate} inputs a second, {latency} ms and {outputs} outputs it returns {said!r}"
    if should is None:
        return (
            f"{case}, and no batch is enough: reading {rate} inputs alone takes {rate * latency} ms of each second."
        )
    if not is_whole(said) or said < 1:
        return f"{case}; give a whole number, here {should}."
    if said < should:
        return f"{case}, and then only {handled(said, latency, outputs):,.1f} inputs are handled in a second."
    return f"{case}; {should} are enough, and handle {handled(should, latency, outputs):,.1f} in a second."


def drawn(rate, latency, outputs, said, told=True):
    """Return the picture of one case and of an answer to it."""
    words = f"{rate} inputs a second, {latency} ms an operation, {outputs} outputs. Yours: {said}."
    words += told * f" Right: {oracle(rate, latency, outputs)}."
    steps = f" A step of one input takes {Price(latency=latency, outputs=outputs).milliseconds:,.0f} ms."
    return Picture(f"<p>{words}{steps}</p>", text=words + steps)


TASK = Cases(
    answer="batch",
    tier="warm-up",
    form="a function of three numbers, batch(rate, latency, outputs)",
    cases=CASES,
    example=CASES[1],
    shown=[list(CASES[1])],
    oracle=oracle,
    objection=objection,
    draw=drawn,
    sketch=sketched(drawn, CASES[1]),
    fails=lambda rate, latency, outputs, said: (
        f"With {rate} inputs a second, {latency} ms and {outputs} outputs it fails with {said}."
    ),
    praise="A batch shares what the outputs cost. What each input costs by itself, one read, no batch can share: at "
    "1,000 / latency inputs a second one machine is at its end, and only a second machine helps ({count} cases).",
)
