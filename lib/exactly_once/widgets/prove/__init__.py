"""The prove console: one handler, the bounds, the verdict, and the simplest schedule that breaks it."""
