"""What a worktree would hold, asked of a repository that wants to be asked."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.claude import commandline, settings, worktrees
from ccc.claude.commandline import Worktree
from ccc.claude.settings import Source
from ccc.claude.worktrees import Unknown

ENV = {"PATH": os.defpath, "HOME": "/nobody", "GIT_CONFIG_GLOBAL": "/dev/null"}
NEW = Worktree("")
DAY = 24 * 3600


def git(folder: Path, *words: str) -> str:
    named = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main")
    done = subprocess.run(("git", *named, *words), cwd=folder, env=ENV, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".claude").mkdir(parents=True)
    (folder / ".claude" / "settings.json").write_text(json.dumps({"env": {"FOO": "1"}}))
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "x")
    return folder


def ask(project: Path, found: tuple[Source, ...] = (), wanted: Worktree = NEW) -> tuple[Source, ...]:
    return worktrees.sources(wanted, found, config_directory=project.parent / "config", cwd=project, env=ENV)


def test_a_new_worktree_holds_what_its_commit_does(project: Path) -> None:
    [source] = ask(project)
    commit = git(project, "rev-parse", "HEAD")
    assert source == Source("project", Path(f"{commit[:12]}:.claude/settings.json"), {"env": {"FOO": "1"}})


def test_the_first_worktree_counts_as_well_where_this_is_another(project: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    git(project, "worktree", "add", "-q", "-b", "b", str(other))
    (other / ".claude" / "settings.json").write_text(json.dumps({"env": {"BAR": "1"}}))
    git(other, "commit", "-qam", "y")
    assert {name for source in ask(other) for name in source.env} == {"FOO", "BAR"}


def with_remote(project: Path) -> None:
    git(project, "remote", "add", "origin", "/nowhere")


def with_old_remote(project: Path) -> None:
    (project / ".git" / "remotes").mkdir()
    (project / ".git" / "remotes" / "origin").write_text("URL: /nowhere\n")


@pytest.mark.parametrize("known", [with_remote, with_old_remote])
def test_what_a_fetch_would_decide_is_unknown_until_it_has_been_fetched(
    project: Path, known: Callable[[Path], None]
) -> None:
    known(project)
    with pytest.raises(Unknown, match="git fetch origin"):
        ask(project)
    fetched = project / ".git" / "FETCH_HEAD"
    fetched.write_text("")
    assert len(ask(project)) == 1
    old = fetched.stat().st_mtime - DAY
    os.utime(fetched, (old, old))
    with pytest.raises(Unknown, match="git fetch origin"):
        ask(project)


def test_without_a_commit_nothing_is_known(tmp_path: Path) -> None:
    with pytest.raises(Unknown, match="git does not say"):
        ask(tmp_path)
    git(tmp_path, "init", "-q")
    with pytest.raises(Unknown, match="git does not say"):
        ask(tmp_path)
    assert worktrees.offered(tmp_path, tmp_path, ENV) == ()


def commands(marker: Path) -> Iterator[tuple[str, str]]:
    touch = f"touch {marker}; false"
    for name in (
        "core.fsmonitor",
        "core.sshCommand",
        "core.pager",
        "core.askPass",
        "credential.helper",
        "pager.ls-tree",
    ):
        yield name, touch
    yield "alias.ls-tree", f"!{touch}"
    for part in ("clean", "smudge", "process"):
        yield f"filter.x.{part}", touch
    yield "core.repositoryFormatVersion", "1"
    yield "extensions.partialClone", "origin"
    yield "protocol.ext.allow", "always"
    yield "protocol.file.allow", "always"


@pytest.mark.parametrize("address", ["ext::sh -c {touch}", "{folder}"])
def test_nothing_of_the_repository_runs_even_to_fetch_what_is_missing(
    project: Path, tmp_path: Path, address: str
) -> None:
    """A partial clone has its missing files fetched by any command that looks at them."""
    marker = tmp_path / "ran"
    blob = git(project, "rev-parse", "HEAD:.claude/settings.json")
    (project / ".git" / "info" / "attributes").write_text("* filter=x\n")
    with_remote(project)
    (project / ".git" / "FETCH_HEAD").write_text("")
    for name, value in commands(marker):
        git(project, "config", name, value)
    script = tmp_path / "touch.sh"
    script.write_text(f"#!/bin/sh\ntouch {marker}\n")
    script.chmod(0o755)
    git(project, "config", "remote.origin.url", address.format(touch=script, folder=tmp_path))
    git(project, "config", "remote.origin.uploadpack", str(script))
    git(project, "config", "remote.origin.promisor", "true")
    (project / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(Unknown):
        ask(project)
    assert not marker.exists()


@pytest.mark.parametrize(
    ("attributes", "name"),
    [
        ("*.json ident\n", "ident"),
        ("# a comment\n.claude/*  text ident\n", "ident"),
        ("*.json filter=x\n", "filter"),
        ("settings.* working-tree-encoding=ISO-8859-1\n", "working-tree-encoding"),
        ("[attr]quiet -diff ident\n*.json quiet\n", "working-tree-encoding"),  # any name may be meant
        ('".claude/settings.json" ident\n', "ident"),
        ("*.png filter=lfs diff=lfs\n*.md ident\n", None),
        ("*.json text eol=lf\n", None),
    ],
)
def test_what_git_would_rewrite_at_checkout_is_not_what_is_stored(
    project: Path, attributes: str, name: str | None
) -> None:
    (project / ".gitattributes").write_text(attributes)
    git(project, "add", "-A")
    git(project, "commit", "-qm", "y")
    (project / ".gitattributes").unlink()
    if name is None:
        assert len(ask(project)) == 1
        return
    with pytest.raises(Unknown, match=f"sets {name}"):
        ask(project)


def test_a_replacement_shows_nobody_another_file(project: Path) -> None:
    stored = git(project, "rev-parse", "HEAD:.claude/settings.json")
    (project / "harmless").write_text("{}")
    git(project, "replace", stored, git(project, "hash-object", "-w", "harmless"))
    [source] = ask(project)
    assert source.env == {"FOO": "1"}


@pytest.mark.parametrize("way", ["/proc/self/cwd/e.json", "link/e.json", "/dev/fd/0"])
def test_a_link_that_leads_each_program_elsewhere_is_a_problem(tmp_path: Path, way: str) -> None:
    (tmp_path / "e.json").write_text("{}")
    (tmp_path / "link").symlink_to("/proc/self/cwd")
    (tmp_path / "settings.json").symlink_to(way)
    assert "leads each program elsewhere" in settings.read("project", tmp_path / "settings.json").problem
    (tmp_path / "plain.json").symlink_to("e.json")
    assert settings.read("project", tmp_path / "plain.json").problem == ""


@given(st.lists(st.text(max_size=8) | st.sampled_from(["-w", "--worktree", "--worktree=x", "-pw", "x"]), max_size=6))
def test_any_words_are_read_and_a_worktree_before_them_is_noticed(words: list[str]) -> None:
    commandline.worktree(words)
    assert commandline.worktree(["-w", *words]) is not None


def test_the_projects_files_are_told_from_the_persons(tmp_path: Path) -> None:
    kinds = ("global", "user", "project", "local", "managed", "servers")
    found = [Source(kind, tmp_path, {}) for kind in kinds]
    assert [source.kind for source in settings.of_project(found)] == ["project", "local", "servers"]
    assert "servers" not in [source.kind for source in settings.without_servers(found)]


AGENT = "---\nname: h\nmcpServers: [{e: {url: x}}]\n---\n"


def with_head(project: Path, name: str, text: str = AGENT) -> Path:
    path = project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def linked(project: Path, name: str, target: str) -> None:
    (project / name).parent.mkdir(parents=True, exist_ok=True)
    (project / name).symlink_to(target)


def heads(project: Path) -> list[str]:
    git(project, "add", "-Af")
    git(project, "commit", "-qm", "x")
    return sorted(str(source.path).partition(":")[2] for source in ask(project) if source.kind == settings.DECLARED)


def test_a_commit_has_heads_wherever_a_folder_has_them(project: Path) -> None:
    with_head(project, ".claude/agents/deep/h.MD")
    with_head(project, ".claude/commands/c.md")
    with_head(project, ".claude/skills/s/SKILL.md")
    with_head(project, ".claude/skills/s/more/SKILL.md")
    with_head(project, ".claude/agents/plain.md", "---\nname: x\n---\n")
    with_head(project, "docs/h.md")
    assert heads(project) == [".claude/agents/deep/h.MD", ".claude/commands/c.md", ".claude/skills/s/SKILL.md"]


def test_links_within_a_commit_are_followed(project: Path) -> None:
    with_head(project, ".shared/skills/s/SKILL.md")
    with_head(project, "deep/h.md")
    linked(project, ".claude/skills", "../.shared/skills")
    linked(project, ".claude/agents/h.md", "../../deep/h.md")
    linked(project, ".claude/commands", "../deep")
    assert heads(project) == [".claude/agents/h.md", ".claude/commands/h.md", ".claude/skills/s/SKILL.md"]


@pytest.mark.parametrize("target", ["/etc", "../../..", "../nothing", "../through/x", "../through/../x", "."])
def test_a_link_that_leads_out_of_a_commit_leaves_nobody_sure(project: Path, target: str) -> None:
    with_head(project, "deep/x/h.md")
    linked(project, "through", "deep")
    linked(project, ".claude/agents", target)
    with pytest.raises(Unknown, match=r"claude/agents.* is no plain file that git can show"):
        heads(project)


def test_a_ring_of_links_in_a_commit_comes_to_an_end(project: Path) -> None:
    with_head(project, ".claude/agents/x.md", "x")
    linked(project, ".claude/agents/ring", "../agents")
    with pytest.raises(Unknown):
        heads(project)


@pytest.mark.parametrize("place", [".gitattributes", ".claude/agents/.gitattributes", ".shared/.gitattributes"])
def test_attributes_that_could_make_another_head_leave_nobody_sure(project: Path, place: str) -> None:
    with_head(project, ".shared/agents/h.md", "x")
    linked(project, ".claude/commands", "../.shared/agents")
    with_head(project, ".claude/agents/h.md", "x")
    with_head(project, place, "*.md working-tree-encoding=UTF-7\n")
    with pytest.raises(Unknown, match="sets working-tree-encoding"):
        heads(project)
