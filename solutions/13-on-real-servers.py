# %% [markdown] id="title"
# # 13 · On real servers: exercises
#
# Three exercises for [chapter 13](../notebooks/13-on-real-servers.ipynb), about 85 minutes: a warm-up on Kafka, a task on PostgreSQL, and a challenge. Each exercise has a task. `show(answer)` draws what your answer does. `check(answer)` says *right*, or *wrong* with the simplest case that shows the mistake. Hints go from a nudge, `hint(1)`, to the decisive idea, the last hint. Ask for a hint whenever you like; after two wrong tries the page offers the next one. The first two checks model the servers, so that every mishap can strike at every place. The check of the challenge goes to a real broker and a real database, if they are here.

# %% [markdown] id="13a-task"
# ## (a) Does this producer number its records? (warm-up, 15 minutes)
#
# A broker recognises a repeated batch if the producer is idempotent, so that its batches have numbers. Whether a producer is idempotent depends on its client, the client's version, and settings that look unrelated. Write `judged(client, version, settings)`. `client` is `"java"` or `"librdkafka"`, `version` a tuple such as `(4, 3, 1)`. `settings` are those that the application has set: `enable.idempotence` (`True` or `False`), `acks` (`"all"`, `"-1"`, `"1"` or `"0"`), `retries` and `max.in.flight.requests.per.connection` (numbers). Return `"numbered"`, `"not numbered"`, or `"refused"` if the client refuses these settings.
#
# The rules:
#
# - librdkafka: off by default. If it is switched on, a setting that contradicts it is refused.
# - Java: on by default since 3.0.0, as the announcement says. By mistake 3.0.0 and 3.1.0 left it off nevertheless; 3.0.1, 3.1.1 and 3.2.0 have it right. If the application has switched it on, a setting that contradicts it is refused. If the application has not, such a setting switches it off without an error, but for one change: since 4.0.0 too many requests in flight are refused then, too.
# - Contradictions are: `acks` of another value than `"all"` or `"-1"`, which mean the same; `retries` of 0; more than five requests in flight.
# - Switched off by the application, nothing contradicts it.

# %% [markdown] id="13a-hints" tags=["hints"]
# 1. Ask first what the application has said about idempotence itself. There are three answers to that: yes, no, nothing.
# 2. After yes and no the version does not matter. Only after nothing do you need the default of this client and version,
#    and the one change of 4.0.0.
# 3. Tuples compare as versions do: `version < (3, 0, 1)`. Two releases stand apart, and the later one of them lies
#    behind 3.0.1, so it needs a condition of its own.

# %% id="13a-answer"
def judged(client, version, settings):
    ### BEGIN SOLUTION
    switched = settings.get("enable.idempotence")
    weak = settings.get("acks", "all") not in ("all", "-1") or settings.get("retries", 1) == 0
    many = settings.get("max.in.flight.requests.per.connection", 5) > 5
    if switched is False:
        return "not numbered"
    if switched:
        return "refused" if weak or many else "numbered"
    if client == "librdkafka" or version in ((3, 0, 0), (3, 1, 0)):
        return "not numbered"
    if many and version >= (4, 0, 0):
        return "refused"
    return "not numbered" if weak or many else "numbered"
    ### END SOLUTION

# %% [markdown] id="13a-show-words"
# A producer, and what your function says about it:

# %% [markdown] id="13a-check-words"
# The check has 22 producers.

# %% [markdown] id="13a-why" tags=["solution"]
# **Why.** The same line, `acks=1`, is an error in one program and takes the numbers away in another one, which shows in no log but one line at the level INFO. So say what you rely on: `enable.idempotence=true` in so many words makes the client refuse what contradicts it, in any of these versions.

# %% [markdown] id="13b-task"
# ## (b) A payment, whatever the database answers (task, 25 minutes)
#
# Orders arrive at least once, and two consumers can have the same order at once. Write `pay(database, order, amount)`, which takes the amount off the balance, once for each order. `database` is a connection to PostgreSQL at the level serializable:
#
# - `database.begin()`, `database.commit()`, `database.rollback()`;
# - `database.read(row)` returns the value of a row, or `None`; `database.write(row, value)` writes it. The row `"balance"` is there; you may write others, of any name. Both need an open transaction.
#
# What can go wrong: a statement, or the commit, raises `SerializationFailure` (SQLSTATE 40001): the transaction is rolled back. Any of them raises `OutcomeUnknown`: the connection was lost, the transaction is rolled back, and the next `begin()` connects anew; but if it was the commit that raised it, the transaction may have been committed. Another consumer may run your function for the same order between any two requests of yours; what you write then is refused, with 40001, if its transaction was committed after your `begin()`. Your function has to return, with the order paid; each call is one of a new process.

