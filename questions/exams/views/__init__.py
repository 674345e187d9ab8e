"""Pages on which questions are answered."""
