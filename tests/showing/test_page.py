"""The report as a page: what it tells, that it holds whatever a model says, and where it is written."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import stat
import string
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccc.base.errors import CccError
from ccc.base.text import clean
from ccc.claude.conversation import Edit
from ccc.model import ByGate, Outcome, Rule
from ccc.providers import config
from ccc.record.events import Event, decoded
from ccc.record.session import Phase
from ccc.record.words import dollars
from ccc.showing import status
from ccc.showing.report import changes, frame, page, rounds, summary, words, work
from ccc.showing.report.markup import Html, escaped, prose, tag
from ccc.showing.report.page import Told
from ccc.showing.report.rounds import Allowed, SentBack
from ccc.showing.report.work import Asked, Said, Used
from tests.browser import sample
from tests.browser.sample import REQUEST, SESSION, Sample
from tests.sessions import happened
from tests.world import World, provider

SAY = words.words("en", UTC)
HOSTILE = "<script>alert(1)</script> \x1b[31mred\x1b[0m \x9b2J \u202egnp.exe & \"a\" 'b' ]]> --> </style></title>"
TAGS = frozenset(
    {"html", "head", "meta", "title", "style", "body", "a", "header", "main", "footer", "section", "h1", "h2", "h3"}
    | {"p", "span", "div", "dl", "dt", "dd", "ol", "ul", "li", "details", "summary", "pre", "code", "samp", "strong"}
    | {"time", "table", "caption", "thead", "tbody", "tr", "th", "td", "svg", "rect", "blockquote"}
)


class Reader(HTMLParser):
    """What a browser would make of the page, as far as a test can tell without one."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.ids: list[str] = []
        self.open: list[str] = []
        self.shown: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] not in (["style"], ["title"]):
            self.shown.append(data)

    @property
    def text(self) -> str:
        return "".join(self.shown)


def told(it: Sample, tmp_path: Path) -> Told:
    it.write(tmp_path / "ccc", tmp_path / "transcript.jsonl")
    return page.gather(tmp_path / "ccc", SESSION, transcripts=tmp_path)


def read(found: Told) -> Reader:
    return Reader(page.render(found, SAY, made=0.0))


def assert_harmless(reader: Reader) -> None:
    assert set(reader.tags) <= TAGS
    assert reader.open == []
    assert len(set(reader.ids)) == len(reader.ids)
    for name, value in reader.attributes:
        assert not name.startswith("on")
        assert name not in ("style", "src", "action", "formaction")
        assert name != "href" or re.fullmatch(r"#\w+|[\w.-]+\.html", value)


# What happened.


def test_the_story_and_the_transcript_become_rounds(tmp_path: Path) -> None:
    [request] = told(sample.sample(), tmp_path).requests
    first, second, third = request.rounds
    assert request.text == REQUEST
    assert request.outcome is Outcome.COMPLETED
    assert request.begun == sample.BEGUN.timestamp()
    assert [len(each.calls) for each in request.rounds] == [5, 3, 3]
    assert isinstance(first.decision, SentBack)
    assert (first.decision.by, first.reviews, first.checks) == (ByGate(Rule.NOT_VERIFIED), (), ())
    assert [check.command for check in second.checks] == ["pytest -q"]
    assert [review.allow_stop for review in request.reviews] == [False, True]
    assert [remark.tool for remark in second.reviews[0].remarks] == ["", "Read", "Grep"]
    assert isinstance(third.decision, Allowed)
    assert (third.count, third.limit) == (3, 10)


def test_a_page_tells_what_the_state_file_tells(tmp_path: Path) -> None:
    shown = read(told(sample.sample(), tmp_path))
    stored = json.loads((tmp_path / "ccc" / f"supervisor-{SESSION}.json").read_text())
    assert "Completed" in shown.text
    assert stored["outcome"] == "completed"
    assert f"{stored['count']} of at most 10" in shown.text
    assert "$0.0639" in shown.text
    assert "Done at attempt 3. The agent was sent back twice before its work passed." in shown.text
    assert_harmless(shown)


