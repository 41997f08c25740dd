"""What a project declares in heads and plugins, in whatever spelling the client reads there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from ccc.claude import declared, settings
from ccc.claude.powers import DECLARING

NAME = "KIMI_API_KEY"
SERVER = "mcpServers:\n  - e:\n      type: http\n      url: http://x/mcp\n      headers:\n        X: "
HELPER = "name: helper\ndescription: helps\n"
PLUGIN = ".claude/skills/p/.claude-plugin/plugin.json"


def of(value: str, *, key: str = "mcpServers") -> str:
    return f"---\n{HELPER}{SERVER.replace('mcpServers', key)}{value}\n---\nYou help.\n"


PLAIN = of("${KIMI_API_KEY}")
HOOK = "hooks:\n  Stop:\n    - hooks:\n        - {type: http, url: x, allowedEnvVars: [KIMI_API_KEY]}\n"
HEADS = {
    "plain": PLAIN,
    "CRLF": PLAIN.replace("\n", "\r\n"),
    "CRLF around it": PLAIN.replace("---\n", "---\r\n"),
    "a blank behind the mark": PLAIN.replace("---\n", "--- \n"),
    "a byte order mark": "\ufeff" + PLAIN,
    "a long body": PLAIN + "x " * 140_000,
    "no end": PLAIN.rpartition("---")[0],
    "a mark in a value": PLAIN.replace("helps", "a --- b\n  ---"),
    "\\x": of('"\\x24{KIMI\\x5fAPI_KEY}"'),
    "\\u": of('"${KIMI\\u005fAPI_KEY}"'),
    "\\U": of('"\\n${KIMI\\U0000005fAPI_KEY}"'),
    "a line that goes on": of('"${KIMI_\\\n          API_KEY}"'),
    "a line that goes on, CR": of('"${KIMI_\\\r          API_KEY}"'),
    "an escaped key": of("${KIMI_API_KEY}", key='"mcp\\x53ervers"'),
    "an anchor": of("*a").replace("helps", "&a ${KIMI_API_KEY}"),
    "flow": f'---\n{HELPER}mcpServers: [{{e: {{url: x, headers: {{X: "${{KIMI_API\\u005fKEY}}"}}}}}}]\n---\n',
    "a hook's request": f"---\n{HELPER}{HOOK}---\n",
}


def put(project: Path, files: Mapping[str, object]) -> None:
    for name, content in files.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((content if isinstance(content, str) else json.dumps(content)).encode())


def named(project: Path) -> list[str]:
    """What would have to be allowed."""
    found = settings.sources(project.parent / "config", project)
    brought = list(declared.sources(project.parent / "config", project, found))
    assert [source.problem for source in brought if source.problem] == []
    return [power.name for power in settings.project_powers(brought, {NAME})]


@pytest.mark.parametrize("place", ["agents/h.md", "agents/deep/er/H.MD", "commands/c.md", "skills/s/SKILL.md"])
def test_a_head_names_what_it_would_be_told_wherever_the_client_reads_one(tmp_path: Path, place: str) -> None:
    put(tmp_path / "p", {f".claude/{place}": PLAIN})
    assert named(tmp_path / "p") == [NAME]
    (tmp_path / "p" / "sub").mkdir()
    assert named(tmp_path / "p" / "sub") == [NAME]


@pytest.mark.parametrize("spelling", HEADS)
def test_no_spelling_of_a_head_hides_a_variable(tmp_path: Path, spelling: str) -> None:
    put(tmp_path, {".claude/agents/h.md": HEADS[spelling]})
    assert named(tmp_path) == [NAME]


@pytest.mark.parametrize(
    "text",
    [
        of("${OTHER}"),
        of("${MY_KIMI_API_KEY_OLD}"),
        PLAIN.replace(SERVER, "color: "),
        of("x").replace("You help.", "Set KIMI_API_KEY and mcpServers!"),
        "Set KIMI_API_KEY in mcpServers.\n",
        of("x").replace("helps", "Helps a lot! Now != later"),
    ],
)
def test_a_head_that_is_told_nothing_needs_no_word(tmp_path: Path, text: str) -> None:
    put(tmp_path, {".claude/agents/h.md": text})
    assert named(tmp_path) == []


def test_a_tag_could_spell_anything(tmp_path: Path) -> None:
    put(tmp_path, {".claude/agents/h.md": of("!!binary JHtLSU1JX0FQSV9LRVl9")})
    assert named(tmp_path) == [DECLARING]


def test_links_are_followed_and_a_ring_of_them_ends(tmp_path: Path) -> None:
    put(tmp_path, {"deep/h.md": PLAIN, ".claude/agents/x.md": "x"})
    (tmp_path / ".claude" / "agents" / "d").symlink_to("../../deep")
    (tmp_path / "deep" / "ring").symlink_to("../.claude/agents")
    assert named(tmp_path) == [NAME]


def test_the_persons_own_agents_are_theirs(tmp_path: Path) -> None:
    put(tmp_path, {".claude/agents/h.md": PLAIN})
    assert list(declared.sources(tmp_path / ".claude", tmp_path / "project", ())) == []


ENTRY = {"type": "http", "url": "http://x/mcp", "headers": {"X": "${KIMI_API_KEY}"}}
OPTION = {"type": "http", "url": "http://x/mcp", "headers": {"X": "${user_config.t}"}}
SPLIT = {"type": "http", "url": "http://x/mcp", "headers": {"X": "${KIMI${user_config.t}"}}
HOOKS = {"Stop": [{"hooks": [{"type": "http", "url": "x", "allowedEnvVars": [NAME]}]}]}


@pytest.mark.parametrize(
    ("files", "names"),
    [
        ({PLUGIN: {"name": "p", "mcpServers": {"e": ENTRY}}}, [NAME]),
        ({PLUGIN: {"name": "p"}, ".claude/skills/p/.mcp.json": {"e": ENTRY}}, [NAME]),
        ({PLUGIN: {"mcpServers": ["./a/s.json"]}, ".claude/skills/p/a/s.json": {"e": ENTRY}}, [NAME]),
        ({PLUGIN: {"mcpServers": "${CLAUDE_PLUGIN_ROOT}/s"}, ".claude/skills/p/s": {"e": ENTRY}}, [NAME]),
        ({PLUGIN: {"mcpServers": {"e": OPTION}, "userConfig": {"t": {"default": "${KIMI_API_KEY}"}}}},
         [NAME, DECLARING]),
        ({PLUGIN: {"mcpServers": {"e": SPLIT}, "userConfig": {"t": {"default": "_API_KEY}"}}}}, [DECLARING]),
        ({PLUGIN: {"mcpServers": {"e": {"url": "${A:-${KIMI_}API_KEY}"}}}}, [DECLARING]),
        ({PLUGIN: {"name": "p", "hooks": HOOKS}}, [NAME]),
        ({PLUGIN: {"name": "p"}, ".claude/skills/p/hooks/hooks.json": {"hooks": HOOKS}}, [NAME]),
        ({PLUGIN: {"name": "p"}, ".claude/skills/p/skills/s/SKILL.md": HEADS["a hook's request"]}, [NAME]),
        ({PLUGIN.replace("/p/", f"/${{{NAME}}}/"): {"mcpServers": {"e": {"url": "${CLAUDE_PLUGIN_ROOT}"}}}}, [NAME]),
        ({PLUGIN: {"mcpServers": {"e": {"command": "/bin/sh", "args": ["/", "${CLAUDE_PLUGIN_ROOT}/x"]}}}}, []),
        ({PLUGIN: {"name": "p"}, ".claude/skills/p/README.md": f"Set {NAME}."}, []),
    ],
)  # fmt: skip
def test_a_plugin_among_the_skills_names_what_it_would_be_told(
    tmp_path: Path, files: Mapping[str, object], names: list[str]
) -> None:
    put(tmp_path, files)
    assert named(tmp_path) == names


LIST = "mk/.claude-plugin/marketplace.json"
AT_P = {"name": "mk", "plugins": [{"name": "p", "source": "./p"}]}


@pytest.mark.parametrize(
    ("source", "listed", "file"),
    [
        ({"source": "directory", "path": "./mk"}, AT_P, "mk/p/.mcp.json"),
        ({"source": "file", "path": "mk/.claude-plugin/marketplace.json"}, AT_P, "mk/p/.mcp.json"),
        ({"source": "directory", "path": "mk"}, {**AT_P, "metadata": {"pluginRoot": "./in"}}, "mk/in/p/.mcp.json"),
        ({"source": "directory", "path": "mk"}, {"plugins": [{"mcpServers": {"e": ENTRY}}]}, "mk/x"),
    ],
)
def test_so_does_one_of_a_marketplace_in_the_project(
    tmp_path: Path, source: Mapping[str, str], listed: object, file: str
) -> None:
    known = {"extraKnownMarketplaces": {"mk": {"source": source}}, "enabledPlugins": {"p@mk": True}}
    put(tmp_path, {".claude/settings.json": known, LIST: listed, file: {"mcpServers": {"e": ENTRY}}})
    assert named(tmp_path) == [NAME]


def unread(project: Path) -> list[str]:
    return [source.problem for source in declared.sources(project.parent / "config", project, ()) if source.problem]


def test_what_cannot_be_read_whole_is_a_problem_and_never_nothing(tmp_path: Path) -> None:
    put(tmp_path / "a", {".claude/agents/h.md": PLAIN + "x" * 5_000_000})
    put(tmp_path / "b", {".claude/agents/x.md": "x", PLUGIN: "{broken"})
    (tmp_path / "b" / ".claude" / "agents" / "h.md").symlink_to("/proc/self/cwd/h.md")
    (problem,) = unread(tmp_path / "a")
    assert "agents/h.md is larger than" in problem
    link, manifest = unread(tmp_path / "b")
    assert "agents/h.md is a link that leads each program elsewhere" in link
    assert "plugin.json is not valid JSON" in manifest


@pytest.mark.parametrize("place", ["agents/h.md", "commands/c.md", "skills/s/SKILL.md"])
@pytest.mark.parametrize("key", ["Stop", '"Stop"', '"\\x53top"'])
def test_a_stop_hook_in_a_head_is_named(tmp_path: Path, place: str, key: str) -> None:
    put(tmp_path, {f".claude/{place}": HEADS["a hook's request"].replace("Stop", key)})
    (line,) = declared.stop_hooks(declared.sources(tmp_path / "config", tmp_path, ()))
    assert line.startswith(f"{tmp_path / '.claude' / place} has a Stop hook")


def test_so_is_one_of_a_plugin_and_no_other_kind_of_hook(tmp_path: Path) -> None:
    put(tmp_path, {PLUGIN: {"name": "p", "hooks": HOOKS}, ".claude/commands/c.md": of("x") + "hooks: Stop: "})
    other = HEADS["a hook's request"].replace("Stop", "PreToolUse")
    put(tmp_path, {".claude/agents/h.md": other})
    (line,) = declared.stop_hooks(declared.sources(tmp_path / "config", tmp_path, ()))
    assert line.startswith(f"{tmp_path / '.claude' / 'skills' / 'p'} has a Stop hook")
