"""What a command or a tool can show about a change of code.

Rule: pure; data and lookups. Only what is known to show nothing counts as nothing: whatever may have run the code has
tried it, and whether that was enough is for the reviewer to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise

from ccc.base.patterns import Lazy, any_case, pattern
from ccc.evidence.checks_known import kind_of, names, reads_only
from ccc.evidence.files import is_code
from ccc.evidence.outcomes import Outcome, hook_ran, shown
from ccc.evidence.shell_parts import Words
from ccc.evidence.shell_status import Run, name_of
from ccc.evidence.surroundings import wants


class Shows(StrEnum):
    """From the least to the most."""

    NOTHING = "nothing"  # git, files, looking, installing
    SYNTAX = "that it can be read"
    SOMETHING = "something"  # a program ran, or nobody knows what did
    CHECK = "a check"


_ORDER = list(Shows)


def shown_by(ran: Sequence[Run], output: str = "") -> Shows:
    """What the programs of a command line can show."""
    return max((_shown(run.words, run.given or output) for run in ran), key=_ORDER.index, default=Shows.NOTHING)


def shown_by_tool(name: str) -> Shows:
    """The same of a tool that is no shell."""
    return Shows.NOTHING if name in _LOOKING_TOOLS or _LOOKING_TOOL.search(name) else Shows.SOMETHING


def went_wrong(output: str, exit_code: int | None) -> str:
    """The line by which a run shows that it did not work; empty where it does not, or for want of something else."""
    text = output[-LENGTH_LIMIT:]
    if exit_code in _STOPPED or not _CRASHED.search(text) or wants(text):
        return ""
    return next((line.strip() for line in text.split("\n") if _CRASHED.search(line)), "")


LENGTH_LIMIT = 20_000
_ENDED = (124, 130, 137, 143)  # by a limit of time, or by hand
_STOPPED = (*_ENDED, 126, 127)  # or it was not there at all
_CRASHED = Lazy(
    r"(?m)^HTTP/[\d.]+ 5\d\d\b|^5\d\d$|\b(?:500 )?Internal Server Error\b|\"(?:status|statusCode|code)\": ?5\d\d\b"
    r"|\b(?:status|HTTP)[ :=]+5\d\d\b"
    r"|^Traceback \(most recent|^\s*(?:Uncaught )?\w*(?:Error|Exception)\b: |^panic: |\bpanicked at "
    r"|Segmentation fault|^fatal error: |Unhandled (?:Runtime )?Error"
    r"|\b404 Not Found\b|Cannot (?:GET|POST) /|net::ERR_|Unexpected Application Error|Module not found: "
    r"|Failed to compile"
    # what keeps others up, sets them up, or prints a page
    r"|^\s*\{\s*\"error\": ?\"|\bCrashLoopBackOff\b|\b(?:Err)?ImagePull(?:BackOff)?\b|\bOOMKilled\b"
    r"|\b(?:unreachable|failed)=[1-9]"
    r"|^! (?:LaTeX |Package \w+ )?(?:Error|Undefined|Emergency|Missing)|^Latexmk: Errors|^error: |^Error: |^fatal: "
)


def was_stopped(exit_code: int | None) -> bool:
    """Whether it was ended from outside: that is no outcome of its own."""
    return exit_code in _ENDED


def reads_outcome(ran: Sequence[Run], output: str) -> bool:
    """Whether a look at a log shows tests that somebody else's run has passed: a watcher's, another terminal's."""
    reads = any(run.program in _READERS and not any(map(is_code, run.words[1:])) for run in ran)
    end = output[-SUMMARY:]  # that is where a run tells how it went
    return reads and any(word in end for word in _PASSING) and shown(end, weakly=False) is Outcome.PASSED


SUMMARY = 2_000
_PASSING = ("pass", "PASS", "ok", "OK", "uccess", "SUCCE", "ucceeded")
_READERS = frozenset({"cat", "tail", "head", "grep", "less", "bat", "sed", "awk"})


def is_rehearsal(run: Run) -> bool:
    """Whether it only tells what it would do: `terraform plan`, `ansible-playbook --check`, `--dry-run`."""
    args = run.words[1:]
    planned = run.program in ("terraform", "tofu", "pulumi", "cdk") and _behind_options(args)[:1] in _PLANS
    return planned or "--dry-run" in args or (run.program.startswith("ansible") and "--check" in args)


def rehearses(request: str) -> bool:
    """Whether a person asks for no more than that."""
    return bool(_REHEARSAL.search(request[:LENGTH_LIMIT]))


