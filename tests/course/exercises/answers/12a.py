"""Answers to the exercise 12a."""

from tests.course.answers import Answers

answers = Answers("12a")

# Strips the folder, and knows a number by its digits.
answers.right("by prefixes").code("""
    def answer(paths):
        logs = {"offsets": set(), "commits": set(), "state": {}}
        for path in paths:
            folder, _, rest = path.partition("/")
            if folder in ("offsets", "commits") and rest.isdigit():
                logs[folder].add(int(rest))
            elif folder == "state" and rest.endswith(".delta"):
                store, _, version = rest.rpartition("/")
                logs["state"].setdefault(store, set()).add(int(version.removesuffix(".delta")))
        offsets, commits, state = logs.values()
        if not offsets:
            return None if commits else [0, "new"]
        last = max(offsets)
        if "metadata" not in paths or last and last - 1 not in offsets:
            return None
        if commits and last == max(commits):
            return [last + 1, "new"]
        return [last, "twice" if all(last + 1 in found for found in state.values()) else "again"]
""")

answers.right("the smallest of the newest versions").code("""
    import re


    def answer(paths):
        def newest(pattern):
            return max((int(found[1]) for path in paths if (found := re.fullmatch(pattern, path))), default=-1)

        last, done = newest(r"offsets/(\\d+)"), newest(r"commits/(\\d+)")
        if last < 0:
            return (0, "new") if done < 0 else None
        if "metadata" not in paths or (last and f"offsets/{last - 1}" not in paths):
            return None
        if last == done:
            return last + 1, "new"
        partitions = {path.rpartition("/")[0] for path in paths if path.startswith("state/")}
        versions = [newest(rf"{each}/(\\d+)\\.delta") for each in partitions]
        return last, "again" if versions and min(versions) <= last else "twice"
""")

# Plausible: the state is written, so the tasks have ended; but one partition does not speak for the others.
answers.plausible("any partition", reason="(2, 'twice')").diff("""
    -    ended = all(f"{store}/{last + 1}.delta" in paths for store in stores)
    +    ended = not stores or any(f"{store}/{last + 1}.delta" in paths for store in stores)
""")

# Plausible: right for as long as no old file is removed.
answers.plausible("counts the files", reason="Batch 101 is new").diff("""
    -    last = max(offsets)
    +    last = len(offsets) - 1
""")

answers.wrong("always twice", ('"twice" if ended else "again"', '"twice"'), reason="cannot have had its rows")

answers.wrong("always the next", reason="runs again").diff("""
    -    if commits and max(commits) == last:
    +    if True:
""")

answers.wrong("ids as texts", ('int(path.split("/")[1])', 'path.split("/")[1]'), reason="fails with")

answers.wrong("without metadata", ('"metadata" not in paths or ', ""), reason="refuses to start")

answers.wrong("commits alone", ("None if commits else (0, ", "(0, "), reason="refuses to start")

answers.wrong("without the one before", (" or (last > 0 and last - 1 not in offsets)", ""), reason="refuses to start")

answers.wrong("by the commits", reason="Batch 1 is logged and not committed").diff("""
    -    if commits and max(commits) == last:
    -        return last + 1, "new"
    +    if commits and max(commits) >= last:
    +        return max(commits) + 1, "new"
""")

answers.wrong("a number alone", ('return last + 1, "new"', "return last + 1"), reason="it returns a batch and one of")

answers.wrong("the first operator", ('startswith("state/")', 'startswith("state/0/")'), reason="state/1/0/1.delta")
