# %% id="gap-05-accept"
def answer(batches, first, last):
    ### BEGIN SOLUTION
    for known_first, known_last, offset in batches[-5:]:
        if (known_first, known_last) == (first, last):
            return offset
    if not batches or first == batches[-1][1] + 1:
        return "append"
    return "out of order"
    ### END SOLUTION


accepts = gap("05-accept", answer)

# %% [markdown] id="gap-05-accept-hints" tags=["hints"]
# ### what the broker answers
#
# 1. Three questions, in this order. Is the batch one of the newest five, once more? Is the batch the next one? And
#    does the broker know anything of this producer?
# 2. `batches[-5:]` are the newest five batches, or all if there are fewer. A batch is known only if its first *and*
#    its last number agree with an entry. The next number is the last number of `batches[-1]` plus 1.
# 3. Look through the newest five for an entry with both numbers of the batch: the offset of this entry is the
#    answer. If there is none, the batch is the next one in two cases: the broker knows no batch, or `first` follows
#    the last number of the newest entry. Every other batch is out of order.

# %% id="gap-05-again"
from exactly_once import OutcomeUnknown
from exactly_once.course import gap
from exactly_once.log import DuplicateSequence, OutOfOrderSequence


def again(node, sent):
    missing = []
    for record in sent:
        ### BEGIN SOLUTION
        try:
            node.log.acknowledgement()
        except DuplicateSequence:
            pass
        except (OutcomeUnknown, OutOfOrderSequence):
            missing.append(record)
        ### END SOLUTION
    return missing


goes_again = gap("05-again", again)

# %% [markdown] id="gap-05-again-hints" tags=["hints"]
# ### what goes again
#
# 1. There are four answers: an acknowledgement, no answer, a duplicate, a gap. After which of them is the record
#    certainly in the log?
# 2. `node.log.acknowledgement()` gives the answers in the order of the requests. The three errors need an `except`
#    each; two of them can share one.
# 3. Sort the answers into two groups. After an acknowledgement, and after a `DuplicateSequence`, the record is in
#    the log, and nothing remains to be done. After a gap the record is not in the log, and after no answer nobody
#    knows: both times the record goes into `missing`.

# %% id="gap-05-copies"
def copies(rule, kind):
    ### BEGIN SOLUTION
    if kind in ("lost request", "crash before"):
        return 1
    if rule == "no rule":
        return 2
    return 2 if rule == "Kafka's rule, new ids" and kind == "crash after" else 1
    ### END SOLUTION


counting = gap("05-copies", copies)

# %% [markdown] id="gap-05-copies-hints" tags=["hints"]
# ### count the copies
#
# 1. Two questions decide each case. Had the broker appended the record when the fault struck? And does the broker
#    recognise the record when it comes again?
# 2. After a lost request, and after a crash before the append, the record was not in the log: one copy, under every
#    rule.
# 3. After the other two faults the record was in the log, so the number depends on the broker: does it recognise
#    the retry? Without a rule the broker compares nothing. And under "Kafka's rule, new ids" a process that begins
#    after a crash has an id that the broker has never seen.

# %% id="gap-05-next-life"
from exactly_once.course import gap
from exactly_once.handlers import insist, kept_id


def repaired(node):
    ### BEGIN SOLUTION
    identity = kept_id(node)
    positions = insist(node.positions.load)
    while node.running(positions):
        items, next_positions = insist(node.read, positions)
        record, append = (items[0].key, items[0].value), node.log.append
        number = positions["numbers"]
        insist(append, "readings", [record], "all", identity, 0, number)
        insist(node.positions.save, next_positions)
        positions = next_positions
    ### END SOLUTION


survives = gap("05-next-life", repaired)

# %% [markdown] id="gap-05-next-life-hints" tags=["hints"]
# ### a number that outlives its process
#
# 1. Two values in `numbered` die with their process: the producer id and the counter. Which values take their place
#    and are the same in every process?
# 2. `kept_id(node)` returns the same id in every process. The place of the record in the inputs, counted from 0, is
#    `positions["numbers"]`. As in chapter 03, the position is saved after the append.
# 3. Replace the two values of `numbered`: the id comes from `kept_id(node)`, and the number from the positions that
#    this pass began with. The counter disappears, and in its place the last line of the loop moves the positions
#    on.
