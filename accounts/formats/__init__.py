"""Records about a person as files."""
