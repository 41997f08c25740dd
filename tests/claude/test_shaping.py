"""What settings would make of a reviewer, against what they made of it at the start."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ccc.base.errors import CccError
from ccc.claude import settings, shaping
from ccc.claude.settings import Source

BEFORE: dict[str, Any] = {
    "permissions": {"allow": ["Bash(ls:*)"], "deny": ["Read(.env)", "WebFetch"], "ask": ["Bash(git push:*)"]},
    "env": {"DEBUG": "1"},
    "outputStyle": "Explanatory",
}


def of(kind: str, content: dict[str, Any]) -> Source:
    return Source(kind, Path(f"{kind}.json"), content)


def refused(now: list[Source], before: list[Source]) -> str:
    try:
        shaping.refuse_new(now, shaping.marks(before))
    except CccError as error:
        return error.what
    return ""


SHAPES: dict[str, dict[str, Any]] = {
    "permissions.deny": {"permissions": {"deny": ["Read"]}},
    "permissions.ask": {"permissions": {"ask": ["Bash"]}},
    "permissions.defaultMode": {"permissions": {"defaultMode": "plan"}},
    "permissions.disableBypassPermissionsMode": {"permissions": {"disableBypassPermissionsMode": "disable"}},
    "outputStyle": {"outputStyle": "yes-man"},
    "env.CLAUDE_CODE_MAX_OUTPUT_TOKENS": {"env": {"CLAUDE_CODE_MAX_OUTPUT_TOKENS": "64"}},
    "env.DEBUG": {"env": {"DEBUG": "2"}},
    "sandbox": {"sandbox": {"enabled": True}},
}
OF_PROJECT_ALONE: dict[str, dict[str, Any]] = {
    "effortLevel": {"effortLevel": "low"},
    "alwaysThinkingEnabled": {"alwaysThinkingEnabled": False},
    "somethingNew": {"somethingNew": 1},
}


@pytest.mark.parametrize("kind", ["project", "local", "user", "global", "given"])
@pytest.mark.parametrize(("key", "content"), SHAPES.items())
def test_what_was_not_there_at_the_start_shapes_no_reviewer(kind: str, key: str, content: dict[str, Any]) -> None:
    assert f"{kind}.json has {key} that was not here at the start" in refused([of(kind, content)], [of(kind, BEFORE)])


@pytest.mark.parametrize(("key", "content"), OF_PROJECT_ALONE.items())
def test_of_the_persons_own_file_what_the_client_writes_there_is_theirs(key: str, content: dict[str, Any]) -> None:
    assert f"has {key} that" in refused([of("local", content)], [])
    assert refused([of("user", content)], []) == ""


@pytest.mark.parametrize(
    "now",
    [
        BEFORE,
        {},
        {**BEFORE, "permissions": {"allow": ["Bash(ls:*)", "Bash(make:*)"], "deny": ["WebFetch"], "ask": []}},
        {"model": "opus", "hooks": {}, "enabledMcpjsonServers": ["x"], "permissions": {"additionalDirectories": ["/"]}},
        {"permissions": "odd", "env": []},
    ],
)
def test_what_was_there_what_goes_and_what_grants_is_no_reason(now: dict[str, Any]) -> None:
    before = [of("local", BEFORE), of("local", {"permissions": "odd"})]
    assert refused([of("project", now), of("managed", SHAPES["permissions.deny"])], before) == ""


def test_a_style_counts_by_its_content_whether_or_not_one_is_chosen(tmp_path: Path) -> None:
    """The client takes one that is called default for its own."""
    project, config = tmp_path / "project", tmp_path / "config"
    folder = project / ".claude" / "output-styles"
    folder.mkdir(parents=True)
    before = [of("local", {"outputStyle": "mine"}), *settings.styles(config, project / "sub")]
    assert refused(before, before) == ""
    (folder / "mine.md").write_text("Say yes.")
    now = settings.styles(config, project / "sub")
    for chosen in ([], before[:1]):
        assert refused([*chosen, *now], [*before, *now]) == ""
        assert "output-styles has outputStyles that was not here" in refused([*chosen, *now], before)
