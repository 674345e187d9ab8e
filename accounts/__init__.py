"""Who people are: accounts, the participants that own work, author profiles."""
