"""A small agent that charges orders, and the story of its crash."""
