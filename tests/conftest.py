"""What every test shares: a clean environment, and the table of specified scenarios."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from ccc.base import withheld
from tests.machine import FORM
from tests.typed import Typed, typist
from tests.world import SHORT_LIVED_CLIENT, World

SCENARIOS = [f"{letter}{n}" for letter, last in (("H", 29), ("P", 7), ("T", 17), ("C", 19)) for n in range(1, last + 1)]
KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "TMPDIR", "COVERAGE_PROCESS_START")
_proved: set[str] = set()
_forms: set[str] = set()

# Whoever starts the tests in the background has these ignored, and every process of theirs would inherit that.
for _number in (signal.SIGHUP, signal.SIGQUIT):
    signal.signal(_number, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)

# A machine that is busy with other things is no failure.
settings.register_profile("ccc", deadline=None)
settings.load_profile("ccc")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--spec-all", action="store_true", help="fail when a specified scenario has no passing test")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    report: pytest.TestReport = yield  # type: ignore[misc, assignment]
    named = [scenario for mark in item.iter_markers("spec") for scenario in mark.args]
    unknown = set(named) - set(SCENARIOS)
    if unknown:
        raise pytest.UsageError(f"{item.nodeid} names unknown scenarios: {sorted(unknown)}")
    report.user_properties += [("spec", scenario) for scenario in named]
    return report  # type: ignore[return-value]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call" and report.passed:
        _proved.update(str(value) for key, value in report.user_properties if key == "spec")
        _forms.update(str(value) for key, value in report.user_properties if key == FORM)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    terminalreporter.write_line(f"spec: {len(_proved)}/{len(SCENARIOS)} scenarios proved")
    for form in sorted(_forms):
        terminalreporter.write_line(f"faults of the machine: {form}")
    missing = [scenario for scenario in SCENARIOS if scenario not in _proved]
    if config.getoption("--spec-all") and missing:
        terminalreporter.write_line(f"spec: no passing test for {' '.join(missing)}", red=True)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    on_controller = not hasattr(session.config, "workerinput")
    if on_controller and session.config.getoption("--spec-all") and exitstatus == 0 and len(_proved) < len(SCENARIOS):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(autouse=True)
def no_key_of_another_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(withheld, "_words", {})


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test sees this machine's home, providers or client session."""
    import os

    for name in list(os.environ):
        if name not in KEPT and not name.startswith(("PYTEST", "PYTHON")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir(exist_ok=True)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, SHORT_LIVED_CLIENT).make()


@pytest.fixture
def typed(world: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Typed:
    return typist(world, capsys, monkeypatch)


@pytest.fixture
def ordinary_user() -> Iterator[Path]:
    """A folder of somebody who is not root, while we are that somebody."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        if os.geteuid() != 0:
            yield Path(folder)
            return
        os.chown(folder, 65534, 65534)
        os.seteuid(65534)
        try:
            yield Path(folder)
        finally:
            os.seteuid(0)
