from __future__ import annotations

import pytest

from ccc.evidence.outcomes import Outcome, Returned, checked, shown, stashes

SUCCEEDED = """
pytest -q | tail -3 => 12 passed, 3 warnings in 0.30s
pytest -q | tail -3 => ===== 12 passed, 0 failed in 0.30s =====
go test ./... 2>&1 | tail -5 => ok  \tex/pkg\t0.01s
mise run test && mise run lint => ?   \tx\t[no test files]⏎ok  \tx\t1.8s⏎[lint] $ golangci-lint run⏎0 issues.
go build ./... 2>&1 | head -20 => (Bash completed with no output)
npx tsc --noEmit 2>&1 | grep -E 'error' | head => (Bash completed with no output)
npm test || true => Tests:       4 passed, 4 total
npm run build 2>&1 | tail -4 => dist/a.js 10kb⏎✓ built in 2.30s
npm run build 2>&1 | tail -4 => dist/index.js  10 kB
tsc --noEmit && echo OK || echo FAIL => OK
pytest -q; echo EXIT=$? => ..⏎EXIT=0
npm run lint => ✖ 3 problems (0 errors, 3 warnings)
cargo test 2>&1 | tail => test result: ok. 5 passed; 0 failed; 0 ignored
cargo build 2>&1 | tail =>     Finished `dev` profile [unoptimized] target(s) in 0.1s
mvn -q test | tail => [INFO] BUILD SUCCESS
dotnet test | tail => Passed!  - Failed:     0, Passed:     5, Skipped:     0
bundle exec rspec | tail -3 => 5 examples, 0 failures
ruff check --fix . | tail => Found 3 errors (3 fixed, 0 remaining).
npm test 2>&1 | grep -E 'passed|failed' => Tests:       5 passed, 5 total
phpunit | tail -2 => OK (5 tests, 9 assertions)
python -m unittest 2>&1 | tail -3 => Ran 3 tests in 0.001s⏎⏎OK
npx vitest run | tail -6 =>  Test Files  2 passed (2)⏎      Tests  9 passed (9)
ctest | tail -3 => 100% tests passed, 0 tests failed out of 5
swift test | tail => Executed 5 tests, with 0 failures (0 unexpected) in 0.1 seconds
node --test | tail => \u2139 pass 5⏎\u2139 fail 0
cargo test 2>&1 | tail => test result: ok. 5 passed; 0 failed⏎running 0 tests⏎test result: ok. 0 passed; 0 failed
go test ./... | tail => ?   \tex/a\t[no test files]⏎ok  \tex/b\t0.01s
golangci-lint run | tail => 0 issues.
mix test | tail => 5 tests, 0 failures
bun test | tail =>  5 pass⏎ 0 fail
tox -q | tail -3 =>   py311: OK⏎  congratulations :)
make 2>&1 | tail -3 => gcc -c a.c⏎gcc -o a a.o
sbt test | tail -2 => [success] Total time: 3 s
pytest -s -q => 1 failed in 0.01s⏎FAILED tests/inner.py::test⏎12 passed in 0.30s
"""
FAILED_QUIETLY = """
pytest -q | tail -3 => FAILED tests/test_a.py::t - x⏎1 failed, 12 passed in 0.30s
pytest -q | tail -1 => 12 passed, 1 failed in 0.30s
pytest tests -q 2>&1 | tail -2 => ERROR tests/test_a.py⏎1 error in 0.10s
go test ./... | tail -5 => --- FAIL: TestX (0.00s)⏎FAIL\tex/pkg\t0.01s⏎FAIL
go build ./... 2>&1 | head -20 => # ex/pkg⏎./a.go:3:2: undefined: x
mise run test:ci 2>&1 | tail -30 => [test] --- FAIL: TestX (0.0s)⏎[test] FAIL\tx\t1s⏎[test] ERROR task failed
npx tsc --noEmit | head -5 => src/a.ts(1,2): error TS2304: Cannot find name
npm test || true => Tests:       1 failed, 3 passed, 4 total
tsc --noEmit && echo OK || echo FAIL => FAIL
pytest -q; echo "exit: $?" => ..⏎exit: 1
pytest -q 2>&1 | tail -1; echo ${PIPESTATUS[0]} => foo⏎2
git stash && npm run lint; git stash pop => ✖ 3 problems (1 error, 2 warnings)⏎Dropped
cargo test 2>&1 | tail -20 => test result: FAILED. 5 passed; 1 failed; 0 ignored
cargo nextest run 2>&1 | tail -3 =>      Summary [  60.012s] 6 tests run: 5 passed, 1 timed out, 0 skipped
./gradlew test | tail -5 => BUILD FAILED in 3s
dotnet test | tail => Failed!  - Failed:     1, Passed:     5
bundle exec rspec | tail -3 => 5 examples, 2 failures
phpunit | tail -2 => FAILURES!⏎Tests: 5, Assertions: 9, Failures: 1.
python -m unittest 2>&1 | tail -3 => Ran 3 tests in 0.001s⏎⏎FAILED (failures=1)
npx vitest run | tail -6 =>  Test Files  1 failed | 2 passed (3)⏎      Tests  1 failed | 9 passed (10)
npx mocha | tail =>   5 passing (10ms)⏎  1 failing
ctest | tail -3 => 80% tests passed, 1 tests failed out of 5
swift test 2>&1 | tail => Executed 5 tests, with 2 failures (0 unexpected)
node --test | tail => # pass 4⏎# fail 1
bun test | tail =>  4 pass⏎ 1 fail
sbt test | tail -2 => [error] (Test / test) sbt.TestsFailedException
npm run lint 2>&1 | head -3 =>   3:1  error  'x' is not defined  no-undef
npm test => Tests:       1 failed, 3 passed, 4 total
"""
FAILED_LOUDLY = """
pytest -q => 12 passed, 1 failed in 0.3s
npm run build => Error: boom
gcc a.c -o a && ./a => a.c:3:1: error: expected ';'
make test => make: *** [Makefile:3: test] Error 1
make => make: *** No rule to make target 'a.c', needed by 'a.o'.  Stop.
ruff check . ; mypy . => All checks passed!⏎Found 2 errors in 1 file (checked 3 source files)
pre-commit run -a => ruff.....................Failed⏎- hook id: ruff
cd web && npm test => something odd
npm ci && npm run build => something odd
"""
UNKNOWN = """
pytest > /dev/null || true; echo '5 passed in 1s' => 5 passed in 1s
pytest -x | head -3 => a⏎b⏎c
pytest -q | tail -3 => no tests ran in 0.01s
cargo test 2>&1 | tail => running 0 tests⏎test result: ok. 0 passed; 0 failed
npx mocha | tail =>   0 passing (2ms)
python -m unittest 2>&1 | tail -3 => Ran 0 tests in 0.000s⏎⏎OK
npm test | some-filter => fine
pytest > out.txt; ls => out.txt
"""


