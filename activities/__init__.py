"""The control worker's activities: the gate, and the only two appends that are not an agent's."""
