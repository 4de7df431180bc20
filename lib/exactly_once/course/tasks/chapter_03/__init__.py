"""The exercises of chapter 03: what gets lost and doubled on both sides of a log, and how to help it."""
