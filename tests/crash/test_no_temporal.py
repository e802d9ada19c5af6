"""The process harness runs with no Temporal anywhere (contract section 8)."""

from resume_gate.harness import start_child

PROGRAM = """
import sys
import resume_gate.harness, resume_gate.harness_child, resume_gate.record, resume_gate.driving
print([name for name in sys.modules if name.partition(".")[0] == "temporalio"])
"""


def test_neither_parent_nor_child_imports_temporal() -> None:
    """A fresh interpreter that imported the harness and every call site of a failpoint has not met Temporal."""
    with start_child("-c", PROGRAM) as child:
        printed, errors = child.communicate(timeout=60)
    assert printed == "[]\n", errors
