"""The sentences of the articles that fail, or need a condition, with a question for `prove`, and their repairs."""

from dataclasses import dataclass

from ..handlers.logs.database_consumer import applied_once, set_index, twins, where_index
from ..handlers.stream.lock_free import average, database_twins
from ..handlers.transfer import early_return, ordered_locks
from ..lockfree import Queue, flawed, stateless, weaker
from ..lockfree.cas import signing
from ..lockfree.general import general
from ..lockfree.pushers import exactly, placer
from ..lockfree.stateless import hourly_means, mean
from ..pipeline import Job, Window
from . import questions
from .found import Flaw, Flaws
from .questions import Question

WRONG = "Wrong"
UNSTATED = "True under a condition that the article does not state"
STATED = "True under a condition that the article states"
STEP = "The article's own stepping stone: it repairs this itself"
OWN = "The course's own"
LOST = "after «Cola», in the part whose prose is lost"
STALE = (
    "Stale reads do no harm, since every write is a compare-and-swap. (Read into what is left of the passage, which "
    "goes on to name consistency models and ends on «Read My Writes»: it may have set that as a condition.)"
)
BROOM = "Es importante asegurarse de que los procesadores logren procesar los datos antes de que llegue la escoba"
CRASH_OR_LOST = {"crashes": 1, "lost_replies": 1}


@dataclass(frozen=True)
class Case:
    """A sentence that fails as it stands.

    `subject` names it, `article` is the number of the article, or 0 for a sentence of the course's own, `chapter`
    where the course comes to it. `heading` names the kind of failure. `says` is the sentence in our words, `quote` a
    short quotation in the words of our copy, `place` where that stands, and `origin` whether the copy has a sentence,
    pseudocode, or a passage of which most words are lost, from which it is reconstructed. `breaks` is explored and
    broken, `because` says why; `repair` is the repair in words, and `holds`, its question, is proved.
    """

    subject: str
    article: int
    chapter: int
    heading: str
    says: str
    origin: str
    place: str
    quote: str
    breaks: Question
    because: str
    repair: str
    holds: Question


def flaws() -> Flaws:
    """Explore each sentence of the articles that fails or needs a condition, and its repair. Returns `Flaws`."""
    return Flaws({case.subject: Flaw(case, case.breaks(), case.holds()) for case in CASES})


