"""`python -m exactly_once.claims`: compute the findings within wider bounds again, and keep them."""

from .wider import write

if __name__ == "__main__":
    write()
