"""Answers to the exercise 02e."""

from tests.course.answers import Answers

answers = Answers("02e")

# Asks for each record whether a later one of its key is in the part that is cleaned.
answers.right("asks each record").code("""
    def answer(records, before):
        return [
            [offset, key, value]
            for offset, key, value in records
            if offset >= before or not any(offset < later < before and same == key for later, same, _ in records)
        ]
""")

# Goes through the log from its end, and keeps the first record of each key that it sees.
answers.right("backwards").code("""
    def answer(records, before):
        seen, kept = set(), []
        for record in reversed(records):
            offset, key, _ = record
            if offset >= before:
                kept.append(record)
            elif key not in seen:
                kept.append(record)
                seen.add(key)
        return kept[::-1]
""")

# Cleans the whole log, the part that is still being written included. Plausible: right where everything is cleaned.
answers.plausible("cleans to the end", reason="where the cleaner does not look").code("""
    def answer(records, before):
        last = {key: offset for offset, key, _ in records}
        return [record for record in records if last[record[1]] == record[0]]
""")

# Leaves tombstones out, as there is nothing in them. Plausible: right for a log without tombstones.
answers.plausible("drops tombstones", reason="It is a tombstone, the newest record of its key").code("""
    def answer(records, before):
        last = {key: offset for offset, key, _ in records if offset < before}
        return [
            (offset, key, value)
            for offset, key, value in records
            if offset >= before or (last[key] == offset and value is not None)
        ]
""")

# Keeps the first record of each key.
answers.wrong("first of each key", reason="and it is the last of key 'a'").code("""
    def answer(records, before):
        seen, kept = set(), []
        for offset, key, value in records:
            if offset >= before or key not in seen:
                kept.append((offset, key, value))
            seen.add(key)
        return kept
""")

# Compacts nothing.
answers.wrong("keeps everything", reason="a later one has the same key").code("""
    def answer(records, before):
        return records
""")

# Takes the largest value of a key for the newest one.
answers.wrong("largest value", reason="and it is the last of key 'a'").code("""
    def answer(records, before):
        best = {}
        for offset, key, value in records:
            if offset < before and (key not in best or str(value) > str(best[key][1])):
                best[key] = (offset, value)
        return [record for record in records if record[0] >= before or best[record[1]][0] == record[0]]
""")

# Numbers what remains anew, without gaps.
answers.wrong("new offsets", reason="If it gave a record another offset").code("""
    def answer(records, before):
        last = {key: offset for offset, key, _ in records if offset < before}
        kept = [(key, value) for offset, key, value in records if offset >= before or last[key] == offset]
        return [(number, key, value) for number, (key, value) in enumerate(kept)]
""")

# Collects in a dictionary, which keeps each key where it first stood.
answers.wrong("order of first sight", reason="but in another order").code("""
    def answer(records, before):
        last = {}
        for record in records:
            last[record[1] if record[0] < before else record] = record
        return list(last.values())
""")

answers.wrong(
    "compares values",
    ("key: offset for", "key: value for"),
    ("last[key] == offset", "last[key] == value"),
    reason="offset 0",
)

# Takes the offset for a place in the list; a log that was compacted before has gaps.
answers.wrong("cuts the list at the offset", reason="offset 8 is gone").code("""
    def answer(records, before):
        head, tail = records[:before], records[before:]
        last = {key: offset for offset, key, _ in head}
        return [record for record in head if last[record[1]] == record[0]] + tail
""")
