"""The process harness: real processes that really die (contract section 8)."""
