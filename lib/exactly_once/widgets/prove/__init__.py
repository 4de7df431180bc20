"""Proving from the crash console: the bounds, the verdict, and the simplest schedule that breaks the handler."""
