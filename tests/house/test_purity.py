"""Design, Layout: the core is pure, and knows nothing of Temporal."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_PURE = [
    *(f"events.{module}" for module in ("event", "codec", "canonical", "rendering")),
    *(
        f"verdict.{module}"
        for module in ("lanes", "scan", "recovery", "plan", "diagnostics", "replay", "bounds", "words")
    ),
    *("drive", "decisions", "contract", "wire", "ledger.prefix", "failpoints"),
]
_IMPURE_BUILTINS = {"open", "input", "print", "eval", "exec", "__import__"}


def _names(module: str) -> set[str]:
    """List the plain names that a module uses, called or not."""
    tree = ast.parse((_ROOT / "resume_gate" / f"{module.replace('.', '/')}.py").read_text("utf-8"))
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


@pytest.mark.parametrize("module", _PURE)
def test_a_pure_module_uses_no_builtin_that_reads_or_writes(module: str) -> None:
    """No pure module opens, asks, prints or runs text: what ruff's banned imports cannot see."""
    assert _names(module) & _IMPURE_BUILTINS == set()


def test_the_package_imports_without_temporal() -> None:
    """Importing the package and every pure module in a fresh interpreter does not import temporalio."""
    modules = ", ".join(["resume_gate", *(f"resume_gate.{module}" for module in _PURE)])
    program = f"import sys, {modules}; sys.exit('temporalio' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=_ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
