"""Runs the Python frameworks themselves, where they are installed, and judges what they leave when they are killed."""
