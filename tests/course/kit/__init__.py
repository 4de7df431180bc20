"""What a chapter asks: predictions, gaps, and what is kept of them."""
