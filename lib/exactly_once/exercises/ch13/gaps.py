"""The gaps of chapter 13: how the lines that a learner writes in it are judged. None of them needs a server."""

import re

from ...log import errors
from ...servers.keys import FIELDS
from ..kinds.by_cases import by_cases
from ..kinds.old_gap import gap, untouched
from ..kinds.reply import right, unsolved, wrong
from ..kinds.run_answer import called

# 13-end: how a transaction ends, whatever the two calls answer.

OK, LATE, ABORTABLE, FENCED = "ok", "TimedOut", "an error that is not fatal", "ProducerFenced"
ENDS = (  # the answers of the calls, one after another, and what `end` does in the end
    ((OK,), True),
    ((LATE, OK), True),
    ((LATE, LATE, LATE, OK), True),
    ((ABORTABLE, OK), False),
    ((ABORTABLE, LATE, OK), False),
    ((LATE, ABORTABLE, OK), False),
    ((FENCED,), "raises"),
    ((LATE, FENCED), "raises"),
    ((ABORTABLE, FENCED), "raises"),
)


class Over(BaseException):
    """A call after the last answer of a script. No error of a program's, so that none of its handlers catches it."""


class Producer:
    """A producer whose calls answer what a script says, and which refuses another call after a time-out."""

    def __init__(self, script):
        self.script, self.calls, self.late = list(script), [], None

    def commit_transaction(self):
        """Answer as the script says."""
        self._called("commit_transaction")

    def abort_transaction(self):
        """Answer as the script says."""
        self._called("abort_transaction")

    def _called(self, call):
        self.calls.append(call)
        if self.late not in (None, call):
            raise errors.IllegalState(f"The previous call, {self.late}, timed out and must be made again.")
        if not self.script:
            raise Over
        answer, self.late = self.script.pop(0), None
        if answer == LATE:
            self.late = call
            raise errors.TimedOut("No answer, and it may have arrived.")
        if answer == ABORTABLE:
            raise errors.LogError("The transaction can only be aborted.")
        if answer == FENCED:
            raise errors.ProducerFenced("A newer producer has this transactional id.")


def ended(theirs, script):
    """Return (what `end` did: True, False, "raises" or words, the calls that it made). For `called`."""
    producer = Producer(script)
    try:
        said = theirs(producer)
    except errors.ProducerFenced:
        said = "raises"
    except Over:
        said = f"calls {producer.calls[-1]} once more, though nothing is left to end"
    except errors.LogError as why:
        said = f"fails with {type(why).__name__}: {why}"
    return said if said in (None, True, False) else str(said), producer.calls


def all_ended(theirs):
    """Try the function on all scripts."""
    return [ended(theirs, script) for script, _ in ENDS]


@gap("13-end")
def check_end(answer):
    """Let the two calls answer what they can answer."""
    if untouched(answer):
        return unsolved("your lines")
    for (script, wanted), (said, calls) in zip(ENDS, called(all_ended, answer), strict=True):
        if said != wanted:
            heard = ", ".join(f"{call}: {heard}" for call, heard in zip(calls, script, strict=False)) or "no call"
            should = "it should raise the error" if wanted == "raises" else f"it should return {wanted}"
            did = said if str(said).startswith(("fails", "calls", "raises")) else f"returns {said}"
            return wrong(f"The calls answer so ({heard}), and your function {did}; {should}.")
    return right(f"It ends a transaction rightly after each of {len(ENDS)} rows of answers.")


# 13-holds: why a read_committed reader stands still.

WORDS = ("caught up", "behind", "open", "hanging")
HOLDS = (  # position, last stable offset, high watermark, the coordinator's state of who holds it, the right word
    (5, 5, 5, None, "caught up"),
    (3, 5, 5, None, "behind"),
    (5, 5, 9, "Ongoing", "open"),
    (5, 5, 9, "CompleteAbort", "hanging"),
    (3, 5, 9, "Ongoing", "behind"),
    (3, 5, 9, "CompleteAbort", "behind"),
    (5, 5, 9, "PrepareCommit", "open"),
    (5, 5, 9, "PrepareAbort", "open"),
    (5, 5, 9, "CompleteCommit", "hanging"),
    (5, 5, 9, "Empty", "hanging"),
    (5, 5, 9, None, "hanging"),
    (0, 0, 1, "Ongoing", "open"),
    (0, 0, 0, None, "caught up"),
)


@gap("13-holds")
def check_holds(answer):
    """Ask about moments of a reader."""

    def objection(position, stable, end, state, wanted, said):
        if said == wanted:
            return None
        if said not in WORDS:
            return f" returns {said!r}; return one of {', '.join(map(repr, WORDS))}."
        why = {
            "caught up": "it has read all that there is",
            "behind": "it could read more now: the reader itself is late",
            "open": "nothing more can be read, and the coordinator will end what holds it",
            "hanging": "nothing more can be read, and the coordinator knows of no such open transaction",
        }[wanted]
        return f" returns {said!r}; it is {wanted!r}: {why}."

    return by_cases(
        answer,
        HOLDS,
        told=lambda *case: f"holds{case[:4]!r}",
        objection=objection,
        arguments=lambda *case: list(case[:4]),
    ) or right(f"It names the cause in each of {len(HOLDS)} moments.")


