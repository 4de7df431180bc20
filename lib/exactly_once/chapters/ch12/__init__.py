"""The room of chapter 12: its exercises and gaps, and the models of drivers and tasks that they are searched with."""