def test_everything_of_the_run_is_on_the_page(tmp_path: Path) -> None:
    shown = read(told(sample.sample(), tmp_path)).text
    expected = [
        *(REQUEST, "shop", "glm", "hooks", "glm-5", "2026-03-14 09:26", "1 min 46 s"),
        *("by the gate, without asking a model", "Check passed", "What the reviewer looked at (3)", "by the reviewer"),
        *("1 failed, 41 passed in 3.1s", "1,000 addresses", "shop/limit.py", "tests/test_login.py", "Wants to stop"),
    ]
    assert [words for words in expected if words not in shown] == []


def test_steps_belong_to_the_request_that_they_follow() -> None:
    it = Sample()
    it.asks("not supervised", "p0")
    it.says("done, unseen")
    it.asks("first", "p1")
    it.stops(1, "done")
    it.event("stop allowed", outcome="completed", why="")
    it.wait(60)
    it.asks("second", "p2")
    it.says("on it")
    it.stops(1, "done again", prompt_id="p2")
    it.event("sent back", by="reviewer", feedback="no")
    it.says("so I go on")
    first, second = requests_of(it)
    assert (first.text, first.prompt_id, len(first.rounds)) == ("first", "p1", 1)
    assert second.text == "second"
    assert second.outcome is None
    assert [step.text for step in second.rounds[-1].steps if isinstance(step, Said)] == ["so I go on"]


def requests_of(it: Sample) -> tuple[rounds.Request, ...]:
    events = [event for raw in it.story if (event := decoded(raw))]
    return rounds.history(events, work.steps(it.transcript)).requests


def test_feedback_that_the_agent_hears_as_a_user_is_no_request() -> None:
    it = Sample()
    it.asks("build it", "a")
    it.stops(1, "done", prompt_id=None)
    it.event("sent back", by="reviewer", feedback="not  yet\n")
    it.wait(1)
    it.asks("not yet", "b")  # as pty mode hands it on
    it.stops(2, "done now", prompt_id=None)
    it.event("stop allowed", outcome="completed", why="")
    [request] = requests_of(it)
    assert (request.text, len(request.rounds)) == ("build it", 2)


def test_a_request_that_has_not_been_reviewed_yet_is_at_work() -> None:
    it = Sample()
    it.asks("build it")
    it.says("I begin")
    [request] = requests_of(it)
    assert request.text == "build it"
    assert request.rounds[0].stop is None


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("fix it", "fix it"),
        ([{"type": "text", "text": "<ide_selection>a</ide_selection>"}, {"type": "text", "text": "fix it"}], "fix it"),
        ("<command-name>/deploy</command-name>\n<command-args>now</command-args>", "/deploy now"),
        ("<command-name>/model</command-name>", None),
        ("<command-name>/rename</command-name>", None),
        ("<local-command-stdout>x</local-command-stdout>", None),
        ("<task-notification>done</task-notification>", None),
        ("Stop hook feedback:\nno", None),
        ([{"type": "image", "source": {}}], "[image]"),
    ],
)
def test_what_counts_as_a_request(content: object, expected: str | None) -> None:
    found = work.steps([{"type": "user", "message": {"content": content}, "timestamp": "2026-01-01T00:00:00Z"}])
    assert [step.text for step in found if isinstance(step, Asked)] == ([expected] if expected else [])


@pytest.mark.parametrize("mark", ["isMeta", "isCompactSummary", "isSidechain"])
def test_lines_that_are_not_the_persons(mark: str) -> None:
    assert work.steps([{"type": "user", mark: True, "message": {"content": "x"}}]) == ()


def test_words_typed_while_the_agent_works_do_not_begin_a_request() -> None:
    result = {"type": "tool_result", "tool_use_id": "1", "content": "ok"}
    lines: list[dict[str, Any]] = [
        {"type": "user", "message": {"content": [result, {"type": "text", "text": "use the other port"}]}},
        {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "and the docs"}},
    ]
    assert [(step.text, step.begins) for step in work.steps(lines) if isinstance(step, Asked)] == [
        ("use the other port", False),
        ("and the docs", False),
    ]


