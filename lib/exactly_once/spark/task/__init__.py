"""What is inside a task: the world of a life on an executor, the network's late requests, and the run's folder."""
