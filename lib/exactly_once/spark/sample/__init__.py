"""Beyond exploration: random schedules as Spark jobs, and estimates from them."""
