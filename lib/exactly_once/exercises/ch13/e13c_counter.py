"""Exercise 13c: a counter in etcd that counts each name once, beside others who write, delete and make it again."""

from ...errors import OutcomeUnknown
from ...servers.keys import FIELDS, Key
from .struck import Server, Struck

COUNTER = "counter"
LOST, DONE = "no answer, and it is not done", "no answer, and it is done"
ADDS, REMADE = (
    "before it, another client adds 10",
    "before it, an operator deletes the counter and makes it anew, with 50",
)


class Cluster(Server):
    """etcd, as one client sees it."""

    CALLS = ((COUNTER, "ann", 3), (COUNTER, "ann", 3), (COUNTER, "bob", 4))  # ann is delivered twice

    def __init__(self, mishaps):
        super().__init__(mishaps)
        self.revision, self.keys, self.complaint, self.counted = 1, {}, "", []
        self._put(COUNTER, 5)

    def get(self, key):
        """Return a `Key`, or None."""
        self._others(self.asked(f"get({key!r})", ADDS, REMADE))
        return self.keys.get(key)

    def txn(self, compares, puts):
        """Write `puts`, {key: value}, if all `compares`, (key, target, number), hold. Return whether they did."""
        if not isinstance(puts, dict):
            raise TypeError(f"the puts are {puts!r}; give a dictionary, {{key: value}}")
        met = self.asked(f"txn({list(compares)!r}, {puts!r})", LOST, DONE, ADDS, REMADE)
        self._others(met)
        done = met != LOST and all(self._holds(*each) for each in compares)
        if done:
            self._apply(puts)
        if met in (LOST, DONE):
            raise OutcomeUnknown("No answer came to txn: it was done or it was not.")
        return done

    def _holds(self, key, target, number):
        if target not in FIELDS:
            raise ValueError(f"the target is {target!r}; it can be VERSION, CREATE or MOD")
        found = self.keys.get(key)
        return (getattr(found, FIELDS[target]) if found else 0) == number

    def _apply(self, puts):
        before = self.keys[COUNTER].value
        for key, value in puts.items():
            self._put(key, value)
        after = self.keys[COUNTER].value
        if COUNTER in puts:
            self.counted.append(after - before if isinstance(after, int) else after)
        if self.counted and self.counted[-1] not in (0, 3, 4) and not self.complaint:
            self.complaint = (
                f"The counter held {before!r}, and your write made it {after!r}: what others wrote is gone."
            )

    def _put(self, key, value):
        self.revision += 1
        old = self.keys.get(key)
        made = (old.version + 1, old.create_revision) if old else (1, self.revision)
        self.keys[key] = Key(value, *made, self.revision)

    def _others(self, met):
        if met == ADDS:
            self._put(COUNTER, self.keys[COUNTER].value + 10)
        elif met == REMADE:
            self.revision += 1
            del self.keys[COUNTER]
            self._put(COUNTER, 50)

    def told(self):
        """Ann and Bob are counted once, and nobody's write is lost."""
        if self.complaint:
            return self.complaint
        for name, amount in (("ann", 3), ("bob", 4)):
            times = self.counted.count(amount)
            if times != 1:
                return f"{name} is counted {('never', 'once', 'twice')[times] if times < 3 else f'{times} times'}."
        return ""


TASK = Struck(
    answer="count",
    server=Cluster,
    form="a function, count(etcd, key, name, amount)",
    calls=(
        ("etcd.get(key)", "None, or an object with value, version, create_revision, mod_revision"),
        (
            "etcd.txn(compares, puts)",
            "write {key: value} if every (key, target, number) holds; return whether it did",
        ),
        ("targets", "VERSION, CREATE and MOD; each number of a missing key is 0"),
    ),
    praise="Each name is counted once, and no write of others is lost, after each of {tried} lists of up to two "
    "mishaps: lost answers, others who write, and a counter that was made anew.",
)
