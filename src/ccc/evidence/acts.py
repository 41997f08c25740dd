"""What the agent did, call by call: edits, commands, what each can show, and what was refused.

Rule: pure; from tool calls and their results alone, main thread only. `at` counts tool calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ccc.base.patterns import pattern
from ccc.base.text import one_line
from ccc.claude.conversation import Call, Fate
from ccc.evidence import changes, files, outcomes, trying
from ccc.evidence.changes import Change, Pair
from ccc.evidence.outcomes import Checked, Returned
from ccc.evidence.shell_status import Run, runs
from ccc.evidence.targets import Target
from ccc.evidence.trying import Shows


class Edit(Struct, frozen=True):
    """An edit that went through; `undone` when it was changed back, or the file is gone."""

    at: int
    path: str
    code: bool
    change: Change = Change.CODE
    undone: bool = False

    @property
    def prose(self) -> bool:
        """Whether only comments or blank lines changed."""
        return self.change in (Change.NONE, Change.PROSE)

    @property
    def can_break(self) -> bool:
        """Whether it is code that a test, a build or a run could find wanting."""
        return self.code and self.change is Change.CODE and not self.undone and files.is_runnable(self.path)

    @property
    def can_fail(self) -> bool:
        """Whether it is other code that shows its faults only where it is run: SQL, a notebook, a Dockerfile."""
        return self.code and self.change is Change.CODE and not self.undone and files.is_executed(self.path)


class Command(Struct, frozen=True):
    """A shell command that ran; `check` when it ran one."""

    at: int
    command: str
    fate: Fate
    check: Checked | None = None


class Try(Struct, frozen=True):
    """A call that is neither an edit nor a look at a file: what it was, and what it can show of the code."""

    at: int
    what: str
    shows: Shows
    ran: bool = True
    wrong: str = ""  # the line by which it shows that it did not work
    targets: tuple[Target, ...] = ()  # what a check looked at
    failed: bool = False  # by its status
    last_line: str = ""  # of what it printed, where it did not work
    rehearsed: bool = False  # it only told what it would do

    def may_show(self, path: str) -> bool:
        """Whether this file is within what it looked at."""
        return not self.targets or any(target.may_reach(path) for target in self.targets)


class Denial(Struct, frozen=True):
    at: int
    tool: str
    what: str


class Acts(Struct, frozen=True):
    edits: tuple[Edit, ...]
    commands: tuple[Command, ...]
    tries: tuple[Try, ...]
    denials: tuple[Denial, ...]
    missed: tuple[str, ...]  # files that an edit was meant for and none reached


SHELL_TOOLS = frozenset({"Bash", "PowerShell"})
EDIT_TOOLS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})
_RAN = frozenset({Fate.DONE, Fate.FAILED, Fate.STARTED})
_PATHS = ("file_path", "notebook_path", "path", "filePath", "relative_path", "file", "filename", "target_file")
# An MCP tool of these names changes a file; one of any other may take a path and a text for other reasons.
_MCP_EDIT = pattern(r"^mcp__.*(?i:edit|write|replace|insert|create_(?:text_)?file|patch|apply|update_file)")


def of(calls: Sequence[Call]) -> Acts:
    lines = {at: runs(_text(call.input, "command")) for at, call in enumerate(calls) if _is_shell(call)}
    checks = {at: check for at, ran in lines.items() if (check := outcomes.checked_by(ran, _returned(calls[at])))}
    made = list(_edits(calls))
    return Acts(
        edits=tuple(_with_undone(made, list(_restored(lines, calls)))),
        commands=tuple(_commands(calls, lines, checks)),
        tries=tuple(_tries(calls, lines, checks)),
        denials=tuple(_denials(calls)),
        missed=tuple(_missed(calls, [edit.path for edit, _ in made])),
    )


def _is_shell(call: Call) -> bool:
    return call.name in SHELL_TOOLS and call.fate in _RAN


# --- commands ----------------------------------------------------------------------------------------------------


Lines = Mapping[int, Sequence[Run]]  # what each call of a shell ran
Checks = Mapping[int, Checked]


def _commands(calls: Sequence[Call], lines: Lines, checks: Checks) -> Iterator[Command]:
    stashed = 0
    for at, ran in lines.items():
        check = checks.get(at)
        if check and stashed > 0:
            check = replace(check, baseline=True)
        stashed = max(0, stashed + outcomes.stashed_by(ran))
        yield Command(at, _text(calls[at].input, "command"), calls[at].fate, check)


def _returned(call: Call) -> Returned:
    return Returned(call.fate is Fate.DONE, call.output, call.exit_code, call.cut, call.fate is not Fate.STARTED)


def _tries(calls: Sequence[Call], lines: Lines, checks: Checks) -> Iterator[Try]:
    for at, call in enumerate(calls):
        if call.name in SHELL_TOOLS:
            # What was refused or cancelled would have run: the agent meant to try it.
            ran = lines.get(at) or runs(_text(call.input, "command"))
            yield _try(at, call, ran, checks.get(at), done=at in lines)
        elif not edited_path(call):
            shows = trying.shown_by_tool(call.name)
            wrong = trying.went_wrong(call.output, None) if shows is Shows.SOMETHING else ""
            yield Try(at, call.name, shows, call.fate in _RAN, wrong, failed=call.fate is Fate.FAILED)


def _try(at: int, call: Call, ran: Sequence[Run], check: Checked | None, *, done: bool) -> Try:
    shows = trying.shown_by(ran, call.output)
    if shows is Shows.NOTHING and trying.reads_outcome(ran, call.output):
        shows = Shows.SOMETHING
    # A runner that found nothing or never ended has shown nothing, nor has a program left to run with nobody looking.
    left = call.fate is Fate.STARTED
    never_ran = shows is Shows.CHECK and done and check is None
    if never_ran or (check and check.proves_nothing and not left) or (shows is Shows.SOMETHING and left):
        shows = Shows.NOTHING
    wrong = trying.went_wrong(call.output, call.exit_code) if shows is Shows.SOMETHING else ""
    targets = check.targets if check else ()
    failed = call.fate is Fate.FAILED and not trying.was_stopped(call.exit_code)
    said = next((line.strip() for line in reversed(call.output.split("\n")) if line.strip()), "") if failed else ""
    rehearsed = any(map(trying.is_rehearsal, ran))
    return Try(at, trying.label(ran), shows, done, wrong, targets, failed, said, rehearsed)


# --- edits -------------------------------------------------------------------------------------------------------


def edited_path(call: Call) -> str:
    """The file that this call is to change; empty when it changes none."""
    if call.name not in EDIT_TOOLS and not _MCP_EDIT.search(call.name):
        return ""
    path = next((text for key in _PATHS if (text := _text(call.input, key))), "")
    return path if call.name in EDIT_TOOLS or changes.pairs(call.input) else ""


def _edits(calls: Iterable[Call]) -> Iterator[tuple[Edit, tuple[Pair, ...]]]:
    for at, call in enumerate(calls):
        if call.fate is Fate.DONE and (call.name in EDIT_TOOLS or edited_path(call)):
            path, replaced = edited_path(call), changes.pairs(call.input)
            code = files.is_code(path, _text(call.input, "content"))
            yield Edit(at, path, code, changes.change_of(path, replaced) if code else Change.CODE), replaced


def _with_undone(made: Sequence[tuple[Edit, tuple[Pair, ...]]], restored: Sequence[tuple[int, str]]) -> Iterator[Edit]:
    gone: set[int] = set()
    waiting: dict[tuple[str, tuple[Pair, ...]], list[int]] = {}  # the edits by what would take them back
    for number, (edit, replaced) in enumerate(made):
        back = tuple(Pair(pair.new, pair.old) for pair in replaced[::-1] if pair.old is not None)
        earlier = waiting.get((edit.path, replaced))
        if earlier and replaced:
            gone |= {earlier.pop(), number}
        elif back:
            waiting.setdefault((edit.path, back), []).append(number)
    for number, (edit, _) in enumerate(made):
        away = any(at > edit.at and (not path or files.same(path, edit.path)) for at, path in restored)
        yield replace(edit, undone=True) if number in gone or away else edit


def _restored(lines: Mapping[int, Sequence[Run]], calls: Sequence[Call]) -> Iterator[tuple[int, str]]:
    """Which files a command put back or removed, and when; an empty path means all of them."""
    for at, ran in lines.items():
        if calls[at].fate is not Fate.DONE:
            continue
        for run in ran:
            match run.words:
                case ("git", "reset", *rest) if "--hard" in rest:
                    yield at, ""
                case ("git", "checkout", "--", *paths) | ("git", "restore", *paths) | ("rm", *paths):
                    names = [path for path in paths if not path.startswith("-")]
                    yield from ((at, "" if path == "." and run.words[0] == "git" else path) for path in names)


def _missed(calls: Iterable[Call], made: Sequence[str]) -> Iterator[str]:
    for call in calls:
        path = edited_path(call)
        if path and call.fate in (Fate.REFUSED, Fate.NOT_RUN, Fate.FAILED) and path not in made:
            yield path


def _denials(calls: Iterable[Call]) -> Iterator[Denial]:
    for at, call in enumerate(calls):
        if call.fate is Fate.REFUSED:
            keys = ("command", "file_path", "notebook_path", "url", "description")
            what = next((text for key in keys if (text := _text(call.input, key))), "")
            yield Denial(at, call.name, one_line(what, 120))


def _text(given: Mapping[str, Any], key: str) -> str:
    value = given.get(key)
    return value if isinstance(value, str) else ""
