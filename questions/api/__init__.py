"""The API's doors to the bank: catalogue and questions, never with a key."""
