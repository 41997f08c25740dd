"""The report in a real browser: it opens without a complaint or a request, and everybody can read it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page

from ccc.providers import config
from ccc.showing.report import page, words
from ccc.trial.scripted import ScriptedModel
from tests.browser import sample
from tests.browser.chromium import chromium
from tests.browser.sample import SESSION
from tests.real.hooks_world import rules, supervised, verdict
from tests.world import World

HOSTILE = "<script>document.title='owned'</script><img src=x onerror=alert(1)> \x1b[31mred\x1b[0m \x1b]0;title\x07 end"
WIDE, PHONE = (1100, 900), (375, 700)


@dataclass
class Seen:
    """A page with everything that it did while it was open."""

    page: Page
    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def problems(self) -> list[tuple[str, str, str]]:
        """What axe-core calls serious or critical, with everything unfolded."""
        self.page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        found: list[dict[str, Any]] = Axe().run(self.page).response["violations"]
        return [
            (each["id"], each["impact"], each["nodes"][0]["html"])
            for each in found
            if each["impact"] in ("serious", "critical")
        ]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def opened(
    browser: Browser, path: Path, *, size: tuple[int, int] = WIDE, scheme: Literal["light", "dark"] = "light"
) -> Seen:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    seen = Seen(context.new_page())
    seen.page.on("console", lambda message: seen.console.append(message.text))
    seen.page.on("pageerror", lambda error: seen.console.append(str(error)))
    seen.page.on("request", lambda request: seen.requests.append(request.url))
    seen.page.goto(path.as_uri())
    return seen


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The session of the picture, and a second one of two requests, with hostile words in all places."""
    root = tmp_path_factory.mktemp("report")
    it = sample.sample()
    it.wait(60)
    it.asks(f"And now\n\n{HOSTILE}", "p2")
    it.uses("Bash", HOSTILE, ok=False, command=f"{HOSTILE}\nmore")
    it.edits(HOSTILE, "a\n", HOSTILE)
    it.stops(1, HOSTILE, prompt_id="p2")
    it.event("check", command=HOSTILE, passed=False, code=None, seconds=2.0)
    it.event("review started", engine="cli", model=HOSTILE)
    it.event("reviewer says", text=HOSTILE)
    it.wait(3)
    it.event("no verdict", why=HOSTILE)
    it.event("trouble", why=HOSTILE)
    it.event("stop allowed", outcome="unreviewed", why=HOSTILE)
    it.write(root / "ccc", root / "transcript.jsonl")
    told = page.gather(root / "ccc", SESSION, transcripts=root)
    say = words.words("en", UTC)
    (root / "index.html").write_text(page.render_index([told], say, made=0.0))
    path = root / f"{SESSION}.html"
    path.write_text(page.render(told, say, made=0.0, index="index.html"))
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("name", ["report", "index"])
def test_it_opens_quietly_and_everybody_can_read_it(
    browser: Browser, report: Path, name: str, size: tuple[int, int], scheme: Literal["light", "dark"]
) -> None:
    path = report if name == "report" else report.with_name("index.html")
    seen = opened(browser, path, size=size, scheme=scheme)
    assert seen.problems() == []
    assert seen.console == []
    assert seen.requests == [path.as_uri()]
    # A phone shows all of it without scrolling sideways.
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_light_and_dark_are_two_looks(browser: Browser, report: Path) -> None:
    def colours(scheme: Literal["light", "dark"]) -> tuple[str, str]:
        shown = opened(browser, report, scheme=scheme).page
        style = "getComputedStyle(document.body)"
        return shown.evaluate(f"{style}.backgroundColor"), shown.evaluate(f"{style}.color")

    assert colours("light") == ("rgb(250, 249, 246)", "rgb(31, 30, 27)")
    assert colours("dark") == ("rgb(22, 22, 24)", "rgb(236, 234, 228)")


def test_hostile_words_are_words(browser: Browser, report: Path) -> None:
    shown = opened(browser, report).page
    assert shown.title().startswith("Not reviewed: And now")
    assert shown.locator("script, img, iframe, object, embed, link, form").count() == 0
    text = shown.locator("body").inner_text()
    assert "<script>document.title='owned'</script><img src=x onerror=alert(1)> red  end" in text
    assert "\x1b" not in text


def test_even_a_script_that_got_in_would_not_run(browser: Browser, report: Path) -> None:
    broken = report.with_name("broken.html")
    broken.write_text(report.read_text().replace("</body>", "<script>document.title='owned'</script></body>"))
    seen = opened(browser, broken)
    assert seen.page.title().startswith("Not reviewed")
    assert "Content Security Policy" in seen.console[0]


def test_the_keyboard_reaches_everything(browser: Browser, report: Path) -> None:
    shown = opened(browser, report).page
    shown.keyboard.press("Tab")
    assert shown.locator(":focus").inner_text() == "Skip to the story"
    shown.keyboard.press("Enter")
    assert shown.evaluate("document.activeElement.id") == "main"
    first = shown.locator("main details").first
    first.locator("summary").focus()
    before = first.get_attribute("open")
    shown.keyboard.press("Enter")
    assert first.get_attribute("open") != before


def test_a_link_leads_from_the_index_to_a_session_and_back(browser: Browser, report: Path) -> None:
    shown = opened(browser, report.with_name("index.html")).page
    shown.locator("main a").first.click()
    assert shown.url == report.as_uri()
    shown.get_by_role("link", name="All sessions").click()
    assert shown.url.endswith("/index.html")


@pytest.mark.long
def test_a_real_run_is_told_as_it_was(browser: Browser, world: World) -> None:
    """The real client, two reviews, and a feedback that would rather be markup."""
    agent: list[dict[str, Any]] = [
        {"text": "I write it.", "tools": [{"name": "Write", "input": {"file_path": "a.py", "content": "print(1)\n"}}]},
        {"text": "Done, I think."},
        {"text": "Now it is really done."},
    ]
    with ScriptedModel(rules(agent, [verdict(False, f"Not done: {HOSTILE}"), verdict(True)])) as model:
        run = supervised(world, model, prompt="make a.py & tell me", supervisor={"gate": "off"})
    env = world.env(CCC_LANG="en")
    path = page.report(run.session_id, output=None, conf=config.load(env), env=env, cwd=world.project)
    seen = opened(browser, path)
    text = seen.page.locator("body").inner_text()
    expected = [
        *("make a.py & tell me", "Completed", "sent back once", "Not done: <script>document.title='owned'</script>"),
        *("a.py", "+print(1)", "I write it.", "Now it is really done.", f"{run.state['count']} of at most 10"),
        *("Review 1", "not done", "Review 2", "may stop", run.session_id),
    ]
    assert [words for words in expected if words not in text] == []
    assert run.state["outcome"] == "completed"
    assert seen.problems() == []
    assert (seen.console, seen.requests) == ([], [path.as_uri()])
