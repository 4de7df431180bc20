"""Exercise 05c: the window of five, the sixth request in flight, and what each client makes of the refusal."""

import pandas as pd

from .... import show as drawing
from ....errors import BadInput, one_of, whole
from ....log.broker.producer_state import WINDOW
from ..reply import has_dots, right, unsolved, wrong
from ..task import Task
from .wire import played

BATCHES = "abcdefg"
NAMES = ("largest", "lost", "java", "librdkafka")
MESSAGES = ("request", "answer")
CLIENTS = {"java": "Java's client", "librdkafka": "librdkafka"}


def read(answer):
    """Return the answer, or None for one with dots. Raises `BadInput` for another form."""
    if not isinstance(answer, dict) or set(answer) != set(NAMES):
        if answer is ...:
            return None
        raise BadInput(f"The answer is {answer!r}; it is a dictionary with {', '.join(NAMES)}.")
    if has_dots(answer) or has_dots(answer["lost"]):
        return None
    whole("largest", answer["largest"], least=1, most=len(BATCHES))
    lost = answer["lost"]
    if not isinstance(lost, (tuple, list)) or len(lost) != 2:
        raise BadInput(f"lost is {lost!r}; it is a message and a batch, such as ('answer', 'a').")
    one_of("what is lost", lost[0], MESSAGES)
    one_of("its batch", lost[1], tuple(BATCHES))
    for client in CLIENTS:
        _check_letters(client, answer[client])
    return {**answer, "lost": tuple(lost)}


def _check_letters(client, log):
    if not isinstance(log, str) or set(log) - set(BATCHES):
        raise BadInput(f"{client} is {log!r}; write the batches in the log in order, such as 'abc'.")


def run(in_flight, lost=None, client="java"):
    """Return the burst of the seven batches; `lost` is a message and a batch's letter."""
    message = lost and ("reply" if lost[0] == "answer" else "request", BATCHES.index(lost[1]))
    return played(len(BATCHES), in_flight, message, client)


def logged(burst):
    """Return a burst's log in letters."""
    return "".join(BATCHES[value - 1] for value in burst.log)


def broken_by(in_flight):
    """Return the first loss after which a batch in the log is refused, or None."""
    losses = [(message, batch) for batch in BATCHES for message in MESSAGES]
    return next((lost for lost in losses if run(in_flight, lost).refused), None)


def check(answer):
    """Play the largest number, then the loss with six in flight, then compare the two logs."""
    said = read(answer)
    if said is None:
        return unsolved("your four answers")
    largest, lost = said["largest"], said["lost"]
    if found := broken_by(largest):
        sentence = (
            f"With {largest} in flight the {found[0]} to batch {found[1]} may be the one that is lost: when "
            f"{found[1]} is sent again, it is no longer in the window."
        )
        return wrong(sentence, picture=requests(run(largest, found), f"{largest} in flight"))
    if not broken_by(largest + 1):
        return wrong(
            f"With {largest + 1} in flight nothing breaks either, whichever one message is lost. How many batches "
            "are written at most behind one whose answer is lost, before it comes again?",
            picture=requests(run(largest + 1, ("answer", "b")), f"{largest + 1} in flight"),
        )
    burst = run(largest + 1, lost)
    if not burst.refused:
        return wrong(_harmless(lost), picture=requests(burst, f"{largest + 1} in flight"))
    for client, name in CLIENTS.items():
        ended = run(largest + 1, lost, client)
        if said[client] != (log := logged(ended)):
            return wrong(_other(client, name, said[client], log, lost[1]), picture=requests(ended, name))
    return right(
        f"Six in flight: six batches may be written before the loss of the first one's answer is noticed, and the "
        f"window holds {WINDOW}. {lost[1]} is refused as if it came too early. Java's client begins a new epoch and "
        f"writes {lost[1]} a second time, behind the others; librdkafka stops with a fatal error, and nothing is "
        "doubled. Java's client (4.0) and librdkafka refuse to be idempotent with more than five in flight.",
        picture=requests(burst, f"{largest + 1} in flight, Java's client"),
    )


