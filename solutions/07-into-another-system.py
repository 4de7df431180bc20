# %% [markdown] id="title"
# # 07 · Into another system: exercises
#
# Four exercises for [chapter 07](../notebooks/07-into-another-system.ipynb), about 135 minutes: a warm-up, two tasks and a challenge. Each exercise has a task. `show(answer)` draws what your answer does. `check(answer)` says *right*, or *wrong* with the simplest case that shows the mistake. Hints go from a nudge, `hint(1)`, to the decisive idea, `hint(4)`. Ask for a hint whenever you like; after two wrong tries the page offers the next one.

# %% [markdown] id="07a-task"
# ## (a) Where to put the position (warm-up, 10 minutes)
#
# A consumer reads messages and writes each message to another system, the *sink*. A process of the consumer may crash at any step. There are four sinks:
#
# - `"table"`: a table in a database in which you may keep tables of your own;
# - `"ledger"`: another team's database. It keeps no data of yours, but it can *prepare* a transaction of yours, and commit it or roll it back later;
# - `"map"`: a key-value store without transactions. A put overwrites the old value of its key, and each message has a key of its own;
# - `"mail"`: each message is sent as an e-mail.
#
# Where does the consumer keep its *[position](../notebooks/glossary.md#positions)*? `"before"`: it saves the position in the log, and then writes to the sink. `"after"`: it writes to the sink, and then saves the position. `"beside"`: in the sink, in the transaction of the effect. `"two phases"`: it prepares at the sink, saves the position together with the decision, and then commits at the sink.
#
# What may you promise? `"exactly once"`: each message is written once. `"as if once"`: some messages are written again, and in the end nobody can tell. `"at least once"`, `"at most once"`. Give a place and a promise for each sink, so that no other place promises more. If two places promise something different and neither promise is the stronger one, choose either place.

# %% [markdown] id="07a-hints" tags=["hints"]
# 1. Ask of each sink, in this order: can it keep my position in the transaction of the effect? Can it prepare a
#    transaction, so that my decision comes first? Can a reader tell that an effect was repeated?
# 2. The table's database takes a table of yours, so the position goes beside the effect. The ledger takes nothing
#    of yours, but it prepares. The map overwrites: the same put twice leaves the same as one put.
# 3. A mail server keeps, prepares and overwrites nothing of yours: each mail is sent at least once or at most once,
#    and the place of the position decides which. Either place is right here.
# 4. One sink takes the position into the transaction of the effect, so that effect and position appear together.
#    Another sink waits for your decision between preparing and committing. For the other two sinks, a position that
#    is saved after the effect repeats the effect, and a position that is saved before the effect loses it. Ask of
#    each of the two: would a reader notice a repetition?

# %% id="07a-answer"
places = (
    ### BEGIN SOLUTION
    {
        "table": ("beside", "exactly once"),
        "ledger": ("two phases", "exactly once"),
        "map": ("after", "as if once"),
        "mail": ("after", "at least once"),
    }
    ### END SOLUTION
)

# %% [markdown] id="07a-show-words"
# Your answer as a table:

# %% [markdown] id="07a-check-words"
# The check builds and explores each place. If a promise is too strong, it shows the schedule that breaks the promise.

# %% [markdown] id="07a-why" tags=["solution"]
# **Why.** The sink decides. If it can keep the position in the transaction of the effect, nothing else is needed. If the sink can prepare, another system can make the decision, and the sink carries it out later. If the sink overwrites, a repeated effect leaves no trace. A mail server can do none of these: a crash between the effect and the position leaves open whether the effect took place, and no protocol can find that out. (Two phases would be right for the table as well. They promise the same, take more steps, and lock its rows while a process is dead.)

# %% [markdown] id="07b-task"
# ## (b) A sink with one forgotten case (task, 20 minutes)
#
# This sink writes orders into a table of a shop's database, and keeps its index beside the orders: both change in one transaction. The sink repeats the transaction until it is done. Its author has killed the sink at every step, and each order was in the table once.

