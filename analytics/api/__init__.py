"""The API's doors to what answers tell: of oneself, and of questions to their authors."""
