# %% id="gap-13-end"
from exactly_once.course import gap
from exactly_once.log import LogError, TimedOut


def end(producer):
    # Return True once it is committed, False once it is aborted; raise what is fatal.
    ### BEGIN SOLUTION
    call, committed = producer.commit_transaction, True
    while True:
        try:
            call()
            return committed
        except TimedOut:
            continue
        except LogError as why:
            if why.fatal:
                raise
            call, committed = producer.abort_transaction, False
    ### END SOLUTION


ends = gap("13-end", end)

# %% [markdown] id="gap-13-end-hints" tags=["hints"]
# ### the end of a transaction
#
# 1. Three kinds of error come out of a commit: an open outcome, an error that leaves nothing but the abort, and one that
#    ends the producer. Which call fits each of them?
# 2. An abort can time out as well. So it is a loop around *the call that is due*: first the commit, and from a certain
#    error on the abort.
# 3. `TimedOut` means: the same call again. Any other error has the attribute `fatal`: raise it on if it is true, and
#    otherwise make the abort the call that is due.

# %% id="gap-13-holds"
def holds(position, last_stable, high_watermark, state):
    # Return "caught up", "behind", "open" or "hanging".
    ### BEGIN SOLUTION
    if position == high_watermark:
        return "caught up"
    if position < last_stable:
        return "behind"
    return "open" if state in ("Ongoing", "PrepareCommit", "PrepareAbort") else "hanging"
    ### END SOLUTION


held = gap("13-holds", holds)

# %% [markdown] id="gap-13-holds-hints" tags=["hints"]
# ### why a reader stands still
#
# 1. Up to which offset may a read_committed reader read? Compare its position with this offset first.
# 2. A reader below the last stable offset has work to do, whatever else is wrong. One that stands at it waits for
#    somebody, unless nothing lies behind.
# 3. The coordinator ends a transaction that is Ongoing, or in one of its two states that begin with Prepare. In any
#    other state, and for an id that it does not know, nobody will end it.

# %% id="gap-13-doubt"
def statements(prepared, decided):
    # Return a list of statements: COMMIT PREPARED 'id' or ROLLBACK PREPARED 'id'.
    ### BEGIN SOLUTION
    verbs = {"commit": "COMMIT", "abort": "ROLLBACK"}
    return [
        verbs[decided[name]] + " PREPARED '" + name.replace("'", "''") + "'"
        for name in prepared
        if decided.get(name) in verbs
    ]
    ### END SOLUTION


doubts = gap("13-doubt", statements)

# %% [markdown] id="gap-13-doubt-hints" tags=["hints"]
# ### ending what is in doubt
#
# 1. Who may end a prepared transaction: the one who asked for it, or the one who knows the decision? What do you know of
#    an id that is not in your log?
# 2. Go through what is prepared, and not through the log: an old decision may have been carried out long ago, and
#    PostgreSQL refuses an id that is not there. Leave what the log does not know, and what it has not decided.
# 3. In SQL a quotation mark within a text is written twice; `name.replace("'", "''")` does that.

# %% id="gap-13-guard"
def guard(found):
    # found is None, or {"version": …, "create_revision": …, "mod_revision": …}.
    # Return (target, number).
    ### BEGIN SOLUTION
    return "MOD", found["mod_revision"] if found else 0
    ### END SOLUTION


guarded = gap("13-guard", guard)

# %% [markdown] id="gap-13-guard-hints" tags=["hints"]
# ### a guard against others' writes
#
# 1. Which of the three numbers is another one after *every* change of the key, a deletion among them?
# 2. The version begins anew when a key is made again, and the revision of creation stays as long as the key is there. One
#    number is left, which comes from a counter of the whole cluster.
# 3. A key that is not there compares as 0 in each of the three. So `None` needs a line of its own.
