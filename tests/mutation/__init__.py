"""Removes each guard of the claim in turn and shows which tests miss it."""
