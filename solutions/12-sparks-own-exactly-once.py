# %% [markdown] id="title"
# # 12 · Spark's own exactly-once: exercises
#
# Four exercises for [chapter 12](../notebooks/12-sparks-own-exactly-once.ipynb), about 115 minutes: a warm-up, two tasks and a challenge. Each exercise has a task. `show(answer)` draws what your answer does. `check(answer)` says *right*, or *wrong* with the simplest case that shows the mistake. Hints go from a nudge, `hint(1)`, to the decisive idea, the last hint. Ask for a hint whenever you like; after two wrong tries the page offers the next one. No Spark is started: the checks model the engine, and explore it.

# %% [markdown] id="12a-task"
# ## (a) What a restart does (warm-up, 10 minutes)
#
# A query is down, and you have the listing of its checkpoint. What happens when the query is started again? Write `restart(paths)`. `paths` is the list of the files' paths in the checkpoint, in any order, such as `["metadata", "offsets/0", "commits/0", "state/0/0/1.delta", "offsets/1"]`. Return a pair: the id of the batch that runs next, and one of three words.
#
# - `"new"`: no offsets are logged for this batch.
# - `"again"`: the batch was logged before, and the sink cannot have had its rows.
# - `"twice"`: the batch was logged before, and the sink may have had its rows, so it may see them twice.
#
# The sink is a `foreachBatch` that begins with `rows.collect()`, so it has its rows when all tasks have ended. `state/0/3/8.delta` is version 8 of the state of operator 0 in partition 3: the task of partition 3 writes it at the end of batch 7. A query without state has no such files. A log keeps a file for each of its newest batches; older files are removed. Temporary files have names such as `offsets/.2.5d0a.tmp`.
#
# Return None if the engine refuses to start: offsets are there without `metadata`; commits are there without any offsets; or the newest offsets are those of batch N > 0, and those of N - 1 are missing. Somebody may also have deleted the newest offsets: then the engine takes the newest that are there, and runs that batch.

# %% [markdown] id="12a-hints" tags=["hints"]
# 1. Which file does the engine write before it does anything for a batch, and which one when everything is done?
# 2. Take the ids as numbers, from paths that have nothing but a number behind the folder. The largest one of the
#    offsets is the last batch that was begun. How many files there are says nothing.
# 3. A batch is done if its id is also the newest commit. If it is not done, it runs again, and the versions of the
#    state tell whether all of its tasks have ended.
# 4. Batch N leaves version N + 1 in every partition. One partition without that version means that a task had not
#    ended, so `collect()` cannot have returned the rows. If there is no state, nothing tells.

# %% id="12a-answer"
import re

task_a = exercises.open("12a")


def restart(paths):
    ### BEGIN SOLUTION
    def ids(folder):
        return [int(path.split("/")[1]) for path in paths if re.fullmatch(rf"{folder}/\d+", path)]

    offsets, commits = ids("offsets"), ids("commits")
    if not offsets:
        return None if commits else (0, "new")
    last = max(offsets)
    if "metadata" not in paths or (last > 0 and last - 1 not in offsets):
        return None
    if commits and max(commits) == last:
        return last + 1, "new"
    stores = {path.rpartition("/")[0] for path in paths if path.startswith("state/")}
    ended = all(f"{store}/{last + 1}.delta" in paths for store in stores)
    return last, "twice" if ended else "again"
    ### END SOLUTION

# %% [markdown] id="12a-show-words"
# A listing, and what your function says about it:

# %% [markdown] id="12a-check-words"
# The check has eighteen listings.

# %% [markdown] id="12a-why" tags=["solution"]
# **Why.** `offsets/N` is the plan of batch N, written first. `commits/N` says that the batch is done, written last. A plan without its commit is carried out again, with the same id and the same end. What lies between the two files, the engine does not know: only the sink can. The state's versions narrow it down for the reader of a listing, and the engine itself does not look at them here. Where `commits/2` has outlived `offsets/2`, Spark 4.3.0 runs batch 1 again, gives it to the sink, and then stops with CONCURRENT_STREAM_LOG_UPDATE: the refusal comes after the effect.

