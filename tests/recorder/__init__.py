"""The writer's side."""
