"""Which programs are checks: tests, builds, linters and type checkers of the common languages.

Rule: data and lookups. A formatter is no check, nor is running the program itself; a name that is merely mentioned,
asked for its version or installed was not run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import lru_cache

from ccc.base.patterns import pattern
from ccc.evidence.shell_parts import Words
from ccc.evidence.shell_status import name_of


def names(text: str) -> frozenset[str]:
    return frozenset(text.split())


class Kind(StrEnum):
    TEST = "test"
    BUILD = "build"
    LINT = "lint"
    TYPES = "types"


@lru_cache(4096)  # asked several times about each command
def kind_of(words: Words, depth: int = 0) -> Kind | None:
    """What kind of check these words run, if they run one."""
    if words[1:2] == ("watch",) and depth <= 5:  # it runs at once, and again at every change
        return kind_of((words[0], *_behind_options(words[2:])), depth + 1)
    if not words or depth > 5 or _only_asks(words[1:]):
        return None
    name, args = _program(words[0]), words[1:]
    if name in _SPECIAL:
        return _SPECIAL[name](args, depth)
    if name in _RUNNERS:
        return kind_of(_behind_options(args), depth + 1)
    if name == "go" and any("@" in arg for arg in args):  # installs a tool of somebody else's
        return None
    if name in _SUBCOMMANDS:
        # `cargo +nightly test` names its toolchain first.
        return _SUBCOMMANDS[name].get(_first(args[1:] if args[0:1] and args[0].startswith("+") else args))
    return _ALWAYS.get(name) or _kind_of_file(words[0])


def reads_only(args: Words) -> bool:
    """Whether a program with these arguments only tells about itself: its version, its help, what it would run."""
    return any(arg in _ASKING for arg in args) or (
        len(args) == 1 and args[0] in ("-v", "-V", "-h", "--version", "--help", "version", "help")
    )


def is_by_name(words: Words) -> bool:
    """Whether nothing but a name makes it a check: that of a script, or one that other programs have as well."""
    if not words:
        return False
    name = _program(words[0])
    if name in _INTERPRETERS:
        scripts = () if "-m" in words[1:3] else _behind_options(words[1:])
        return bool(scripts) and _kind_of_file(scripts[0]) is not None
    return name in _SHARED_NAMES or (not _is_known(name) and _kind_of_file(words[0]) is not None)


_INTERPRETERS = frozenset(
    {"python", "pypy", "py", "node", "tsx", "ts-node", "bash", "sh", "zsh", "ruby", "perl", "php"}
)
_SHARED_NAMES = frozenset(
    {"flow", "standard", "tap", "trial", "revive", "steep", "forge", "anchor", "v", "pest", "ava"}
)


def _is_known(name: str) -> bool:
    return name in _ALWAYS or name in _SUBCOMMANDS or name in _SPECIAL or name in _RUNNERS


def is_silent(words: Words) -> bool:
    """Whether this check prints nothing at all when it passes."""
    return any(_program(word) in _SILENT for word in words[:4]) or words[:2] in _SILENT_PAIRS


def _program(word: str) -> str:
    name = name_of(word)
    return re.sub(r"(?<=[a-z+])-?\d+(\.\d+)*$", "", name) if name.startswith(_VERSIONED) else name


_VERSIONED = ("python", "pypy", "pip", "php", "ruby", "gcc", "g++", "clang", "clang++", "node", "lua", "perl", "ghc")


def _only_asks(args: Words) -> bool:
    """Whether it only tells about itself, shows what it would do, or stays to serve."""
    if any(arg in _ASKING for arg in args) or (args and args[0] in _SERVING):
        return True
    return len(args) == 1 and args[0] in ("-v", "-V", "-h", "version", "help")


_SERVING = frozenset({"serve", "server", "watch", "clean", "--serve"})
_ASKING = frozenset({"--version", "--help", "--collect-only", "--co", "--list-tests", "--listTests", "--dry-run"})
_ASKING |= frozenset({"--print-config", "--showConfig", "--show-config", "--init", "--install-types", "--setup-only"})


# --- words of a task or of a file --------------------------------------------------------------------------------

_TASK_WORDS: Mapping[str, Kind] = {
    **dict.fromkeys(("test", "tests", "spec", "specs", "unit", "e2e", "integration", "coverage", "jest"), Kind.TEST),
    **dict.fromkeys(("vitest", "mocha", "pytest", "ci", "verify", "check", "checks", "smoke", "cover"), Kind.TEST),
    **dict.fromkeys(("build", "compile", "all", "bundle", "assemble", "dist", "package", "rebuild"), Kind.BUILD),
    **dict.fromkeys(("lint", "eslint", "vet", "clippy", "ruff", "analyze", "analyse", "validate"), Kind.LINT),
    **dict.fromkeys(("typecheck", "typescript", "types", "tsc", "mypy", "pyright", "type"), Kind.TYPES),
}
_NO_TASK = frozenset({"format", "fmt", "prettier", "clean", "install", "deploy", "publish", "release", "dev", "start"})
_NO_TASK |= frozenset({"serve", "watch", "docs", "run", "logs", "up", "down", "seed", "migrate", "update"})


def kind_of_task(name: str) -> Kind | None:
    """A task of a package, a Makefile or the like, judged by its name: `test:unit`, `type-check`, `build`."""
    words = [word for word in re.split(r"[^a-z0-9]+", name.lower()) if word]
    if any(word in _NO_TASK for word in words):
        return None
    return next((_TASK_WORDS[word] for word in words if word in _TASK_WORDS), None)


_TEST_FILE = pattern(
    r"(?:^|/)(?:run[_-]?)?(?:all[_-]?)?(?:unit|e2e|integration|smoke)?[_-]?tests?(?:[_.-][^/]*)?$"
    r"|[^/]*[_.-](?:tests?|spec|e2e)(?:\.[a-z0-9]+)*$"
    r"|(?:^|/)(?:tests?|__tests__|spec|e2e)/[^/]+\.(?:py|js|mjs|cjs|ts|rb|sh|php|lua|pl|exs)$"
    r"|(?:^|/)(?:tests?|specs?|lint|checks?|typecheck|run[_-]?checks?|ci)(?:\.[a-z]+)?$",
    re.IGNORECASE,
)
_BUILD_FILE = pattern(r"(?:^|/)(?:build|compile|make)(?:[_-]all)?(?:\.(?:sh|bash|py|js|mjs|ts|ps1|bat|cmd))?$")
_PATHLIKE = pattern(r"[/\\]|\.(?:sh|bash|py|js|mjs|ts|rb|pl|php|lua|exs)$")


def _kind_of_file(path: str) -> Kind | None:
    """A script or a program that is run by its path: `./run_tests.sh`, `build/unit_tests`."""
    if not _PATHLIKE.search(path):
        return None
    path = path.replace("\\", "/").removeprefix("./")
    if _TEST_FILE.search(path):
        return Kind.TEST
    return Kind.BUILD if _BUILD_FILE.search(path) else None


# --- arguments ---------------------------------------------------------------------------------------------------

# Options whose value is a word of its own, over all the programs below.
_VALUED = frozenset(
    {"-C", "-f", "-p", "-pl", "-w", "-F", "-n", "-c", "-P", "-E", "--prefix", "--cwd", "--filter", "--workspace"}
    | {"--dir", "--directory", "--project", "--file", "--manifest-path", "--config", "--package", "--env", "--with"}
    | {"--project-name", "--group", "--extra", "--python", "--from", "--only-group", "--profile", "--scope", "-pkg"}
)


def _behind_options(args: Words) -> Words:
    while args and args[0].startswith("-"):
        if args[0] == "--":
            return args[1:]
        args = args[2:] if args[0] in _VALUED else args[1:]
    return args


def _first(args: Words) -> str:
    rest = _behind_options(args)
    return rest[0] if rest else ""


def _plain(args: Words) -> Words:
    """The arguments that are neither options nor values of options."""
    found: list[str] = []
    while args := _behind_options(args):
        found.append(args[0])
        args = args[1:]
    return tuple(found)


# --- programs ----------------------------------------------------------------------------------------------------

_ALWAYS: Mapping[str, Kind] = {
    **dict.fromkeys(
        ("pytest", "py.test", "nose2", "nosetests", "tox", "nox", "trial", "behave", "unittest"), Kind.TEST
    ),
    **dict.fromkeys(("jest", "mocha", "ava", "tap", "tape", "jasmine", "karma", "wtr", "c8", "nyc"), Kind.TEST),
    **dict.fromkeys(("phpunit", "pest", "codecept", "behat", "rspec", "cucumber", "minitest", "bats"), Kind.TEST),
    **dict.fromkeys(("ctest", "prove", "busted", "gotestsum", "ginkgo", "elm-test", "shellspec"), Kind.TEST),
    **dict.fromkeys(("gcc", "g++", "cc", "c++", "clang", "clang++", "rustc", "javac", "kotlinc", "scalac"), Kind.BUILD),
    **dict.fromkeys(("swiftc", "ghc", "ocamlc", "ocamlopt", "erlc", "elixirc", "nvcc", "emcc", "ninja"), Kind.BUILD),
    **dict.fromkeys(("webpack", "rollup", "esbuild", "tsup", "swc", "gfortran", "msbuild"), Kind.BUILD),
    **dict.fromkeys(("valac", "dmd", "fpc", "solc", "protoc", "py_compile", "compileall", "doctest"), Kind.BUILD),
    **dict.fromkeys(("eslint", "stylelint", "oxlint", "xo", "standard", "jshint", "tslint", "flake8"), Kind.LINT),
    **dict.fromkeys(("pylint", "pyflakes", "pycodestyle", "pydocstyle", "bandit", "vulture", "rubocop"), Kind.LINT),
    **dict.fromkeys(("golangci-lint", "staticcheck", "revive", "golint", "shellcheck", "hadolint"), Kind.LINT),
    **dict.fromkeys(("yamllint", "actionlint", "markdownlint", "markdownlint-cli2", "swiftlint", "ktlint"), Kind.LINT),
    **dict.fromkeys(("detekt", "luacheck", "phpcs", "phpmd", "cppcheck", "clang-tidy", "cpplint", "credo"), Kind.LINT),
    **dict.fromkeys(("tflint", "sqlfluff", "ansible-lint", "cfn-lint", "htmlhint"), Kind.LINT),
    **dict.fromkeys(("tsc", "vue-tsc", "svelte-check", "mypy", "dmypy", "pyright", "basedpyright", "pyre"), Kind.TYPES),
    **dict.fromkeys(("pytype", "phpstan", "psalm", "phan", "sorbet", "srb", "steep"), Kind.TYPES),
}

_BUILT = {"build": Kind.BUILD}
_TESTED = {"test": Kind.TEST}
_SUBCOMMANDS: Mapping[str, Mapping[str, Kind]] = {
    "go": _BUILT | _TESTED | {"vet": Kind.LINT, "install": Kind.BUILD},
    "cargo": _BUILT
    | _TESTED
    | {"b": Kind.BUILD, "t": Kind.TEST, "check": Kind.TYPES, "c": Kind.TYPES, "clippy": Kind.LINT}
    | {"nextest": Kind.TEST, "tarpaulin": Kind.TEST, "llvm-cov": Kind.TEST, "miri": Kind.TEST, "xtask": Kind.BUILD},
    "ty": {"check": Kind.TYPES},
    "pre-commit": {"run": Kind.LINT},
    "parcel": _BUILT,
    "biome": {"check": Kind.LINT, "lint": Kind.LINT, "ci": Kind.LINT},
    "deno": _TESTED | {"check": Kind.TYPES, "lint": Kind.LINT, "compile": Kind.BUILD},
    "dotnet": _BUILT | _TESTED | {"msbuild": Kind.BUILD, "publish": Kind.BUILD},
    "swift": _BUILT | _TESTED,
    "zig": _BUILT | _TESTED | {"build-exe": Kind.BUILD, "build-lib": Kind.BUILD},
    "mix": _TESTED | {"compile": Kind.BUILD, "credo": Kind.LINT, "dialyzer": Kind.TYPES},
    "rebar3": {"eunit": Kind.TEST, "ct": Kind.TEST, "compile": Kind.BUILD, "dialyzer": Kind.TYPES},
    "stack": _BUILT | _TESTED,
    "cabal": _BUILT | _TESTED,
    "dune": _BUILT | _TESTED | {"runtest": Kind.TEST},
    "gleam": _BUILT | _TESTED | {"check": Kind.TYPES},
    "flutter": _BUILT | _TESTED | {"analyze": Kind.LINT},
    "dart": _TESTED | {"analyze": Kind.LINT, "compile": Kind.BUILD},
    "lein": _TESTED | {"compile": Kind.BUILD, "check": Kind.TYPES, "uberjar": Kind.BUILD},
    "sbt": _TESTED | {"compile": Kind.BUILD, "Test/compile": Kind.BUILD, "testOnly": Kind.TEST, "assembly": Kind.BUILD},
    "mill": _TESTED | {"compile": Kind.BUILD},
    "meson": _TESTED | {"compile": Kind.BUILD},
    "bazel": _BUILT | _TESTED | {"coverage": Kind.TEST},
    "buck2": _BUILT | _TESTED,
    "forge": _BUILT | _TESTED,
    "hardhat": _TESTED | {"compile": Kind.BUILD},
    "anchor": _BUILT | _TESTED,
    "wasm-pack": _BUILT | _TESTED,
    "trunk": _BUILT | {"check": Kind.LINT},
    "vite": _BUILT,
    "next": _BUILT | {"lint": Kind.LINT},
    "nuxt": _BUILT | {"typecheck": Kind.TYPES},
    "nuxi": _BUILT | {"typecheck": Kind.TYPES},
    "astro": _BUILT | {"check": Kind.TYPES},
    "ng": _BUILT | _TESTED | {"lint": Kind.LINT, "e2e": Kind.TEST},
    "vitest": {"run": Kind.TEST, "": Kind.TEST, "related": Kind.TEST},
    "playwright": _TESTED,
    "cypress": {"run": Kind.TEST},
    "react-scripts": _BUILT | _TESTED,
    "vue-cli-service": _BUILT | {"lint": Kind.LINT, "test:unit": Kind.TEST},
    "jekyll": _BUILT,
    "hugo": {"": Kind.BUILD},
    "mkdocs": _BUILT,
    "helm": {"lint": Kind.LINT},
    "terraform": {"validate": Kind.LINT},
    "tofu": {"validate": Kind.LINT},
    "buf": _BUILT | {"lint": Kind.LINT},
    "rails": _TESTED,
    "artisan": _TESTED,
    "elm": {"make": Kind.BUILD},
    "crystal": _BUILT | {"spec": Kind.TEST},
    "shards": _BUILT,
    "nim": {"c": Kind.BUILD, "compile": Kind.BUILD, "check": Kind.TYPES},
    "v": _TESTED,
    "hatch": _TESTED | _BUILT,
    "conan": _BUILT,
    "cdk": {"synth": Kind.BUILD},
    "sam": _BUILT | {"validate": Kind.LINT},
    "electron-builder": {"": Kind.BUILD},
    "spectral": {"lint": Kind.LINT},
    "sqlc": {"generate": Kind.BUILD, "vet": Kind.LINT},
    "nix": _BUILT | {"flake": Kind.TEST},
    "standardrb": {"": Kind.LINT},
    # Many a program is called so: only what the type checker understands is one.
    "flow": {"": Kind.TYPES, "check": Kind.TYPES, "status": Kind.TYPES, "full-check": Kind.TYPES},
}

# Programs that run the program behind their options.
_RUNNERS = frozenset({"npx", "bunx", "pnpx", "pipx", "uvx", "xcrun", "winpty", "wine", "rtk", "env-cmd"})

Special = Callable[[Words, int], Kind | None]


def _package_manager(args: Words, depth: int) -> Kind | None:
    """npm, yarn, pnpm, bun: a script by its name, or a program of the package."""
    rest = _behind_options(args)
    if not rest:
        return None
    if rest[0] in ("run", "run-script", "rum"):
        return kind_of_task(_first(rest[1:]))
    if rest[0] in ("exec", "dlx", "x"):
        return kind_of(_behind_options(rest[1:]), depth + 1)
    if rest[0] in ("workspace", "-r", "recursive", "workspaces", "w"):
        return _package_manager(rest[2:] if rest[0] in ("workspace", "w") else rest[1:], depth + 1)
    if rest[0] in ("t", "tst", "test", "it"):
        return Kind.TEST
    if rest[0] in _PACKAGE_COMMANDS:
        return None
    return kind_of(rest, depth + 1) or kind_of_task(rest[0])


_PACKAGE_COMMANDS = frozenset(
    {"install", "i", "ci", "add", "remove", "uninstall", "update", "upgrade", "init", "create", "publish", "pack"}
    | {"link", "list", "ls", "view", "info", "outdated", "audit", "why", "prune", "dedupe", "config", "set", "cache"}
    | {"version", "start", "dev", "login", "whoami", "fund", "root", "bin", "pkg", "import", "store", "dist-tag"}
)


def _npm(args: Words, depth: int) -> Kind | None:
    """npm runs scripts only by `run` and its few short names."""
    rest = _behind_options(args)
    known = {"run", "run-script", "rum", "exec", "x", "t", "tst", "test"}
    return _package_manager(rest, depth) if rest and rest[0] in known else None


def _managed(args: Words, depth: int) -> Kind | None:
    """uv, poetry, pdm, pipenv, rye, conda, bundle: what stands behind `run` or `exec`."""
    rest = _behind_options(args)
    if rest[:1] in (("run",), ("exec",)):
        inner = _behind_options(rest[1:])
        return kind_of(inner, depth + 1) or (kind_of_task(inner[0]) if inner and "." not in inner[0] else None)
    return Kind.BUILD if rest[:1] == ("build",) else None


def _task_runner(args: Words, _depth: int) -> Kind | None:
    """just, task, rake, invoke, gulp, nx, turbo: tasks by their names."""
    tasks = [arg for arg in _plain(args) if arg not in ("run", "r", "affected", "run-many", "exec", ":::")]
    kinds = (kind_of_task(task.split(":")[-1]) or kind_of_task(task) for task in tasks)
    return next(filter(None, kinds), None)


def _mise(args: Words, depth: int) -> Kind | None:
    if "--" in args and _first(args) in ("exec", "x"):
        return kind_of(args[args.index("--") + 1 :], depth + 1)
    return _task_runner(args, depth) if _first(args) in ("run", "r") else None


def _make(args: Words, _depth: int) -> Kind | None:
    if any(arg in ("-n", "--just-print", "-p", "-q", "--question") for arg in args):
        return None
    targets = [arg for arg in _plain(_unjoined(args)) if "=" not in arg]
    if not targets:
        return Kind.BUILD
    kinds = (kind_of_task(target) or (Kind.BUILD if re.search(r"[./]", target) else None) for target in targets)
    return next(filter(None, kinds), None)


def _unjoined(args: Words) -> Words:
    """`-j 4` and `-j4` alike, without the number."""
    return tuple(arg for n, arg in enumerate(args) if not (arg.isdecimal() and n and args[n - 1] in ("-j", "-l")))


_JVM_TASK = pattern(
    r"(?:^|:)(?:\w*[tT]est\w*|verify|check|build\w*|assemble\w*|compile\w*|package|install|lint\w*|detekt|ktlint\w*"
    r"|spotbugs\w*|checkstyle\w*|jar|bootJar|classes|bundle\w*|dependencyCheck)$"
)


def _jvm(args: Words, _depth: int) -> Kind | None:
    """mvn, gradle, ant: several goals, any of which may be a check."""
    goals = [arg for arg in _plain(args) if _JVM_TASK.search(arg)]
    if not goals:
        return None
    return Kind.TEST if any(re.search(r"[tT]est|verify|check", goal) for goal in goals) else Kind.BUILD


def _python(args: Words, depth: int) -> Kind | None:
    while args and args[0].startswith("-") and args[0] not in ("-m", "-c", "-"):
        args = args[2:] if args[0] in ("-W", "-X") else args[1:]
    if not args or args[0] in ("-c", "-"):
        return None
    if args[0] == "-m":
        return _python_module(args[1:], depth)
    script = name_of(args[0])
    if script in ("manage.py", "setup.py"):
        return {"test": Kind.TEST, "check": Kind.LINT, "build": Kind.BUILD, "build_ext": Kind.BUILD}.get(
            _first(args[1:])
        )
    return _kind_of_file(args[0]) or kind_of((name_of(args[0]), *args[1:]), depth + 1)


def _python_module(args: Words, depth: int) -> Kind | None:
    if args[:1] == ("build",):
        return Kind.BUILD
    if args[:1] in (("coverage",), ("django",)):
        return _coverage(args[1:], depth) if args[0] == "coverage" else kind_of_task(_first(args[1:]))
    return None if _only_asks(args[1:]) else kind_of(args, depth + 1)


def _coverage(args: Words, depth: int) -> Kind | None:
    return _python(args[1:], depth + 1) if args[:1] == ("run",) else None


def _node(args: Words, _depth: int) -> Kind | None:
    if "--test" in args:
        return Kind.TEST
    if args[:1] in (("--check",), ("-c",)):
        return Kind.BUILD
    scripts = [arg for arg in args if not arg.startswith("-")]
    if any(arg in ("-e", "-p", "--eval", "--print") for arg in args) or not scripts:
        return None
    if re.search(r"(?:^|/)(?:\.bin/|node_modules/)", scripts[0]):
        name = re.sub(r"\.[cm]?js$", "", name_of(scripts[0]))
        return kind_of((name, *args[args.index(scripts[0]) + 1 :]), 3)
    return _kind_of_file(scripts[0])


def _syntax_flag(flag: str) -> Special:
    """An interpreter: its own syntax check, or a script that is a test."""

    def kind(args: Words, depth: int) -> Kind | None:
        if flag in args[:2]:
            return Kind.BUILD
        if "-e" in args or "-r" in args:
            return None
        scripts = _behind_options(args)
        if not scripts:
            return None
        if name_of(scripts[0]) in (
            "artisan",
            "rails",
            "rake",
            "rspec",
            "phpunit",
            "pest",
            "phpstan",
            "gradlew",
            "mvnw",
        ):
            return kind_of(scripts, depth + 1)
        return _kind_of_file(scripts[0])

    return kind


def _docker(args: Words, depth: int) -> Kind | None:
    rest = _behind_options(args)
    if rest[:1] in (("compose",), ("buildx",), ("image",), ("container",)):
        return _docker(rest[1:], depth + 1)
    if rest[:1] in (("build",), ("bake",)):
        return Kind.BUILD
    if rest[:1] in (("run",), ("exec",)):
        # Image or container, then the program; how many words its options take is anybody's guess.
        candidates = (rest[n:] for n in range(2, min(len(rest), 16)))
        return next(filter(None, (_known_program(words, depth) for words in candidates)), None)
    return None


def _known_program(words: Words, depth: int) -> Kind | None:
    name = _program(words[0])
    known = (
        name in _ALWAYS or (name in _SUBCOMMANDS and words[1:]) or (name in _SPECIAL and name != "docker" and words[1:])
    )
    return kind_of(words, depth + 1) if known else None


def _kubectl(args: Words, depth: int) -> Kind | None:
    return kind_of(args[args.index("--") + 1 :], depth + 1) if "--" in args else None


def _cmake(args: Words, _depth: int) -> Kind | None:
    return Kind.BUILD if "--build" in args else None


def _xcodebuild(args: Words, _depth: int) -> Kind | None:
    return Kind.TEST if "test" in args else Kind.BUILD if "build" in args or not _plain(args) else None


def _find(args: Words, depth: int) -> Kind | None:
    return kind_of(args[args.index("-exec") + 1 :], depth + 1) if "-exec" in args else None


def _ruff(args: Words, _depth: int) -> Kind | None:
    return Kind.LINT if _first(args) not in ("format", "clean", "rule", "config", "server", "linter") else None


def _composer(args: Words, depth: int) -> Kind | None:
    rest = _behind_options(args)
    if rest[:1] in (("exec",),):
        return kind_of(_behind_options(rest[1:]), depth + 1)
    task = _first(rest[1:]) if rest[:1] in (("run",), ("run-script",)) else (rest[0] if rest else "")
    return kind_of_task(task) if task not in _PACKAGE_COMMANDS | {"require", "dump-autoload", "validate"} else None


def _r(args: Words, _depth: int) -> Kind | None:
    return Kind.TEST if args[:2] == ("CMD", "check") else Kind.BUILD if args[:2] == ("CMD", "INSTALL") else None


def _clojure(args: Words, _depth: int) -> Kind | None:
    return Kind.TEST if any(re.match(r"-[MXT]:.*test", arg) for arg in args) else None


_SPECIAL: Mapping[str, Special] = {
    "npm": _npm,
    **dict.fromkeys(("yarn", "pnpm", "bun"), _package_manager),
    **dict.fromkeys(("uv", "poetry", "pdm", "pipenv", "rye", "conda", "mamba", "pixi", "bundle", "fvm"), _managed),
    **dict.fromkeys(("just", "task", "go-task", "rake", "invoke", "inv", "gulp", "grunt", "poe", "mage"), _task_runner),
    **dict.fromkeys(("nx", "turbo", "lerna", "moon", "wireit", "run-s", "run-p", "npm-run-all"), _task_runner),
    "mise": _mise,
    **dict.fromkeys(("make", "gmake", "mingw32-make", "nmake"), _make),
    **dict.fromkeys(("mvn", "mvnw", "mvnd", "gradle", "gradlew", "ant"), _jvm),
    **dict.fromkeys(("python", "pypy", "py"), _python),
    "coverage": _coverage,
    "node": _node,
    **dict.fromkeys(("tsx", "ts-node"), _node),
    **dict.fromkeys(("bash", "sh", "zsh", "dash"), _syntax_flag("-n")),
    **dict.fromkeys(("ruby", "perl", "lua"), _syntax_flag("-c")),
    "php": _syntax_flag("-l"),
    "luac": _syntax_flag("-p"),
    **dict.fromkeys(("docker", "podman", "docker-compose", "nerdctl"), _docker),
    "kubectl": _kubectl,
    "cmake": _cmake,
    "xcodebuild": _xcodebuild,
    "find": _find,
    "ruff": _ruff,
    "composer": _composer,
    "R": _r,
    **dict.fromkeys(("clj", "clojure"), _clojure),
}

_SILENT = frozenset(
    {"tsc", "vue-tsc", "gcc", "g++", "cc", "c++", "clang", "clang++", "rustc", "javac", "eslint", "pyflakes", "flake8"}
    | {"py_compile", "compileall", "shellcheck", "stylelint", "staticcheck", "hadolint", "actionlint", "yamllint"}
)
_SILENT_PAIRS = frozenset(
    {("go", "build"), ("go", "vet"), ("go", "install"), ("bash", "-n"), ("sh", "-n"), ("node", "--check")}
)