# 13-doubt: what ends the prepared transactions of an application whose processes are gone.

SQL = re.compile(r"\s*(COMMIT|ROLLBACK)\s+PREPARED\s+'((?:[^']|'')*)'\s*;?\s*", re.IGNORECASE)
DOUBTS = (  # the prepared ids, {id: the decision in the log}, the right statements
    ([], {}, []),
    (["a"], {"a": "commit"}, [("COMMIT", "a")]),
    (["a"], {"a": "abort"}, [("ROLLBACK", "a")]),
    (["a", "b"], {"a": "abort", "b": "commit"}, [("ROLLBACK", "a"), ("COMMIT", "b")]),
    (["a"], {"a": "open"}, []),
    (["a", "pay-7"], {"a": "commit"}, [("COMMIT", "a")]),
    (["b"], {"a": "commit", "b": "abort"}, [("ROLLBACK", "b")]),
    (["ann's"], {"ann's": "commit"}, [("COMMIT", "ann's")]),
)


@gap("13-doubt")
def check_doubt(answer):
    """Ask about lists of prepared transactions, each with the decisions of a log."""

    def objection(prepared, decided, wanted, said):
        found = [SQL.fullmatch(each) for each in said] if isinstance(said, (list, tuple, set)) else None
        if found is None or None in found:
            return f" returns {said!r}; return a list of statements, such as COMMIT PREPARED 'a'."
        heard = sorted((each[1].upper(), each[2].replace("''", "'")) for each in found)
        if heard == sorted(wanted):
            return None
        for name in prepared:
            mine, should = ([verb for verb, one in each if one == name] for each in (heard, wanted))
            if mine != should:
                does = f"does {' and '.join(mine)}" if mine else "leaves it as it is"
                right = should[0] if should else "leave it: the log has not decided it, or does not know it"
                return (
                    f": {name!r} is {decided.get(name, 'unknown')!r} in the log, and your function {does}; {right}."
                )
        return f" returns {said!r}; nothing of that name is prepared, and PostgreSQL would refuse the statement."

    return by_cases(
        answer,
        DOUBTS,
        told=lambda *case: f"statements({case[0]!r}, {case[1]!r})",
        objection=objection,
        arguments=lambda *case: [list(case[0]), dict(case[1])],
        nothing=(None, ...),
    ) or right("It ends what is decided, and leaves alone what is open or belongs to another application.")


# 13-guard: which number of a key, compared in the transaction, lets no write of others be lost.

PUT, DELETE = "another client puts it", "another client deletes it"
GUARDS = (  # what was done before it was read, and what was done since
    ((PUT,), ()),
    ((), ()),
    ((PUT,), (PUT,)),
    ((), (PUT,)),
    ((PUT,), (DELETE,)),
    ((PUT,), (DELETE, PUT)),
    ((PUT, PUT), (DELETE, PUT, PUT)),
    ((PUT, DELETE, PUT), (PUT,)),
    ((PUT, DELETE), (PUT,)),
)


def key_after(actions):
    """Return what etcd says of a key after these puts and deletions, as a dictionary; None where it is not there."""
    found, revision = None, 1
    for action in actions:
        revision += 1
        if action == DELETE:
            found = None
        else:
            version, create = (found["version"] + 1, found["create_revision"]) if found else (1, revision)
            found = {"version": version, "create_revision": create, "mod_revision": revision}
    return found


@gap("13-guard")
def check_guard(answer):
    """Let others write between the read and the guarded write."""

    def objection(before, since, said):
        try:
            target, number = said
            number = int(number)
        except (TypeError, ValueError):
            return f": your function returns {said!r}; return (target, number), such as ('VERSION', 1)."
        if target not in FIELDS:
            return f": your function returns {said!r}; the target is one of {', '.join(FIELDS)}."
        now = key_after(before + since)
        lets = (now[FIELDS[target]] if now else 0) == number
        if lets and since:
            return f", then {' and '.join(since)}: {target} is {number} again, and your write goes through."
        if not lets and not since:
            return f", and nobody writes: {target} is not {number}, and your write is refused for ever."
        return None

    def told(before, since):
        return "You read a key that is there" if key_after(before) else "You read a key that is not there"

    return by_cases(
        answer, GUARDS, told=told, objection=objection, arguments=lambda before, since: [key_after(before)]
    ) or right(
        f"Right for {len(GUARDS)} cases: your write goes through where nobody else has written since you read."
    )
