"""The promises of the articles, and their wrong statements, each with the handler that breaks it.

`properties` has the claims about the lock-free handler, each with its check of all `schedules`; `mutants` break one
claim alone. `sentences` are those of the articles that fail or need a condition, each with its two questions for
`prove`: the sentence as it stands, and its repair. `found` are the results.
"""

from ..doors import open_door

open_door(__name__)
