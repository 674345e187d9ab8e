"""The API's doors for people, and what all doors of the API share."""
