"""What a command line that ran a check proves: passed, failed, or nothing.

Rule: pure; the verdict comes from what the tool returned, never from what anybody says about it. Where neither the
exit status nor the output speaks for the check, the outcome is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum

from msgspec import Struct

from ccc.base.patterns import Lazy, any_case
from ccc.evidence import hints
from ccc.evidence.checks_known import Kind, is_by_name, is_silent, kind_of
from ccc.evidence.hints import Text
from ccc.evidence.shell_status import Run, name_of, runs
from ccc.evidence.surroundings import wants
from ccc.evidence.targets import Target, targets

LINE_LIMIT = 500
HOOK = "hook"  # the tool of a check that a commit or a push ran


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    UNKNOWN = "unknown"


class Checked(Struct, frozen=True):
    """A command line that ran a check. `line` is what shows the failure, `failing` are the names of what failed.

    `baseline`: it looked at stashed, that is at older code. `environment`: it failed for want of something that no edit
    can give. `count` is how much failed, where the output says so; `targets` is what was looked at.
    """

    kind: Kind
    outcome: Outcome
    line: str = ""
    failing: frozenset[str] = frozenset()
    baseline: bool = False
    environment: bool = False
    count: int | None = None
    targets: tuple[Target, ...] = ()
    tested: bool = False  # it is no test by its name, but its output counts tests that passed
    # Why an outcome is unknown, where that shows that nothing was proved: it found nothing to run, it was cut off by a
    # limit of time, or nobody waited for its end.
    empty: bool = False
    unfinished: bool = False

    @property
    def passed(self) -> bool:
        return self.outcome is Outcome.PASSED

    @property
    def proves_nothing(self) -> bool:
        return self.outcome is Outcome.UNKNOWN and (self.empty or self.unfinished)


class Returned(Struct, frozen=True):
    """What a command line came back with. `ended` is false when its end was not seen."""

    succeeded: bool
    output: str
    exit_code: int | None = None
    cut: bool = False
    ended: bool = True


def checked(command: str, returned: Returned) -> Checked | None:
    """What the command line proves, if it ran a check at all."""
    return checked_by(runs(command), returned)


def checked_by(ran: Sequence[Run], returned: Returned) -> Checked | None:
    """The same of what the line ran."""
    checks = [(run, kind) for run in ran if (kind := kind_of(run.words))]
    if not checks:
        return _checked_by_hook(ran, returned)
    kind = next((kind for _, kind in checks if kind is Kind.TEST), checks[0][1])
    text = _without_echoes(_ANSI.sub("", returned.output).replace("\r", "\n"), ran)
    lines = _lines(text)
    outcome = _outcome(_Case([run for run, _ in checks], ran, returned, lines, kind))
    if outcome is None:
        return None
    baseline = _is_baseline(ran, checks[0][0])
    # What ran behind it on the line may have passed: a failure that is shown is the older code's.
    if baseline and len(checks) > 1 and (lines.failing or lines.weak):
        outcome = Outcome.FAILED
    failed, unknown = outcome is Outcome.FAILED, outcome is Outcome.UNKNOWN
    return Checked(
        kind=kind,
        outcome=outcome,
        line=(lines.failing or lines.weak or lines.last) if failed else "",
        failing=_failing_names(lines) if failed else frozenset(),
        baseline=baseline,
        environment=failed and wants(text),
        count=lines.count if failed else 0 if outcome is Outcome.PASSED else None,
        targets=targets(ran),
        tested=outcome is Outcome.PASSED and kind is not Kind.TEST and lines.shows(_SOMETHING_RAN),
        empty=unknown and lines.ran_nothing,
        unfinished=unknown and (not returned.ended or returned.exit_code in _CUT_OFF or lines.shows(_TIMED_OUT)),
    )


_CUT_OFF = (124, 137, 143)


def _checked_by_hook(ran: Sequence[Run], returned: Returned) -> Checked | None:
    """A commit or a push is a check where its hook ran one and wrote so."""
    if not any(_calls_hooks(run) for run in ran) or not hook_ran(returned.output):
        return None
    lines = _lines(_ANSI.sub("", returned.output).replace("\r", "\n"))
    if not returned.succeeded:
        refused = lines.failing or lines.weak or lines.shows(_REFUSED_BY_HOOK)
        outcome = Outcome.FAILED if refused and not lines.shows(_NOT_OF_HOOK) else Outcome.UNKNOWN
    else:
        outcome = Outcome.UNKNOWN if lines.ends_in_failure else Outcome.PASSED
    line = (lines.failing or lines.weak or lines.last) if outcome is Outcome.FAILED else ""
    return Checked(Kind.LINT, outcome, line, targets=(Target(Kind.LINT, HOOK),))


_REFUSED_BY_HOOK = any_case(
    r"\bhook\b.*\b(?:failed|exited|declined|error)|\bfail(?:ed|ing|ures?)?\b|\berrors?\b|[✗✘✖❌]"
)
_NOT_OF_HOOK = any_case(
    r"nothing to commit|no changes added|rejected\]|non-fast-forward|could not read from remote|permission denied"
    r"|did not match any"
)


def _calls_hooks(run: Run) -> bool:
    rest = [word for word in run.words[1:] if not word.startswith("-")]
    return run.program == "git" and rest[:1] in (["commit"], ["push"]) and "--no-verify" not in run.words


def hook_ran(output: str) -> bool:
    """Whether the output of a commit or a push shows that a hook checked something."""
    text = _ANSI.sub("", output[:LENGTH_LIMIT])
    left = [line for line in text.split("\n") if line.strip() and not _OF_GIT.match(line)]
    return any(_HOOK_WORDS.search(line) for line in left)


LENGTH_LIMIT = 20_000
# What git itself writes; the subject of the commit stands in its first line.
_OF_GIT = any_case(
    r"\s*\[[^\]]+ [0-9a-f]{6,}\]|\s*\d+ files? changed|\s*(?:create|delete|rename|rewrite) |remote:|To \S+"
    r"|\s*[0-9a-f]+\.\.\.?[0-9a-f]+ "
    r"|\s*[*+!]|(?:Enumerating|Counting|Compressing|Writing|Delta|Total|Everything|branch|On branch|Your branch"
    r"|Exit code)\b|nothing to commit"
    r"|\s*(?:modified|new file|deleted|renamed):|\s*\(use |warning:|hint:"
)
_HOOK_WORDS = any_case(
    r"\b(?:pass(?:ed|ing|es)?|failed|lint\w*|eslint|prettier|tests?|specs?|tsc|typecheck|type-check|mypy|ruff"
    r"|clippy|rubocop|vet"
    r"|husky|lefthook|pre-?commit|pre-?push|examples?|ok|build|compil\w+|errors?)\b|[✓✔✗✘✅❌]|检查|测试|通过"
)


def shown(output: str, *, weakly: bool = True) -> Outcome:
    """What a piece of output shows by itself, without the command that made it; `weakly`: by its weak signs too."""
    lines = _lines(_ANSI.sub("", output))
    if lines.ends_in_failure:
        return Outcome.FAILED
    if lines.passed:
        return Outcome.PASSED
    return Outcome.FAILED if weakly and lines.weak else Outcome.UNKNOWN


def ran_nothing(output: str) -> bool:
    """Whether it is the output of a runner that found nothing to run."""
    return _lines(_ANSI.sub("", output)).ran_nothing


def stashes(command: str) -> int:
    """+1 when the command line puts the changes aside, -1 when it brings them back, 0 otherwise."""
    return stashed_by(runs(command)) if "git" in command else 0


def stashed_by(ran: Sequence[Run]) -> int:
    return sum(map(_stash_step, ran))


class _Case(Struct, frozen=True):
    checks: Sequence[Run]
    all: Sequence[Run]
    returned: Returned
    lines: _Lines
    kind: Kind


def _outcome(case: _Case) -> Outcome | None:
    """None when the check itself never ran."""
    if not case.returned.ended:
        return Outcome.UNKNOWN
    return _after_success(case) if case.returned.succeeded else _after_failure(case)


def _after_failure(case: _Case) -> Outcome | None:
    lines = case.lines
    if lines.failing:
        return Outcome.FAILED
    if _never_ran(case):
        return None
    if case.returned.exit_code in _CUT_OFF and lines.passed and not lines.ran_nothing:
        return Outcome.PASSED  # what watches for changes tells how a run went, and is ended then
    if case.returned.exit_code in _CUT_OFF or lines.shows(_TIMED_OUT) or lines.ran_nothing:
        return Outcome.UNKNOWN
    speaking = [run for run in case.all if run.tells and run.program not in _TRIVIAL]
    if not any(run in case.checks for run in speaking):
        return Outcome.PASSED if lines.passed else _by_weak_signs(case)
    # `build && ./prog`: with several to blame, the last one is the one that was reached and failed.
    if speaking[-1] in case.checks:
        # A program is no test for having the word in its name: then its output must look like one.
        unsure = is_by_name(speaking[-1].words) and not lines.shows(_ASSERTED)
        return Outcome.UNKNOWN if unsure else Outcome.FAILED
    return Outcome.PASSED if lines.passed or (case.kind is Kind.BUILD and not lines.weak) else Outcome.UNKNOWN


def _after_success(case: _Case) -> Outcome:
    lines = case.lines
    if all(run.tells for run in case.checks):
        if lines.ends_in_failure:
            return Outcome.FAILED
        return Outcome.UNKNOWN if lines.ran_nothing else Outcome.PASSED
    told = _told_by_echo(case) or _told_by_code(case)
    if told:
        return told
    if lines.failing:
        return Outcome.FAILED
    if lines.passed and not lines.ran_nothing:
        return Outcome.PASSED
    return _by_weak_signs(case)


def _by_weak_signs(case: _Case) -> Outcome:
    if case.lines.weak:
        return Outcome.UNKNOWN if all(is_by_name(run.words) for run in case.checks) else Outcome.FAILED
    if not case.returned.succeeded or case.returned.cut or case.lines.ran_nothing:
        return Outcome.UNKNOWN
    shown = [line for line in case.lines.all if line.strip() and line.strip() != _NO_OUTPUT]
    verdicts = {_of_what_is_shown(run, shown) for run in case.checks}
    return Outcome.PASSED if verdicts == {Outcome.PASSED} else Outcome.UNKNOWN


def _never_ran(case: _Case) -> bool:
    """The program was not there: that is no failed check."""
    if case.returned.exit_code in (126, 127) or case.lines.shows(_NEVER_RAN):
        return True
    wanted = {name_of(word) for run in case.checks for word in run.words[:3]}
    missing = (found for line in case.lines.all for found in _MISSING.finditer(line))
    return any((found[1] or found[2]) in wanted for found in missing)


def _of_what_is_shown(run: Run, lines: Sequence[str]) -> Outcome:
    """No sign of failure is a pass only where a failure would have been shown."""
    if run.muted:
        return Outcome.UNKNOWN
    for words in run.then:
        match words[0].rsplit("/", 1)[-1]:
            case "grep" | "egrep" | "rg":
                looks_for_errors = not _INVERTED.search(" ".join(words[1:])) and _ERROR_WORDS.search(
                    " ".join(words[1:])
                )
                return Outcome.PASSED if looks_for_errors and not lines else Outcome.UNKNOWN
            case "head":
                count = next((int(n[1]) for w in words[1:] if (n := re.fullmatch(r"-?n?(\d{1,6})", w))), 10)
                if len(lines) >= count:
                    return Outcome.UNKNOWN
            case "tail" | "cat" | "tee" | "sort" | "uniq" | "nl" | "less" | "more":
                pass
            case _:
                return Outcome.UNKNOWN
    if kind_of(run.words) is Kind.TEST:
        return Outcome.UNKNOWN  # a runner of tests says how it went; one that does not was cut short
    return Outcome.PASSED if lines or is_silent(run.words) else Outcome.UNKNOWN


_ASSERTED = any_case(r"\bassert|\bexpected\b|\bmismatch|[✗✘✖❌]|\bfail(?:ed|ure|ures|ing)?\b")
_NO_OUTPUT = "(Bash completed with no output)"
_INVERTED = Lazy(r"(?:^|\s)-\w*v")
_ERROR_WORDS = any_case(r"err|fail|✗|✘|panic|exception|TS\d")
_TRIVIAL = frozenset(
    {"cd", "echo", "export", "source", ".", "set", "true", ":", "mkdir", "pwd", "unset", "printf", "sleep"}
)
_TRIVIAL |= frozenset({"exit", "return", "pushd", "popd", "ulimit", "shopt", "trap", "date", "false", "clear"})


# --- what the line says of itself --------------------------------------------------------------------------------


def _told_by_echo(case: _Case) -> Outcome | None:
    """`check && echo OK || echo NO`: what was printed shows which way it went."""
    lines = {line.strip() for line in case.returned.output.split("\n")}
    for run in case.checks:
        if run.then:
            continue
        good, bad = ({text.strip() for text in texts if text.strip()} for texts in (run.on_success, run.on_failure))
        if bad & lines and not good & lines:
            return Outcome.FAILED
        if good and bad and good & lines and not bad & lines:
            return Outcome.PASSED
    return None


def _told_by_code(case: _Case) -> Outcome | None:
    """`check; echo "exit: $?"`: the code, where it is the check's own."""
    for number, run in enumerate(case.all[:-1]):
        after = case.all[number + 1 + len(run.then)] if number + 1 + len(run.then) < len(case.all) else None
        if run not in case.checks or after is None or after.program not in ("echo", "printf"):
            continue
        template = " ".join(after.words[1:])
        variable = "${PIPESTATUS[0]}" if run.then else "$?"
        if variable not in template:
            continue
        pattern = r"\s*".join(re.escape(part) for part in template.replace(variable, " \0 ").split())
        found = re.search(pattern.replace(re.escape("\0"), r"(\d{1,3})"), case.returned.output)
        if found and found.groups():
            return Outcome.PASSED if int(found[1]) == 0 else Outcome.FAILED
    return None


