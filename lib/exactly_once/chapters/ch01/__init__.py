"""Chapter 01, clocks and the order of events: its exercises, gaps and replies, and the group of 01g."""
