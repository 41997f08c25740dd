"""What in a project's settings could move, open or redirect the traffic, or load code into the client, ccc or the hook.

Rule: one list, a reason for each entry; a family is refused whole, and its harmless members are named. What a person
allows is a name with its value, kept in ccc.json and never in the project.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from ccc.base import checksum
from ccc.base.messages import msg
from ccc.base.patterns import pattern
from ccc.claude.variables import KEY_OF_ONE, NAME_OF_KEY


class Family(Struct, frozen=True):
    """Variables by their name, without regard to case, and the members that can do no harm."""

    names: str
    reason: str
    harmless: str = ""

    def holds(self, name: str) -> bool:
        return _matches(self.names, name) and not (self.harmless and _matches(self.harmless, name))


ADDRESS = msg("decides where requests go, with whose key")
CLIENT = msg("switches the client itself")
TRAFFIC = msg("leads the traffic elsewhere")
OPENED = msg("opens or loosens the encryption")
CODE = msg("loads code into the client, the hook or what they start")
ELSEWHERE = msg("moves the folders that programs trust")
STEERS = msg("steers programs that run without a question")
EXPORTED = msg("sends what is said to another server")
OURS = msg("steers ccc itself")
HINDERS = msg("can keep programs from starting, the hook among them")
DELETES = msg("has the client delete your conversations, those of other projects too")
DETACHED = msg("has the client start others of its kind, outside this start")
NAMED = msg("is a variable that your ccc.json refers to")
SENT = msg("is a variable of your ccc.json that a server or a hook of the project would be told")
DOUBT = msg("could be told a variable of your ccc.json without naming it")
SEVERAL = msg("that moves the traffic, loads code or steers ccc")

FAMILIES: tuple[Family, ...] = (
    Family(r"_?ANTHROPIC_\w+|VOICE_STREAM_\w+", ADDRESS),
    Family(r"AWS_\w+|BEDROCK_\w+", ADDRESS, r"AWS_(REGION|DEFAULT_REGION|PROFILE|DEFAULT_OUTPUT|PAGER|MAX_ATTEMPTS)"),
    Family(r"GOOGLE_(APPLICATION_CREDENTIALS|CLOUD_\w+|EXTERNAL_ACCOUNT_\w+|OAUTH_\w+|GHA_\w+)|GCLOUD_\w+", ADDRESS),
    Family(r"CLOUD_ML_\w+|CLOUDSDK_\w+|VERTEX_\w+|(GCE_)?METADATA_\w+|DETECT_GCP_\w+", ADDRESS),
    Family(r"AZURE_\w+|(IDENTITY|MSI|IMDS)_(ENDPOINT|HEADER|SECRET)", ADDRESS),
    Family(r"GH_HOST", ADDRESS),  # the client runs gh unasked, which sends its token there
    Family(r"USE_(LOCAL|STAGING)_OAUTH|LOCAL_BRIDGE", ADDRESS),  # other servers for the login and for what is bridged
    Family(r"CCC_\w+", OURS),
    Family(
        r"_?CLAUDE\w*|AI_AGENT|IS_SANDBOX|SDK_\w+"
        r"|CLAUBBIT|IS_DEMO"  # with which the client passes over its own questions, that of trust among them
        r"|(CCR|SRT|SHR|SELF_HOSTED_RUNNER|SESSION_INGRESS|BUGHUNTER|AUTOMODE)_\w+",
        CLIENT,
        r"CLAUDE_CODE_(MAX_OUTPUT_TOKENS|FILE_READ_MAX_OUTPUT_TOKENS|MAX_TOOL_USE_CONCURRENCY|GLOB_\w+"
        r"|DISABLE_(TERMINAL_TITLE|NONESSENTIAL_TRAFFIC|FEEDBACK_SURVEY|GIT_INSTRUCTIONS|MOUSE|BACKGROUND_TASKS"
        r"|AUTO_MEMORY|1M_CONTEXT|ADAPTIVE_THINKING|THINKING|FAST_MODE|CRON)"
        r"|ENABLE_(TASKS|PROMPT_SUGGESTION|TODO_TOOLS)|EFFORT_LEVEL|HIDE_\w+|SCROLL_SPEED|SYNTAX_HIGHLIGHT"
        r"|AUTO_COMPACT_WINDOW|NO_FLICKER|TASK_LIST_ID)"
        r"|CLAUDE_(AUTOCOMPACT_PCT_OVERRIDE|BASH_MAINTAIN_PROJECT_WORKING_DIR|BASH_NO_LOGIN|EFFORT)",
    ),
    Family(r"\w*PROXY(_\w+)?|GLOBAL_AGENT_\w+|HOSTALIASES|LOCALDOMAIN|RES_OPTIONS|GRPC_\w+", TRAFFIC),
    Family(r"MCP_\w+", TRAFFIC, r"MCP_(TIMEOUT|TOOL_TIMEOUT|\w*BATCH_SIZE)"),
    Family(r"(\w+_)?(SSL|TLS|X509)\w*|(\w+_)?(CA_?CERTS?|CA_?BUNDLE|CERTS?|CAINFO)(_\w+)?", OPENED),
    Family(r"CURL_\w+|REQUESTS_\w+|OPENSSL_\w+", OPENED),
    Family(r"NODE(_\w+)?", CODE, r"NODE_(ENV|NO_WARNINGS|DISABLE_COLORS|PENDING_DEPRECATION)"),
    Family(r"(BUN|DENO|JSC|COREPACK|COMPUTER_USE|DS)_\w+|VSCODE_INSPECTOR_OPTIONS|VITALS_\w+", CODE),
    Family(
        r"PYTHON\w*",
        CODE,
        r"PYTHON(DONTWRITEBYTECODE|UNBUFFERED|UTF8|IOENCODING|HASHSEED|OPTIMIZE|FAULTHANDLER|TRACEMALLOC|DEVMODE)",
    ),
    Family(r"PERL5?(LIB|OPT|DB)|RUBY(OPT|LIB)|(_?JAVA|JDK_JAVA)_(TOOL_)?OPTIONS|LUA_(INIT|PATH|CPATH)\w*", CODE),
    Family(r"LD_\w+|DYLD_\w+|GCONV_PATH|LOCPATH|NLSPATH|GIO_MODULE_DIR", CODE),
    # One absurd number for the allocator, and neither a shell nor a Python comes to its first line.
    Family(r"\w*MALLOC_\w*|MALLOC\w+|GLIBC_TUNABLES|\w*RJEM_\w+|TZDIR", HINDERS, r"MALLOC_ARENA_MAX"),
    Family(r"PATH|PATHEXT|SHELL|COMSPEC|ENV|IFS|PS4|CDPATH|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|ZDOTDIR", CODE),
    Family(r"BROWSER|EDITOR|VISUAL|PAGER|\w+_ASKPASS(_\w+)?", CODE),
    Family(r"BASH_\w+", CODE, r"BASH_(DEFAULT_TIMEOUT_MS|MAX_TIMEOUT_MS|MAX_OUTPUT_LENGTH)"),
    Family(r".*[^A-Za-z0-9_].*|", CODE),  # no program reads such a name, but a shell takes `BASH_FUNC_x%%` for code
    Family(r"GIT_\w+", CODE, r"GIT_((AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)|TERMINAL_PROMPT|OPTIONAL_LOCKS)"),
    Family(
        r"HOME|USERPROFILE|XDG_\w+|TMPDIR|TEMP|TMP|(LOCAL)?APPDATA|PROGRAM(DATA|FILES)|SYSTEM(ROOT|DRIVE)", ELSEWHERE
    ),
    # The client runs rg, git, man and many others unasked: what is an option or a configuration to one of them can be
    # a program to run (`--pre` for rg, `.sy` for man, credential plugins for kubectl and docker).
    Family(r"(\w+_)?(CONFIG|CONF|CFG)\w*|\w*CONFIG|\w*(PATH|OPTS?|OPTIONS|FLAGS|ARGS)|\w+_(RC|CMD|PROG)", STEERS),
    Family(r"\w+_(WRAPPER|PAGER|BROWSER|EDITOR|PRELOAD|PLUGINS?|HOOKS?|COMMAND|SHELL|EXEC|LOADER|STARTUP)", STEERS),
    Family(r"RIPGREP_\w+|MAN_\w+|MAN(OPT|SECT|ROFF\w*)|(GROFF|TROFF|GREP|LESS|DOCKER|KUBE|CARGO|RUSTC)\w*", STEERS),
    Family(r"(INPUT|WGET|CURL|NET|VIM|SCREEN|NPM|PSQL)RC|GO(ROOT|ENV|BIN)|CC|CXX|MAKEFILES|IPYTHONDIR|JQ_\w+", STEERS),
    Family(r"(ANT_)?OTEL_\w+|ANT_CLAUDE_\w+|(ENABLE_)?BETA_TRACING_\w+|ENABLE_\w*TELEMETRY\w*", EXPORTED),
)

KEYS: Mapping[str, str] = {
    "apiKeyHelper": ADDRESS,
    "proxyAuthHelper": TRAFFIC,
    "awsAuthRefresh": CODE,
    "awsCredentialExport": ADDRESS,
    "gcpAuthRefresh": CODE,
    "otelHeadersHelper": EXPORTED,
    "processWrapper": CODE,
    "policyHelper": CODE,
    "policyHelpers": CODE,
    "modelOverrides": ADDRESS,
    "forceLoginMethod": ADDRESS,
    "forceLoginOrgUUID": ADDRESS,
    "forceLoginGatewayUrl": ADDRESS,
    "gatewayInternalNetworks": TRAFFIC,
    "cleanupPeriodDays": DELETES,
    "desktopSessionCleanupPeriodDays": DELETES,
    "autoUploadSessions": EXPORTED,
    "remoteControlAtStartup": EXPORTED,
    "teammateMode": DETACHED,
}


DECLARING = "mcpServers"
NAMING = (SENT, DOUBT)
TEXTS, UNSEEN = "texts", "unseen"  # what ccc says of a text that declares something, in the place of settings


# Linux starts no program with a variable of 128 KiB, name and all, and with about 2 MiB of them together.
LONGEST_VALUE = 64 * 1024
LONGEST_ENV = 512 * 1024
BESIDE = 10  # bytes that the kernel counts for each variable: `=`, the end, and where it stands


class Power(Struct, frozen=True):
    """One thing that the settings of a project decide, and why that needs a person's word."""

    name: str
    value: object
    reason: str