# %% [markdown] id="12b-task"
# ## (b) Averages that are corrected (task, 20 minutes)
#
# A query in update mode gives each hour's average again whenever late readings change it. Write the sink that keeps the newest average of each hour: `save(rows, batch_id, database)`, which is called by `foreachBatch`. Each row has `hour`, `average` and `readings`. The database has one table, `averages (hour INTEGER PRIMARY KEY, average REAL, batch INTEGER)`; you may create others. `database` has `execute(sql, values)`, `executemany(sql, list of values)`, `commit()` and `rollback()`. A transaction is open when `save` is called, and another one begins after a commit. What is uncommitted when `save` returns is committed then.
#
# In the end the table has each hour once, with the average of the newest batch that has the hour. At every moment it has what some number of whole batches leave. Two things happen on the way. The driver dies anywhere, and the next one replays the batch. And an old driver, which everybody thinks dead, is still running on the same checkpoint: it saves a batch that was saved long ago, with its old averages.

# %% [markdown] id="12b-hints" tags=["hints"]
# 1. What does a replay of the same batch change in the table, if each hour is overwritten? And what does an older batch
#    change?
# 2. The table has a column for it: keep beside each average the batch that it came from. A batch may overwrite the rows
#    of older batches, and its own.
# 3. SQLite does both in one statement for each row, `INSERT … ON CONFLICT (hour) DO UPDATE SET … WHERE …`, in which
#    `excluded.batch` is the new row's. Leave the commit to the caller: all rows of a batch appear together.

# %% id="12b-answer"
def save(rows, batch_id, database):
    ### BEGIN SOLUTION
    database.executemany(
        """
        INSERT INTO averages VALUES (?, ?, ?) ON CONFLICT (hour) DO UPDATE
        SET average = excluded.average, batch = excluded.batch WHERE averages.batch <= excluded.batch
        """,
        [(row.hour, row.average, batch_id) for row in rows],
    )
    ### END SOLUTION

# %% [markdown] id="12b-show-words"
# Four batches, when nothing goes wrong:

# %% [markdown] id="12b-check-words"
# The check kills drivers before and after each commit, replays, and lets old batches come late:

# %% [markdown] id="12b-why" tags=["solution"]
# **Why.** An overwrite repeats without a trace, so replays need no list of batch ids here. But it is not enough that the same batch twice leaves the same as once: the older batch must not win over the newer one. The batch id beside each row decides that, row by row. The engine itself fences nobody out: two drivers that replay the same unfinished batch both run its sink, and the slower one is refused at `commits/N`, after its effect.

# %% [markdown] id="12d-task"
# ## (d) One batch into two databases (task, 25 minutes)
#
# The averages go into one database, and the number of windows with more than 4 readings is counted in another one. No transaction covers both. Write `save(rows, batch_id, averages, counts)`. `averages` has the tables `averages (hour INTEGER, average REAL)` and `batches (batch INTEGER)`. `counts` has `counter (windows INTEGER)`, with one row, which is 0 at first, and a table `batches (batch INTEGER)` of its own. Both have the methods of exercise (b), and each has a transaction of its own. If transactions are open when `save` returns, that of `averages` is committed first, and then that of `counts`.
#
# At every moment each database has a number of whole batches. Once `save` has returned, the batch is in both of them, once. The driver dies before or after any commit, the next one replays the batch, and an old driver's batch may come late.

# %% [markdown] id="12d-hints" tags=["hints"]
# 1. The driver dies between the two commits. Which database has the batch then, and what does the replay have to do?
# 2. The one database cannot speak for the other. A batch id that is found in one of them says nothing about the rows or
#    the count elsewhere.
# 3. Each database keeps the ids of its own batches, in the transaction of its own change. Ask each of them by itself,
#    and do only what is missing there. The same few lines serve both: a small function of a database helps.

# %% id="12d-answer"
def save(rows, batch_id, averages, counts):
    ### BEGIN SOLUTION
    def first_time(database):
        if database.execute("SELECT 1 FROM batches WHERE batch = ?", [batch_id]).fetchone():
            return False
        database.execute("INSERT INTO batches VALUES (?)", [batch_id])
        return True

    if first_time(averages):
        averages.executemany("INSERT INTO averages VALUES (?, ?)", [(row.hour, row.average) for row in rows])
    if first_time(counts):
        windows = sum(row.readings > 4 for row in rows)
        counts.execute("UPDATE counter SET windows = windows + ?", [windows])
    ### END SOLUTION

# %% [markdown] id="12d-show-words"
# Four batches, when nothing goes wrong:

# %% [markdown] id="12d-check-words"
# The check kills drivers before and after each commit of each database:

