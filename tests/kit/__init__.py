"""What the tests of several rooms share: builders, random ledgers, vectors."""
