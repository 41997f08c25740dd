"""The page of the fleet in a real browser: it opens without a complaint or a request, and everybody can read it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from ccc.fleet import page
from ccc.fleet.task import Record, State, Task
from ccc.fleet.view import Glance
from ccc.showing.report import words
from tests.browser.chromium import chromium
from tests.browser.test_report_in_chromium import HOSTILE, PHONE, WIDE, opened


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def record(number: int, state: State, outcome: str = "", **more: object) -> Record:
    task = Task(f"{HOSTILE} {number}", Path("/repo"), name=f"task {number}", after=("first",) if number == 2 else ())
    began = 1_000.0 + 60 * number
    return Record(
        task.id, task, number, state, outcome=outcome, began_at=began, ended_at=began + 90, machine="north", **more
    )  # type: ignore[arg-type]


def seen() -> Glance:
    records = (
        record(1, State.ENDED, "needs_human", why=HOSTILE, round=3),
        record(2, State.ENDED, "completed", agent_usd=1.5, commit="abc", session="s"),
        record(3, State.ENDED, "failed", why="git failed"),
        record(4, State.CANCELLED, "cancelled"),
        Record("five", Task("later", Path("/repo")), 5),
    )
    counts = {"needs_human": 1, "completed": 1, "failed": 1, "cancelled": 1, "waiting": 1}
    return Glance(records, counts, 1.5, 5.0, {}, ("north",), frozenset())


@pytest.mark.parametrize(("lang", "size", "scheme"), [("en", WIDE, "light"), ("zh", PHONE, "dark")])
def test_the_page_of_the_fleet_is_whole_and_everybody_can_read_it(
    tmp_path: Path, browser: Browser, lang: str, size: tuple[int, int], scheme: str
) -> None:
    found = seen()
    second = found.records[1].id
    path = tmp_path / "fleet.html"
    links = {second: f"fleet/{second}.html"}
    path.write_text(page.render(found, words.words(lang, UTC), made=2_000.0, links=links))
    it = opened(browser, path, size=size, scheme=scheme)  # type: ignore[arg-type]
    assert (it.console, it.requests) == ([], [path.as_uri()])
    assert it.problems() == []
    assert it.page.title() == {"en": "ccc fleet: 5 tasks", "zh": "ccc 任务群：5 个任务"}[lang]
    rows = it.page.locator("li.row")
    assert rows.count() == 5
    assert "onerror" in rows.nth(0).inner_text()  # as words
    assert it.page.locator(f"a[href='fleet/{second}.html']").count() == 1
    assert it.page.locator("svg.bar").count() == 4
    width = it.page.evaluate("document.documentElement.scrollWidth")
    assert width <= size[0]
