"""Tools around the notebooks: the first cell of a chapter, the learner's copies and work, exercises, and classes.

`chapter` makes a kernel ready; `copies`, `my_work`, `carry` and `reset` keep the learner's work; `predictions`
notes the answers to questions; `kit` and `exercises` ask. `make` calls `setup`, and a teacher calls `classroom` and
`workshop`. Nothing that a notebook imports from here imports nbformat, which takes seconds.
"""

from ..doors import open_door

open_door(
    __name__,
    {
        "chapter": "SLOTS own_or_outdated",
        "chapters": "chapter_named kernels_of",
        "copies": "hand_out",
        "my_work": "folder note solved_names standing",
        "predictions": "counts judge keep kept",
    },
)
