"""Gap 02-elect: who may lead when the leader is dead."""

from .... import show
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import called
from ..registry import Gap

# The records of each replica, with their leader epochs; who is in sync; who lives. Broker 0 led, and is dead.
T, C, X = ("e0", "tea"), ("e1", "cake"), ("e0", "scone")
CASES = (
    ({0: [T], 1: [T], 2: [T]}, [0, 1, 2], [1, 2]),
    ({0: [T], 1: [T], 2: []}, [0, 1], [1, 2]),
    ({0: [T], 1: [], 2: [T]}, [0, 2], [1, 2]),
    ({0: [T], 1: [], 2: []}, [0], [1, 2]),
    ({0: [T, C], 1: [T, C], 2: [T, X, ("e0", "jam")]}, [0, 1], [1, 2]),
    ({0: [T, C], 1: [T, C], 2: [T]}, [0, 1, 2], [2]),
    ({0: [T], 1: [T], 2: [T]}, [0, 1, 2], []),
)


def elect(in_sync, alive, ends):
    """Return the broker that leads next, or None. `ends` are the log ends by broker; they do not matter."""
    candidates = [broker for broker in in_sync if broker in alive]
    return candidates[0] if candidates else None


def answers(function, cases):
    """Return whom a function elects in each case."""
    return [
        function(list(isr), list(alive), {one: len(log) for one, log in logs.items()}) for logs, isr, alive in cases
    ]


def check(answer):
    """Hold elections, and look whether the winner has all that was committed."""
    told = called(answers, answer, CASES)
    if all(said is None for said in told):
        return unsolved("your lines")
    for case, said in zip(CASES, told, strict=True):
        if sentence := objection(*case, said):
            logs, in_sync, alive = case
            titles = {one: f"broker {one} ({_role(one, in_sync, alive)})" for one in logs}
            return wrong(sentence, picture=show.log({titles[one]: log for one, log in logs.items()}))
    return right("Whoever wins has all that was committed; and where nobody can win, the partition waits.")


def objection(logs, in_sync, alive, said):
    """Return what is wrong with the winner of one election, or None."""
    able = [broker for broker in in_sync if broker in alive]
    who = f"In sync: {in_sync}, alive: {alive or 'none'}."
    if (said is None and not able) or (type(said) is int and said in able):
        return None
    if said is None:
        return f"{who} Nobody is elected, though broker {able[0]} lives, and has all that was committed."
    if type(said) is not int or said not in logs:
        return f"{who} It elects {said!r}; elect one of the brokers {sorted(logs)}, or None."
    if said not in alive:
        return f"{who} It elects broker {said}, which is dead."
    common = (record for record in logs[in_sync[0]] if all(record in logs[one] for one in in_sync))
    lacks = [record[1] for record in common if record not in logs[said]]
    longest = len(logs[said]) > len(logs[in_sync[0]])
    length = " Its log is the longest, with records of an old epoch that nobody committed." if longest else ""
    return (
        f"{who} It elects broker {said}, which is not in sync.{length} It lacks {', '.join(lacks)}, which every "
        "in-sync replica had: committed, perhaps read, and now lost."
    )


def _role(broker, in_sync, alive):
    return ("in sync" if broker in in_sync else "not in sync") + ("" if broker in alive else ", dead")


GAP = Gap(
    title="who may lead when the leader is dead",
    judge=check,
    library=elect,
    hints=(
        "Which brokers are sure to have every committed record? And which of them can lead at all?",
        "A candidate is in sync, and it lives. How long its log is does not matter.",
        "Go through `in_sync` and return the first broker that is in `alive`; after the loop, None.",
    ),
)
