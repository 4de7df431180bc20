"""The exercises of chapter 07: positions, effects, and what becomes of them in another system."""