def _without_echoes(text: str, ran: Iterable[Run]) -> str:
    """The output without the lines that the command line itself wrote: anybody can echo "5 passed"."""
    echoed = {" ".join(run.words[1:]).strip() for run in ran if run.program in ("echo", "printf")} - {""}
    if not echoed:
        return text
    plain = {re.sub(r"^-[neE]+ ", "", words) for words in echoed}
    pieces = {piece.strip() for words in plain for piece in re.split(r"\\n|\n", words) if piece.strip()}
    return "\n".join(line for line in text.split("\n") if line.strip() not in pieces)


# --- what the output says ----------------------------------------------------------------------------------------

_ANSI = Lazy(r"\x1b\[[0-?]*[ -/]*[@-~]")
# mise and its like put the task before each line; [error] and [success] are words of the tools themselves.
_PREFIX = Lazy(r"^\[(?!error\b|success\b|info\b|warn\b)[a-z][a-z0-9:_-]*\] (?=\S)")
_N = r"(?<![\d.,])[1-9]\d{0,8}"

# A line that a tool writes only when it failed. "0 failed" is none, "12 passed, 1 failed" is one.
_FAILED = Lazy(
    # pytest, unittest
    rf"=*\s*(?:\d+ \w+, )*{_N} (?:failed|errors?)\b(?:, \d+ \w+)* in [\d.:]+",
    r"(?:FAILED|ERROR) \S+::.*",
    r"ERROR \S*test\S*\.py(?: - .*)?$",
    r"!+ .*(?:Interrupted|errors? during collection).*!+$",
    r"FAILED \((?:failures|errors|expected failures|unexpected successes)=.*",
    r"INTERNALERROR>.*",
    # go
    r"\s*--- FAIL: .*",
    r"FAIL(?:$|\s+\S+\s+(?:[\d.]+s|\[build failed\]|\[setup failed\]).*)",
    r"\S+\.go:\d+:\d+: .*",
    # rust
    r"test result: FAILED.*",
    r"error\[E\d+\]: .*",
    r"error: (?:could not compile|test failed|aborting|doctest failed).*",
    r"test .* \.\.\. FAILED$",
    rf"\s*Summary .*{_N} (?:failed|timed out).*",
    # javascript
    rf"\s*(?:Tests|Test Suites|Test Files):?\s.*{_N} failed.*",
    rf"\s*{_N} failing\b.*",
    r"\s*FAIL\s+\S*\.(?:[cm]?[jt]sx?|vue|svelte)\b.*",
    r"[#\u2139] fail [1-9]\d*",
    r"not ok \d+(?!.*# (?:TODO|SKIP)).*",
    rf"\s*{_N} fail$",
    rf"\s*{_N} (?:failed|errors?)$",
    rf"FAILED \| .*{_N} failed.*",
    r"✖ \d+ problems? \([1-9]\d* errors?.*",
    r"npm (?:ERR!|error) (?:code ELIFECYCLE|Test failed|Lifecycle script|command failed).*",
    r"error Command failed with exit code \d+.*",
    r"\s*(?:error during build|Failed to compile|Build failed).*",
    r"(?:FAILURES|ERRORS)!$",
    rf"Tests: \d+, Assertions: \d+, .*(?:Errors|Failures): {_N}.*",
    r"(?:PHP )?(?:Parse|Fatal) error: .*",
    r"\s*\[ERROR\] Found \d+ errors?.*",
    r"== Compilation error in file .*",
    r"FAILURE: Build failed.*",
    r"\[ERROR\] (?:Failed to execute goal|COMPILATION ERROR|\S+:\[\d+,\d+\]|There are test failures).*",
    r"Failed!\s+- Failed:.*",
    r"\s*Test Run Failed\.",
    r"\s*[1-9]\d* Error\(s\)",
    r"Build FAILED\.",
    # c, c++, java, swift
    r"\S+:\d+:(?:\d+:)? (?:fatal )?error: .*",
    r"collect2: error: .*",
    r"\S+\.java:\d+: error: .*",
    r"\*\* (?:BUILD|TEST|ARCHIVE) FAILED \*\*",
    r"make(?:\[\d+\])?: \*\*\* (?!No rule to make target (?!.*needed by)).*",
    r"ninja: build stopped.*",
    r"ERROR: failed to (?:solve|build).*",
    # linters and type checkers
    rf"Found {_N} errors?\b(?!.*\b0 remaining).*",
    rf"{_N} errors?, \d+ warnings?.*",
    r"\S+\.pyi?:\d+:\d+: [A-Z]{1,4}\d{2,4}\b.*",
    r"\S+\.pyi?:\d+: error: .*",
    rf"{_N} issues?(?: found)?[.:].*",
    r"In \S+ line \d+:$",
    r"Some tests failed\.",
    r"Session \S+ failed.*",
    r"\s*\S+: FAIL (?:code|✖).*",
    r"\s*evaluation failed :\(.*",
    # scripts of a project's own that count for themselves
    r"\W*FAIL(?:ED)?\b[:\s]*\([1-9]\d* \w+.*\).*",
)
# The same, wherever it stands in a line.
_FAILED_WITHIN = Lazy(
    r"\berror TS\d+: ",
    r"\bELIFECYCLE\b",
    rf"\bcompiled with {_N} errors?\b",
    rf"\b\d+ (?:examples?|tests?|runs|specs?|scenarios?)\b.*?\b{_N} (?:failures?|errors?|failed)\b",
    rf"\bfiles? inspected, {_N} offenses?",
    r"\bBUILD (?:FAILURE|FAILED)\b",
    rf"\bTests run: \d+, (?:Failures: {_N}|Failures: \d+, Errors: {_N})",
    r": error (?:CS|FS|BC|MSB|NU|AD)\d+: ",
    r"\bTests: succeeded \d+, failed [1-9]",
    r"\bundefined reference to ",
    rf"\b{_N} tests? failed out of \d+",
    rf"\bExecuted \d+ tests?, with {_N} failures?",
    r"\.{3,}Failed$",
    r"\bPASS(?:ED)?[ \t]*[=:][ \t]*\d+.*\bFAIL(?:ED)?[ \t]*[=:][ \t]*[1-9]",
)
# Nearly no line of a long output has any of these, and the patterns above are many.
_FAILURE_WORDS = (
    *("fail", "error", "not ok", "problem", "offense", "undefined", "***", "issue", "interrupted", "stopped"),
    *("elifecycle", "npm err", "timed out", " line ", ".go:", ".py:", ".pyi:"),
)
_COUNTED_WORDS = tuple(f"{word}{mark}" for word in ("fail", "failed") for mark in "=: \t")
_FAILURE_WORDS_WITHIN = (
    *(
        "error ts",
        " error",
        " failure",
        " failed",
        "...failed",
        "build fail",
        "elifecycle",
        "compiled with",
        "inspected",
    ),
    *("tests run:", "succeeded", "undefined reference", "executed", *_COUNTED_WORDS),
)