def rows(table: str) -> list[tuple[str, str]]:
    pairs = (line.split(" => ", 1) for line in table.strip("\n").split("\n"))
    return [(command, output.replace("⏎", "\n")) for command, output in pairs]


def outcome(command: str, output: str, *, code: int = 0, cut: bool = False) -> Outcome | None:
    found = checked(command, Returned(code == 0, output, code, cut))
    return found.outcome if found else None


@pytest.mark.parametrize(("command", "output"), rows(SUCCEEDED))
def test_passed(command: str, output: str) -> None:
    assert outcome(command, output) is Outcome.PASSED


@pytest.mark.parametrize(("command", "output"), rows(FAILED_QUIETLY))
def test_failed_although_the_status_is_success(command: str, output: str) -> None:
    assert outcome(command, output) is Outcome.FAILED


@pytest.mark.parametrize(("command", "output"), rows(FAILED_LOUDLY))
def test_failed_with_a_status(command: str, output: str) -> None:
    assert outcome(command, output, code=1) is Outcome.FAILED


@pytest.mark.parametrize(("command", "output"), rows(UNKNOWN))
def test_nothing_is_known_where_nothing_speaks(command: str, output: str) -> None:
    assert outcome(command, output) is Outcome.UNKNOWN


@pytest.mark.parametrize(
    ("command", "output", "code"),
    [
        ("pytest", "/bin/bash: line 1: pytest: command not found", 127),
        ("make lint", "sh: ruff: not found\nmake: lint: not found", 127),
        ("python -m pytest", "/usr/bin/python: No module named pytest", 1),
        ("make test", "make: *** No rule to make target 'test'.  Stop.", 2),
        ("npm test", 'npm error Missing script: "test"', 1),
        ("cd nope && npm test", "/bin/bash: line 1: cd: nope: No such file or directory", 1),
    ],
)
def test_a_check_that_was_not_there_did_not_run(command: str, output: str, code: int) -> None:
    assert outcome(command, output, code=code) is None


