"""Reads for sittings, practice, and the pages on which questions are answered."""
