from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ccc.evidence.shell import parse
from ccc.evidence.shell_status import Run, runs, unwrapped


def programs(command: str) -> list[str]:
    return [run.program for run in runs(command)]


def speaking(command: str) -> list[str]:
    """The programs that must have succeeded when the whole line did."""
    return [run.program for run in runs(command) if run.tells]


def the(command: str, program: str) -> Run:
    return next(run for run in runs(command) if run.program == program)


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("cd web && npm test", ["cd", "npm"]),
        ("go test ./... | tail -5", ["go", "tail"]),
        ("echo 'go test' # pytest", ["echo"]),
        ('git commit -m "run pytest; make"', ["git"]),
        ("git commit -m \"$(cat <<'EOF'\nrun pytest\nmake test\nEOF\n)\" && git push", ["cat", "git", "git"]),
        ("cat > run.sh <<EOF\npytest\nEOF\nls", ["cat", "ls"]),
        ("cat <<-EOF\n\tpytest\n\tEOF\nmake", ["cat", "make"]),
        ("python - <<'PY'\nimport pytest\nPY\npytest", ["python", "pytest"]),
        ('OUT=$(pytest 2>&1); echo "$OUT"', ["pytest", "echo"]),
        ("echo `make`", ["make", "echo"]),
        ('echo "$(make)"', ["make", "echo"]),
        ("echo $((1 + 2)) ${x:-pytest}", ["echo"]),
        ("if ! pytest; then echo no; fi", ["pytest", "echo"]),
        ("for f in a b; do ruff check $f; done", ["ruff"]),
        ("while true; do make; done", ["true", "make"]),
        ("(cd a && pytest) && { make; ls; }", ["cd", "pytest", "make", "ls"]),
        ("timeout -k 5 60 env A=1 B=2 python -m pytest", ["python"]),
        ("sudo -u bob nice -n 5 make -j4", ["make"]),
        ("bash -lc 'cd x && cargo test'", ["cd", "cargo"]),
        ("bash -euo pipefail -c 'make test'", ["make"]),
        ("ssh host 'cd x && make'", ["cd", "make"]),
        ("docker compose exec web sh -c 'pytest -q'", ["pytest"]),
        ('eval "make test"', ["make"]),
        ("command -v pytest", ["command"]),
        ("git ls-files | xargs -n 1 mypy", ["git", "mypy"]),
        ("a && \\\n  b", ["a", "b"]),
        ("a &&\n b", ["a", "b"]),
        ("a=(1 2); b", ["b"]),
        ('grep -rn "go test" . ; ls', ["grep", "ls"]),
        ("./run.sh 2>&1 >/dev/null & sleep 5", ["run.sh", "sleep"]),
        ("cat <<< 'pytest' && diff <(ls a) <(ls b)", ["cat", "ls", "ls", "diff"]),
    ],
)
def test_programs_are_found_and_mentions_are_not(command: str, found: list[str]) -> None:
    assert [name for name in programs(command) if name] == found


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("pytest", ["pytest"]),
        ("ruff check && mypy && pytest", ["ruff", "mypy", "pytest"]),
        ("ruff check; pytest", ["pytest"]),
        ("set -e; ruff check; pytest", ["ruff", "pytest"]),
        ("pytest | tail", ["tail"]),
        ("set -o pipefail; pytest | tail", ["pytest", "tail"]),
        ("(ruff check && pytest) | tail", ["tail"]),
        ("pytest || true", ["true"]),
        ("pytest || exit 1", ["pytest", "exit"]),
        ("pytest || { echo no; exit 1; }", ["pytest", "exit"]),
        ("pytest && echo OK || echo NO", ["echo"]),
        ("git stash && make; git stash pop", ["git"]),
        ("! pytest", []),
        ("pytest &", []),
        ("if pytest; then ls; fi", []),
        ("bash -e -c 'ruff check; pytest'", ["ruff", "pytest"]),
        ("t() { ruff check && pytest; }; t", ["ruff", "pytest"]),
        ("t() { pytest; }; t; ls", ["ls"]),
        ("t() { pytest; }; t || true", ["true"]),
        ("case $x in a) pytest ;; esac", []),
        ("pytest; [[ -f out ]]", ["[["]),
        ("pytest && (( n > 0 ))", ["pytest", "(("]),
        ("pytest || { if [ -f log ]; then exit 1; fi; }", []),
        ("bash <<'E'\nset -e\nruff check\npytest\nE", ["ruff", "pytest"]),
    ],
)
def test_the_status_speaks_only_for_what_it_depends_on(command: str, told: list[str]) -> None:
    found = [name for name in speaking(command) if name not in ("set",)]
    assert [name for name in found if name != "echo" or "echo" in told] == told


