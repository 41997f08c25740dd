"""What the gate tells the agent: what the tools returned, and what to do next.

Rule: in the language of the request; what a model or a tool wrote becomes one clean line.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ccc.base.messages import Phrases
from ccc.base.text import one_line
from ccc.evidence import wording
from ccc.evidence.acts import Edit
from ccc.evidence.backing import Unbacked
from ccc.evidence.facts import Evidence
from ccc.evidence.setbacks import Setback
from ccc.evidence.standing import Failure


def failed(found: Evidence, failure: Failure) -> str:
    edited_since = any(edit.code and edit.at > failure.at for edit in found.edits)
    key = "failed_then_edited" if edited_since else "failed"
    return _say(found, key, command=failure.command, line=failure.check.line)


def unverified(found: Evidence, edits: Sequence[Edit]) -> str:
    names = list(dict.fromkeys(edit.path for edit in edits))
    ran = list(dict.fromkeys(each.what for each in found.ran_since(edits[-1]) if each.what))
    only = ", ".join(ran[:FILES_NAMED])
    if found.wrongs:
        last = found.wrongs[-1]
        return _say(found, "tried_in_vain", files=names, command=last.what, line=last.wrong)
    if found.checks:
        key = "not_verified_again_but" if only else "not_verified_again"
        return _say(found, key, files=names, command=found.checks[-1].command, only=only)
    ending = edits[-1].path.replace("\\", "/").rpartition("/")[2].rpartition(".")[2].lower()
    key = "not_verified_but" if only else "not_verified"
    return _say(found, key, files=names, command=_EXAMPLES.get(ending, "make test"), only=only)


_EXAMPLES: Mapping[str, str] = {
    **dict.fromkeys(("py", "pyi", "pyx"), "python -m pytest"),
    **dict.fromkeys(("js", "jsx", "mjs", "cjs", "vue", "svelte", "coffee"), "npm test"),
    **dict.fromkeys(("ts", "tsx", "mts", "cts", "astro"), "npx tsc --noEmit && npm test"),
    "go": "go build ./... && go test ./...",
    "rs": "cargo test",
    **dict.fromkeys(("java", "kt", "kts", "groovy"), "./gradlew test"),
    "scala": "sbt test",
    **dict.fromkeys(("c", "h", "cc", "cpp", "cxx", "hpp", "hh"), "make && make test"),
    "rb": "bundle exec rspec",
    "php": "vendor/bin/phpunit",
    "swift": "swift test",
    **dict.fromkeys(("cs", "fs", "vb"), "dotnet test"),
    "dart": "dart test",
    **dict.fromkeys(("ex", "exs"), "mix test"),
    **dict.fromkeys(("sh", "bash", "zsh"), "bash -n"),
    "sql": "psql -f",
    "ipynb": "jupyter nbconvert --to notebook --execute",
    "dockerfile": "docker build .",
}


def unbacked(found: Evidence, each: Unbacked) -> str:
    if each.claim is None:
        return _say(found, "claimed_file", files=[each.path], words=each.words)
    return _say(found, f"claimed_{each.claim.name.lower()}", words=each.words)


def untold(found: Evidence, setback: Setback) -> str:
    return _say(found, f"untold_{setback.how.value}", command=setback.what, line=setback.line)


def only_asked(found: Evidence) -> str:
    return _say(found, "only_asked", request=found.request)


_WORDS = Phrases(
    "gate",
    {
        "failed": """\
A check failed: `{command}`
It says: {line}
Nothing that covers it has passed since, so this is not the end. Find the cause, fix it, run it again until it passes.
If the failure has nothing to do with this work, show that, for instance by running it with your changes stashed.""",
        "failed_then_edited": """\
A check failed: `{command}`
It says: {line}
Code was edited since, but nothing was checked again. Run the same command; if it fails, go on until it passes.""",
        "not_verified": """\
Code was edited and not verified: {files}
No command ran after the last edit. Run the tests or the build that cover it (the \
project's own, for instance `{command}`), and finish when they pass; fix what fails.""",
        "not_verified_but": """\
Code was edited and not verified: {files}
After the last edit only this ran, which shows nothing about it: {only}. Run the tests or the build that cover it (the \
project's own, for instance `{command}`), and finish when they pass; fix what fails.""",
        "not_verified_again": """\
The last edits were not verified: {files}
No command ran after them. Run `{command}` again, and finish when it passes; \
fix what fails.""",
        "not_verified_again_but": """\
The last edits were not verified: {files}
After them only this ran, which shows nothing about them: {only}. Run `{command}` again, and finish when it passes; \
fix what fails.""",
        "tried_in_vain": """\
Code was edited, and what ran since did not work: {files}
`{command}` says: {line}
Find the cause, fix it, and run it again; finish when it works.""",
        "claimed_tests": """\
You say: {words}
No tool call of this request ran a test. Run the tests and finish when they pass, or say plainly that none ran.""",
        "claimed_builds": """\
You say: {words}
No tool call of this request built or compiled anything. Run the build and fix what fails, or say plainly that it did \
not run.""",
        "claimed_lints": """\
You say: {words}
No tool call of this request ran a linter. Run it and fix what it finds, or say plainly that it did \
not run.""",
        "claimed_deployed": """\
You say: {words}
No tool call of this request deployed anything. Do it if that was asked for, or say plainly that it is not deployed.""",
        "claimed_committed": """\
You say: {words}
No tool call of this request committed or pushed anything. Do it if that was asked for, or say plainly that it is not \
done.""",
        "claimed_proposed": """\
You say: {words}
No tool call of this request opened a pull request. Do it if that was asked for, or say plainly that none is open.""",
        "claimed_integrated": """\
You say: {words}
No tool call of this request looked at CI. Look at it and fix what fails, or say plainly that nobody has looked.""",
        "claimed_file": """\
You say: {words}
But no edit of this file went through: {files}. Write it and show that it is there, or say plainly that it could not \
be written.""",
        "untold_failed": """\
You report success, but the last thing that was to bring it about did not work: `{command}`
It says: {line}
Find the cause and do it again until it works, or say plainly what could not be done.""",
        "untold_refused": """\
You report success, but the call that was to bring it about was refused and never ran: `{command}`
Say plainly that it was not done, and what is left for the user to do.""",
        "untold_rehearsed": """\
You report success, but what ran only tells what it would do, and did nothing: `{command}`
Do it if that was asked for, or say plainly that it was only a rehearsal.""",
        "only_asked": """\
You have only asked so far; nothing was done. The user wants: {request}
Start now: look at the files concerned, settle small choices with a sensible default and say so, make the change and \
verify it. Ask again only about what cannot be done without an answer that nobody but the user has.""",
    },
)
FILES_NAMED = 5
QUOTED = 300


def _say(found: Evidence, key: str, *, files: Collection[str] = (), **quoted: str) -> str:
    """The feedback, in the language of the request; what a model or a tool wrote becomes one clean line."""
    lang = "zh" if wording.is_chinese(found.request) else "en"
    named = [one_line(path, 160) for path in list(files)[:FILES_NAMED]]
    more = [f"… +{len(files) - FILES_NAMED}"] if len(files) > FILES_NAMED else []
    lines = {name: one_line(text, QUOTED).replace("`", "'") or "—" for name, text in quoted.items()}
    return _WORDS[lang][key].format(files=", ".join([*named, *more]), **lines)