# %% [markdown] id="07b-hints" tags=["hints"]
# 1. The loop repeats the transaction until it is done. What does the loop know when it tries again, and what not?
# 2. After an OutcomeUnknown the transaction may be done already. The sink reads the new version, which then fits, and
#    does the transaction once more. A fault of the kind 'lost reply' at the step 'store.transact' shows it.
# 3. shop.read('index') returns the version and the index. The forgetful sink throws the index away. What does it
#    mean if the index is past the order that the sink wants to write?
# 4. The index in the database says which orders are written. The sink has only to look: when this index is past the
#    order, the order is written, by this process or by another, and the next one is due. Look before each attempt,
#    also after a refusal or a lost reply. An index of None counts as 0.

# %% id="07b-forgetful"
from exactly_once import OutcomeUnknown


def forgetful(node):
    shop = node.store("shop")
    _, index = shop.read("index")
    index = index or 0
    while node.running({"numbers": index}):
        items, _ = node.read({"numbers": index})
        order, done = items[0].value, None
        while not done:
            version, _ = shop.read("index")
            move = ("cas", "index", version, index + 1)
            try:
                done = shop.transact(move, ("append", "orders", order))
            except OutcomeUnknown:
                continue  # it is tried again
        index += 1

# %% [markdown] id="07b-task-more"
# Find a fault plan with one fault under which the forgetful sink leaves a table other than `[11, 12, 13]`. Then write a sink that leaves `[11, 12, 13]` whatever happens. Your sink reads orders with `node.read({"numbers": index})`, as the forgetful sink does, and uses `node.store("shop")` with the cell `"index"` and the log `"orders"`.

# %% id="07b-answer"
from exactly_once import Fault, FaultPlan

task_b = exercises.open("07b")


def sink(node):
    ### BEGIN SOLUTION
    shop = node.store("shop")
    while True:
        version, index = shop.read("index")
        index = index or 0
        if not node.running({"numbers": index}):
            return
        items, _ = node.read({"numbers": index})
        move = ("cas", "index", version, index + 1)
        shop.transact(move, ("append", "orders", items[0].value))
    ### END SOLUTION


plan = (
    ### BEGIN SOLUTION
    FaultPlan([Fault("store.transact", 2, "lost reply")])
    ### END SOLUTION
)

repair = {"plan": plan, "sink": sink}

# %% [markdown] id="07b-show-words"
# The forgetful sink under your plan:

# %% [markdown] id="07b-check-words"
# The check carries out your plan, and proves your sink under nine lists of faults.

# %% [markdown] id="07b-why" tags=["solution"]
# **Why.** The transaction was done, and its reply was lost. The forgetful sink reads the new version, which fits once more, and adds the order a second time. A version says that nobody has written since it was read. It does not say what was written before, or by whom. The index says so: if the index is past the order, the order is done. The simplest repair remembers nothing: each round begins with what the database says.

# %% [markdown] id="07c-task"
# ## (c) Two participants in doubt (task, 15 minutes)
#
# Two participants, `"shop"` and `"bank"`, take part in the transactions of a coordinator. The coordinator writes a log, record by record:
#
# - `("begin", id, participants)`, before it asks any participant to prepare;
# - `("commit", id)`, when all have prepared: this is the decision. An abort is never written;
# - `("end", id)`, when all participants have committed. From then on the log may forget the transaction.
#
# The coordinator has died, and a new one starts in its place. Write its `recover(log, prepared)`. `prepared` maps each participant to the list of ids that are prepared there, or to `None` if the participant is away. Return a list of actions, in the order in which they are carried out: `(participant, "commit", id)`, `(participant, "rollback", id)`, `("write", "end", id)`. The new coordinator may die, too, between any two actions.

# %% [markdown] id="07c-hints" tags=["hints"]
# 1. Ask the log one thing about each prepared transaction: is there a record that it is to be committed?
# 2. Without a record, even if all have prepared, the transaction can be rolled back: no participant was told to
#    commit it. With a record it must be committed wherever it is still prepared: another one may have done so.
# 3. The end is written last, and only when no participant can hold the transaction any more. A participant that is
#    away may hold it; its part is done when it comes back.
# 4. Collect the decided ids from the log first. Then write two loops. The first loop goes through the prepared
#    transactions of each participant that is there: commit a decided one, and roll back every other one. The second
#    loop goes through the decided ids without an end: the record 'begin' names the participants, and the end may be
#    written if none of them is away.

