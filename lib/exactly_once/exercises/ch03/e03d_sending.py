"""Exercise 03d: after which errors a producer may send again, and after which errors the record may double."""

import pandas as pd

from ... import show as drawing
from ...errors import BadInput
from ...pipeline import Job
from ..kinds.reply import has_dots, right, unsolved, wrong
from ..kinds.run_answer import answers, proved
from ..kinds.task import Task

JOB = Job(items=1)
TROUBLES = 2
PATIENCE = 5
ABSENT, WRITTEN = "–", "✓"  # the record's fate, in the words of a run
FINE = f"acknowledged {WRITTEN}"
KINDS = ("bill", "temperature")
ERRORS = {  # is it retriable in Kafka; what can have become of the record; why
    "NotEnoughReplicas": (True, (ABSENT,), "too few replicas are in sync, and the leader wrote nothing"),
    "NotEnoughReplicasAfterAppend": (True, (WRITTEN,), "the leader has written the record, and keeps it"),
    "NotLeaderOrFollower": (
        True,
        (ABSENT, WRITTEN),
        "a broker that does not lead writes nothing, but one that was leader when the record came says the same",
    ),
    "TimeoutException": (True, (ABSENT, WRITTEN), "the request was lost, or only its answer"),
    "RecordTooLarge": (False, (ABSENT,), "the broker wrote nothing, and will never write it"),
}
SOMETIMES = tuple(error for error in ERRORS if error != "RecordTooLarge")  # these go away by themselves
DOUBLES = {error: WRITTEN in fates for error, (_, fates, _) in ERRORS.items()}


class Endless(BaseException):
    """A record that never fits was sent again and again."""


def producer_with(again, kind, records, most=0):
    """Return a handler that sends records of a kind, and on an error does as `again` says.

    The world chooses the fate of at most `most` requests; the record "large" never fits. A written record is pushed.
    A record that the handler leaves out is noted under its last error.
    """

    def producer(node):
        troubles = most
        for record in records:
            tries, sending = 0, True
            while sending:
                fates = [FINE]
                if record == "large":
                    fates = [f"RecordTooLarge {ABSENT}"]
                elif troubles > 0:
                    fates += [f"{error} {fate}" for error in SOMETIMES for fate in ERRORS[error][1]]
                fate = node.choose([f"{record}: {each}" for each in fates]).partition(": ")[2]
                error = None if fate == FINE else fate.partition(" ")[0]
                if fate.endswith(WRITTEN):
                    node.output.push(record)
                sending = error is not None and again(kind, error)
                troubles, tries = troubles - (error is not None), tries + 1
                if tries > PATIENCE:
                    raise Endless
                if error and not sending:
                    node.registers.cas(f"{error} ended.{record}", 0, True)

    return producer


def rule_for(kind, records):
    """Return the rule of a kind: no bill twice, no bill missing without need, and no temperature missing."""

    def rule(view):
        for record in records:
            left = [name.partition(" ")[0] for name in view.registers if name.endswith(f"ended.{record}")]
            if kind == "bill" and view.outputs.count(record) > 1:
                return f"the bill {record!r} is in the log twice, and the customer pays twice"
            if view.done and record not in view.outputs and record != "large":
                if kind == "temperature":
                    return f"the temperature {record!r} is missing, and twice in the log it would do no harm"
                if not any(DOUBLES[error] for error in left):
                    return f"the bill {record!r} is missing, though sending it again could not have doubled it"
        return True

    return rule


def read(answer):
    """Return the answer, or None for one with dots. Raises `BadInput` for another form."""
    if has_dots(answer):
        return None
    if not isinstance(answer, dict) or set(answer) != {"judged", "again"} or not callable(answer["again"]):
        raise BadInput(
            f"The answer is {answer!r}; it is a dictionary with judged, a dictionary, and again, a function."
        )
    judged = answer["judged"]
    if not isinstance(judged, dict) or set(judged) != set(ERRORS):
        raise BadInput(f"judged is {judged!r}; it has an entry for each of {', '.join(ERRORS)}.")
    if any(has_dots(each) for each in judged.values()):
        return None
    for error, each in judged.items():
        if not isinstance(each, (tuple, list)) or len(each) != 2 or not all(one in (True, False) for one in each):
            raise BadInput(f"For {error} you say {each!r}; give two of True and False: retriable, may double.")
    return answer


