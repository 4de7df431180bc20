"""Beyond what can be explored: random schedules as Spark jobs, and estimates from them."""
