"""The gaps of chapter 13. None of them needs a server."""

import re
from functools import partialmethod

from ...exercises.kinds.compared import Compared
from ...log import errors
from ...servers.etcd import FIELDS

ITEMS: dict = {}  # {name: item}

# 13-end: how a transaction ends, whatever the two calls answer.

OK, LATE, ABORTABLE, FENCED = "ok", "TimedOut", "an error that is not fatal", "ProducerFenced"


class Over(BaseException):
    """A call after the last answer of a script. No error of a program's, so that none of its handlers catches it."""


class Producer:
    """A producer whose calls answer what a script says, and which refuses another call after a time-out."""

    def __init__(self, script):
        self.script, self.late = list(script), None

    def _called(self, call):
        if self.late not in (None, call):
            raise errors.IllegalState(f"The previous call, {self.late}, timed out and must be made again.")
        if not self.script:
            raise Over(f"{call} once more, though nothing is left to end")
        answer = self.script.pop(0)
        self.late = call if answer == LATE else None
        if answer == LATE:
            raise errors.TimedOut("No answer, and it may have arrived.")
        if answer == ABORTABLE:
            raise errors.LogError("The transaction can only be aborted.")
        if answer == FENCED:
            raise errors.ProducerFenced("A newer producer has this transactional id.")

    commit_transaction = partialmethod(_called, "commit_transaction")
    abort_transaction = partialmethod(_called, "abort_transaction")


def ask_end(answer, *script):
    """Return what `end` returns; for an error of the log its name."""
    try:
        return answer(Producer(script))
    except (errors.LogError, Over) as why:
        return f"{type(why).__name__}: {why}"


ITEMS["13-end"] = Compared(
    cases=(  # the answers of the calls, one after another
        (OK,),
        (LATE, OK),
        (LATE, LATE, LATE, OK),
        (ABORTABLE, OK),
        (ABORTABLE, LATE, OK),
        (LATE, ABORTABLE, OK),
        (FENCED,),
        (LATE, FENCED),
        (ABORTABLE, FENCED),
    ),
    ask=ask_end,
    told=lambda *script: f"Where the calls answer {', then '.join(script)}, your function",
    mistakes={
        "a time-out leaves the outcome open, so the same call is made again": (
            "            continue",
            "            raise",
        ),
        "while the outcome is open the producer refuses any other call": (
            "            continue",
            "            producer.abort_transaction()",
        ),
        "an error that is fatal ends the producer: raise it": ("if why.fatal:", "if False:"),
        "an error that is not fatal leaves the abort": ("if why.fatal:", "if True:"),
        "after the abort nothing is committed": (
            "producer.abort_transaction, False",
            "producer.abort_transaction, True",
        ),
        "an abort can time out as well": (
            "call, committed = producer.abort_transaction, False",
            "producer.abort_transaction()\n            return False",
        ),
    },
    right=[("            continue", "            pass")],
    praise="It ends a transaction rightly after each of {count} rows of answers.",
)

# 13-holds: why a read_committed reader stands still.

ITEMS["13-holds"] = Compared(
    cases=(  # position, last stable offset, high watermark, the coordinator's state of who holds it
        (5, 5, 5, None),
        (3, 5, 5, None),
        (5, 5, 9, "Ongoing"),
        (5, 5, 9, "CompleteAbort"),
        (3, 5, 9, "Ongoing"),
        (3, 5, 9, "CompleteAbort"),
        (5, 5, 9, "PrepareCommit"),
        (5, 5, 9, "PrepareAbort"),
        (5, 5, 9, "CompleteCommit"),
        (5, 5, 9, "Empty"),
        (5, 5, 9, None),
        (0, 0, 1, "Ongoing"),
        (0, 0, 0, None),
    ),
    mistakes={
        "up to the last stable offset it could read more now: the reader itself is late": (
            "position < last_stable",
            "state is None",
        ),
        "behind the last stable offset nothing can be read, so the reader is not late": (
            "position < last_stable",
            "position < high_watermark",
        ),
        "the coordinator knows of no such open transaction, and nobody will end it": (
            ' if state in ("Ongoing", "PrepareCommit", "PrepareAbort") else "hanging"',
            "",
        ),
        "a decision that is prepared is carried out by the coordinator": (
            '("Ongoing", "PrepareCommit", "PrepareAbort")',
            '("Ongoing",)',
        ),
        "an id that the coordinator does not know is ended by nobody": ('("Ongoing",', '(None, "Ongoing",'),
        "a transaction that is complete is not open any more": (
            'state in ("Ongoing", "PrepareCommit", "PrepareAbort")',
            "state",
        ),
        "it has read all that there is": (
            '    if position == high_watermark:\n        return "caught up"\n',
            "",
        ),
        "return one of 'caught up', 'behind', 'open', 'hanging'": ('"caught up"\n', '"done"\n'),
    },
    right=[('state in ("Ongoing", "PrepareCommit", "PrepareAbort")', 'str(state).startswith(("On", "Prepare"))')],
    praise="It names the cause in each of {count} moments.",
)

# 13-doubt: what ends the prepared transactions of an application whose processes are gone.