def test_time_never_goes_back() -> None:
    lines = [
        {"type": "assistant", "timestamp": at, "message": {"content": [{"type": "text", "text": at}]}}
        for at in ("2026-01-01T00:00:05Z", "2026-01-01T00:00:01Z", "nonsense", "2026-01-01T00:00:09Z")
    ]
    times = [step.at for step in work.steps(lines)]
    assert times == sorted(times)


# What changed.


def test_several_edits_are_one_difference() -> None:
    edits = [Edit("/p/a", "one\ntwo\n", "one\n2\n"), Edit("/p/b", "", "new\n"), Edit("/p/a", "one\n2\n", "one\n2\n3\n")]
    a, b = changes.changes(edits)
    assert (a.path, a.added, a.removed, a.new) == ("/p/a", 2, 1, False)
    assert a.lines == ("@@ -1,2 +1,3 @@", " one", "-two", "+2", "+3")
    assert (b.path, b.added, b.new) == ("/p/b", 1, True)


def test_a_file_that_is_as_it_was_has_not_changed() -> None:
    assert changes.changes([Edit("a", "x", "y"), Edit("a", "y", "x")]) == ()


def test_without_whole_files_the_edits_are_told_one_by_one() -> None:
    hunks = (("@@ -1 +1 @@", "-x", "+y"), ("@@ -9 +9 @@", "+z"))
    [change] = changes.changes([Edit("a", None, None, each) for each in hunks])
    assert (change.added, change.removed, change.whole) == (2, 1, False)


def test_the_clients_own_record_of_an_edit() -> None:
    told = {"filePath": "a", "oldString": "x", "newString": "y", "originalFile": "x x", "structuredPatch": []}
    assert edited(told) == Edit("a", "x x", "y x")
    assert edited({**told, "replaceAll": True}) == Edit("a", "x x", "y y")
    assert edited({"filePath": "a", "type": "create", "content": "n", "structuredPatch": []}) == Edit("a", "", "n")
    assert edited("Error: no") is None


def edited(result: object) -> Edit | None:
    block = {"type": "tool_use", "id": "1", "name": "Edit", "input": {}}
    answer = {"type": "tool_result", "tool_use_id": "1", "content": "ok"}
    lines: list[dict[str, Any]] = [
        {"type": "assistant", "message": {"content": [block]}},
        {"type": "user", "message": {"content": [answer]}, "toolUseResult": result},
    ]
    [call] = [step for step in work.steps(lines) if isinstance(step, Used)]
    return call.edit


