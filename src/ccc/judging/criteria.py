"""The reviewer's prompt: the built-in one or SUPERVISOR.md, frozen before the agent can touch it.

Rule: the judged must not edit the judge. SUPERVISOR.md is copied once, named after its own hash, and a copy that no
longer matches its name is not used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ccc.base import checksum, files, languages
from ccc.base.errors import CccError
from ccc.base.files import scratch_folder
from ccc.base.messages import msg
from ccc.base.text import capped
from ccc.claude import mentions
from ccc.claude.program import project_directory
from ccc.judging import prompts

if TYPE_CHECKING:
    from ccc.judging.supervisor import Brief

LIMIT = 100_000
PROMPT_LIMIT = 127_000  # one word of a command line holds 131,071 bytes
CONTEXT_LIMIT = 40_000  # bytes of what pty mode repeats of a conversation that is long: none of it is in the cache
WORDS_LIMIT = 20_000  # characters of what the person said in the session
VARIABLE = "CCC_SUPERVISOR_PROMPT"


class BadCriteria(CccError):
    """A SUPERVISOR.md that cannot be used."""


def find(cwd: Path, config_directory: Path) -> Path | None:
    """SUPERVISOR.md of the project, else of the config folder."""
    for folder in dict.fromkeys((project_directory(cwd), cwd)):
        path = folder / "SUPERVISOR.md"
        if path.exists() or path.is_symlink():
            _refuse_escape(path, folder)
            return path
    own = config_directory / "SUPERVISOR.md"
    return own if own.exists() else None


def read(path: Path) -> str:
    text = files.read_text(path, limit=LIMIT)
    if not text or not text.strip():
        raise BadCriteria(msg("{path} is empty", path=path), msg("write what a finished task looks like, or delete it"))
    return text


def snapshot(cwd: Path, config_directory: Path, state: Path) -> Path | None:
    """A copy of SUPERVISOR.md under ccc's own folder, or None when the built-in prompt holds."""
    source = find(cwd, config_directory)
    return copied(read(source), state) if source else None


def copied(text: str, state: Path) -> Path:
    data = text.encode()
    files.private_directory(state)
    files.private_directory(scratch_folder(state))
    copy = state / f"criteria-{checksum.of(data)}.md"
    if not copy.exists():
        files.replace_own(copy, data, scratch=scratch_folder(state))
    return copy


def required(cwd: Path, config_directory: Path) -> str:
    """The text, where no built-in prompt takes its place."""
    source = find(cwd, config_directory)
    if source is None:
        here, there = project_directory(cwd) / "SUPERVISOR.md", config_directory / "SUPERVISOR.md"
        raise CccError(
            msg("there is no {here} and no {there}", here=here, there=there),
            msg("write a good one with: ccc init --supervisor-md"),
        )
    return read(source)


def announced(cwd: Path, config_directory: Path, copy: Path) -> Iterator[str]:
    """For the start of a session: which file of the project's judges, and in which version; a repository brings it."""
    source = find(cwd, config_directory)
    if source and source.parent != config_directory:
        yield msg(
            "reviews go by {path} (version {digest})", path=source, digest=copy.stem.removeprefix("criteria-")[:12]
        )


def frozen(path: Path) -> str | None:
    """The text of a snapshot; None when it is gone or was changed."""
    match = re.fullmatch(r"criteria-([0-9a-f]{64})\.md", path.name)
    try:
        data = files.read_own(path, limit=LIMIT)
    except CccError:  # somebody put a link or a pipe in its place
        return None
    if not match or data is None or checksum.of(data) != match[1]:
        return None
    return data.decode("utf-8", "replace")


def prompt(
    criteria: str | None,
    lang: str,
    *,
    schema: bool,
    brief: Brief,
    tasks: Sequence[str] = (),
    words: Sequence[str] = (),
) -> str:
    """The whole prompt of hooks mode: criteria, facts, and the answer format last."""
    ending = prompts.schema_format(lang) if schema else prompts.text_format(lang)
    head = _no_command((criteria or prompts.built_in(lang)).rstrip(), lang)
    room = PROMPT_LIMIT - _size(head) - _size(ending)
    told = _fitting(room, lang, brief, tasks, words)
    return "\n\n".join(part.strip() for part in (head, told, ending) if part.strip())