def variable_reason(name: str, value: object = "", named: Collection[str] = ()) -> str | None:
    """Why a project may not set this variable unasked; None when it may. `named` is what ccc.json refers to."""
    if name.upper() == "TZ" and _FILE_AS_ZONE.match(str(value)):
        return HINDERS
    known = (family.reason for family in FAMILIES if family.holds(name))
    return next(known, NAMED if name in named else None)


# A zone that is a path is opened by every program that asks for the time; on some files that never ends.
_FILE_AS_ZONE = pattern(r"\s*[:/]|.*\.\.", re.DOTALL)


def of_settings(settings: Mapping[str, object], named: Collection[str] = ()) -> list[Power]:
    """Everything in these settings that needs a person's word."""
    env = settings.get("env")
    variables = env.items() if isinstance(env, dict) else ()
    return [
        *_reasoned((name, value, variable_reason(name, value, named)) for name, value in variables),
        *_reasoned((key, value, KEYS.get(key)) for key, value in settings.items()),
        *_hooked(settings.get("hooks"), named),
    ]


def _hooked(hooks: object, named: Collection[str]) -> list[Power]:
    """A request of a hook's is told what it lists in `allowedEnvVars`; a command could name it as well."""
    told = ((groups, _spelt(groups)) for groups in (hooks.values() if isinstance(hooks, dict) else ()))
    reasons = _reasons(named).items()
    return [Power(name, groups, why) for groups, text in told for name, why in reasons if stands(text, name)]


