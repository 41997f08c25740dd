"""The one list of what a project's settings may not decide unasked, held against the real client's own strings."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from ccc.claude import powers, program, settings
from ccc.claude.powers import FAMILIES, KEYS
from ccc.claude.variables import Provider
from tests.tables import each


def names(text: str) -> list[str]:
    return text.split()


REFUSED = names(
    """
        ANTHROPIC_BASE_URL ANTHROPIC_AUTH_TOKEN ANTHROPIC_CUSTOM_HEADERS ANTHROPIC_UNIX_SOCKET
        ANTHROPIC_FUTURE_THING _CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL CLAUDE_CODE_USE_BEDROCK
        CLAUDE_CODE_API_BASE_URL CLAUDE_CONFIG_DIR CLAUDE_CODE_SHELL CLAUDE_CODE_SHELL_PREFIX CLAUDE_ENV_FILE
        CLAUDE_CODE_STOP_HOOK_BLOCK_CAP CLAUDE_CODE_CLIENT_CERT CLAUDE_CODE_ENABLE_TELEMETRY CLAUDE_CODE_PROXY_URL
        CLAUDE_CODE_OAUTH_TOKEN CLAUDECODE IS_SANDBOX CCC_SUPERVISOR CCC_SUPERVISOR_HOOK CCC_CLAUDE CCC_PTY
        CCC_CONFIG_DIR CCC_WORK_DIR HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy
        no_proxy grpc_proxy GLOBAL_AGENT_HTTP_PROXY NODE_TLS_REJECT_UNAUTHORIZED NODE_EXTRA_CA_CERTS
        NODE_USE_SYSTEM_CA SSL_CERT_FILE SSL_CERT_DIR SSLKEYLOGFILE OPENSSL_CONF CURL_CA_BUNDLE REQUESTS_CA_BUNDLE
        GRPC_DEFAULT_SSL_ROOTS_FILE_PATH AWS_CA_BUNDLE NODE_OPTIONS NODE_PATH BUN_OPTIONS BUN_INSPECT
        BUN_CONFIG_FILE BUN_BE_BUN LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES GCONV_PATH PATH SHELL
        BASH_ENV ENV IFS PS4 ZDOTDIR BASH_FUNC_ls%% JAVA_TOOL_OPTIONS PERL5OPT PYTHONPATH PYTHONHOME PYTHONSTARTUP
        PYTHONUSERBASE PYTHONPYCACHEPREFIX PYTHONWARNINGS PYTHONBREAKPOINT RUBYOPT GIT_SSH_COMMAND GIT_CONFIG_COUNT
        GIT_CONFIG_KEY_0 GIT_EXEC_PATH GIT_EXTERNAL_DIFF GIT_DIR HOME XDG_CONFIG_HOME TMPDIR AWS_ENDPOINT_URL
        AWS_CONFIG_FILE AWS_BEARER_TOKEN_BEDROCK GOOGLE_APPLICATION_CREDENTIALS AZURE_AUTHORITY_HOST CLOUD_ML_REGION
        GCE_METADATA_HOST OTEL_EXPORTER_OTLP_ENDPOINT OTEL_LOG_USER_PROMPTS BETA_TRACING_ENDPOINT
        RIPGREP_CONFIG_PATH MANPATH MANROFFOPT LESSOPEN KUBECONFIG DOCKER_CONFIG GOFLAGS FPATH HOSTALIASES
        MCP_CLIENT_SECRET BROWSER EDITOR SSH_ASKPASS MALLOC_TOP_PAD_ MALLOC_MMAP_MAX_ MALLOC_CONF MALLOC_CHECK_
        MIMALLOC_ARENA_RESERVE TCMALLOC_SAMPLE_PARAMETER _RJEM_MALLOC_CONF GLIBC_TUNABLES TZDIR CLAUBBIT IS_DEMO
        VITALS_EMITTER_BIN USE_LOCAL_OAUTH USE_STAGING_OAUTH LOCAL_BRIDGE GH_HOST ANT_OTEL_EXPORTER_OTLP_ENDPOINT
        ANT_CLAUDE_CODE_METRICS_ENDPOINT ENABLE_BETA_TRACING_DETAILED CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS
        CLAUDE_CODE_DISABLE_AGENT_VIEW CLAUDE_CODE_TEAMMATE_COMMAND CCC_KEY_0123456789abcdef"""
)
HARMLESS = names(
    """
        FOO DATABASE_URL DEBUG NODE_ENV PORT TZ LANG LC_ALL TERM FORCE_COLOR NO_COLOR CI RUST_LOG
        DJANGO_SETTINGS_MODULE PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTHONUTF8 BASH_DEFAULT_TIMEOUT_MS
        BASH_MAX_TIMEOUT_MS BASH_MAX_OUTPUT_LENGTH MAX_THINKING_TOKENS MAX_MCP_OUTPUT_TOKENS MCP_TIMEOUT
        MCP_TOOL_TIMEOUT DISABLE_TELEMETRY DISABLE_AUTOUPDATER CLAUDE_CODE_MAX_OUTPUT_TOKENS
        CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC GIT_AUTHOR_NAME
        GIT_COMMITTER_EMAIL AWS_PROFILE AWS_REGION OPENAI_BASE_URL API_TIMEOUT_MS CLASSLOADER TITLES
        MALLOC_ARENA_MAX ANT_HOME CHROME_BIN USE_LOCAL GH_REPO GH_TOKEN"""
)

# What the client reads and no family holds: seen, thought about, and unable to move, open or load anything.
SEEN = {
    "which terminal, editor or machine this is": """
        ALACRITTY_LOG BUILDKITE C9_PID C9_USER CF_PAGES CIRCLECI CLOUD_RUN_JOB CODER CODER_WORKSPACE_NAME CODESPACES
        CURSOR_TRACE_ID ConEmuANSI ConEmuPID ConEmuTask DAYTONA_WS_ID DEVPOD DEVPOD_WORKSPACE_UID DISPLAY DYNO
        FLY_APP_NAME FLY_MACHINE_ID FORCE_CODE_TERMINAL FORCE_COLOR FUNCTION_NAME FUNCTION_TARGET GAE_MODULE_NAME
        GAE_SERVICE GITHUB_ACTIONS GITHUB_ACTION_PATH GITHUB_ENV GITHUB_EVENT_NAME GITHUB_EVENT_PATH
        GITHUB_WORKSPACE GITLAB_CI GITPOD_WORKSPACE_ID GNOME_TERMINAL_SERVICE INK_SCREEN_READER
        INTELLIJ_TERMINAL_COMMAND_BLOCKS INTELLIJ_TERMINAL_COMMAND_BLOCKS_REWORKED KITTY_WINDOW_ID KONSOLE_VERSION
        KUBERNETES_SERVICE_HOST K_CONFIGURATION K_SERVICE MSYSTEM NETLIFY OSTYPE PROJECT_DOMAIN
        RAILWAY_ENVIRONMENT_NAME RAILWAY_SERVICE_NAME RENDER REPL_ID REPL_SLUG RUNNER_ENVIRONMENT RUNNER_OS
        SESSIONNAME SPACE_CREATOR_USER_ID SSH_CLIENT SSH_CONNECTION SSH_TTY STY SWE_BENCH_INSTANCE_ID
        SWE_BENCH_RUN_ID SWE_BENCH_TASK_ID TERM TERMINAL_EMULATOR TERMINATOR_UUID TERM_PROGRAM TILIX_ID TMUX TZ USER
        VERCEL VTE_VERSION VisualStudioVersion WAYLAND_DISPLAY WEBSITE_SITE_NAME WEBSITE_SKU WSL_DISTRO_NAME
        WT_SESSION XTERM_VERSION ZELLIJ __CFBundleIdentifier NoDefaultCurrentDirectoryInExePath
        __MINIMATCH_TESTING_PLATFORM__ GRACEFUL_FS_PLATFORM TEST_GRACEFUL_FS_GLOBAL_PATCH TSC_NONPOLLING_WATCHER
        TSC_WATCHDIRECTORY TSC_WATCHFILE VERBOSE_SSR BUF_BIGINT_DISABLE CHOKIDAR_INTERVAL CHOKIDAR_USEPOLLING""",
    "how much, how long, how loud": """
        API_FORCE_IDLE_TIMEOUT DEBUG DEBUG_AUTH DISABLE_AUTOUPDATER DISABLE_COMPACT DISABLE_ERROR_REPORTING
        DISABLE_GROWTHBOOK DISABLE_INSTALLATION_CHECKS DISABLE_TELEMETRY DO_NOT_TRACK ENABLE_CLAUDEAI_MCP_SERVERS
        ENABLE_TOOL_SEARCH MAX_THINKING_TOKENS SLASH_COMMAND_TOOL_CHAR_BUDGET""",
    "where the agent's own tools go, not the client": """
        APP_URL GH_ENTERPRISE_TOKEN GH_HOST GH_TOKEN GITHUB_ENTERPRISE_TOKEN GITHUB_TOKEN P4PORT""",
}
KNOWN = {name for names in SEEN.values() for name in names.split()}


@each("name", REFUSED)
def test_a_variable_that_moves_opens_or_loads_is_refused(name: str) -> None:
    assert powers.variable_reason(name)


@pytest.mark.parametrize("zone", ["/dev/ptmx", ":/dev/ptmx", ":Europe/Berlin", " /x", "../../../dev/ptmx", "a/../../x"])
def test_a_zone_that_is_a_path_is_refused(zone: str) -> None:
    """Python, like every program, opens it before its first line; /dev/ptmx never answers."""
    assert [power.name for power in powers.of_settings({"env": {"TZ": zone}})] == ["TZ"]


@pytest.mark.parametrize("zone", ["Europe/Berlin", "UTC", "CET-1CEST,M3.5.0,M10.5.0/3", ""])
def test_an_ordinary_zone_is_left_alone(zone: str) -> None:
    assert powers.of_settings({"env": {"TZ": zone}}) == []


@each("name", HARMLESS)
def test_an_ordinary_variable_of_a_project_is_left_alone(name: str) -> None:
    assert powers.variable_reason(name) is None


@pytest.mark.parametrize("name", ["", "a b", "A=B", "X\x1b]52;c;\x07", "BASH_FUNC_x()"])
def test_a_name_that_no_program_would_have_is_refused(name: str) -> None:
    assert powers.variable_reason(name)


LONG = "x" * 200_000
SHORT = "x" * 60_000


@pytest.mark.parametrize(
    ("env", "name"),
    [
        ({"FOO": LONG}, "FOO"),
        ({"A": "1", LONG: ""}, LONG),
        ({"FOO": "中" * 30_000}, "FOO"),
        ({"FOO": [LONG]}, "FOO"),
        ({f"F{number}": SHORT for number in range(20)}, "F8"),
        ({f"F{number}": SHORT for number in range(7)}, None),
        ({f"F{number}": "" for number in range(100_000)}, "F33462"),  # each costs more than its letters
        ({"FOO": "\ud800" * 1000}, None),
        ({}, None),
        ([LONG], None),
    ],
)
def test_what_no_program_could_be_started_with_is_found(env: object, name: str | None) -> None:
    assert next(powers.overlong([{}, {"env": env}]), None) == (name and (1, name))


def test_two_files_together_are_too_long() -> None:
    env = {f"F{number}": SHORT for number in range(5)}
    assert list(powers.overlong([{"env": env}])) == []
    assert next(powers.overlong([{"env": env}, {"env": env}])) == (1, "F3")


def test_what_counts_as_short_does_start_a_program() -> None:
    env = {f"F{number}": SHORT for number in range(7)}
    assert list(powers.overlong([{"env": env}])) == []
    assert subprocess.run(["/bin/sh", "-c", "true"], env=env, check=False).returncode == 0


@pytest.mark.parametrize("value", ["0", "1", "-1", "9" * 30, "x", ""])
def test_the_one_harmless_number_of_the_allocator_keeps_nobody_from_starting(value: str) -> None:
    done = subprocess.run([sys.executable, "-I", "-c", ""], env={"MALLOC_ARENA_MAX": value}, check=False)
    assert done.returncode == 0


def test_every_entry_has_its_reason() -> None:
    assert all(family.reason for family in FAMILIES)
    assert all(KEYS.values())


VARIABLE = r"process\.env\.[A-Za-z_][A-Za-z0-9_]*"
TRAFFIC = (
    r"\"_?(ANTHROPIC|CLAUDE|AWS|NODE|BUN|OTEL)_[A-Z0-9_]*"
    r"(PROXY|SSL|TLS|CA_BUNDLE|CA_CERTS?|BASE_URL|AUTH_TOKEN|API_KEY|UNIX_SOCKET)[A-Z0-9_]*\""
)
HELPER = r"[a-zA-Z]+(Helper|AuthRefresh|CredentialExport|Wrapper):\(\)=>[a-zA-Z_$]+\(\)\.optional\(\)"


ADDRESSES = r'\{endpoint:"[A-Z_]+",(selection:"[A-Z_]+",)?companions:\["[A-Z_",]+\]\}'


@cache
def in_the_client(pattern: str) -> frozenset[str]:
    """What the client's own code names so."""
    return frozenset(
        word.partition(":")[0].strip('"').removeprefix("process.env.") for word in grepped(pattern).split()
    )


