"""Lists of tasks: what people write, and what is said of a mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccc.fleet import lists
from ccc.fleet.lists import BadList, Entry
from tests.tables import each as table

HEADINGS = """# Next week

What stands here is for the reader.

## Fix the login

It fails for names with an accent.

| key   | value             |
|-------|-------------------|
| check | `pytest -q`       |
| check | ruff check \\| cat |
| max_cost_usd | 2.5 |

```sh
## no heading
```

### A part of it

| this | is a table of the task's own |
|---|---|

## 写文档
"""
ITEMS = """Some words.

- [ ] Fix the login
  It fails.
- [x] was done yesterday
- Write the docs
1. and count
"""


def entries(text: str, tmp_path: Path) -> tuple[Entry, ...]:
    path = tmp_path / "tasks.md"
    path.write_text(text)
    return lists.read(path)


def test_a_heading_is_a_task_and_its_table_of_keys_is_no_part_of_the_prompt(tmp_path: Path) -> None:
    login, docs = entries(HEADINGS, tmp_path)
    assert login.place == f"{tmp_path}/tasks.md:5"
    assert login.keys == {"check": ["pytest -q", "ruff check | cat"], "max_cost_usd": 2.5}
    assert login.prompt.startswith("Fix the login\n\nIt fails for names with an accent.")
    assert "## no heading" in login.prompt
    assert "### A part of it" in login.prompt
    assert "is a table of the task's own" in login.prompt
    assert "| key" not in login.prompt
    assert (docs.prompt, docs.keys) == ("写文档", {})


def test_without_headings_an_item_is_a_task_and_one_that_is_ticked_is_done(tmp_path: Path) -> None:
    assert [one.prompt for one in entries(ITEMS, tmp_path)] == [
        "Fix the login\n\nIt fails.",
        "Write the docs",
        "and count",
    ]


def test_in_a_folder_a_file_is_a_task(tmp_path: Path) -> None:
    for name, text in {
        "b.md": "second",
        "a.txt": "first\n\n|key|value|\n|-|-|\n|provider|kimi|",
        ".x.md": "",
        "c.png": "",
    }.items():
        (tmp_path / name).write_text(text)
    first, second = lists.read(tmp_path)
    assert (first.prompt, first.keys) == ("first", {"name": "a", "provider": "kimi"})
    assert (second.prompt, second.keys) == ("second", {"name": "b"})


def test_a_line_of_json_is_a_task() -> None:
    [one, two] = lists.of_lines(b'{"prompt": "do it", "check": "true"}\n\n{"prompt": "that", "name": "x"}\n')
    assert (one.place, one.keys) == ("-:1", {"check": "true"})
    assert two.place == "-:3"


MISTAKES = {
    "## a\n\n| key | value |\n|-|-|\n| chek | x |": "tasks.md:5: nobody knows the key 'chek'; there is name, repo",
    "## a\n\n| key | value |\n|-|-|\n| max_cost_usd | much |": "tasks.md:5: max_cost_usd must be a number above 0",
    "## a\n\n| key | value |\n|-|-|\n| max_iterations | 1.5 |": "tasks.md:5: max_iterations must be a whole number",
    "## a\n\n| key | value |\n|-|-|\n| permission_mode | all |": "tasks.md:5: permission_mode must be one of: accept",
    "## a\n\n| key | value |\n|-|-|\n| repo | a |\n| repo | b |": "tasks.md:6: repo is there twice",
    "## a\n\n| key | value |\n|-|-|\n| lonely |": "tasks.md:5: a row of the table has a key and a value",
    "nothing that lists": "tasks.md: there is no task in it",
}


@table("text, said", MISTAKES.items())
def test_a_mistake_is_named_with_its_line_and_its_key(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadList) as error:
        entries(text, tmp_path)
    assert f"{tmp_path}/{said}" in str(error.value)
    assert str(error.value).endswith("; nothing was added")


@table(
    "line, said",
    {
        b"{": "-:1: no JSON object",
        b'{"prompt": 1}': "-:1: prompt must be words",
        b'{"prompt": " "}': "-:1: a task without words",
        b'{"prompt": "a", "after": [1]}': "-:1: after must be",
    }.items(),
)
def test_so_it_is_in_json(line: bytes, said: str) -> None:
    with pytest.raises(BadList, match=said):
        lists.of_lines(line)
