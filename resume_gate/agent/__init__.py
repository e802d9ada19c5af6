"""The writer's side: what an agent's author uses."""
