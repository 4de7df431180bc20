"""Answers to the exercise 12e."""

from tests.course.answers import Answers

answers = Answers("12e")

# The tasks write nothing: their rows are the messages, and the driver writes one file.
answers.right("rows in the messages").code("""
    class Sink:
        def __init__(self, store):
            self.store = store

        def write(self, rows, partition, attempt):
            return rows

        def commit(self, messages, batch_id):
            name, manifest = self.store.unique(), f"manifest/{batch_id}"
            self.store.put(name, [row for rows in messages for row in rows])
            if not self.store.put_if_absent(manifest, [name]) and name not in self.store.get(manifest):
                self.store.delete(name)

        def abort(self, messages, batch_id):
            pass


    answer = Sink
""")

# Looks first, and asks again where there was no reply.
answers.right("looks first, and asks again").code("""
    from exactly_once.errors import OutcomeUnknown


    def again(request, *arguments):
        while True:
            try:
                return request(*arguments)
            except OutcomeUnknown:
                pass


    class Sink:
        def __init__(self, store):
            self.store = store

        def write(self, rows, partition, attempt):
            name = f"part-{partition}-{self.store.unique()}"
            again(self.store.put, name, rows)
            return {"file": name, "rows": len(rows)}

        def commit(self, messages, batch_id):
            names = [message["file"] for message in messages]
            if again(self.store.get, f"manifest/{batch_id}") is None:
                again(self.store.put_if_absent, f"manifest/{batch_id}", names)
            self.clean(names, batch_id)

        def abort(self, messages, batch_id):
            self.clean([message["file"] for message in messages if message], batch_id)

        def clean(self, names, batch_id):
            visible = again(self.store.get, f"manifest/{batch_id}") or []
            for name in set(names) - set(visible):
                again(self.store.delete, name)


    answer = Sink
""")

# A task tries names until one is free.
answers.right("takes a free name", of="names of its own").diff("""
    -        name = f"{partition}-{attempt}"
    -        self.store.put(name, rows)
    +        number = 0
    +        while not self.store.put_if_absent(name := f"{partition}-{attempt}-{number}", rows):
    +            number += 1
""")

# Names the file after the task. Plausible: right for one batch, in which nothing is repeated.
answers.plausible("names of its own", reason="A reader of manifest/").code("""
    class Sink:
        def __init__(self, store):
            self.store = store

        def write(self, rows, partition, attempt):
            name = f"{partition}-{attempt}"
            self.store.put(name, rows)
            return name

        def commit(self, messages, batch_id):
            self.store.put_if_absent(f"manifest/{batch_id}", messages)
            self.abort(messages, batch_id)

        def abort(self, messages, batch_id):
            visible = self.store.get(f"manifest/{batch_id}") or []
            for name in messages:
                if name is not None and name not in visible:
                    self.store.delete(name)


    answer = Sink
""")

# Deletes what it was told to abort. Plausible: the batch has failed, has it not?
answers.plausible("aborts blindly", reason="there is no such file").code("""
    class Sink:
        def __init__(self, store):
            self.store = store

        def write(self, rows, partition, attempt):
            name = self.store.unique()
            self.store.put(name, rows)
            return name

        def commit(self, messages, batch_id):
            if not self.store.put_if_absent(f"manifest/{batch_id}", messages):
                visible = self.store.get(f"manifest/{batch_id}")
                for name in messages:
                    if name not in visible:
                        self.store.delete(name)

        def abort(self, messages, batch_id):
            for name in messages:
                if name is not None:
                    self.store.delete(name)


    answer = Sink
""")

# Leaves the second set of files. Plausible: nobody sees them.
answers.plausible("never cleans", of="aborts blindly", reason="does not name it").diff("""
    -            visible = self.store.get(f"manifest/{batch_id}")
    -            for name in messages:
    -                if name not in visible:
    -                    self.store.delete(name)
    +            pass
""")

answers.wrong(
    "looks, and then writes",
    (
        '        self.store.put_if_absent(f"manifest/{batch_id}", messages)\n',
        '        if self.store.get(f"manifest/{batch_id}") is None:\n'
        '            self.store.put(f"manifest/{batch_id}", messages)\n',
    ),
    reason="does not name it",
)

answers.wrong("overwrites the manifest", ("put_if_absent(", "put("), reason="does not name it")

answers.wrong("shows file by file", reason="A reader of manifest/0 finds the rows ['tea']").diff("""
    -        self.store.put_if_absent(f"manifest/{batch_id}", messages)
    +        for number in range(len(messages)):
    +            self.store.put(f"manifest/{batch_id}", messages[: number + 1])
""")

answers.wrong("remembers in self", reason="fails with AttributeError").diff("""
    -        name = self.store.unique()
    +        name = self.name = self.store.unique()
    @@
    -        self.store.put_if_absent(f"manifest/{batch_id}", messages)
    +        self.store.put_if_absent(f"manifest/{batch_id}", [self.name])
""")

answers.wrong("remembers in the class", reason="share something outside of themselves").diff("""
     class Sink:
    +    names = []
    +
    @@
    -        name = self.store.unique()
    +        name = self.store.unique()
    +        self.names.append(name)
""")

answers.wrong(
    "None is no name",
    ("name is not None and name not in visible", "name not in visible"),
    reason="the name of a file is None",
)

answers.wrong("nothing is visible", reason="nobody sees the batch").diff("""
    -        self.store.put_if_absent(f"manifest/{batch_id}", messages)
    -        self.abort(messages, batch_id)
    +        pass
""")

answers.wrong("publishes in the task", reason="no batch").diff("""
    -        return name
    +        self.store.put_if_absent(f"manifest/{partition + 7}", [name])
    +        return name
""")

answers.wrong("names by chance", reason="Take names from store.unique()").code("""
    import uuid


    class Sink:
        def __init__(self, store):
            self.store = store

        def write(self, rows, partition, attempt):
            name = str(uuid.uuid4())
            self.store.put(name, rows)
            return name

        def commit(self, messages, batch_id):
            self.store.put_if_absent(f"manifest/{batch_id}", messages)

        def abort(self, messages, batch_id):
            pass


    answer = Sink
""")
