"""Answers to the gap 06-after-abort."""

from tests.course.answers import Answers

answers = Answers("06-after-abort")

answers.right(
    "counts back",
    ("producer.abort_transaction()", "consumer.seek(0, consumer.position() - len(records))"),
    ("consumer.seek(0, records[0].offset)", "producer.abort_transaction()"),
)

answers.right("seeks to what is committed").diff("""
    -            consumer.seek(0, records[0].offset)
    +            committed = consumer.log.committed_offset("averages", "readings", 0)
    +            consumer.seek(0, committed or 0)
""")

answers.wrong(
    "commits and goes back", ("producer.abort_transaction()", "producer.commit_transaction()"), reason="doubled"
)

answers.wrong("goes on at the record that failed", ("records[0]", "record"), reason="missing")

answers.wrong("from the beginning", ("consumer.seek(0, records[0].offset)", "consumer.seek(0, 0)"), reason="doubled")

answers.wrong("skips the record that failed", ("records[0].offset", "record.offset + 1"), reason="are missing")

answers.wrong("aborts only", reason="10, 20 are missing").diff("""
    -            consumer.seek(0, records[0].offset)
""")

answers.wrong("seeks only", reason="begin_transaction() was called").diff("""
    -            producer.abort_transaction()
""")

answers.wrong("commits what there is", reason="missing").diff("""
    -            producer.abort_transaction()
    -            consumer.seek(0, records[0].offset)
    +            producer.commit_transaction()
""")

# The last poll gives one record.
answers.wrong(
    "two records back", ("records[0].offset", "consumer.position() - 2"), reason="it should be [10, 20, 30, 40, 50]"
)
