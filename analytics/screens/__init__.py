"""What pages of analytics show."""
