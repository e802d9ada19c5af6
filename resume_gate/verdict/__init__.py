"""What rows mean: scan, statuses, plan, replay (contract sections 4 to 6)."""
