"""The exercises of chapter 07: where a position goes, and how effects in other systems take place once."""