# A line that a tool writes only when it passed.
_PASSED = Lazy(
    r"=*\s*\d+ passed(?:, (?:\d+ (?:skipped|warnings?|deselected|xfailed|xpassed|subtests passed)|0 (?:failed"
    r"|errors?)))* in [\d.:]+",
    r"OK(?: \(.*\))?$",
    r"OK, but ",
    r"ok\s+\S+",
    r"PASS$",
    r"test result: ok\.",
    r"\s*Finished (?:`|dev|release|test|bench)",
    r"\s*(?:Tests|Test Files):?\s+(?:\d+ (?:skipped|todo),? \|? ?)*\d+ passed",
    r"\s*\d+ passing\b",
    r"\s*\d+ passed(?: \(|$)",
    r"[#\u2139] fail 0$",
    r"\s*0 fail$",
    r"ok \| \d+ passed",
    r"Passed!\s+- Failed:\s+0",
    r"Build succeeded\.",
    r"\s*Test Run Successful\.",
    r"\*\* (?:BUILD|TEST) SUCCEEDED \*\*",
    r"Build complete!",
    r"All checks passed!",
    r"Success: no issues found",
    r"0 errors, ",
    r"(?:✔ )?No issues found!?",
    r"0 issues\.",
    r"No syntax errors detected",
    r"No errors found",
    r"All tests passed!",
    r"\s*✓ Compiled successfully",
    r"\[success\] ",
    r"Success! The configuration is valid",
    r"Successfully (?:built|tagged) ",
)
# The same, wherever it stands in a line.
_PASSED_WITHIN = Lazy(
    r"\b[1-9]\d* (?:examples?|tests?|runs|specs?|scenarios?)\b.*?\b0 (?:failures|failed)\b",
    r"\bBUILD SUCCESS(?:FUL)?\b",
    r"100% tests passed",
    r"\bExecuted [1-9]\d* tests?, with 0 failures",
    r"\bno offenses detected",
    r"\[OK\] No errors",
    r"✓ built in ",
    r"[Cc]ompiled successfully",
    r"\bFound 0 (?:errors|issues)",
    r"congratulations :\)",
    r"Your code has been rated at 10\.00/10",
    r"\bPASS(?:ED)?[ \t]*[=:][ \t]*[1-9]\d*.*\bFAIL(?:ED)?[ \t]*[=:][ \t]*0\b",
)
_PASS_WORDS = (
    *("pass", "ok", "success", "succeeded", "finished", "complete", "built", "congratulations", "rated"),
    *("fail", "error", "issue"),  # none of them
)
_PASS_WORDS_WITHIN = (
    *("0 fail", "build success", "100% tests", "executed", "no offenses", "[ok] no", "built in", "compiled success"),
    *("found 0", "congratulations", "rated at", *_COUNTED_WORDS),
)

