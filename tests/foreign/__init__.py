"""The project under harnesses that others wrote; each is skipped where its package is not installed."""
