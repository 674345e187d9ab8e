"""Writes: starting a sitting, saving what is answered, ending it, and what staff do."""