_PLANS = (("plan",), ("preview",), ("diff",), ("validate",))
_REHEARSAL = any_case(
    r"\b(?:plan\w*|dry[- ]?run|preview|rehears\w+|check|diff|simul\w+|probe\w*|ensayo|essai|blanc)\b|计划|預覽|预览"
    r"|演练|试运行|プラン|ドライ|확인만|드라이|플랜|план\w*|прогон\w*"
)


def carries_out(what: str) -> bool:
    """Whether a call, by its label, was to bring something to others, though it shows nothing of the code."""
    return bool(_CARRIES.search(what))


_CARRIES = pattern(
    r"(?:^|, )(?:git push|gh (?:release|pr|workflow|repo|api)|glab (?:release|mr)"
    r"|(?:cargo|npm|pnpm|yarn|poetry|uv|gem|twine) (?:publish|push|upload)|docker push|rsync|scp|sftp)\b"
)


def label(ran: Sequence[Run]) -> str:
    """The programs in a few words: `git commit`, `ls`."""
    names = (_label(run.words) for run in ran if run.program not in _UNNAMED)
    return ", ".join(list(dict.fromkeys(names))[:4])


def installs(what: str) -> bool:
    """Whether a call, by its label, was to fetch something from outside."""
    return bool(_FETCHES.search(what))


_FETCHES = pattern(
    r"(?:^|, )(?:(?:npm|pnpm|yarn|pip|go|cargo) (?:install|i|ci|add|get|fetch|download|sync|require|update)"
    r"|(?:pip3|apt|apt-get|apk|dnf|yum|brew|gem|composer|conda))\b"
)
_UNNAMED = frozenset({"cd", "echo", "printf", "export", "true", "set", "source", ".", "head", "tail", "sleep"})
_TOLD_WITH_SUBCOMMAND = frozenset(
    {"git", "gh", "glab", "npm", "pnpm", "yarn", "pip", "docker", "go", "cargo", "poetry", "uv", "gem", "twine"}
)


def _label(words: Words) -> str:
    name = name_of(words[0])
    return f"{name} {words[1]}"[:40] if name in _TOLD_WITH_SUBCOMMAND and words[1:] else name[:40]


def _shown(words: Words, text: str) -> Shows:
    """`text` is the here-document that it reads, or what the line has printed."""
    name, args = name_of(words[0]), words[1:]
    if reads_only(args):
        return Shows.NOTHING
    inner = _behind_runner(name, args)
    if inner:
        return _shown(inner, text)
    if _is_syntax(name, args):
        return Shows.SYNTAX
    if kind_of(words):
        return Shows.CHECK
    if name in _SPECIAL:
        return _SPECIAL[name](args, text)
    return Shows.NOTHING if name in _INERT else Shows.SOMETHING


def _behind_runner(name: str, args: Words) -> Words:
    """The program that `npx`, `uv run` or `pnpm exec` starts."""
    if name in ("npx", "bunx", "pnpx", "uvx"):
        return _behind_options(args)
    if name in ("uv", "poetry", "pdm", "pipenv", "rye", "bundle", "pnpm", "yarn", "npm") and args[:1] in _STARTING:
        inner = _behind_options(args[1:])
        return inner if inner and (args[0] != "run" or name in ("uv", "poetry", "pdm", "pipenv", "rye")) else ()
    return ()


_STARTING = (("run",), ("exec",), ("dlx",))


def _is_syntax(name: str, args: Words) -> bool:
    """Whether it only parses: `python -m py_compile`, `bash -n`, `node --check`, `php -l`."""
    if name.startswith("python") and args[:2] in (("-m", "py_compile"), ("-m", "compileall"), ("-m", "ast")):
        return True
    if name.startswith("python") and args[:1] == ("-c",):
        return bool(_PARSES.search(" ".join(args[1:2]))) and not _RUNS_MORE.search(" ".join(args[1:2]))
    return args[:1] in _SYNTAX_FLAGS.get(name, ())


_PARSES = Lazy(r"ast\.parse\(|py_compile|compile\(open")
_RUNS_MORE = Lazy(r"subprocess|unittest|pytest|exec\(|importlib|__import__")
_SYNTAX_FLAGS: Mapping[str, tuple[Words, ...]] = {
    "bash": (("-n",),),
    "sh": (("-n",),),
    "zsh": (("-n",),),
    "node": (("--check",), ("-c",)),
    "ruby": (("-c",),),
    "perl": (("-c",),),
    "php": (("-l",),),
    "luac": (("-p",),),
}


# --- programs that show nothing ----------------------------------------------------------------------------------

