"""What learners send: what to practise, which exam, what they answered."""