# Signs that count only where nothing better speaks.
_WEAK = Lazy(
    r"Traceback \(most recent call last\):"
    r"|\w*(?:Error|Exception)(?: \[\w+\])?: "
    r"|(?:ERROR|FATAL|FAILURE|FAIL|FAILED)S?\b(?!\s*[=:]?\s*0\b)"
    r"|(?:error|fatal|panic): |\[error\] "
    r"|\s*[✗✘❌×✖] "
    r"|\s+\d+:\d+\s+error\s"
    r"|Segmentation fault|Exception in thread |(?:Killed|Terminated|Aborted(?: \(core dumped\))?)$"
    r"|.*\bpanicked at "
    r"|.*\b[Ff]ail(?:ed|ures|ing)?\s*[:=]\s*[1-9]"
    rf"|.*{_N} (?:tests? )?(?:failed|failures?|failing)\b"
)
_NEVER_RAN = Lazy(
    r"\bNo module named '?(?:pytest|mypy|ruff|flake8|pylint|tox|nox|pyright|unittest2)\b|\bMissing script:"
    r"|No rule to make target (?!.*needed by)|error: no such (?:sub)?command|Command \"\S+\" not found"
    r"|is not recognized as an internal or external command|couldn't find a script named|ERR_PNPM_NO_SCRIPT"
    r"|\bcd: .*No such file or directory|can't cd to|could not determine executable to run"
    # what wraps a task and does not know this one
    r"|\b(?:[Uu]nknown|[Uu]nrecogni[sz]ed|[Ii]nvalid|[Nn]o such) (?:sub-?)?(?:command|task|recipe|target|script"
    r"|choice)\b"
    r"|[Cc]ommand [\"'`]?\S+?[\"'`]? (?:is not defined|(?:was )?not found|does not exist)"
    r"|Don't know how to build task"
    r"|Justfile does not contain recipe|[Tt]ask [\"'`]?\S+?[\"'`]? (?:not found|is not defined|does not exist)"
    r"|[Ss]cript not found|Failed to spawn: |[Cc]ould not find task|Cannot find configuration for task"
    r"|specified command or file was not found|is not a \S+ command\b|[Cc]ommand not found: ",
)
_MISSING = Lazy(r"([\w.@+-]+): (?:command )?not found\b|command not found: ([\w.@+-]+)")
_TIMED_OUT = Lazy(r"^Command timed out after |^Command killed: ")
_TESTS = r"(?:tests?|examples?|specs?|scenarios?|test cases?|assertions?|runs)"
_NOTHING_RAN = any_case(
    rf"\bno {_TESTS} (?:ran|run|executed|collected|matched|to run)\b|\bno {_TESTS} (?:files? )?(?:were |was )?found"
    r"|\[no test files\]|\bno tests$|^1\.\.0\b|^[#\u2139] (?:tests|pass) 0$|\b(?:\d+ deselected|0 selected)\b"
    rf"|\b(?:ran|run|running|collected|executed|found|discovered):? +0(?: (?:{_TESTS}|items)|,|$)"
    rf"|(?<![\d.,])0 (?:{_TESTS} )?(?:passed|passing|pass|total|succeeded)\b"
    rf"|(?<![\d.,])0 {_TESTS}(?:[,.]| ran| executed| collected| found)"
    r"|^\W*(?:passed|total|tests)(?: tests?)?: +0(?:,|$)|^=*\s*\d+ skipped in "
    r"|\bno (?:input |matching |source |python |test )?files? (?:were |was )?(?:processed|found|matched|matching"
    r"|to check"
    r"|to lint|to process|given|specified|provided)\b|\bno inputs? (?:were |was )?found|\bnothing to (?:do|lint"
    r"|check)\b"
    r"|\b0 (?:files|source files) (?:processed|checked|inspected|linted|scanned)\b"
)
_ALL_SKIPPED = any_case(
    r"^\s*Tests?:?\s+\d+ (?:skipped|todo|pending)(?:, \d+ total|\s*\(\d+\))?\s*$"
    r"|(?P<all>\d+) (?:examples?|tests?), 0 failures, (?P=all) (?:pending|skipped|excluded)"
    r"|Tests run: (?P<run>\d+), Failures: 0, Errors: 0, Skipped: (?P=run)\b"
)
_NOTHING_WORDS = ("no ", " 0", "0 ", "..0", "skipped", "deselected", "pending", "todo", "nothing")
_SOMETHING_RAN = any_case(
    rf"(?<![\d.,])[1-9]\d* (?:{_TESTS} )?(?:passed|passing|pass|succeeded|{_TESTS})\b"
    r"|\b(?:passed|tests run|succeeded|total): +[1-9]|^ok\s+\S+\s+(?:[\d.]+s|\(cached\))(?!.*\[no tests to run\])"
    r"|\b100% tests passed|^[#\u2139] pass [1-9]|^ok [1-9]"
)
_NAMES = (
    Lazy(r"^(?:FAILED|ERROR) (\S+(?:::\S+|\.py\b))"),
    Lazy(r"^\s*--- FAIL: (\S+)"),
    Lazy(r"^test (\S+) \.\.\. FAILED$"),
    Lazy(r"^\s*● (.+)$"),
    Lazy(r"^(?:FAIL|ERROR): (\S+ \(\S+\))"),
    Lazy(r"^\s*\d+\) (\S.*)$"),
    Lazy(r"^rspec (\S+)"),
    Lazy(r"^\s*FAIL\s+(\S+\.[cm]?[jt]sx?.*)$"),
    Lazy(r"^(\S+?)[(:]\d+[,:]\d+\)?: error (TS\d+)"),
    Lazy(r"^(\S+):\d+:(?:\d+:)? error: (.*)$"),
    Lazy(r"^(\S+\.go):\d+:\d+: (.*)$"),
)
_NAME_WORDS = (*_FAILURE_WORDS, "●", ") ", "rspec ")