def test_what_git_knows_beyond_the_transcript_is_named(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    (project / "made by a command.txt").write_text("")
    (project / "edited.py").write_text("")
    it = Sample(project=str(project))
    it.asks("x")
    it.edits("edited.py", None, "x\n")
    it.stops(1, "done")
    found = told(it, tmp_path)
    assert found.uncommitted == ("made by a command.txt",)
    assert "made by a command.txt" in read(found).text


def test_without_a_transcript_the_page_says_so(tmp_path: Path) -> None:
    it = sample.sample()
    it.write(tmp_path / "ccc", tmp_path / "transcript.jsonl")
    (tmp_path / "transcript.jsonl").unlink()
    found = page.gather(tmp_path / "ccc", SESSION, transcripts=tmp_path)
    shown = read(found)
    assert "transcript of this session cannot be read" in shown.text
    assert "42 passed" in shown.text  # the last message is in the story
    assert_harmless(shown)


# Hostile text.

text = st.text(st.characters(codec=None) | st.sampled_from("<>&\"'`*\x1b\x07\x9b\u202e\n]"), max_size=80)
KEYS = ["type", "text", "id", "name", "input", "content", "usage", "message", "timestamp", "filePath", "oldString"]
KEYS += ["newString", "originalFile", "structuredPatch", "lines", "oldStart", "newStart", "tool_use_id", "attachment"]
LINE = ["type", "message", "attachment", "timestamp", "toolUseResult", "isMeta", "promptId"]
TOLD = [
    "count",
    "limit",
    "prompt_id",
    "why",
    "feedback",
    "seconds",
    "code",
    "cost_usd",
    "tokens",
    "outcome",
    "allow_stop",
]
NAMES = [
    "supervisor-hook invoked",
    "review started",
    "reviewer says",
    "reviewer uses",
    "verdict",
    "no verdict",
    "check",
]
NAMES += ["trouble", "sent back", "stop allowed", "something new", "held up", "went on", "provider changed"]
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | text | st.sampled_from(["user", "assistant", "tool_use"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=12,
)
moments = st.none() | st.datetimes(timezones=st.just(UTC))


def with_keys(keys: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from(keys), values, max_size=6)


@given(text)
def test_any_text_stays_text(hostile: str) -> None:
    shown = Reader(tag("p", hostile, title=hostile))
    assert shown.tags == ["p"]
    assert shown.text == clean(hostile)
    assert shown.attributes == [("title", clean(hostile))]


@given(text)
def test_prose_keeps_every_word(hostile: str) -> None:
    shown = Reader(prose(hostile))
    assert set(shown.tags) <= {"p", "code", "strong", "pre"}
    letters = string.ascii_letters + string.digits
    kept = [letter for letter in clean(hostile) if letter in letters]
    assert [letter for letter in shown.text if letter in letters] == kept or "```" in hostile


def test_markup_is_made_in_one_place_only() -> None:
    assert isinstance(escaped("<"), Html)
    assert escaped("<") == "&lt;"
    modules = [path for path in Path(page.__file__).parent.glob("*.py") if path.name != "markup.py"]
    assert len(modules) > 5
    for path in modules:
        made = re.findall(r'Html\((?!"")(.+?)\)', path.read_text())
        assert made in ([], ["css"]), path.name


@settings(max_examples=40)
@given(text)
def test_hostile_words_everywhere_leave_the_page_whole(hostile: str) -> None:
    requests = requests_of(hostile_sample(hostile))
    shown = read(Told(hostile, requests, Phase.DONE, hostile, hostile, hostile, uncommitted=(hostile,)))
    assert_harmless(shown)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", shown.text)


def hostile_sample(words: str) -> Sample:
    it = Sample(project=words)
    it.asks(words or "x")
    it.says(words or "x")
    it.uses(words or "x", words, command=words)
    it.edits(words, words, words + "\n" + words)
    it.stops(1, words)
    it.event("check", command=words, passed=False, code=1, seconds=1.0)
    it.event("review started", engine=words, model=words)
    it.event("reviewer says", text=words)
    it.event("reviewer uses", tool=words, on=words)
    it.event("verdict", allow_stop=False, feedback=words, cost_usd=0.1, tokens=3)
    it.event("trouble", why=words)
    it.event("sent back", by=words, feedback=words)
    it.stops(2, words)
    it.event("no verdict", why=words)
    it.event("stop allowed", outcome="needs_human", why=words)
    return it


def test_script_and_escape_sequences_are_shown_as_text(tmp_path: Path) -> None:
    shown = read(told(hostile_sample(HOSTILE), tmp_path))
    assert_harmless(shown)
    assert "<script>alert(1)</script> red" in shown.text
    assert "\x1b" not in shown.text


@settings(max_examples=150)
@given(st.lists(with_keys(LINE), max_size=4))
def test_any_transcript_can_be_read(lines: list[dict[str, Any]]) -> None:
    work.steps(lines)


@settings(max_examples=150)
@given(st.lists(st.builds(happened, st.sampled_from(NAMES), moments, with_keys(TOLD)), max_size=8))
def test_any_story_can_be_told(events: list[Event]) -> None:
    found = Told("id", rounds.history(events, ()).requests)
    assert_harmless(read(found))


# The page itself.


def test_the_policy_lets_nothing_run_and_nothing_load(tmp_path: Path) -> None:
    text = page.render(told(sample.sample(), tmp_path), SAY, made=0.0)
    digest = base64.b64encode(hashlib.sha256(frame.style().encode()).digest()).decode()
    assert f"default-src &#x27;none&#x27;; style-src &#x27;sha256-{digest}&#x27;" in text
    assert "http://" not in text
    assert "https://" not in text
    assert not re.search(r"@import|url\(", frame.style())


def test_landmarks_and_headings_are_in_order(tmp_path: Path) -> None:
    shown = read(told(sample.sample(), tmp_path))
    assert [shown.tags.count(name) for name in ("header", "main", "footer", "h1", "title")] == [1] * 5
    levels = [int(name[1]) for name in shown.tags if re.fullmatch(r"h\d", name)]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_outcome_has_its_words(lang: str, tmp_path: Path) -> None:
    for outcome in (*(each.value for each in Outcome), None):
        it = Sample()
        it.asks("x")
        it.stops(1, "done")
        it.event("stop allowed", outcome=outcome, why="because")
        shown = Reader(page.render(told(it, tmp_path), words.words(lang, UTC), made=0.0))
        assert_harmless(shown)
        assert "{" not in shown.text


def test_both_languages_have_the_same_words() -> None:
    def slots(value: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(value) if name}

    english, chinese = words.TEXTS["en"], words.TEXTS["zh"]
    assert english.keys() == chinese.keys()
    for key in english:
        assert slots(english[key]) == slots(chinese[key]), key


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0.04, "0.0 s"),
        (9.94, "9.9 s"),
        (9.96, "10 s"),
        (59.6, "1 min 00 s"),
        (3599, "59 min 59 s"),
        (7260, "2 h 01 min"),
    ],
)
def test_durations(seconds: float, expected: str) -> None:
    assert SAY.duration(seconds) == expected


