"""Answers to the gap 12-commit."""

from tests.course.answers import Answers

answers = Answers("12-commit", "import json\nimport os\nimport tempfile")

answers.right("opens, writes, replaces").code("""
    def answer(messages, batch_id, folder):
        shown = folder / f"batch-{batch_id}.json"
        if shown.exists():
            return
        with open(folder / "fresh", "w") as fresh:
            json.dump([name for name in messages if name], fresh)
        os.replace(folder / "fresh", shown)
""")

answers.right("links, and fails if it is there").code("""
    def answer(messages, batch_id, folder):
        number, path = tempfile.mkstemp(dir=folder)
        with open(number, "w") as fresh:
            json.dump([name for name in messages if name], fresh)
        try:
            os.link(path, folder / f"batch-{batch_id}.json")
        except FileExistsError:
            pass
        os.remove(path)
""")

answers.wrong("writes in place", reason="which is no list of files").code("""
    def answer(messages, batch_id, folder):
        shown = folder / f"batch-{batch_id}.json"
        if not shown.exists():
            shown.write_text(json.dumps([name for name in messages if name]))
""")

answers.wrong("lists the folder", reason="finds the rows ['milk', 'milk', 'salt', 'tea', 'tea', 'tea']").code("""
    def answer(messages, batch_id, folder):
        names = [path.name for path in folder.glob("[0-9]-*")]
        (folder / "fresh").write_text(json.dumps(names))
        (folder / "fresh").rename(folder / f"batch-{batch_id}.json")
""")

answers.wrong("replaces what is visible", reason="replaces what was visible").code("""
    def answer(messages, batch_id, folder):
        (folder / "fresh").write_text(json.dumps([name for name in messages if name]))
        (folder / "fresh").rename(folder / f"batch-{batch_id}.json")
""")

answers.wrong(
    "None is a name",
    ("[name for name in messages if name is not None]", "messages"),
    reason='[null, "0-c"]',
)

answers.wrong("one list for all", reason="There is no batch-0.json").code("""
    def answer(messages, batch_id, folder):
        with open(folder / "visible.json", "a") as visible:
            visible.write(json.dumps(messages))
""")

answers.wrong("a list that must be new", reason="fails with FileExistsError").code("""
    def answer(messages, batch_id, folder):
        shown = folder / f"batch-{batch_id}.json"
        if not shown.exists():
            with open(folder / f"batch-{batch_id}.tmp", "x") as fresh:
                json.dump([name for name in messages if name], fresh)
            os.rename(folder / f"batch-{batch_id}.tmp", shown)
""")
