"""The ledgers of one host, as files with a lock beside each."""