def test_what_a_program_is_piped_into_is_known() -> None:
    assert the("pytest -q 2>&1 | grep -E 'a|b' | head -3", "pytest").then == (("grep", "-E", "a|b"), ("head", "-3"))


def test_what_a_loop_is_piped_into_is_known_of_what_runs_in_it() -> None:
    assert the("for f in a b; do pytest $f; done | tail -3", "pytest").then == (("tail", "-3"),)
    assert the("if true; then pytest; fi 2>&1 | grep x", "pytest").then == (("grep", "x"),)


def test_a_loop_or_a_group_that_reads_a_pipe_is_known_by_its_first_command() -> None:
    assert the("pytest | while read -r line; do echo $line; done", "pytest").then == (("read", "-r", "line"),)
    assert the("pytest | { grep -v x || true; }", "pytest").then == (("grep", "-v", "x"),)


def test_what_is_nested_too_deep_is_still_found() -> None:
    assert programs("if true; then " * 20 + "pytest; " + "fi; " * 20)[-1] == "pytest"


def test_functions_that_call_each_other_end() -> None:
    calls = "".join(f"f{n}() {{ {f'f{n + 1}; ' * 50}}}; " for n in range(12))
    assert 0 < len(runs(f"{calls} f0")) <= 10_000


def test_a_long_here_document_hides_no_command_behind_it() -> None:
    assert programs("cat > a.py <<'E'\n" + "x = 1\n" * 20_000 + "E\npytest") == ["cat", "pytest"]


def test_output_sent_to_a_file_is_muted() -> None:
    assert the("pytest > out.txt 2>&1", "pytest").muted
    assert the("pytest &> out.txt", "pytest").muted
    assert not the("pytest 2>&1", "pytest").muted
    assert not the("pytest 2> errors", "pytest").muted
    assert the("pytest >& out.txt", "pytest").muted
    assert not the("pytest >&2", "pytest").muted
    assert not the("pytest > >(tee out.txt)", "pytest").muted
    assert the("for f in a b; do pytest $f; done > out.txt", "pytest").muted


def test_echoes_behind_the_operators_are_known() -> None:
    run = the('tsc && echo "all good" || echo -n bad', "tsc")
    assert (run.on_success, run.on_failure) == (("all good",), ("bad",))


def test_echoes_in_brackets_belong_to_what_is_in_the_brackets() -> None:
    run = the("cd web && (tsc && echo good || echo bad)", "tsc")
    assert (run.on_success, run.on_failure) == (("good",), ("bad",))


def test_wrappers_leave_the_program() -> None:
    assert unwrapped(("FOO=1", "time", "-f", "%e", "nohup", "make", "-j")) == ("make", "-j")


@given(st.text(alphabet="ab '\"`$(){}|&;<>\\\n#=-!", max_size=200))
@example("((")
@example("a <<EOF")
@example("${")
@example("$(" * 50)
@example("(" * 300)
@example("a()" * 400)
@example('"${' * 400)
@example("x=(" * 400)
@example("function f " * 400)
@example("[[ a =~ (")
@example("$'\\U00110000\\ud800")
@example("bash -c 'bash -c \"bash -c x\"'")
def test_any_string_is_read(command: str) -> None:
    parse(command)
    runs(command)


@pytest.mark.parametrize(
    "piece",
    [
        "$(",
        "(",
        "`",
        "a <<E\n",
        "'",
        '"',
        "a | ",
        "bash -c '",
        "&& ",
        "{ ",
        "\\",
        "<<A <<B\n",
        "((",
        "${",
        "a=(",
        "f() {",
        "[[ ",
    ],
)
def test_long_lines_take_little_time(piece: str) -> None:
    runs(piece * 20_000)