_INERT = names(
    """
    cd pushd popd pwd ls ll dir tree find fd locate cat bat tac head tail less more wc sort uniq cut tr nl rev paste
    column fold comm join split tee echo printf grep egrep fgrep rg ag ack sed awk gawk perl-rename diff cmp colordiff
    delta stat file du df basename dirname realpath readlink xxd hexdump od strings base64 md5sum sha1sum sha256sum
    cksum jq yq xmllint tar zip unzip gzip gunzip bzip2 xz zstd cp mv rm rmdir mkdir ln touch chmod chown chgrp install
    rsync scp sftp date cal sleep true false : [ [[ (( test which type whereis command hash alias unalias export unset
    set source . shopt ulimit umask trap wait jobs fg bg disown exit return history clear reset tput stty env printenv
    whoami id groups hostname uname uptime free ps top htop pgrep kill pkill killall lsof netstat ss ifconfig ip
    code vim nvim nano emacs ed patch dos2unix unix2dos iconv envsubst seq yes read local declare typeset let eval
    prettier black isort autopep8 yapf gofmt goimports gofumpt rustfmt clang-format shfmt stylua dprint
    csharpier google-java-format ktfmt swiftformat brew apt apt-get dnf yum apk pacman snap choco winget pip pip3 pipx
    nvm asdf rbenv pyenv volta corepack ssh-keygen ssh-add gpg pbcopy pbpaste xclip mktemp truncate shred cloc tokei
    scc ctags pandoc convert identify mogrify exiftool sponge ts watchman dirs
    """
)


def _git(args: Words, output: str) -> Shows:
    rest = _behind_options(args)
    if rest[:2] == ("bisect", "run"):
        return Shows.CHECK
    if rest[:1] in (("commit",), ("push",), ("merge",), ("rebase",)) and hook_ran(output):
        return Shows.CHECK
    return Shows.NOTHING


def _gh(args: Words, _output: str) -> Shows:
    rest = _behind_options(args)
    watched = rest[:2] in (("pr", "checks"), ("mr", "checks"))
    return Shows.SOMETHING if watched or (rest and rest[0] not in _HOST_INERT) else Shows.NOTHING


_HOST_INERT = names(
    """
    pr mr issue repo auth release gist label browse alias config extension search status secret variable ssh-key
    gpg-key project org user ruleset cache completion api help version
    """
)


_INSTALLING = frozenset(
    {
        "install",
        "i",
        "ci",
        "add",
        "remove",
        "rm",
        "uninstall",
        "update",
        "upgrade",
        "init",
        "link",
        "list",
        "ls",
        "view",
    }
    | {"info", "outdated", "audit", "why", "prune", "dedupe", "config", "cache", "version", "login", "whoami", "fund"}
    | {"root", "pkg", "import", "store", "sync", "lock", "pip", "venv", "get", "mod", "tidy", "fmt", "search", "tree"}
    | {"env", "require", "dump-autoload", "show", "self", "fetch", "vendor", "generate-lockfile", "pack", "export"}
    | {"create", "format", "clean", "doc", "python", "metadata", "dist-tag", "owner", "yank", "set", "outdated", "bin"}
    | {"work", "publish", "restore", "new", "resolve", "package", "pub", "deps.get", "download", "deps", "sln", "nuget"}
)


def _packages(args: Words, _output: str) -> Shows:
    """A package manager: what installs, lists or formats shows nothing, what runs something may."""
    rest = _behind_options(args)
    if rest[:1] in (("run",), ("run-script",)) and _FORMATS.search(" ".join(rest[1:2])):
        return Shows.NOTHING
    return Shows.NOTHING if not rest or rest[0] in _INSTALLING else Shows.SOMETHING


_FORMATS = any_case(r"^(?:format|fmt|prettier|pretty)\b")


_PLANNING = frozenset({"init", "fmt", "version", "workspace", "providers", "repo", "show", "output"})
_SERVICE_INERT = frozenset({"daemon-reload", "enable", "disable", "stop", "mask", "unmask", "list-units", "load"})


def _of_subcommand(args: Words, inert: frozenset[str]) -> Shows:
    rest = _behind_options(args)
    return Shows.NOTHING if not rest or rest[0] in inert else Shows.SOMETHING


def _docker(args: Words, _output: str) -> Shows:
    rest = _behind_options(args)
    if rest[:1] in (("compose",), ("container",), ("image",)):
        rest = _behind_options(rest[1:])
    return Shows.NOTHING if not rest or rest[0] in _DOCKER_INERT else Shows.SOMETHING


_DOCKER_INERT = frozenset({"ps", "images", "pull", "push", "tag", "login", "rm", "rmi", "stop", "down", "ls", "config"})


