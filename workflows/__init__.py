"""The control worker's workflows: where runs are driven from, and where they park."""
