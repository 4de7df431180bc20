"""Every exercise: unsolved, solved, and against wrong and unusual answers."""