SQL = re.compile(r"\s*(COMMIT|ROLLBACK)\s+PREPARED\s+'((?:[^']|'')*)'\s*;?\s*", re.IGNORECASE)


def ask_doubt(answer, prepared, decided):
    """Return the statements, sorted, and each as it is usually written."""
    said = answer(prepared, decided)
    if not isinstance(said, (list, tuple, set)):
        return said
    found = [(SQL.fullmatch(each) if isinstance(each, str) else None, each) for each in said]
    return sorted((f"{one[1].upper()} PREPARED '{one[2]}'" if one else each for one, each in found), key=str)


ITEMS["13-doubt"] = Compared(
    cases=(  # the prepared ids, {id: the decision in the log}
        ([], {}),
        (["a"], {"a": "commit"}),
        (["a"], {"a": "abort"}),
        (["a", "b"], {"a": "abort", "b": "commit"}),
        (["a"], {"a": "open"}),
        (["a", "pay-7"], {"a": "commit"}),
        (["b"], {"a": "commit", "b": "abort"}),
        (["ann's"], {"ann's": "commit"}),
    ),
    ask=ask_doubt,
    mistakes={
        "the log decides, transaction by transaction": ('"abort": "ROLLBACK"', '"abort": "COMMIT"'),
        "what is to be aborted holds its locks until it is rolled back": (', "abort": "ROLLBACK"', ""),
        "leave alone what the log has not decided": ('"ROLLBACK"}', '"ROLLBACK", "open": "ROLLBACK"}'),
        "an id that the log does not know belongs to another application": [
            ("decided[name]", 'decided.get(name, "abort")'),
            ("decided.get(name) in verbs", 'decided.get(name) != "open"'),
        ],
        "nothing of that name is prepared, and PostgreSQL would refuse the statement": (
            "for name in prepared",
            "for name in decided",
        ),
        "a quotation mark within a text is written twice": (""".replace("'", "''")""", ""),
        "return a list of statements, such as COMMIT PREPARED 'a'": (
            """verbs[decided[name]] + " PREPARED '" + name.replace("'", "''") + "'\"""",
            "name",
        ),
    },
    right=[('verbs = {"commit": "COMMIT"', 'verbs = {"commit": "commit"'), ('+ "\'"', '+ "\';"')],
    praise="It ends what is decided, and leaves alone what is open or belongs to another application.",
)

# 13-guard: which number of a key, compared in the transaction, lets no write of others be lost.

PUT, DELETE = "another client puts it", "another client deletes it"


def key_after(actions):
    """Return what etcd says of a key after these puts and deletions, as a dictionary; None where it is not there."""
    found = None
    for revision, action in enumerate(actions, 2):
        version, create = (found["version"] + 1, found["create_revision"]) if found else (1, revision)
        found = {"version": version, "create_revision": create, "mod_revision": revision} if action == PUT else None
    return found


def guards(said, before, since):
    """Tell whether the guarded write goes through where nobody else has written since, and only there."""
    start = f"You read a key that is {'there' if key_after(before) else 'not there'}"
    try:
        target, number = said
        held = (key_after(before + since) or {}).get(FIELDS[target], 0)
        lets = held == int(number)
    except (TypeError, ValueError, KeyError):
        return f"{start}: your function returns {said!r}; return (target, number), such as ('VERSION', 1)"
    if lets and since:
        return f"{start}, then {' and '.join(since)}: {target} is {number} again, and your write goes through"
    if not lets and not since:
        return f"{start}, and nobody writes: {target} is not {number}, and your write is refused for ever"
    return None


ITEMS["13-guard"] = Compared(
    cases=(  # what was done before it was read, and what was done since
        ((PUT,), ()),
        ((), ()),
        ((PUT,), (PUT,)),
        ((), (PUT,)),
        ((PUT,), (DELETE,)),
        ((PUT,), (DELETE, PUT)),
        ((PUT, PUT), (DELETE, PUT, PUT)),
        ((PUT, DELETE, PUT), (PUT,)),
        ((PUT, DELETE), (PUT,)),
    ),
    ask=lambda answer, before, since: answer(key_after(before)),
    rule=guards,
    told=lambda before, since: f"guard({key_after(before)})",
    mistakes={
        "the revision of creation stays as long as the key is there": [
            ("MOD", "CREATE"),
            ('found["mod_revision"]', 'found["create_revision"]'),
        ],
        "the version begins anew when a key is made again": [
            ("MOD", "VERSION"),
            ('found["mod_revision"]', 'found["version"]'),
        ],
        "a key that is not there has no numbers, and compares as 0": (" if found else 0", ""),
        "a key that is not there compares as 0": ("else 0", "else 1"),
        "the number belongs to the target": ("MOD", "VERSION"),
        "the target is one of 'VERSION', 'CREATE', 'MOD'": ("MOD", "mod"),
    },
    right=[
        (
            'return "MOD", found["mod_revision"] if found else 0',
            'return ("MOD", found["mod_revision"]) if found else ["VERSION", "0"]',
        ),
        ("else 0", "else '0'"),
    ],
    praise="Right for {count} cases: your write goes through where nobody else has written since you read.",
)
