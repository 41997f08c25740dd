from __future__ import annotations

from ccc.claude.conversation import Call, Fate
from ccc.evidence import acts
from ccc.evidence.outcomes import Returned, checked
from ccc.evidence.standing import failed_before, standing
from tests.tables import each

RED = "FAILED tests/test_a.py::test_x - assert 1 == 2\n1 failed in 0.1s"
GREEN = "3 passed in 0.1s"


def after(*lines: tuple[str, str, int]) -> list[tuple[str, bool]]:
    """The failures that stand, each with whether that is in doubt."""
    calls = [
        Call("Bash", {"command": line}, Fate.FAILED if code else Fate.DONE, output, code)
        for line, output, code in lines
    ]
    return [(failure.command, bool(failure.doubt)) for failure in standing(acts.of(calls).commands)]


@each(
    "failed, later, left",
    [
        ("pytest -q", ("pytest -q", GREEN, 0), "mended"),
        ("pytest -q", ("ruff check .", "All checks passed!", 0), "stands"),
        ("npm run build", ("npm test", "Tests:  3 passed, 3 total", 0), "stands"),
        ("cargo build", ("cargo test", "test result: ok. 3 passed; 0 failed", 0), "mended"),
        ("pytest -q", ("npx jest", "Tests:  3 passed, 3 total", 0), "stands"),
        ("pytest tests/test_a.py", ("pytest", GREEN, 0), "mended"),
        ("pytest tests/test_a.py", ("pytest tests/test_b.py", GREEN, 0), "stands"),
        ("pytest tests/test_a.py::test_x", ("pytest tests/test_a.py", GREEN, 0), "mended"),
        ("pytest", ("pytest tests/test_a.py", GREEN, 0), "mended"),
        ("pytest", ("pytest tests/test_b.py", GREEN, 0), "doubted"),
        ("npm run test:e2e", ("npm run test:unit", "Tests:  3 passed, 3 total", 0), "stands"),
        ("cd web && npm test", ("cd api && npm test", "Tests:  3 passed, 3 total", 0), "stands"),
        ("pytest", ("pytest | head -1", "collecting", 0), "doubted"),
    ],
)
def test_a_failure_stands_until_its_kind_and_target_pass(failed: str, later: tuple[str, str, int], left: str) -> None:
    expected = {"mended": [], "stands": [(failed, False)], "doubted": [(failed, True)]}
    assert after((failed, RED, 1), later) == expected[left]


def test_what_failed_in_older_code_is_known_by_its_names_or_their_number() -> None:
    def check(output: str) -> object:
        return checked("pytest -q | tail -1", Returned(True, output, 0))

    three, four, named = check("3 failed in 1s"), check("4 failed in 1s"), check(RED)
    assert failed_before(three, [three])  # type: ignore[arg-type,list-item]
    assert failed_before(three, [four])  # type: ignore[arg-type,list-item]
    assert not failed_before(four, [three])  # type: ignore[arg-type,list-item]
    assert failed_before(named, [named])  # type: ignore[arg-type,list-item]


@each(
    "line, output, outcome",
    [
        ("flow run a.yaml", "ERROR: x", "none"),
        ("./speedtest", "timeout", "none"),
        ("python load_test.py", "KeyError: 1", "unknown"),
        ("rake speck", "Don't know how to build task 'speck'", "none"),
        ("just tset", "error: Justfile does not contain recipe `tset`", "none"),
        ("npx eslint src", "No files matching 'src' were found", "unknown"),
    ],
)
def test_what_is_no_failed_check(line: str, output: str, outcome: str) -> None:
    found = checked(line, Returned(False, output, 1))
    assert (found.outcome.value if found else "none") == outcome


def test_a_count_of_failures_is_read() -> None:
    assert checked("./run_tests.sh", Returned(True, "FAIL (2072 diffs)", 0)).outcome == "failed"  # type: ignore[union-attr]
    assert checked("./run_tests.sh", Returned(True, "PASS=41 FAIL=0", 0)).outcome == "passed"  # type: ignore[union-attr]
