"""Gap 03-ask: look into the log before a record is sent again."""

from ....handlers.logs.producer import insist, push_or_ask
from ...tasks.reply import right, unsolved, wrong
from ..registry import Gap
from ..sides import broken, calm, failed, sends, strayed

RECORDS = 2
CASES = {
    "Nothing is lost": {},
    "One request is lost": {"lost_requests": 1},
    "One reply is lost": {"lost_replies": 1},
    "One request and one reply are lost": {"lost_requests": 1, "lost_replies": 1},
}


def producer_with(push):
    """Return a producer that leaves each record to `push(node, record)`, and notes it then."""

    def asking(node):
        positions = insist(node.positions.load)
        while node.running(positions):
            items, next_positions = insist(node.read, positions)
            push(node, items[0])
            insist(node.positions.save, next_positions)
            positions = next_positions

    return asking


def each_once(view):
    """No record is in the log twice, each has its key, and in the end each is there."""
    found, asked = view.outputs, [*range(1, RECORDS + 1)]
    if len(found) > len(set(found)) or (view.done and found != asked):
        return f"the log holds {found}, and should hold {asked}"
    return strayed(view) or True


def check(answer):
    """Prove that each record is there once, whatever single request and reply get lost."""
    program = sends(producer_with(answer), RECORDS)
    run = calm(program)
    if refused := failed(run, program):
        return refused
    sent = [push.value for push in run.pushes]
    if not sent:
        return unsolved("your lines")
    if sent != [1, 2]:
        return wrong(f"With nothing lost the log holds {sent}; it should hold each record once.", run, program)
    return broken(program, each_once, **CASES) or right(
        "Each record is in the log once, wherever a request and a reply are lost, those of the question included."
    )


GAP = Gap(
    title="ask before you send again",
    judge=check,
    library=push_or_ask,
    hints=(
        "The push stands in a `try`. What can the `except OutcomeUnknown` find out before it pushes again?",
        "`node.output.read()` returns the values that are in the log. The question can get lost as well, so `insist` "
        "on it; and the second push can get lost like the first, so there is a loop around it all.",
        "`while True:`, in it `try: return node.output.push(record.value, record.key)`, and below `except "
        "OutcomeUnknown: if record.value in insist(node.output.read): return`.",
    ),
)
