"""Every command in the docs that needs neither an account nor a person does what it says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from ccc.record import events
from tests import specification
from tests.conftest import SCENARIOS
from tests.sessions import Sessions
from tests.world import World

ROOT = Path(__file__).parent.parent
DOCUMENTS = ["README.md", "README-CN.md", "docs/guide.md"]
# Proved elsewhere: the demo by tests/real/test_demo.py, make and pipx by a fresh clone.
ELSEWHERE = re.compile(r"ccc demo|make |pipx |ccc init +#|ccc validate|CCC_SUPERVISOR=1 ")


def commands(document: str) -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / document).read_text(), re.DOTALL)
    lines = [line.strip() for block in blocks for line in block.splitlines() if line.strip()]
    return [line for line in lines if "# by hand" not in line and not ELSEWHERE.match(line)]


def test_the_guide_works_from_top_to_bottom(world: World) -> None:
    sessions = Sessions(world.state)
    sessions.block("first", project=str(world.project), mode="hooks", provider="glm")
    sessions.allow("first", project=str(world.project), mode="hooks", provider="glm")
    for line in commands("docs/guide.md"):
        words = shlex.split(line, comments=True)
        assert words[0] == "ccc", line
        run = world.ccc(*words[1:], env=world.env(GLM_API_KEY="k"))
        assert run.code == 0, f"{line}: {run.err}"
        assert "Traceback" not in run.err


@pytest.mark.parametrize("document", DOCUMENTS)
def test_no_other_document_has_commands_that_nobody_runs(document: str) -> None:
    if document != "docs/guide.md":
        assert commands(document) == []


@pytest.mark.parametrize("document", [*DOCUMENTS, "docs/architecture.md", "docs/specification.md", "CONTRIBUTING.md"])
def test_links_lead_somewhere(document: str) -> None:
    path = ROOT / document
    for target in re.findall(r"\]\((?!https?://|#)([^)#\s]+)", path.read_text()):
        assert (path.parent / target).exists(), target


def test_every_module_is_on_the_map() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    for package in ("src/ccc", "hooks/ccc_hooks", "legacy/ccc_legacy"):
        for module in (ROOT / package).rglob("*.py"):
            assert module.stem in ("__init__", "__main__") or f"`{module.stem}`" in text, module.stem


@pytest.mark.parametrize(
    ("scenario", "decision"),
    [
        ("H5", "checks, then the gate"),
        ("H6", "`needs_human`"),
        ("H11", "crashed reviewer is tried once more"),
        ("H18", "optional"),
        ("T2", "without a model"),
        ("C3", "`--help`"),
    ],
)
def test_what_goes_beyond_the_documents_stands_beside_its_scenario(scenario: str, decision: str) -> None:
    rows = {row["id"]: row["what"] for row in specification.ROW.finditer(specification.PAGE.read_text())}
    assert decision in rows[scenario].partition("*")[2]


def test_the_scenarios_in_the_specification_lead_to_the_tests_that_name_them() -> None:
    text = specification.PAGE.read_text()
    assert [row["id"] for row in specification.ROW.finditer(text)] == SCENARIOS
    assert text == specification.in_line(text), "run: python -m tests.specification"


def test_every_event_of_json_is_in_its_table_with_every_field() -> None:
    rows = dict(re.findall(r"^\| `(.+?)` \|(.*)\|$", (ROOT / "docs" / "events.md").read_text(), re.MULTILINE))
    named = {str(kind.__struct_config__.tag): kind.__struct_encode_fields__ for kind in events.KINDS}
    assert set(rows) == {"event", *named, "cost", "stderr", "outcome"}
    for name, fields in named.items():
        assert [field for field in fields if field != "at" and f"`{field}`" not in rows[name]] == [], name


def test_options_of_ccc_stand_before_the_provider_wherever_a_start_is_written() -> None:
    own = r"--supervisor(?: --\S+)* (?!--)[A-Za-z]+ --(?:json|quiet|verbose|mode|trust-project)\b"
    pages = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")]
    assert [(page.name, found) for page in pages for found in re.findall(own, page.read_text())] == []
