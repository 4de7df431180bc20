"""What the articles promise, and what they say that is not so: statements, each with the handler that breaks it.

`table` asks the claims about the lock-free handler: `properties` has each with its check (see `claim`), which looks
at all `schedules`, and `mutants` the handlers that break one claim alone. `sentences` are those of the articles
that fail or need a condition, each with its two `questions` for `prove`: the sentence as it stands, and its repair.
`found` are the results.
"""

from ..doors import open_door

open_door(__name__)