def of_declared(settings: Mapping[str, object], named: Collection[str]) -> list[Power]:
    """Each variable that `ccc.json` refers to, and the one that names ccc's copy of the key, where it stands in a text
    which declares servers or hooks. Who allows it allows it for this very text."""
    spelt = texts(settings)
    value = checksum.of(repr(spelt).encode("utf-8", "replace"))
    reasons = _reasons(named).items()
    told = [Power(name, value, why) for name, why in reasons if any(stands(text, name) for text in spelt)]
    return [*told, *([Power(DECLARING, value, DOUBT)] if settings.get(UNSEEN) else [])]


def texts(settings: Mapping[str, object]) -> list[str]:
    found = settings.get(TEXTS)
    return found if isinstance(found, list) else []


def of_servers(settings: Mapping[str, object], named: Collection[str]) -> list[Power]:
    """Each variable that a server is told and `ccc.json` refers to, and the one that names ccc's copy of the key: of
    all variables a client keeps back its own tokens alone. Who allows it allows it for this very server."""
    servers = settings.get(DECLARING)
    entries = servers.values() if isinstance(servers, dict) else ()
    told = ((entry, _spelt(entry)) for entry in entries)
    reasons = _reasons(named).items()
    return [
        power
        for entry, text in told
        for power in (
            *(Power(name, entry, why) for name, why in reasons if stands(text, name)),
            *([Power(DECLARING, entry, DOUBT)] if is_doubtful(text) else []),
        )
    ]