_COUNTS = (
    Lazy(rf"({_N}) (?:failed|failures?|failing|errors?|fail|tests? failed|problems?|offenses?|issues?)\b"),
    Lazy(rf"(?:[Ff]ail(?:ed|ures)?|FAIL(?:ED)?|failures|errors|Errors)\s*[=:]\s*({_N})|FAIL(?:ED)? \(({_N})"),
)


class _Lines(Struct, frozen=True):
    """The lines of an output, each no longer than a summary can be."""

    text: Text
    failed: tuple[tuple[int, str], ...]
    passed: tuple[int, ...]

    @property
    def all(self) -> tuple[str, ...]:
        return self.text.lines

    @property
    def failing(self) -> str:
        """The line that shows the failure best: one that names something before one that only counts."""
        named = (line for _, line in self.failed if any(name.match(line) for name in _NAMES))
        return next(named, self.failed[0][1] if self.failed else "").strip()

    @property
    def count(self) -> int | None:
        """How many failed, by the last summary that says so; a list that is cut off still ends with one."""
        told = (found for _, line in reversed(self.failed) for pattern in _COUNTS if (found := pattern.search(line)))
        found = next(told, None)
        return int(next(group for group in found.groups() if group)) if found else None

    @property
    def weak(self) -> str:
        return next((line.strip() for line in self.all if _WEAK.match(line)), "")

    @property
    def last(self) -> str:
        return next((line.strip() for line in reversed(self.all) if line.strip()), "")

    @property
    def ends_in_failure(self) -> bool:
        """Of all the summaries the last one counts: tests of a test runner print failing ones on the way."""
        return bool(self.failed) and (not self.passed or self.failed[-1][0] > self.passed[-1])

    @property
    def ran_nothing(self) -> bool:
        """Runners go through many places and find nothing in some: what ran in another counts."""
        may_be = [self.all[n] for n in self.text.holding(_NOTHING_WORDS)]
        skipped = {line for line in may_be if _ALL_SKIPPED.search(line)}
        if not skipped and not any(_NOTHING_RAN.search(line) for line in may_be):
            return False
        return not any(_SOMETHING_RAN.search(line) for line in self.all if line not in skipped)

    def shows(self, pattern: Lazy) -> bool:
        return any(pattern.search(line) for line in self.all)