# %% id="07c-answer"
def recover(log, prepared):
    ### BEGIN SOLUTION
    parts = {record[1]: record[2] for record in log if record[0] == "begin"}
    decided = [name for what, name, *_ in log if what == "commit"]
    ended = [name for what, name, *_ in log if what == "end"]
    actions = [
        (who, "commit" if name in decided else "rollback", name)
        for who, names in prepared.items()
        for name in names or []
    ]
    return actions + [
        ("write", "end", name)
        for name in decided
        if name not in ended and None not in [prepared[who] for who in parts[name]]
    ]
    ### END SOLUTION

# %% [markdown] id="07c-show-words"
# What your function does in one case:

# %% [markdown] id="07c-check-words"
# The check cuts three histories at every place, with both participants there and with one of them away.

# %% [markdown] id="07c-why" tags=["solution"]
# **Why.** A participant that has prepared cannot know how its transaction ends; the log knows. If the log has no decision, no participant was told to commit. So a rollback is safe even when all have prepared: this is *presumed abort*, which needs no record of an abort. If the log has a decision, another participant may have committed already. The end comes last, since it is the record that lets the log forget, and a participant that is away may still have to ask.

# %% [markdown] id="07e-task"
# ## (e) A sink over two tables (challenge, 90 minutes)
#
# A shop has two tables in one database: `"orders"`, a log of `[number, answer]`, and `"tea"`, the number of tins in stock, three at first. Three orders for tea come in. Write the sink that answers each order: `"shipped"` if the stock is enough when it is the order's turn, `"refused"` if it is not.
#
# The sink runs on one node, or on two nodes at the same time. A process may die after any step, a request may be lost, late or doubled, a reply may be lost, and a process may sleep for any time and then go on. The specification has to hold at every moment:

# %% [markdown] id="07e-hints" tags=["hints"]
# 1. What must the next process, or the twin, find in the database to know which order is next? And what must not
#    change between your reading of the stock and your transaction?
# 2. Write the index, the order with its answer, and the stock if the order is shipped, in one transaction. A cas on
#    the index refuses the transaction if another process has answered an order since. So what do you read first?
# 3. After a refusal, and after an OutcomeUnknown, begin again and read the index: it may be past your order. To take
#    tins from the stock, 'add' a negative number.
# 4. Each turn of the loop has three steps: read version and index; read the order at the index, and the stock; send
#    one transaction. Its first operation is a cas that moves the index on, from the version that was read: if this
#    cas holds, no other process has changed the stock meanwhile. Append the answer in both cases, and take from the
#    stock only if the order is shipped.

# %% id="07e-specification"

# %% [markdown] id="07e-answer-words"
# `node.read({"numbers": index})` returns ([the order at this index], …). The order has its number as `key` and its amount as `value`. `node.running({"numbers": index})` tells whether there is an order at this index. `node.store("shop")` has `read`, `cas`, `scan("orders")`, `total("tea")`, `append`, `add`, `transact`, and cells of any other name.

# %% id="07e-answer"
def sink(node):
    ### BEGIN SOLUTION
    shop = node.store("shop")
    while True:
        version, index = shop.read("index")
        index = index or 0
        if not node.running({"numbers": index}):
            return
        (order,), _ = node.read({"numbers": index})
        enough = order.value <= shop.total("tea")
        answer = ("append", "orders", [order.key, "shipped" if enough else "refused"])
        changes = [answer, ("add", "tea", -order.value)] if enough else [answer]
        shop.transact(("cas", "index", version, index + 1), *changes)
    ### END SOLUTION

# %% [markdown] id="07e-show-words"
# When nothing goes wrong:

# %% [markdown] id="07e-check-words"
# The check explores twelve lists of faults to their end, three of them with two nodes at once.

# %% [markdown] id="07e-why" tags=["solution"]
# **Why.** The index is more than a position: every transaction moves it on, so it tells whether anything has changed since it was read. The sink reads the index first and compares it last. So the stock, which is read in between, has the same value at both moments. A refusal and an unknown outcome need no code of their own, since each round begins with the index. Nothing depends on which node runs the sink, and two nodes at once do no harm: this is half of what chapter 10 builds.