# Put in before variables are; a reference within one, or behind a sign of its own: headers are expanded twice
# (2.1.326).
_NESTED = pattern(r"\$\{(?:user_config\.|[^}]*\$)|\$\$\{")


def is_doubtful(text: str) -> bool:
    """Whether a server could be told a variable by this that does not stand there."""
    return _NESTED.search(text) is not None or KEY_OF_ONE in text


def _reasons(named: Collection[str]) -> Mapping[str, str]:
    """Of every variable that nothing of a project's is told unasked."""
    return {NAME_OF_KEY: OURS} | dict.fromkeys(sorted(named), SENT)


def stands(text: str, name: str) -> bool:
    """As a word of its own."""
    return name in text and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.ASCII) is not None


def _spelt(entry: object) -> str:
    try:
        return json.dumps(entry, ensure_ascii=False)
    except RecursionError:  # nothing that the client could read either
        return ""


def overlong(files: Iterable[Mapping[str, object]]) -> Iterator[tuple[int, str]]:
    """Each variable with which no program could be started, and each that makes all of them together too long, with
    the number of its file."""
    total = 0
    for file, settings in enumerate(files):
        env = settings.get("env")
        for name, value in env.items() if isinstance(env, dict) else ():
            size = sum(len(text.encode("utf-8", "replace")) for text in (name, str(value))) + BESIDE
            total += size
            if size > LONGEST_VALUE or total > LONGEST_ENV:
                yield file, name


def common_reason(found: Sequence[Power]) -> str:
    reasons = {power.reason for power in found}
    if reasons == {*NAMING}:
        return SENT
    return reasons.pop() if len(reasons) == 1 else SEVERAL


def is_allowed(power: Power, allowed: Mapping[str, object]) -> bool:
    """Whether the person has allowed the name with just this value."""
    values = allowed.get(power.name)
    return isinstance(values, list) and power.value in values


def _reasoned(found: Iterable[tuple[str, object, str | None]]) -> list[Power]:
    return [Power(name, value, reason) for name, value, reason in found if reason]


def _matches(mask: str, name: str) -> bool:
    return re.fullmatch(mask, name, re.IGNORECASE | re.DOTALL) is not None