@pytest.mark.parametrize(
    ("command", "output", "code", "expected"),
    [
        ("gcc a.c -o a && ./a", "assertion wrong", 1, Outcome.PASSED),
        ("pytest -q && git push", "3 passed in 0.1s\nerror: failed to push", 1, Outcome.PASSED),
        ("pytest", "===== no tests ran in 0.01s ====", 5, Outcome.UNKNOWN),
        ("pytest", "x\nCommand timed out after 2m 0s", 143, Outcome.UNKNOWN),
    ],
)
def test_a_status_that_another_program_gave(command: str, output: str, code: int, expected: Outcome) -> None:
    assert outcome(command, output, code=code) is expected


def test_a_cut_output_is_a_pass_only_if_the_status_says_so() -> None:
    assert outcome("go test ./...", "start", cut=True) is Outcome.PASSED
    assert outcome("go test ./... | cat", "start", cut=True) is Outcome.UNKNOWN


def test_a_running_check_has_no_outcome() -> None:
    found = checked("pytest", Returned(False, "", ended=False))
    assert found
    assert found.outcome is Outcome.UNKNOWN


def test_the_failing_line_names_what_failed() -> None:
    output = "1 failed, 2 passed in 0.1s\nFAILED tests/test_a.py::test_x - assert 1 == 2"
    found = checked("pytest -q", Returned(False, output, 1))
    assert found
    assert found.line == "FAILED tests/test_a.py::test_x - assert 1 == 2"
    assert found.failing == {"tests/test_a.py::test_x"}


def test_colours_do_not_hide_a_verdict() -> None:
    assert outcome("npm test | tail -1", "\x1b[31m\x1b[1mTests:\x1b[0m  1 failed, 3 passed") is Outcome.FAILED


def test_a_check_of_stashed_code_is_a_baseline() -> None:
    found = checked("git stash && pytest -q; git stash pop", Returned(True, "1 failed in 0.1s", 0))
    assert found
    assert found.baseline
    assert [stashes("git stash"), stashes("git stash pop"), stashes("git stash list"), stashes("git stash -u; x")] == [
        1,
        -1,
        0,
        1,
    ]


def test_what_no_edit_can_mend_is_the_environment() -> None:
    found = checked("pytest", Returned(False, "E  psycopg2.OperationalError: Connection refused\n1 failed in 0.1s", 1))
    assert found
    assert found.environment


@pytest.mark.parametrize(
    "line", ["1 test " * 50_000, "error " * 50_000, "a" * 400_000, "\n".join(["x 1 failed"] * 20_000)]
)
def test_large_outputs_take_little_time(line: str) -> None:
    outcome("npm test | cat", line)


def test_an_output_without_its_command_shows_what_its_last_summary_says() -> None:
    assert shown("2 failed, 3 passed in 0.1s\n5 passed in 0.1s") is Outcome.PASSED
    assert shown("5 passed in 0.1s\n2 failed, 3 passed in 0.1s") is Outcome.FAILED
    assert shown("KeyError: 'x'") is Outcome.FAILED
    assert shown("KeyError: 'x'", weakly=False) is shown("$ make") is Outcome.UNKNOWN
