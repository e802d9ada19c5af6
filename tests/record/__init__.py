"""The two appends that are not an agent's."""