def _harmless(lost):
    message, batch = lost
    if message == "request":
        return (
            f"The request with {batch} is lost, so {batch} is not in the log; what comes behind it is refused, and "
            "all of it is sent again in order. That is as it should be: look for a batch that is refused although "
            "the log has it."
        )
    if batch == BATCHES[0]:
        return "Until a is acknowledged nothing else is sent, so nothing can push it out of the window."
    return f"When {batch} comes again, it is still one of the last {WINDOW} batches, and is recognised."


def _other(client, name, said, log, batch):
    if client == "java" and said == BATCHES:
        return (
            f"{name} does not leave it at the refusal of {batch}: nothing before {batch} is missing, so it takes the "
            "broker to have forgotten it, begins a new epoch, and sends it as number 0 of that."
        )
    if client == "librdkafka" and log in said:
        return (
            f"{name} begins no new epoch: refused at the head of the line, it stops with a fatal error, because it "
            "cannot go on without the risk of losing or doubling."
        )
    missing = [each for each in BATCHES if each not in said]
    if missing:
        return f"Of {name}'s log you left out {missing[0]}: it was written before {batch} was refused."
    return f"{name} leaves another log than {said!r}. A batch that is sent again is written where the log ends then."


def requests(burst, title):
    """Return the picture of a burst: each request, what the broker did, what came back, and the window then."""
    rows = [
        {
            "batch": letter,
            "number": f"{one.number} (epoch {one.epoch})" if one.epoch else str(one.number),
            "sent": ("", "first", "again", "once more")[min(one.time + bool(one.epoch), 3)],
            "the broker": one.done,
            "what came back": one.came_back.replace("reply", "answer"),
            "its window then": " ".join(map(str, one.window)) or "–",
        }
        for one, letter in zip(burst.requests, _letters(burst), strict=True)
    ]
    table = pd.DataFrame(rows, index=range(1, len(rows) + 1)).rename_axis("request").reset_index()
    end = f"In the log in the end: {logged(burst)}{'; the producer has given up' * burst.gave_up}."
    return drawing.Picture(
        f'<p class="eo-h">{title}</p>{drawing.table_html(table)}<p><b>{end}</b></p>',
        text=f"{title}\n{table.to_string(index=False)}\n{end}",
    )


def _letters(burst):
    """Return the letter of each request's batch: a new epoch begins with the one that was refused."""
    refused = burst.refused
    return [BATCHES[one.number + (refused.number if one.epoch else 0)] for one in burst.requests]


def show(answer):
    """Draw the burst as it is sent at first, with what is lost, without what comes of it."""
    said = read(answer)
    in_flight, lost = (said["largest"] + 1, said["lost"]) if said else (WINDOW, None)
    burst = run(min(in_flight, len(BATCHES)), lost)
    rows = []
    for one in burst.requests:
        if one.time == 1 and one.epoch == 0:
            fate = f"its {lost[0]} is lost" if lost and lost[1] == BATCHES[one.number] else "arrives, and is answered"
            rows.append((BATCHES[one.number], one.number, fate))
    table = pd.DataFrame(rows, columns=["batch", "number", "your schedule"])
    words = f"Each batch, the first time it is sent, with up to {in_flight} in flight"
    return drawing.Picture(
        f'<p class="eo-h">{words}</p>{drawing.table_html(table)}', text=f"{words}\n{table.to_string(index=False)}"
    )


TASK = Task(
    title="the window of five, and the sixth",
    answer="answer_c",
    show=show,
    check=check,
    hints=(
        "Play it on paper: write down the window after each batch that the broker has written. For how long is a "
        "batch in it?",
        "A producer may send on until the answer to its oldest request is missing. With n in flight, how many "
        "batches lie behind the oldest one by then? The batch itself has a place in the window, too.",
        "A lost request makes a gap, which the broker is right to refuse. It has to be an answer, and that of a "
        "batch behind which all the others can be written at once. a is sent alone.",
        "largest is 5, and lost ('answer', 'b'): after c to g the window holds c d e f g. Java's client then writes "
        "b in a new epoch, behind g; librdkafka gives up.",
    ),
)
