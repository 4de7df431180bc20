"""What the log's tests share."""

from .opened import clock, opened

__all__ = ["clock", "opened"]