# %% [markdown] id="12d-why" tags=["solution"]
# **Why.** The engine runs a batch until `save` has returned once, so a batch that is in one database comes again for the other. (Where two drivers can be at work at the same moment, `batch` has to be a key in each.) That is the whole protocol: *at least once* from the engine, *at most once* from each database by itself. What it does not give is a moment at which both change: between the two commits a reader finds the one without the other. Whoever cannot allow that needs one transaction, or two-phase commit.

# %% [markdown] id="12e-task"
# ## (e) A sink whose tasks write (challenge, 60 minutes)
#
# Write the sink of a Python data source. Its tasks write files into a store, as into a bucket, and `commit` makes a batch visible. A reader reads the files `manifest/0`, `manifest/1` and so on: `manifest/N` is a list of names of files, and each of those holds a list of rows of batch N.
#
# - `write(rows, partition, attempt)` runs in a task, once for each attempt, and returns a message. `attempt` counts from 0 in every batch and for every driver. `write` is not told the batch.
# - `commit(messages, batch_id)` runs beside the driver, with one message for each partition, that of the attempt that won.
# - `abort(messages, batch_id)` runs if a task has failed for good, with None for each partition without a message, or if `commit` has raised. Then the query fails and is started again.
# - A new object is made for each call, in a process of its own: nothing in `self` reaches another call. Messages and contents of files are numbers, texts, None, lists, tuples, sets and dictionaries.
#
# 1. A reader finds, at every moment, whole batches: of each manifest that is there, every row of its batch once. What is there stays.
# 2. When `commit` has returned, the batch's manifest is there.
# 3. Once `commit` or `abort` has returned, and from then on, every file of the attempts whose messages it was given is either named by the batch's manifest or deleted; and so is every file of its own.
#
# What goes wrong: an attempt dies and is retried. A twin begins beside a slow attempt, one of the two wins, and the loser goes on. The driver dies at any moment, the next one replays the batch with the same id and the same rows, and what the dead one has left running, tasks and `commit`, goes on, late. A request of any call is lost or its reply is: it raises `OutcomeUnknown` (from `exactly_once`). An attempt that raises it is retried.

# %% [markdown] id="12e-hints" tags=["hints"]
# 1. Two attempts, two batches or two drivers must never write to the same file. Which of the names that `write` could
#    build is free of that?
# 2. There has to be one single request that makes the batch visible. What must it do when the manifest is already there,
#    because an earlier `commit` came as far as that?
# 3. A `commit` that has raised may have succeeded, so `abort` must not delete blindly. And a `commit` that finds a
#    manifest may find its own. In both cases the manifest itself tells which files count.
# 4. The end of `commit` and the whole of `abort` are the same work: read the manifest, and delete every file of the
#    messages that it does not name. Only one who wins `put_if_absent` has made the batch visible.

# %% id="12e-calls"

# %% [markdown] id="12e-answer-words"
# Those are the calls. There is no skeleton:

# %% id="12e-answer"
class Sink:
    ### BEGIN SOLUTION
    def __init__(self, store):
        self.store = store

    def write(self, rows, partition, attempt):
        name = self.store.unique()
        self.store.put(name, rows)
        return name

    def commit(self, messages, batch_id):
        self.store.put_if_absent(f"manifest/{batch_id}", messages)
        self.abort(messages, batch_id)

    def abort(self, messages, batch_id):
        visible = self.store.get(f"manifest/{batch_id}") or []
        for name in messages:
            if name is not None and name not in visible:
                self.store.delete(name)
    ### END SOLUTION

# %% [markdown] id="12e-show-words"
# Two batches of two partitions, when nothing goes wrong:

# %% [markdown] id="12e-check-words"
# The check explores the schedules of a small engine: every request of every call, zombies and twins among them, may come at any moment.

# %% [markdown] id="12e-why" tags=["solution"]
# **Why.** A task's write is invisible, so it may happen as often as it likes: retries, twins and zombies leave files that nobody reads. One conditional request makes the batch visible, and whoever comes second, a replay or a zombie, changes nothing. Everything else is cleaning, and cleaning is where such sinks break: after an unknown outcome the manifest, and not the caller's memory, says what counts. Spark's own file sink works like this, with `_spark_metadata/N` as the manifest. It leaves the cleaning to others, so that a reader who lists the folder sees the files of failed attempts, too.