def grepped(pattern: str) -> str:
    client = program.find({"PATH": os.defpath}, Path("/"))
    env = {"PATH": os.defpath, "LC_ALL": "C"}  # bytes: the file is half a program
    return subprocess.run(["grep", "-aohE", pattern, client], env=env, capture_output=True, check=True).stdout.decode()


def test_every_address_of_the_clients_own_table_is_kept_as_it_was_at_the_start() -> None:
    named = set(re.findall(r'"([A-Z_]+)"', grepped(ADDRESSES)))
    assert len(named) > 15
    glm = Provider("glm", {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "ANTHROPIC_AUTH_TOKEN": "t"}, {})
    kept = settings.pinned(glm, [], {})["env"]
    assert isinstance(kept, dict)
    assert named <= kept.keys()


def test_every_variable_that_the_client_reads_is_refused_or_has_been_looked_at() -> None:
    variables = in_the_client(VARIABLE)
    assert len(variables) > 300  # else the pattern no longer fits the client
    assert {name for name in variables - KNOWN if powers.variable_reason(name) is None} <= ALLOWED_MEMBERS


# The members that a family calls harmless, as far as the client names them so.
ALLOWED_MEMBERS = {
    *("AWS_DEFAULT_REGION", "AWS_PROFILE", "AWS_REGION", "BASH_MAX_OUTPUT_LENGTH", "NODE_ENV"),
    *("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR", "CLAUDE_CODE_MAX_OUTPUT_TOKENS"),
    *("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"),
    *("CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION", "CLAUDE_CODE_GLOB_HIDDEN", "CLAUDE_CODE_GLOB_NO_IGNORE"),
}