# %% [markdown] id="13b-hints" tags=["hints"]
# 1. After an error nothing of the transaction is left, so which statements have to run again?
# 2. A commit without an answer may have been carried out. Running everything again pays twice, unless the database itself
#    tells that this order is paid.
# 3. Keep a row for each order, written in the transaction that changes the balance, and read first in every attempt. Then
#    both errors have the same treatment: the whole transaction again, in a loop.

# %% id="13b-answer"
from exactly_once import OutcomeUnknown
from exactly_once.stores import SerializationFailure

task_b = exercises.open("13b")


def pay(database, order, amount):
    ### BEGIN SOLUTION
    paid = f"order {order}"
    while True:
        try:
            database.begin()
            if database.read(paid) is None:
                database.write("balance", database.read("balance") - amount)
                database.write(paid, amount)
            database.commit()
            return
        except (SerializationFailure, OutcomeUnknown):
            continue
    ### END SOLUTION

# %% [markdown] id="13b-show-words"
# Three calls when nothing goes wrong; order 7 arrives twice:

# %% [markdown] id="13b-check-words"
# The check strikes every request with every error, alone and in pairs.

# %% [markdown] id="13b-why" tags=["solution"]
# **Why.** 40001 asks for the whole transaction again, since what was read is old. A lost answer asks for a look, and the row of the order makes the look possible: it is there exactly if the balance was changed. So the second attempt is harmless, and it is the look. A program that keeps the paid orders in its memory, or writes their row in another transaction, fails at the first death in between.

# %% [markdown] id="13d-task"
# ## (d) A handler of your own on Kafka and PostgreSQL (challenge, 45 minutes)
#
# A specification and no skeleton. Write a handler, a function of the node, that leaves this in the end:
#
# - the output has the average of each hour's window once, in order (the window holds the readings of the last `node.duration` hours, as in chapter 04);
# - in the database the table `readings` holds one number: how many readings all windows held together. `node.database.transact(…)` carries out several of `("cas", cell, version, value)` and `("add", table, amount)` in one transaction, all or none: a `cas` whose cell has another version leaves everything as it is.
#
# The output is in the engine's store, as `node.registers`, `node.state` and the rest, and on Kafka in the end; the database is another system, PostgreSQL in the end. No step writes to both.
#
# The check has two parts. First it explores every schedule with one fault: a crash, a lost request, a lost reply, a request that arrives twice, a late request. Then it runs your handler on a real broker and a real PostgreSQL, and kills the broker by SIGKILL twice on the way. Where a server is missing, the check says so, and the first part counts. It takes half a minute. Here is the specification as the invariant that is checked:

# %% [markdown] id="13d-hints" tags=["hints"]
# 1. Which of your writes can be repeated without harm? An hour that is done again has to send the very same requests.
# 2. Chapter 04's register for each hour takes an average once. The database's table takes every addition: what in the same
#    transaction lets it take place only once for each hour?
# 3. A cell that moves on by one with each hour has, before hour h, version h − 1. A `cas` from this version and the
#    addition in one `transact` are done once, however often they are sent, and however late.

# %% id="13d-specification"

# %% [markdown] id="13d-answer-words"
# Your handler:

# %% id="13d-answer"
from exactly_once import Window


def mine(node):
    ### BEGIN SOLUTION
    saved = node.state.load()
    known = isinstance(saved, dict)
    positions = saved["positions"] if known else node.start
    window = saved["window"] if known else Window()
    while node.running(positions):
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        hour = items[0].hour
        node.registers.cas(f"output.{hour - 1}", 0, window.average())
        node.database.transact(("cas", "done", hour - 1, hour), ("add", "readings", len(window)))
        node.state.save({"positions": positions, "window": window})
    ### END SOLUTION

# %% [markdown] id="13d-show-words"
# Hour 2 of a run in which nothing goes wrong:

# %% [markdown] id="13d-check-words"
# The check proves it first, and then starts the servers:

# %% [markdown] id="13d-why" tags=["solution"]
# **Why.** Each write is a repeatable request with a place of its own: the average of hour *h* in register *h* − 1, and the addition beside a cell that only hour *h* can move from version *h* − 1. The state is saved last, in one step. So a process that dies anywhere, or hears no answer, is followed by one that sends the same again, and nothing counts twice. None of that knows which servers are behind it, and the broker's death is one more lost answer.
