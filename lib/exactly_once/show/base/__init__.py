"""The common parts of all pictures: a `Picture`, its style sheet, and the checks of arguments."""
