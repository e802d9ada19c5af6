"""The process harness runs with no Temporal anywhere (contract section 8)."""

from resume_gate.crash.harness import start_child

PROGRAM = """
import sys
import resume_gate.crash.harness, resume_gate.crash.child, resume_gate.operators.record, resume_gate.agent.driving
print([name for name in sys.modules if name.partition(".")[0] == "temporalio"])
"""


def test_neither_parent_nor_child_imports_temporal() -> None:
    """A fresh interpreter that imported the harness and every call site of a failpoint has not met Temporal."""
    with start_child("-c", PROGRAM) as child:
        printed, errors = child.communicate(timeout=60)
    assert printed == "[]\n", errors
