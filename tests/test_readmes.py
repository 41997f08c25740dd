"""The Chinese README tells what the English one does."""

from __future__ import annotations

import re
from pathlib import Path

from ccc.base.messages import LOCALE

ROOT = Path(__file__).parents[1]
ENGLISH, CHINESE = (ROOT / name for name in ("README.md", "README-CN.md"))


def typed(path: Path) -> set[str]:
    """The commands in the first column of its table."""
    rows = [
        line.split(" | ")[0] for line in path.read_text().splitlines() if re.match(r"\| `(?:CCC_\w+=1 )?ccc ", line)
    ]
    return {re.sub('"[^"]*"', '"…"', command) for row in rows for command in re.findall("`([^`]+)`", row)}


def test_both_name_the_same_commands() -> None:
    assert len(typed(ENGLISH)) > 10
    assert typed(CHINESE) == typed(ENGLISH)


def test_both_lead_to_the_same_pages() -> None:
    english, chinese = (set(re.findall(r"\]\(([\w./-]+)", path.read_text())) for path in (ENGLISH, CHINESE))
    assert english - chinese == {"README-CN.md"}


def test_chinese_has_one_word_for_the_gate_the_person_and_the_agent() -> None:
    catalogue = next(Path(LOCALE).rglob("ccc.po")).read_text()
    for text in (catalogue, CHINESE.read_text()):
        assert not re.search("您|闸门", text)
        chinese = [line for line in text.splitlines() if re.search("[\u4e00-\u9fff]", line)]
        assert [line for line in chinese if re.search(r"(?<![-\w{$/.`])agent(?![-\w}])", line)] == []
