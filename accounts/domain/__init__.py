"""Rules about people's records: plain Python."""
