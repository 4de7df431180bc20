"""Random schedules as Spark jobs, and estimates from them."""
