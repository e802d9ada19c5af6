"""The ledger as files, and their lock."""