def _lines(output: str) -> _Lines:
    cut = (line[:LINE_LIMIT] for line in output.split("\n"))
    text = hints.text([_PREFIX.sub("", line) if line.startswith("[") else line for line in cut])
    failed = _shown(text, (_FAILURE_WORDS, _FAILED.match), (_FAILURE_WORDS_WITHIN, _FAILED_WITHIN.search))
    passed = _shown(text, (_PASS_WORDS, _PASSED.match), (_PASS_WORDS_WITHIN, _PASSED_WITHIN.search))
    return _Lines(text, tuple((n, text.lines[n]) for n in failed), tuple(passed))


def _shown(text: Text, *tables: tuple[tuple[str, ...], Callable[[str], object]]) -> list[int]:
    """The numbers of the lines that one of the tables knows; first it is looked for words that all its lines have."""
    return sorted({n for words, knows in tables for n in text.holding(words) if knows(text.lines[n])})


def _failing_names(lines: _Lines) -> frozenset[str]:
    named = lines.text.holding(_NAME_WORDS)
    matches = (pattern.match(lines.all[n]) for n in named for pattern in _NAMES)
    found = (" ".join(match.groups()).strip() for match in matches if match)
    return frozenset(re.sub(r"\s*[(\[]?[\d.]+ ?m?s[)\]]?$", "", name)[:200] for name in found)


# --- older code --------------------------------------------------------------------------------------------------


def _stash_step(run: Run) -> int:
    match run.words:
        case ("git", "stash", "pop" | "apply", *_) | ("git", "checkout" | "switch", "-"):
            return -1
        case ("git", "checkout" | "switch", revision) if _OLDER.match(revision):
            return 1
        case ("git", "switch", "--detach" | "-d", _) | ("git", "checkout", "--detach", _):
            return 1
        case ("git", "stash") | ("git", "stash", "push" | "save" | "-u" | "-q" | "--include-untracked" | "-k", *_):
            return 1
    return 0


# Where the work is not: the trunk, or a revision before this one.
_OLDER = Lazy(r"(?:origin/)?(?:main|master|develop|trunk)$|HEAD[~^@]|[0-9a-f]{7,40}$")


def _is_baseline(ran: Sequence[Run], check: Run) -> bool:
    return sum(_stash_step(run) for run in ran[: ran.index(check)]) > 0
