"""Which of a project's servers a client may start, by the answers in its files."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from ccc.base.documents import Json
from ccc.claude import servers, settings
from ccc.claude.settings import PLUGIN_OF_PROJECT, SERVERS, Source

BROUGHT = Source(SERVERS, Path(".mcp.json"), {"mcpServers": {"a b": {"command": "x"}, "c": {"url": "y"}}})


def said(kind: str = "local", **settings: object) -> Source:
    return Source(kind, Path("settings.local.json"), settings)


def may_start(*found: Source, asked: bool) -> list[str]:
    kept = servers.withheld([BROUGHT], servers.allowed([BROUGHT, *found], asked=asked))
    return [name for name in servers.named([BROUGHT]) if name not in kept]


@pytest.mark.parametrize(
    ("found", "with_a_screen", "without"),
    [
        ([], [], ["a b", "c"]),
        ([said(enabledMcpjsonServers=["c"])], ["c"], ["a b", "c"]),
        ([said("project", enableAllProjectMcpServers=True)], ["a b", "c"], ["a b", "c"]),
        ([said(disabledMcpjsonServers=["c"])], [], ["a b"]),
        ([said("user", enableAllProjectMcpServers=True), said(disabledMcpjsonServers=["a_b"])], ["c"], ["c"]),
        ([said(enabledMcpjsonServers=["a_b"])], [], ["a b", "c"]),  # a yes is a yes to the letter
        ([said(enabledMcpjsonServers="c", disabledMcpjsonServers={"c": 1})], [], ["a b", "c"]),
    ],
)
def test_a_no_holds_for_every_client_and_only_one_that_asks_needs_a_yes(
    found: Sequence[Source], with_a_screen: list[str], without: list[str]
) -> None:
    assert may_start(*found, asked=True) == with_a_screen
    assert may_start(*found, asked=False) == without


def test_a_mode_that_asks_nothing_is_a_yes_where_the_person_has_said_so_themselves() -> None:
    mark: Json = {"skipDangerousModePermissionPrompt": True}
    assert servers.bypassed([Source("user", Path(), mark)], "bypassPermissions")
    assert not servers.bypassed([Source("user", Path(), mark)], "acceptEdits")
    assert not servers.bypassed([Source("project", Path(), mark)], "bypassPermissions")


@pytest.mark.parametrize(
    ("manifest", "files", "names"),
    [
        ({"name": "n"}, {".mcp.json": {"mcpServers": {"s": {"command": "x"}}}}, ["plugin:n:s"]),
        ({"name": "n"}, {".mcp.json": {"s": {"command": "x"}}}, ["plugin:n:s"]),
        ({"name": "n", "mcpServers": {"s": {"command": "x"}}}, {}, ["plugin:n:s"]),
        ({"name": "n", "mcpServers": ["./more.json"]}, {"more.json": {"s": {"url": "x"}}}, ["plugin:n:s"]),
        ({"name": "n", "mcpServers": 5}, {}, []),
    ],
)
def test_a_plugin_among_the_skills_brings_its_servers_under_its_own_name(
    tmp_path: Path, manifest: Json, files: Mapping[str, Json], names: list[str]
) -> None:
    folder = tmp_path / ".claude" / "skills" / "x"
    (folder / ".claude-plugin").mkdir(parents=True)
    for name, content in {".claude-plugin/plugin.json": manifest, **files}.items():
        (folder / name).write_text(json.dumps(content))
    found = [each for each in settings.sources(tmp_path / "c", tmp_path) if each.kind == PLUGIN_OF_PROJECT]
    assert servers.named(found) == names


def test_no_yes_counts_once_a_file_of_the_project_has_changed(tmp_path: Path) -> None:
    path = tmp_path / ".claude" / "settings.local.json"
    path.parent.mkdir()
    path.write_text("{}")
    found = [BROUGHT, Source("local", path, {}), said("user", enableAllProjectMcpServers=True)]
    written = path.stat().st_ctime
    assert servers.allowed(servers.as_of(found, tmp_path, written), asked=True)
    assert not servers.allowed(servers.as_of(found, tmp_path, written - 1), asked=True)
    os.utime(path, (0, 0))  # a date that is set back is a change as well
    path.unlink()
    assert not servers.allowed(servers.as_of([found[0], found[2]], tmp_path, written - 1), asked=True)
