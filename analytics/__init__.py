"""What the answers tell us."""