def _size(text: str) -> int:
    """In bytes, as the client is handed it."""
    return len(mentions.as_words(text).encode())


def _no_command(head: str, lang: str) -> str:
    """The client runs a prompt that begins with the name of a command (`/usage`), and no model hears it. In print mode
    `!` and `#` begin nothing."""
    is_command = head.lstrip("\ufeff \t\r\n\v\f").startswith("/")
    return f"{prompts.CRITERIA_HEADING[lang]}\n\n{head}" if is_command else head


def _fitting(room: int, lang: str, brief: Brief, tasks: Sequence[str], words: Sequence[str]) -> str:
    """The facts; the oldest findings go first where there is no room for all, the person's words last."""
    findings, limit = brief.findings, WORDS_LIMIT
    while True:
        said = prompts.shortened(lang, words, limit) if limit else []
        told = prompts.facts(lang, findings=findings, tasks=tasks, evidence=brief.facts(lang), words=said)
        if _size(told) <= room or not (findings or tasks or limit):
            return told
        limit = limit if findings or tasks else limit // 2
        findings, tasks = findings[1:], tasks if findings else tasks[: len(tasks) // 2]


def system_prompt(text: str, lang: str) -> str:
    """pty mode: the criteria, and the marker as the answer format."""
    return f"{text.rstrip()}\n\n{prompts.marker_format(lang)}"


def context(
    inputs: Sequence[str],
    brief: Brief,
    lang: str,
    *,
    tasks: Sequence[str] = (),
    words: Sequence[str] = (),
) -> str:
    """pty mode, where the system prompt has the rules: what the person typed for this request, and what ccc knows."""
    ending = prompts.rules_elsewhere(lang)
    told = _context(inputs, brief, lang, tasks=tasks, words=words, room=PROMPT_LIMIT - _size(f"\n\n{ending}"))
    return f"{told}\n\n{ending}"


def _context(
    inputs: Sequence[str], brief: Brief, lang: str, *, tasks: Sequence[str], words: Sequence[str], room: int
) -> str:
    findings, said = brief.findings, prompts.shortened(lang, words, WORDS_LIMIT)
    while True:
        told = prompts.inputs(lang, inputs) + "\n"
        told += prompts.facts(lang, findings=findings, tasks=tasks, evidence=brief.facts(lang), words=said)
        if _size(told) <= room or not (inputs or findings or tasks or said):
            return told.strip()
        # The conversation holds every word anyway; here the ends of long inputs can go.
        longest = max(map(len, inputs), default=0)
        inputs = [capped(text, max(longest // 2, 200)) for text in inputs] if longest > 400 else inputs[1:]
        findings, tasks, said = findings[1:], tasks[: len(tasks) // 2], said if inputs else said[: len(said) // 2]


def pty_prompt(
    text: str,
    inputs: Sequence[str],
    brief: Brief,
    lang: str,
    *,
    tasks: Sequence[str] = (),
    words: Sequence[str] = (),
) -> str:
    """pty mode, where the system prompt is to stay the agent's: criteria, context, and the answer format last."""
    head, ending = _no_command(text.rstrip(), lang), prompts.marker_format(lang)
    room = min(PROMPT_LIMIT - _size(head) - _size(ending), CONTEXT_LIMIT)
    told = _context(inputs, brief, lang, tasks=tasks, words=words, room=room)
    return "\n\n".join(part.strip() for part in (head, told, ending))


def named_snapshot(env: Mapping[str, str]) -> Path | None:
    """The snapshot that the start of ccc handed on."""
    value = env.get(VARIABLE)
    return Path(value) if value else None


def _refuse_escape(path: Path, folder: Path) -> None:
    """A link out of the project could send any file of this machine to the model."""
    if not path.resolve().is_relative_to(folder.resolve()):
        raise BadCriteria(
            msg("{path} is a link that leads out of its folder", path=path), msg("put the text itself there")
        )


def write_supervisor_md(cwd: Path, env: Mapping[str, str]) -> Path:
    """A SUPERVISOR.md to start from, in the project; one that is there is never overwritten."""
    path = project_directory(cwd) / "SUPERVISOR.md"
    if path.exists() or path.is_symlink():
        raise CccError(msg("{path} is there already", path=path), msg("edit it, or move it away first"))
    files.replace(path, prompts.supervisor_md(languages.of_person(env)).encode())
    path.chmod(0o644)
    return path