CASES = (
    Case(
        "a compare-and-swap that is repeated", 3, 9, WRONG,
        "A compare-and-swap by version can be repeated without harm until an answer comes.",
        "sentence", "under «Cas»",
        "esta operación se puede repetir sin cesar hasta que se devuelva la respuesta real del destinatario",
        questions.deposits(questions.repeated, lost_replies=1),
        "The first request has succeeded and its reply is lost, so the repetition is refused. The article's "
        "loop takes the refusal for another's write, reads again, and deposits a second time.",
        "The register holds who has changed it, and the loop asks for its own name before each attempt.",
        questions.deposits(signing, lost_replies=1, crashes=1),
    ),
    Case(
        "one watermark for each producer", 1, 5, WRONG,
        "The broker keeps one last number for each producer.",
        "sentence", "under «Pattern of the Idempotent Producer»",
        "Each node keeps a value called High Watermark for each Producer.",
        questions.numbered("producer 7"),
        "Numbers run for each partition, so the first record of a second partition is taken for a duplicate. "
        "Nor is that number what Kafka calls a high watermark, which is an offset: up to there all in-sync "
        "replicas have the log.",
        "The broker keeps it for each producer and partition.",
        questions.numbered("producer 7 in partition {}", **CRASH_OR_LOST),
    ),
    Case(
        "equal values of two handlers", 3, 10, WRONG,
        "The push is done if the cell holds this value.",
        "pseudocode", LOST, "return queue.push_at(value, index) or queue.get(index) == value",
        questions.asked([placer(7), placer(7)], exactly(7, 7)),
        "Another handler's equal value is taken for one's own.",
        "A cell holds the handler's name and the number of its step beside the value (`Sent`).",
        questions.both("one", "other", crashes=1),
    ),
    Case(
        "updates that overwrite", 2, 3, UNSTATED,
        "Updates by key are idempotent: a message that comes twice overwrites a record with its own copy.",
        "sentence", "in the paragraph on a consumer that saves its position last",
        "получение одного и того же сообщения дважды просто перезаписывает запись другой собственной копией",
        questions.overwriting(questions.whatever_is_there, late_requests=1),
        "The article speaks of a consumer that crashes and is replaced. A write that was sent before and "
        "arrives late, or that of an incarnation that wakes from a pause, comes after the newest value, and "
        "stays.",
        "A value is written only if it is newer than what is there, by compare-and-swap.",
        questions.overwriting(questions.if_it_is_newer, late_requests=1, crashes=1),
    ),
    Case(
        "the position beside the effect", 2, 7, UNSTATED,
        "Keep the position in the same place as the output.",
        "sentence", "in the paragraph on external systems",
        "позволив потребителю хранить свое смещение в том же месте, что и его вывод",
        questions.counted_by([one.handled_by(questions.blindly) for one in database_twins(1, nodes=1)], pauses=1),
        "The condition is that one incarnation is at work. This handler reads the index outside the "
        "transaction that writes index and effect: no crash does harm, but an incarnation that wakes from a "
        "pause writes the index back, and counts once more.",
        "The transaction compares the index with the one that was read.",
        questions.counted_by(database_twins(1), pauses=1, crashes=1),
    ),
    Case(
        "a consumer that advances first", 3, 10, UNSTATED,
        "The database's handler raises the index, then looks for the message, applies it if there is one, and "
        "commits.",
        "pseudocode", LOST,
        "tx.write_current_index(index + 1) … value = intput_queue.get(index) … if value: … tx.commit()",
        questions.polled(True, questions.holds_a_message, 7),
        "The condition is that `get` waits until there is a message. Where it does not, the index moves past a "
        "cell that is empty, and the message that comes there a moment later is skipped for ever.",
        "The index moves only when there is a message.",
        questions.polled(False, questions.holds_a_message, 7, crashes=1),
    ),
    Case(
        "a message that counts as none", 3, 10, UNSTATED,
        "The database's handler applies the message if its value is true.",
        "pseudocode", LOST, "value = intput_queue.get(index) … if value: … tx.increment_counter()",
        questions.polled(False, bool, 0),
        "The condition is that no message is 0, false or “”: of such a message the index is raised, and the "
        "effect left out.",
        "The handler asks whether the cell holds a message, and not whether the message is true.",
        questions.polled(False, questions.holds_a_message, 0, crashes=1),
    ),
    Case(
        "the early return", 3, 8, UNSTATED,
        "Acquire both locks; return if the funds are insufficient; else move the amount. The listing releases "
        "no lock on any path.",
        "pseudocode", "under «Media transacción»", "if amount_from < amount: return error.insufficient_funds",
        questions.transfer(early_return),
        "The condition is that a lock ends with its scope, as in C++ or Rust. Translated into a language where "
        "locks are released by hand, at the end, the early return keeps both, and nobody else gets them as "
        "long as that incarnation goes on.",
        "Locks are released on every way out (`with`).",
        questions.transfer(ordered_locks),
    ),
    Case(
        "outputs that are empty", 3, 10, UNSTATED,
        "PREPARING finds an index for output 0.",
        "pseudocode", LOST, "fsm_state = {PREPARING, user_state, next_indexes, outputs, 0}",
        questions.counting({}, compute=questions.in_the_article),
        "The condition is that there is an output queue, and a message for it: where a function has nothing to "
        "say, the article pushes `none` as a message. A handler that only keeps state has no output 0.",
        "Such a step goes from HANDLING to HANDLING.",
        questions.counting(CRASH_OR_LOST),
    ),
    Case(
        "the database handler", 3, 7, UNSTATED,
        "It reads the index, and writes index and effect, in one transaction.",
        "pseudocode", LOST, "tx = db.begin_transaction() … tx.write_current_index(index + 1) … tx.commit()",
        questions.asked(twins(set_index, "read committed"), applied_once),
        "At read committed both twins read the same index, and both apply the message. The article lists four "
        "levels, from serializability to read committed; our copy has lost what it says of them.",
        "SET the index WHERE it is unchanged, and look at the count; or serializable.",
        questions.asked(twins(where_index, "read committed"), applied_once, crashes=1),
    ),
    Case(
        "a machine that is reset", 3, 10, UNSTATED,
        "A compare-and-swap with versions knows no ABA.",
        "sentence", "under «Cas»",
        "evitando el problema ABA. En particular, las versiones son compatibles con Etcd y Zookeeper.",
        questions.resetting(True),
        "The condition is that no register is deleted: etcd's `version` of a key begins anew after a deletion. "
        "A machine that was deleted, to handle the inputs once more, comes to the same versions again. A "
        "stalled twin's transition succeeds, and names an index that holds the equal message of the first "
        "time.",
        "The reset writes the beginning over it, and the version grows.",
        questions.resetting(False),
    ),
    Case(
        "a stale look for an empty cell", 3, 9, UNSTATED,
        STALE,
        "reconstructed", LOST, "… Stale Read … CAS … CAS, , Read My Writes .",
        questions.stale("search", values=(7, 7)),
        "A full cell looks empty, its index is prepared once more, and an equal value there is taken for one's "
        "own.",
        "`next_index` asks the leader; the hint may be stale.",
        questions.stale("hint", values=(7, 7), **CRASH_OR_LOST),
    ),
    Case(
        "a stale comparison", 3, 9, UNSTATED,
        STALE,
        "reconstructed", LOST, "… Stale Read … CAS … CAS, , Read My Writes .",
        questions.stale("compare", crashes=1),
        "The cell holds one's own value, and the read does not show it yet, so it is pushed at a second place. "
        "That read breaks read-your-writes across two incarnations: the first one wrote, and the second one "
        "reads.",
        "The refused `cas` answers with what it found, so that there is no read.",
        questions.stale("hint", "compare", queue=weaker.AnsweredQueue, **CRASH_OR_LOST),
    ),
    Case(
        "retention that deletes", 3, 9, STATED,
        "Elements may be deleted by age, if handlers are done with them long before.",
        "sentence", "under «Cola»", BROOM,
        questions.retention(queue=flawed.ForgettingQueue),
        "A deleted cell's version begins at 0 again, so a stalled push succeeds behind the index at which "
        "readers begin: a ghost. The condition is one of timing; the same article says of delays that they may "
        "last without limit («pueden durar indefinidamente»).",
        "A cell is emptied by a write, and keeps its version.",
        questions.retention(),
    ),
    Case(
        "a late read of the inputs", 3, 10, STATED,
        "The same, of inputs: a handler that stalls loses the compare-and-swap when it wakes up, and reads "
        "again.",
        "sentence", "under «Cola»", BROOM,
        questions.swept_input({}, compute=questions.in_the_article),
        "Retention has emptied the cell that the stalled handler reads next, and the function is given the "
        "mark in place of a message.",
        "Whoever finds a mark reads the machine again. If that has not moved on either, the message is lost, "
        "which is an error.",
        questions.swept_input({"crashes": 1}),
    ),
    Case(
        "retention that forgets the value", 3, 10, STATED,
        "The same, of outputs: the push is done if the cell holds this value.",
        "sentence", "under «Cola»", BROOM,
        questions.swept_output(flawed.NamelessQueue),
        "The cell was emptied before the machine went on, so it holds the value no more: it is pushed at a "
        "second place. (That a cell is emptied, and not deleted, is the course's own device.)",
        "The mark of an emptied cell keeps the value's fingerprint.",
        questions.swept_output(Queue, crashes=1),
    ),
    Case(
        "the order of concurrent events", 1, 1, STEP,
        "For concurrent events the order does not affect the system.",
        "sentence", "under «Lamport clocks, how does it work?»",
        "the exact order of their execution does not affect the system",
        questions.dinner(lambda kept, other: other),
        "Two copies that get two concurrent writes in different orders differ. The article's next paragraph "
        "brings the repair, by convention.",
        "All take one total order: by stamp, then by process. This is the article's own repair.",
        questions.dinner(max),
    ),
    Case(
        "push, made again", 3, 9, STEP,
        "Push, then save the position; after a crash both are done again.",
        "pseudocode", LOST, "output.push(value) index += 1 # state.set(index)",
        questions.asked(flawed.plain_push, crashes=1),
        "The value is in the queue already, and whoever pushes cannot know it. The next listing of the article "
        "has `get_next_index` and `push_at`.",
        "Prepare a place, and push there unless the value is there (two twins). This is the article's own "
        "repair.",
        questions.asked(hourly_means, nodes=2, **CRASH_OR_LOST),
    ),
    Case(
        "two identical values at one index", 3, 10, STEP,
        "Two nodes may write to one index, since they write the same value.",
        "pseudocode", LOST, "value = input.get(index)",
        questions.asked(stateless(mean), nodes=2, job=Job(1, arrival="as it comes")),
        "The stateless form is made for one queue. Where inputs arrive as they come from two, two nodes read "
        "different ones, and come to different values.",
        "HANDLING fixes inputs and outputs in the machine before anybody writes: the article's general form.",
        questions.asked(general(average(1), Window()), nodes=2, job=Job(1, arrival="as it comes"), crashes=1),
    ),
    Case(
        "two handlers of one name", 0, 10, OWN,
        "Values that carry handler and step are told apart.",
        "", "", "",
        questions.both("one", "one"),
        "Two handlers of one name, with machines in different stores, send equal messages to one queue.",
        "Each handler has a name of its own among those that share a queue.",
        questions.both("one", "other", lost_replies=1),
    ),
)  # fmt: skip
