"""Tools around the notebooks: the first cell of a chapter, the learner's copies and work, exercises, and classes.

`chapter` makes a kernel ready; `copies`, `my_work`, `carry` and `reset` keep what is the learner's; `predictions` and
`solved` note what was answered; `kit` and `exercises` ask. `setup` has what `make` calls, `classroom` and `workshop`
what a teacher calls. Nothing that a notebook imports from here imports nbformat, which takes seconds.
"""

from ..doors import open_door

open_door(
    __name__,
    {
        "chapter": "SLOTS own_or_outdated",
        "chapters": "chapter_named kernels_of",
        "copies": "hand_out",
        "my_work": "folder",
        "predictions": "counts judge keep kept",
        "solved": "note solved_names standing",
    },
)
