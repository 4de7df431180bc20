"""Charts: by plotly the inputs of a job (`figures`) and how long records wait (`waits`); what guarantees cost."""
