"""The exercises of chapter 11: the batch that keeps up, the twelfth mutant, and a shared decision."""
