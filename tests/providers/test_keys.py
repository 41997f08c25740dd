"""Which part of a variable is a key."""

from __future__ import annotations

from base64 import b64encode

from ccc.providers import keys
from tests.tables import each

KEY = "sk-gateway-0123456789abcdef"
BASIC = b64encode(f"me:{KEY}".encode()).decode()
FOUND: dict[str, tuple[str, str, set[str]]] = {
    "the token": ("ANTHROPIC_AUTH_TOKEN", KEY, {KEY}),
    "one with blanks around it": ("ANTHROPIC_AUTH_TOKEN", f" {KEY}\r\n", {f" {KEY}\r\n", KEY}),
    "one behind the mark of byte order": ("GITHUB_PAT", f"\ufeff{KEY}", {f"\ufeff{KEY}", KEY}),
    "a cloud's key": ("AWS_BEARER_TOKEN_BEDROCK", KEY, {KEY}),
    "another cloud's": ("ANTHROPIC_FOUNDRY_API_KEY", KEY, {KEY}),
    "one of no known name": ("my_gateway_password", KEY, {KEY}),
    "ccc's own copy": ("CCC_KEY_0123456789abcdef", KEY, {KEY}),
    "a header": ("ANTHROPIC_CUSTOM_HEADERS", f"X-Gateway-Key: {KEY}", {KEY}),
    "a header that says of what kind it is": (
        "ANTHROPIC_CUSTOM_HEADERS",
        f"X-Team: production\nHelicone-Auth:Bearer {KEY}",
        {f"Bearer {KEY}", KEY},
    ),
    "a header of several things": (
        "ANTHROPIC_CUSTOM_HEADERS",
        f'Cookie: team=production; gateway="{KEY}";id={KEY}==',
        {f'team=production; gateway="{KEY}";id={KEY}==', f'gateway="{KEY}";id={KEY}==', "team=production;"}
        | {KEY, f"{KEY}=="},
    ),
    "a header with a name and a password": (
        "ANTHROPIC_CUSTOM_HEADERS",
        f"Authorization: Basic {BASIC}\nX-Other: Basic of-no-such-spelling",
        {f"Basic {BASIC}", BASIC, f"me:{KEY}", KEY, "Basic of-no-such-spelling", "of-no-such-spelling"},
    ),
    "headers that are none": (
        "ANTHROPIC_CUSTOM_HEADERS",
        "anthropic-beta: context-1m-2025-08-07\nUser-Agent: our-own-application\nHTTP-Referer: https://example.org/app",
        set(),
    ),
    "a password in a proxy": ("HTTPS_PROXY", f"http://me:{KEY}%40@proxy:80", {f"{KEY}%40", f"{KEY}@"}),
    "an address": ("ANTHROPIC_BASE_URL", "https://api.example.org/anthropic", set()),
    "a model": ("ANTHROPIC_MODEL", "a-model-with-a-long-name", set()),
    "how many tokens": ("CLAUDE_CODE_MAX_OUTPUT_TOKENS", "128000", set()),
    "where a key is": ("AWS_WEB_IDENTITY_TOKEN_FILE", "/var/run/secrets/token", set()),
    "a file of a cloud's": ("GOOGLE_APPLICATION_CREDENTIALS", "/home/me/service-account.json", set()),
    "who gives keys": ("AZURE_AUTHORITY_HOST", "https://login.example.org", set()),
}


@each("case", FOUND)
def test_it_is_known_by_the_name_and_by_its_place(case: str) -> None:
    name, value, expected = FOUND[case]
    assert set(keys.of_variable(name, value)) == expected


NAMES = {
    True: "API_KEY APIKEY GITHUB_TOKEN CLIENT_SECRET DB_PASSWORD DB_PASSWD DB_PASSPHRASE DB_PASS PASS SMTP_PASS_2"
    " X_AUTH GITHUB_PAT PAT MYSQL_PWD mysql_pwd CREDENTIAL CREDENTIALS GOOGLE_CREDENTIALS_JSON NEXUS_CREDS COOKIE"
    " SESSION_COOKIES JWT SUPABASE_JWT BEARER PRIVATE",
    False: "PATH PWD OLDPWD COMPASS BYPASS PASSTHROUGH PATTERN PATCH COMPAT GOPRIVATE PRIVATE_REGISTRY COOKIE_DOMAIN"
    " JWT_ISSUER SSH_AUTH_SOCK GIT_AUTHOR_NAME TOKEN_FILE API_KEY_HELPER MAX_TOKENS GOOGLE_APPLICATION_CREDENTIALS"
    " AWS_SHARED_CREDENTIALS_FILE HOME",
}


@each("name, speaks", [(name, speaks) for speaks, names in NAMES.items() for name in names.split()])
def test_a_name_speaks_of_a_key_or_it_does_not(name: str, speaks: bool) -> None:
    assert keys.is_named_so(name) == speaks


MENTIONED = {
    'printf %s "${KIMI_API_KEY}"': ["KIMI_API_KEY"],
    "curl -H $A:${B:-x} ${C%%/*}$D_1": ["A", "B", "C", "D_1"],
    "echo $(date) $1 $$ $? ${#E} 5$": [],
}


@each("command", MENTIONED)
def test_what_a_command_takes_up_is_read_as_a_shell_does(command: str) -> None:
    assert keys.mentioned(command) == MENTIONED[command]
