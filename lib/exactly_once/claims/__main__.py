"""`python -m exactly_once.claims`: find anew what the table says of wider bounds, and keep it."""

from .wider import write

if __name__ == "__main__":
    write()