def _interpreter(args: Words, text: str) -> Shows:
    """An inline script that only rewrites files is an edit, not a trial."""
    script = next((arg for flag, arg in pairwise(args) if flag in ("-c", "-e")), "")
    script = script or (text if args[:1] in ((), ("-",)) else "")
    return Shows.NOTHING if script and rewrites_only(script) else Shows.SOMETHING


def _perl(args: Words, output: str) -> Shows:
    return Shows.NOTHING if any(re.match(r"-\w*[pni]", arg) for arg in args[:3]) else _interpreter(args, output)


def rewrites_only(script: str) -> bool:
    """Whether an inline script reads and writes files and does nothing else that could try the code."""
    imported = {name for found in _IMPORTS.finditer(script) for name in re.split(r"[,\s]+", found[1] or found[2])}
    return bool(_WRITES.search(script)) and not _STARTS.search(script) and imported <= _FILE_MODULES


_IMPORTS = pattern(r"(?m)(?:^|;)\s*(?:import\s+([\w, ]+?)(?=\s*(?:;|$|\bas\b))|from\s+(\w+)[\w.]*\s+import)")
_WRITES = pattern(r"\.write(?:_text|_bytes|lines)?\(|writeFileSync|File\.write|open\([^)\n]*['\"][wa]b?['\"]")
_STARTS = pattern(r"subprocess|os\.system|popen|exec\(|require\(['\"]\.|runpy|unittest|pytest|assert\b")
_FILE_MODULES = frozenset(
    {"re", "os", "sys", "io", "json", "pathlib", "shutil", "glob", "textwrap", "string", "as", ""}
)


def _find(args: Words, _output: str) -> Shows:
    if "-exec" not in args:
        return Shows.NOTHING
    behind = args[args.index("-exec") + 1 :]
    return _shown(behind, "") if behind else Shows.NOTHING


def _ruff(_args: Words, _output: str) -> Shows:
    return Shows.NOTHING  # what checks is a check already; the rest formats


_SPECIAL: Mapping[str, Callable[[Words, str], Shows]] = {
    "git": _git,
    **dict.fromkeys(("gh", "glab", "hub"), _gh),
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun", "cargo", "go", "uv", "poetry", "pdm", "pipenv", "gem"), _packages),
    **dict.fromkeys(("bundle", "composer", "conda", "mamba", "rye", "pixi", "mix", "dart", "flutter"), _packages),
    **dict.fromkeys(("dotnet", "swift", "stack", "cabal", "nuget", "pod", "carthage", "luarocks", "opam"), _packages),
    **dict.fromkeys(("terraform", "tofu", "helm"), lambda args, _: _of_subcommand(args, _PLANNING)),
    **dict.fromkeys(("systemctl", "service", "launchctl"), lambda args, _: _of_subcommand(args, _SERVICE_INERT)),
    **dict.fromkeys(("docker", "podman", "nerdctl", "docker-compose"), _docker),
    **dict.fromkeys(("python", "python3", "node", "ruby", "php", "deno"), _interpreter),
    "cmake": lambda _args, _output: Shows.SYNTAX,  # sets up; what builds is a check
    "perl": _perl,
    "find": _find,
    "ruff": _ruff,
    "biome": _ruff,
}


def _behind_options(args: Words) -> Words:
    while args and args[0].startswith("-"):
        args = args[2:] if args[0] in ("-C", "-c", "--prefix", "--cwd", "--dir", "--filter", "-f", "-p") else args[1:]
    return args


# --- tools that are no shell -------------------------------------------------------------------------------------

_LOOKING_TOOLS = frozenset(
    {"Read", "Grep", "Glob", "LS", "NotebookRead", "TodoWrite", "TodoRead", "TaskCreate", "TaskUpdate", "TaskList"}
    | {"TaskGet", "WebFetch", "WebSearch", "ToolSearch", "AskUserQuestion", "ExitPlanMode", "EnterPlanMode"}
    | {"Edit", "Write", "MultiEdit", "NotebookEdit", "SendUserFile", "ListMcpResources", "ReadMcpResource"}
)
_LOOKING_TOOL = pattern(
    r"^mcp__.*__(?:read|list|search|find|write|edit|create|replace|insert|delete|move)_(?:\w*_)?"
    r"(?:file|files|text_file|media_file|dir|directory|directories|symbol|symbols|memory|memories|pattern|lines"
    r"|regex|content)$"
    r"|^mcp__[\w-]*?(?:context7|sequential-?thinking|memory)[\w-]*?__"
    r"|^mcp__.*__(?:get_symbols_overview|replace_symbol_body|insert_(?:before|after)_symbol|rename_symbol"
    r"|think_about_\w+)$"
)
