"""Chapter 04, what a crash leaves at each point of a handler: its exercises, gaps and replies."""
