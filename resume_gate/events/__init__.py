"""What a row is (contract section 2)."""
