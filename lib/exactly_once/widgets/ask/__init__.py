"""A question with blanks to fill, which keeps its answer before what follows is uncovered."""