def test_numbers_for_a_glance() -> None:
    assert [words.amount(n) for n in (0, 999, 1000, 12_345, 999_949, 1_500_000)] == [
        "0",
        "999",
        "1.0k",
        "12.3k",
        "999.9k",
        "1.5M",
    ]
    assert [words.money(n) for n in (0.0003, 0.0999, 0.1, 12.345)] == ["$0.0003", "$0.0999", "$0.1000", "$12.35"]
    assert [words.clock(n) for n in (-1, 7.4, 750, 3723)] == ["0:00", "0:07", "12:30", "1:02:03"]


def test_a_long_session_stays_a_page_that_opens(tmp_path: Path) -> None:
    it = Sample()
    it.asks("much to do")
    for _ in range(3000):
        it.uses("Bash", "x" * 10_000, command="make")
    it.stops(1, "done")
    text = page.render(told(it, tmp_path), SAY, made=0.0)
    assert len(text) < 3_000_000
    assert "3000 tool calls" in text


# Where it goes.


@pytest.fixture
def supervised_world(world: World) -> World:
    world.write_config({"glm": provider("http://127.0.0.1:9", "sk-canary-0123456789")})
    it = replace(sample.sample(), project=str(world.project))
    it.write(world.state, world.config / "projects" / "p" / f"{SESSION}.jsonl", transcript=None)
    return world


def report(world: World, session: str | None = None, output: Path | None = None) -> Path:
    env = world.env()
    return page.report(session, output=output, conf=config.load(env), env=env, cwd=world.project)


@pytest.fixture
def no_umask() -> Iterator[None]:
    old = os.umask(0)
    yield
    os.umask(old)


@pytest.mark.usefixtures("no_umask")
def test_the_newest_session_of_the_project_is_written_for_its_owner_alone(supervised_world: World) -> None:
    path = report(supervised_world)
    assert path == supervised_world.state / "reports" / f"{SESSION}.html"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert REQUEST in path.read_text()


def test_a_session_is_named_by_its_beginning_and_written_where_the_person_says(supervised_world: World) -> None:
    wanted = supervised_world.project / "report.html"
    assert report(supervised_world, SESSION[:4], wanted) == wanted
    assert stat.S_IMODE(wanted.stat().st_mode) == 0o600
    with pytest.raises(CccError, match="no session begins with"):
        report(supervised_world, "ffff")
    with pytest.raises(CccError, match="cannot write"):
        report(supervised_world, SESSION, supervised_world.project / "no folder" / "x.html")


def test_no_session_yet_is_said_with_what_to_do(world: World) -> None:
    with pytest.raises(CccError, match=r"no supervised session yet, so there is nothing to report; start one"):
        report(world)