def test_every_name_for_traffic_in_the_clients_strings_is_refused() -> None:
    traffic = in_the_client(TRAFFIC)
    assert len(traffic) > 20
    assert [name for name in sorted(traffic) if powers.variable_reason(name) is None] == []


def test_every_helper_in_the_clients_settings_is_refused() -> None:
    helpers = in_the_client(HELPER)
    assert {"apiKeyHelper", "awsAuthRefresh"} <= helpers <= set(KEYS)


def test_a_project_may_not_have_the_persons_conversations_deleted() -> None:
    """Seen with 2.1.326: ten minutes after its start those of every project, older than that, were gone."""
    found = powers.of_settings({"cleanupPeriodDays": 1, "desktopSessionCleanupPeriodDays": 1, "env": {}})
    assert [power.name for power in found] == ["cleanupPeriodDays", "desktopSessionCleanupPeriodDays"]


def test_a_project_may_not_have_the_client_open_panes() -> None:
    teams = {"teammateMode": "tmux", "env": {"CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS": "1"}}
    assert {power.name for power in powers.of_settings(teams)} == {
        "CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS",
        "teammateMode",
    }


def test_what_ccc_json_refers_to_needs_a_word_whatever_it_is_called() -> None:
    settings = {"env": {"KIMI_URL": "http://evil", "FOO": "1", "HTTP_PROXY": "x"}}
    found = powers.of_settings(settings, {"KIMI_URL", "HTTP_PROXY"})
    assert [(power.name, power.reason) for power in found] == [
        ("KIMI_URL", powers.NAMED),
        ("HTTP_PROXY", powers.TRAFFIC),
    ]


def test_a_server_is_not_told_what_ccc_calls_its_copy_of_the_key() -> None:
    entry = {"type": "http", "url": "http://x", "headers": {"X-A": "${CCC_ENV_KEY:-}"}}
    [power] = powers.of_servers({"mcpServers": {"docs": entry}}, ())
    assert (power.name, power.value, power.reason) == ("CCC_ENV_KEY", entry, powers.OURS)
