"""Real processes that really die."""
