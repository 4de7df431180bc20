"""Eight queries and a small micro-batch engine without Spark, in which each is killed at every place (for 12c).

A query is its code, for the reader, and the part of it that breaks a condition. The engine is put together of a part
for each condition; a condition is repaired by its part being exchanged for the good one.
"""

from dataclasses import dataclass

HOURS, BATCH = 6, 2  # of input, and of a batch
LETTERS = "ABCDE"
CONDITIONS = {
    "replay": "a source that can replay",
    "same rows": "the same rows from the same input",
    "sink": "an idempotent sink",
    "reader": "a reader that sees committed files only",
    "kept": "a checkpoint that is kept",
    "own": "a checkpoint of its own",
}


@dataclass(frozen=True)
class Query:
    """A query: its code, and the part, by condition, that is not the good one."""

    code: str
    parts: tuple = ()


QUERIES = {
    "socket": Query(
        """
        lines = spark.readStream.format("socket").option("host", HOST).option("port", 9999).load()
        averages(lines).writeStream.foreachBatch(rows_and_batch_id_in_one_transaction)
        """,
        (("replay", False),),
    ),
    "append": Query(
        """
        hours = spark.readStream.format("kafka").option("subscribe", "hours").load()
        averages(hours).writeStream.foreachBatch(lambda rows, id: rows.write.jdbc(URL, "averages", "append"))
        """,
        (("sink", "append"),),
    ),
    "groups": Query(
        """
        hours = spark.readStream.format("kafka").option("subscribe", "hours").load()
        hours.withColumn("sample", expr("floor(rand() * 2)")).writeStream.foreachBatch(merge_on("hour", "sample"))
        """,
        (("same rows", False), ("sink", "merge")),
    ),
    "merge": Query(
        """
        hours = spark.readStream.format("kafka").option("subscribe", "hours").load()
        averages(hours).writeStream.foreachBatch(merge_on("hour"))
        """,
        (("sink", "merge"),),
    ),
    "files": Query(
        """
        averages(spark.readStream.schema(S).json("in")).writeStream.format("json").start("out")
        # the report, in another program:
        report = pandas.concat(pandas.read_json(file, lines=True) for file in Path("out").glob("part-*.json"))
        """,
        (("sink", "files"), ("reader", False)),
    ),
    "loaded": Query(
        """
        hours = spark.readStream.format("kafka").option("subscribe", "hours").load()
        clock = udf(lambda: time.time(), "double")
        hours.withColumn("loaded", clock()).writeStream.foreachBatch(merge_on("hour", "loaded"))
        """,
        (("same rows", False), ("sink", "merge")),
    ),
    "fresh": Query(
        """
        checkpoint = tempfile.mkdtemp()  # each start of the job has a clean one
        averages(spark.readStream.format("kafka").option("subscribe", "hours").load()).writeStream.option(
            "checkpointLocation", checkpoint).foreachBatch(rows_and_batch_id_in_one_transaction)
        """,
        (("kept", False),),
    ),
    "shared": Query(
        """
        # yesterday's job, with "> 30", has used the same checkpoint for its own table
        warm = averages(spark.readStream.format("kafka").option("subscribe", "hours").load()).where("average > 20")
        warm.writeStream.option("checkpointLocation", "jobs/warm").foreachBatch(rows_and_batch_id_in_one_transaction)
        """,
        (("own", False),),
    ),
}
GOOD = {"replay": True, "same rows": True, "sink": "batch id", "reader": True, "kept": True, "own": True}


DEATHS = (None, *((letter, batch) for batch in range(HOURS // BATCH) for letter in LETTERS))


class Died(Exception):
    """The driver died."""


class Engine:
    """A driver that takes `BATCH` hours a batch; the one that follows it takes all that has arrived meanwhile.

    `parts` has a part for each condition, `death` is the place (letter, batch) at which the first one dies, or None.
    """

    def __init__(self, parts, death):
        self.parts, self.death, self.life, self.received = parts, death, 1, 0
        self.rows, self.ids = [], set()  # in the sink: [key, whether it is committed], and the ids of batches
        self.ends, self.done = ([], 0) if parts["own"] else ([2, 4], 2)  # offsets/0, 1 …, and how many are committed

    def run(self):
        """Run to the end; return the hours that a reader finds, sorted."""
        try:
            self.live()
        except Died:
            self.life, self.death = 2, None
            if not self.parts["kept"]:
                self.ends, self.done = [], 0
            self.live()
        return sorted(key[0] for key, committed in self.rows if committed or not self.parts["reader"])

    def live(self):
        """Run batch after batch until no input is left."""
        while self.done < len(self.ends) or self.ends[-1:] != [HOURS]:
            batch, start = self.done, self.ends[self.done - 1] if self.done else 0
            if batch == len(self.ends):
                end = HOURS if self.life > 1 else start + BATCH
                if self.life == 1:
                    self.received = end
                self.reach("A", batch)
                self.ends.append(end)
            self.reach("B", batch)
            hours = range(start + 1, self.ends[batch] + 1)
            if self.life > 1 and not self.parts["replay"]:
                hours = [hour for hour in hours if hour > self.received]
            keys = [(hour,) if self.parts["same rows"] else (hour, self.life) for hour in hours]
            self.save(batch, keys)
            self.reach("D", batch)
            self.done += 1
            self.reach("E", batch)

    def save(self, batch, keys):
        """Write the rows with these keys to the sink."""
        sink = self.parts["sink"]
        if sink == "files":  # the tasks write them, and then a list makes them visible
            files = [[key, False] for key in keys]
            self.rows += files
            self.reach("C", batch)
            if batch not in self.ids:
                for file in files:
                    file[1] = True
        else:
            self.reach("C", batch)
            there = [key for key, _ in self.rows] if sink == "merge" else []
            if sink != "batch id" or batch not in self.ids:
                self.rows += [[key, True] for key in keys if key not in there]
        self.ids.add(batch)

    def reach(self, letter, batch):
        """Pass a place, or die there."""
        if self.death == (letter, batch):
            raise Died


def parts_of(name, repaired=None):
    """Return the parts of a query by condition; that of the condition `repaired` is exchanged for the good one."""
    return GOOD | dict(QUERIES[name].parts) | ({repaired: GOOD[repaired]} if repaired else {})


def damage(parts):
    """Return a sentence on the first death that leaves a wrong result; None where there is none."""
    wanted = list(range(1, HOURS + 1))
    for death in DEATHS:
        found = Engine(parts, death).run()
        if found != wanted:
            when = f"when its driver dies at {death[0]} of batch {death[1]}" if death else "though nobody dies"
            doubled = sorted({hour for hour in found if found.count(hour) > 1})
            lost = sorted(set(wanted) - set(found))
            parted = [f"{word} {hours}" for word, hours in (("doubled", doubled), ("lost", lost)) if hours]
            return f"{when}, of the hours 1 to {HOURS} there are {' and '.join(parted)}"
    return None
