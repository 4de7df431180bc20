"""Gap 06-fence: a new life of a transactional id shuts out all earlier ones, by an epoch."""

from ....log.errors import ProducerFenced
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import called, words_of
from ..registry import Gap

STORIES = (  # (what happens, …): "a" is an id; a number behind it is the life that asks
    ("init a", "check a1"),
    ("init a", "init a", "check a1", "check a2"),
    ("init a", "check a1", "init a", "check a2", "check a1", "check a2"),
    ("init a", "init a", "init a", "check a3", "check a1", "check a2", "check a3"),
    ("init a", "init b", "check a1", "check b1"),
    ("init a", "init b", "init b", "check a1", "check b1", "check b2", "init a", "check b2", "check a1", "check a2"),
)


class Ids:
    """The epochs of the transactional ids, as a coordinator keeps them."""

    def __init__(self):
        self.epochs = {}

    def init(self, name):
        """Begin a new life of an id; return its epoch."""
        self.epochs[name] = self.epochs.get(name, -1) + 1
        return self.epochs[name]

    def check(self, name, epoch):
        """Raise `ProducerFenced` unless this epoch is that of the newest life."""
        if epoch != self.epochs[name]:
            raise ProducerFenced(f"{name} has begun a new life; this one, of epoch {epoch}, is over.")


def check(answer):
    """Tell stories of lives that begin and ask; only the newest life of each id may go on."""
    if not all(hasattr(answer, method) for method in ("init", "check")):
        return wrong("The class needs two methods, init(self, name) and check(self, name, epoch).")
    for story in STORIES:
        told, epochs = called(_told, answer, story)
        if story is STORIES[0] and epochs in ([None], [...]):
            return unsolved("your lines")
        for place, (event, said) in enumerate(told):
            before = ", ".join(story[:place])
            when = f"After {before}: " if before else ""
            if event.startswith("init"):
                if said != "an epoch":
                    return wrong(f"{when}init({event[-1]!r}) {said}; it should return an epoch, a whole number.")
                continue
            lives = sum(one == f"init {event[-2]}" for one in story[:place])
            wanted = "lets it pass" if int(event[-1]) == lives else "raises ProducerFenced"
            if said != wanted:
                asked = f"{when}check of life {event[-1]} of {event[-2]!r}"
                should, why = "raise ProducerFenced", f"is shut out by life {lives}"
                if wanted == "lets it pass":
                    should, why = "let it pass", "is the newest"
                return wrong(f"{asked} {said}; it should {should}, since this life {why}.")
    return right("Only the newest life of each id passes; earlier ones get ProducerFenced, and ids do not mix.")


def _told(theirs, story):
    """Carry out a story. Returns ([(event, what came of it)], epochs)."""
    ids, epochs, told, returned = theirs(), {}, [], []
    for event in story:
        verb, who = event.split()
        said = "lets it pass"
        try:
            if verb == "init":
                epoch = ids.init(who)
                returned.append(epoch)
                epochs[who, sum(one == who for one, _ in epochs) + 1] = epoch
                whole = isinstance(epoch, int) and not isinstance(epoch, bool)
                said = "an epoch" if whole else f"returns {epoch!r}"
            else:
                answer = ids.check(who[0], epochs[who[0], int(who[1])])
                said = said if answer is None or answer is True else f"returns {answer!r}"
        except ProducerFenced:
            said = "raises ProducerFenced"
        except Exception as why:  # noqa: BLE001 - whatever the learner's lines raise is told
            said = f"fails with {words_of(why)}"
        told.append((event, said))
    return told, returned


GAP = Gap(
    title="shut out the earlier lives",
    judge=check,
    library=Ids,
    hints=(
        "What does the newest life have that no earlier one has? And who must know it when an old life asks?",
        "`init` counts the lives of each name in `self.epochs`, and returns the count. `check` compares the epoch of "
        "who asks with the newest one of that name.",
        "`self.epochs[name] = self.epochs.get(name, -1) + 1` and `return self.epochs[name]`; in `check`: `if epoch "
        "!= self.epochs[name]: raise ProducerFenced(…)`.",
    ),
)
