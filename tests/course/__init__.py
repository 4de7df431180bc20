"""What surrounds the notebooks: a chapter's set-up and its reset."""
