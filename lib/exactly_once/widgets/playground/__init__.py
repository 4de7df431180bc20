"""The clock playground: runs of processes that exchange messages, drawn by hand, with their stamps."""