def check(answer):
    """Compare the table with Kafka's, then let two producers send by the function, under all faults."""
    answer = read(answer)
    if answer is None:
        return unsolved("your table and your function")
    for error, (retriable, doubles) in answer["judged"].items():
        if sentence := _objection(error, bool(retriable), bool(doubles)):
            return wrong(sentence, picture=table(answer["judged"]))
    again = answer["again"]
    told = answers(again, [[kind, error] for kind in KINDS for error in ERRORS])
    if all(fine and said is None for fine, said in told):
        return unsolved("the body of again")
    states = 0
    for kind in KINDS:
        for records, most in ((["first", "second"], TROUBLES), (["large", "first"], 0)):
            handler = producer_with(again, kind, records, most)
            proof = proved(handler, rule_for(kind, records), JOB, crashes=0)
            if (found := proof.counterexample) is not None:
                return wrong(_told(found), found, handler, requests(found.run))
            if not proof.exhausted:
                return wrong(f"Not proved: {proof.stopped}.")
            states += proof.states
    return right(
        "Kafka's producers send again after all four retriable errors. For the temperature that is right; for the "
        "bill it is right only if the log recognises a repeated record. Proved for two records and two "
        f"requests that fail in every way ({states:,} states).",
        picture=table(answer["judged"]),
    )


def requests(run):
    """Return the picture of a run: each request, its reply, and whether the record was written."""
    rows = []
    for event in run.trace:
        if event.verb == "choose":
            record, _, fate = event.text.removeprefix("choose ").partition(": ")
            answer, _, mark = fate.partition(" ")
            rows.append((record, answer, f"{mark} {'written' if mark == WRITTEN else 'not written'}"))
    table = pd.DataFrame(rows, columns=["record", "what came back", "in the log"], index=range(1, len(rows) + 1))
    table = table.rename_axis("request").reset_index()
    return drawing.Picture(drawing.table_html(table), text=table.to_string(index=False))


def _told(found):
    if "Endless" in found.sentence:
        return f"After {PATIENCE} refusals it still sends the same record. A record that is too large never fits."
    if found.kind == "raised":
        return f"Your function fails: {found.sentence.partition(': ')[2]}"
    if "pays twice" in found.sentence:
        return (
            f"{found.sentence} Java's producer may send again after every retriable error, because it numbers "
            "its records by default and the log recognises them; this producer does not."
        )
    return found.sentence


def _objection(error, retriable, doubles):
    """Return a sentence on the mistake in one line of the table, or None."""
    is_retriable, _, why = ERRORS[error]
    if doubles != DOUBLES[error]:
        if doubles:
            return f"Sending again after {error} cannot double the record: {why}."
        return f"Sending again after {error} may double the record: {why}."
    if retriable == is_retriable:
        return None
    if is_retriable:
        return (
            f"{error} is retriable in Kafka: sending again may succeed. Whether the record may double is another "
            "question, which the word does not answer."
        )
    return f"{error} is not retriable in Kafka: {why}."


def table(judged):
    """Return an answer's table, a row for each error."""
    rows = [(error, *("·" if one is ... else "yes" if one else "no" for one in judged[error])) for error in ERRORS]
    listed = pd.DataFrame(rows, columns=["error", "retriable", "may double"])
    return drawing.Picture(drawing.table_html(listed), text=listed.to_string(index=False))


def show(answer):
    """Draw the function's choice for each error, for a bill and for a temperature, beside the table."""
    answer = read(answer)
    if answer is None:
        return drawing.Picture("<p>There is no table yet.</p>", text="There is no table yet.")
    told = answers(answer["again"], [[kind, error] for error in ERRORS for kind in KINDS])
    said = [f"fails with {each}" if not fine else "again" if each else "not again" for fine, each in told]
    rows = [
        (error, *("yes" if one else "no" for one in answer["judged"][error]), *said[2 * place : 2 * place + 2])
        for place, error in enumerate(ERRORS)
    ]
    listed = pd.DataFrame(rows, columns=["error", "retriable", "may double", "a bill", "a temperature"])
    return drawing.Picture(drawing.table_html(listed), text=listed.to_string(index=False))


TASK = Task(
    answer="answer_d",
    show=show,
    check=check,
)
