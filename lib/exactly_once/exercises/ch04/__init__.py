"""The exercises of chapter 04: the damage of crashes, and handlers with less damage."""
