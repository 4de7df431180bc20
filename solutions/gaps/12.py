# %% id="gap-12-next"
def next_batch(offsets, commits):
    # Return (batch id, "again") or (batch id, "new").
    ### BEGIN SOLUTION
    last = max(offsets, default=-1)
    return (last, "again") if last not in commits and last >= 0 else (last + 1, "new")
    ### END SOLUTION


listed = gap("12-next", next_batch)

# %% [markdown] id="gap-12-next-hints" tags=["hints"]
# ### which batch runs next
#
# 1. Which file does the engine write first, and which last? What has happened if only the first one is there?
# 2. Look at the newest batch of the offsets log. Without a file in the commits log, nobody knows whether its sink was
#    done. Old files are removed after a while, so a missing old file means nothing.
# 3. A newest batch that is not committed runs again; otherwise the id that follows it is new. Think of the first start,
#    when both folders are empty: `max(offsets, default=-1)` has an answer for that, too.

# %% id="gap-12-save"
from exactly_once.course import gap
from exactly_once.spark import append


def save(rows, batch_id, database):
    # append(rows, batch_id, database) adds the batch's rows, without a commit.
    ### BEGIN SOLUTION
    if not database.execute("SELECT 1 FROM batches WHERE batch = ?", [batch_id]).fetchone():
        append(rows, batch_id, database)
        database.execute("INSERT INTO batches VALUES (?)", [batch_id])
    ### END SOLUTION


saved = gap("12-save", save)

# %% [markdown] id="gap-12-save-hints" tags=["hints"]
# ### a batch that is saved once
#
# 1. What can your function find in the database when a batch comes for the second time?
# 2. Two batches may have equal rows, so rows cannot tell a repetition. The id can, if it is there exactly when the
#    batch's rows are there.
# 3. Look for the id first. If it is missing, add the rows and the id, and commit neither of them alone: with one commit
#    at the end no death can separate the two.

# %% id="gap-12-commit"
import json

from exactly_once.course import gap


def commit(messages, batch_id, folder):
    shown = folder / f"batch-{batch_id}.json"
    ### BEGIN SOLUTION
    if not shown.exists():
        fresh = folder / f"batch-{batch_id}.tmp"
        fresh.write_text(json.dumps([name for name in messages if name is not None]))
        fresh.rename(shown)
    ### END SOLUTION


visible = gap("12-commit", commit)

# %% [markdown] id="gap-12-commit-hints" tags=["hints"]
# ### visible in one step
#
# 1. What does a reader see if the process dies while it writes the list? And what if your function is called twice?
# 2. Write the list under a name that no reader looks at. Only a complete list may get the name that readers know, and
#    `rename` gives it in one step, as in chapter 07's sink of files.
# 3. If the list of this batch is there, the batch is visible, and its files are those of the earlier call: leave it as it
#    is. The messages are the files that count; other files in the folder are leftovers of killed attempts.
