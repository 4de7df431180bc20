"""Charts: the inputs of a job (`figures`), how long records wait (`waits`), what guarantees cost (`costs`)."""
