"""Scripts that measure; none is a test."""