def test_no_session_of_this_project_yet_is_said_with_where_the_others_are(supervised_world: World) -> None:
    env = supervised_world.env()
    with pytest.raises(CccError, match=r"no supervised session of .* yet; name one .* ccc report --all"):
        page.report(None, output=None, conf=config.load(env), env=env, cwd=supervised_world.root)


def test_all_sessions_are_an_index_with_links_beside_it(supervised_world: World) -> None:
    env = supervised_world.env()
    index = page.report_all(output=None, conf=config.load(env), env=env)
    shown = Reader(index.read_text())
    assert_harmless(shown)
    assert ("href", f"{SESSION}.html") in shown.attributes
    assert "All sessions" in (index.parent / f"{SESSION}.html").read_text()
    assert stat.S_IMODE(index.stat().st_mode) == 0o600


def test_the_index_may_be_a_file_of_any_name_with_the_pages_beside_it(supervised_world: World) -> None:
    env, output = supervised_world.env(), supervised_world.root / "x.html"
    index = page.report_all(output=output, conf=config.load(env), env=env)
    assert (index, output.is_file()) == (output, True)
    assert ("href", f"x/{SESSION}.html") in Reader(index.read_text()).attributes
    assert 'href="../x.html"' in (output.parent / "x" / f"{SESSION}.html").read_text()


def test_the_index_tells_the_costs_that_status_tells(supervised_world: World) -> None:
    env = supervised_world.env()
    (row,) = status.rows(supervised_world.state)
    text = Reader(page.report_all(output=None, conf=config.load(env), env=env).read_text()).text
    assert dollars(row.cost_usd) in text


def test_where_every_edit_was_undone_it_is_not_said_that_there_was_none() -> None:
    say = words.words("en")
    for edited, told in ((True, "every file is as it was before"), (False, "edited no file")):
        assert told in str(summary.changed_files((), (), say, None, edited=edited))


def test_an_index_of_nothing(world: World) -> None:
    env = world.env()
    with pytest.raises(CccError, match="nothing to report"):
        page.report_all(output=world.root / "pages", conf=config.load(env), env=env)
    assert not (world.root / "pages").exists()


def test_a_key_that_the_agent_printed_is_not_on_the_page(supervised_world: World) -> None:
    it = sample.sample()
    it.uses("Bash", "ANTHROPIC_AUTH_TOKEN=sk-canary-0123456789", command="env")
    it.write(supervised_world.state, supervised_world.config / "projects" / "p" / f"{SESSION}.jsonl", project=None)
    text = report(supervised_world, SESSION).read_text()
    assert "sk-canary" not in text
    assert_harmless(Reader(text))


def test_hiding_a_key_leaves_the_markup_alone() -> None:
    text = '<style>.timeline{}</style><ol class="timeline">the timeline is &lt;here&gt;</ol>'
    assert page.without(text, ["timeline", "x"]) == text.replace("the timeline", "the [key]")


def opened(path: Path, **env: str) -> subprocess.CompletedProcess[str]:
    code = f"from pathlib import Path; from ccc.showing.report import page; page.show(Path({str(path)!r}))"
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)


def test_the_page_is_opened_in_the_persons_browser(supervised_world: World) -> None:
    seen, browser = supervised_world.root / "seen", supervised_world.root / "browser"
    browser.write_text(f'#!/bin/sh\nprintf "%s" "$1" > {seen}\n')
    browser.chmod(0o755)
    path = report(supervised_world)
    assert opened(path, BROWSER=f"{browser} %s").returncode == 0
    assert seen.read_text() == path.as_uri()


def test_without_a_browser_the_path_is_told(tmp_path: Path) -> None:
    told = opened(tmp_path / "x.html", PATH="/nowhere")
    assert f"open it yourself: {tmp_path / 'x.html'}" in told.stderr


def test_every_field_of_a_page_is_shown_or_used() -> None:
    source = Path(page.__file__).read_text()
    assert [name for name in Told.__struct_fields__ if f"told.{name}" not in source] == []
