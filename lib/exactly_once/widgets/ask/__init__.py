"""A question with blanks to fill. It keeps the answer before the page uncovers the following text."""
