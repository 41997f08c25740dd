"""Each thing that the doctor can find is broken on purpose, found, and mended by following the doctor's own words."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from ccc.base import installation
from ccc.claude import program as claude
from ccc.claude import variables
from ccc.trial import doctor, doctor_machine, examination, questions, selftest
from ccc.trial.doctor import Finding, Level, Place
from ccc_hooks.settings import is_ours
from tests.world import CCC, World, fake_claude, provider

ROOT = Path(__file__).parents[2]
FLAGS = (*doctor.NEEDED_FLAGS, *doctor.WANTED_FLAGS)
URL = "http://127.0.0.1:9"
CANARY = "sk-canary-0123456789"


def client_lines(flags: tuple[str, ...] = FLAGS) -> list[str]:
    options = "\n".join(f"  {flag}  what it does" for flag in flags)
    return [
        f"case $1 in --version) echo '2.1.325 (Claude Code)';; --help) cat <<'END'\n{options}\nEND\n;;",
        f"update) printf '%s' '{_script(FLAGS) if flags != FLAGS else ''}' > \"$0\";; esac",
    ]


def _script(flags: tuple[str, ...]) -> str:
    return "#!/bin/sh\n" + "\n".join(client_lines(flags)).replace("'", "'\\''") + "\n"


@dataclass
class Patient:
    """A machine with everything in order, to be broken."""

    world: World
    env: dict[str, str] = field(default_factory=dict)
    free: int = 10 * 2**30

    @property
    def bin(self) -> Path:
        return self.world.root / "bin"

    @property
    def managed(self) -> Path:
        return self.world.root / "managed"

    @property
    def place(self) -> Place:
        commands = frozenset({"init"})
        return Place(self.env, self.world.project, is_ours, self.managed, lambda _: self.free, commands)

    def make(self) -> Patient:
        fake_claude(self.bin, client_lines())
        self.managed.mkdir()
        (self.world.project / ".git").mkdir()
        self.world.state.mkdir(mode=0o700)
        self.world.write_config({"glm": provider(URL, CANARY)}, current_provider="glm")
        path = f"{self.bin}:{CCC.parent}:{os.defpath}"
        self.env = self.world.env(PATH=path, TERM="xterm")
        return self

    def program(self, name: str, *lines: str) -> Path:
        path = self.bin / name
        path.write_text("#!/bin/sh\n" + "\n".join(lines) + "\n")
        path.chmod(0o755)
        return path

    def settings(self, kind: str, content: object) -> Path:
        folder = self.world.project / ".claude"
        path = {
            "user": self.world.config / "settings.json",
            "project": folder / "settings.json",
            "local": folder / "settings.local.json",
            "managed": self.managed / "managed-settings.json",
        }[kind]
        path.parent.mkdir(exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    @property
    def asked(self) -> questions.Asked:
        return questions.ask(self.place.env, self.place.cwd)

    def findings(self) -> list[Finding]:
        return list(examination.examine(self.place, self.asked, self_test=False))

    def problems(self) -> list[Finding]:
        return [finding for finding in self.findings() if finding.level is not Level.OK]

    def follow(self, fix: str) -> None:
        """Do what the doctor says, and nothing else."""
        _, typed, command = fix.partition("run: ")
        if typed:
            # The person's shell: what it exports or unsets is the environment from then on.
            told = subprocess.run(
                ["sh", "-c", f"{command} >&2 && env -0"],
                env=self.env,
                cwd=self.world.project,
                capture_output=True,
                check=False,
            )
            assert told.returncode == 0, told.stderr.decode()
            pairs = (pair.partition("=") for pair in told.stdout.decode().split("\0") if pair)
            self.env = {key: value for key, _, value in pairs if key not in ("PWD", "OLDPWD", "_", "SHLVL")}
            return
        match = re.search(r"edit (?P<path>.+?): (?P<what>.+)$", fix)
        assert match, fix
        self.edit(Path(match["path"]), match["what"])

    def edit(self, path: Path, what: str) -> None:
        if what == "mend the JSON":
            path.write_text("{}")
            return
        content = json.loads(path.read_text())
        if what == "remove that hook":
            del content["hooks"]
        elif renamed := re.fullmatch(r"rename supervisor\.(\w+) to (\w+)", what):
            content["supervisor"][renamed[2]] = content["supervisor"].pop(renamed[1])
        else:
            for where in what.removeprefix("remove ").split(", "):
                remove(content, where.split("."))
        path.write_text(json.dumps(content))


def remove(content: Any, where: list[str]) -> None:
    for step in where[:-1]:
        content = content[step]
    del content[where[-1]]


@pytest.fixture
def patient(world: World) -> Patient:
    return Patient(world).make()


def hook(command: str, timeout: int = 600) -> dict[str, object]:
    return {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command, "timeout": timeout}]}]}}


OURS = f"{CCC} supervisor-hook"
Breaking = Callable[[Patient], object]


@dataclass(frozen=True)
class Case:
    """`words` are in the text of the finding that `breaks` causes.

    `by_hand` does what an advice says that is no command: a person has to know or to decide something.
    """

    breaks: Breaking
    name: str
    level: Level
    words: str
    by_hand: Breaking | None = None


def environment(**values: str) -> Breaking:
    return lambda patient: patient.env.update(values)


def configured(**more: object) -> Breaking:
    return lambda patient: patient.world.write_config({"glm": provider(URL, CANARY)}, **more)


def set_in(kind: str, content: object) -> Breaking:
    return lambda patient: patient.settings(kind, content)


def mode(path: Callable[[Patient], Path], bits: int) -> Breaking:
    return lambda patient: path(patient).chmod(bits)


def as_administrator(patient: Patient) -> None:
    patient.settings("managed", {})


def claude_in_the_project(patient: Patient) -> None:
    (patient.bin / "claude").rename(patient.world.project / "claude")
    patient.env["PATH"] = f"{patient.world.project}:{patient.env['PATH']}"


def old_client(patient: Patient) -> None:
    fake_claude(patient.bin, client_lines(tuple(flag for flag in FLAGS if flag != "--fork-session")))


def client_without_schema(patient: Patient) -> None:
    fake_claude(patient.bin, client_lines(tuple(flag for flag in FLAGS if flag != "--json-schema")))


def half_remembered(patient: Patient) -> None:
    """The client's answer was cut off when ccc first asked."""
    cut = patient.bin / "cut"
    answer = f'if [ "$1" = --help ] && [ -e {cut} ]; then echo "  --print  what it does"; exit; fi'
    client = fake_claude(patient.bin, [answer, *client_lines()])
    cut.touch()
    claude.abilities(client, patient.world.state / "clients.json", patient.env)
    cut.unlink()


def dead_client(patient: Patient) -> None:
    patient.env["CCC_CLAUDE"] = str(patient.program("broken", "exit 127"))


def plugin_without_program(patient: Patient) -> None:
    patient.settings("user", {"enabledPlugins": {"ccc@somewhere": True}})
    patient.program("pipx", f'[ "$*" = "install ccc-supervisor" ] && ln -s {CCC} "$(dirname "$0")/ccc"')
    patient.env["PATH"] = f"{patient.bin}:{os.defpath}"


def falling_back(to: str) -> Breaking:
    providers = {"glm": {**provider(URL, CANARY), "fallback": to}, "kimi": provider(URL, CANARY)}
    return lambda patient: patient.world.write_config(providers, current_provider="glm")


def old_version(patient: Patient) -> None:
    fake_claude(patient.bin, [line.replace("2.1.325", "2.1.100") for line in client_lines()])


def state_is_a_file(patient: Patient) -> None:
    patient.world.state.rmdir()
    patient.world.state.write_text("")


def state_below_a_file(patient: Patient) -> None:
    (patient.world.root / "file").write_text("")
    patient.env["CCC_WORK_DIR"] = str(patient.world.root / "file")


def switched_off(patient: Patient) -> None:
    told = patient.world.ccc("off", env=patient.env)
    assert told.code == 0, told.err


def without_current(patient: Patient) -> None:
    patient.world.write_config({"glm": provider(URL)}, current_provider="gone")


def unset_key(patient: Patient) -> None:
    patient.world.write_config({"glm": provider(URL, "${GLM_KEY}")}, current_provider="glm")


def criteria_are_empty(patient: Patient) -> None:
    (patient.world.project / "SUPERVISOR.md").write_text(" \n")


def write_criteria(patient: Patient) -> None:
    (patient.world.project / "SUPERVISOR.md").write_text("done means tested\n")


def state(patient: Patient) -> Path:
    return patient.world.state


def config_file(patient: Patient) -> Path:
    return patient.world.config / "ccc.json"


CASES = {
    "the client is named wrongly": Case(
        environment(CCC_CLAUDE="/nowhere/claude"), "client", Level.BROKEN, "CCC_CLAUDE is '/nowhere/claude'"
    ),
    "the client is one that the project brought": Case(
        claude_in_the_project, "client", Level.BROKEN, "finds claude inside this project"
    ),
    "the client does not run": Case(dead_client, "client", Level.BROKEN, "--version does not answer"),
    "the client is too old": Case(old_client, "flags", Level.BROKEN, "does not know --fork-session"),
    "the client is remembered badly": Case(half_remembered, "flags", Level.BROKEN, "remembers of this client less"),
    "the client knows no schema": Case(client_without_schema, "flags", Level.WARNING, "--json-schema"),
    "ccc.json is no JSON": Case(
        lambda patient: config_file(patient).write_text("{"),
        "ccc.json",
        Level.BROKEN,
        "is not valid JSON",
        by_hand=configured(),
    ),
    "ccc.json can be read by others": Case(mode(config_file, 0o644), "ccc.json", Level.WARNING, "others can read"),
    "an option is misspelt": Case(
        configured(supervisor={"max_iteration": 3}), "ccc.json", Level.WARNING, "supervisor.max_iteration is no option"
    ),
    "an option is unknown": Case(
        configured(supervisor={"zzz": 3}), "ccc.json", Level.WARNING, "supervisor.zzz is no option"
    ),
    "the current provider is gone": Case(without_current, "provider", Level.BROKEN, "current_provider is 'gone'"),
    "a key is in a variable that is not set": Case(
        unset_key, "provider", Level.BROKEN, "names the variable GLM_KEY", by_hand=environment(GLM_KEY="x")
    ),
    "a foreign model without its window": Case(
        lambda patient: patient.world.write_config({"glm": provider(URL, CANARY, "glm-5.2")}, current_provider="glm"),
        "model",
        Level.WARNING,
        "does not know how much glm-5.2 of provider glm can read or write",
        by_hand=environment(CLAUDE_CODE_MAX_CONTEXT_TOKENS="200000", CLAUDE_CODE_MAX_OUTPUT_TOKENS="64000"),
    ),
    "a fallback that is nobody": Case(
        falling_back("kimmi"), "fallback", Level.BROKEN, "providers.glm.fallback: no provider is called 'kimmi'"
    ),
    "a fallback that is the provider itself": Case(
        falling_back("glm"), "fallback", Level.BROKEN, "providers.glm.fallback names glm itself"
    ),
    "a client that cannot change providers": Case(
        lambda patient: (falling_back("kimi")(patient), old_version(patient)),
        "fallback",
        Level.WARNING,
        "2.1.100 (Claude Code) cannot go on with another provider in the same session",
        by_hand=lambda patient: fake_claude(patient.bin, client_lines()),
    ),
    "the checks cannot be read": Case(
        lambda patient: configured(checks={str(patient.world.project): 3})(patient),
        "checks",
        Level.BROKEN,
        "must be a list",
        by_hand=configured(),
    ),
    "SUPERVISOR.md is empty": Case(
        criteria_are_empty, "SUPERVISOR.md", Level.BROKEN, "is empty", by_hand=write_criteria
    ),
    "settings are no JSON": Case(set_in("user", "{,"), "settings", Level.BROKEN, "is not valid JSON"),
    "project settings are no JSON": Case(set_in("project", "[]"), "settings", Level.BROKEN, "must hold a JSON object"),
    "user settings redirect the provider": Case(
        set_in("user", {"env": {"ANTHROPIC_BASE_URL": "http://127.0.0.1:8"}, "apiKeyHelper": "echo"}),
        "settings",
        Level.BROKEN,
        "sets env.ANTHROPIC_BASE_URL, apiKeyHelper, which beats provider glm",
    ),
    "project settings redirect the provider": Case(
        set_in("project", {"env": {"ANTHROPIC_MODEL": "other"}}),
        "settings",
        Level.BROKEN,
        "sets env.ANTHROPIC_MODEL, which beats provider glm",
    ),
    "local settings redirect the provider": Case(
        set_in("local", {"env": {"ANTHROPIC_AUTH_TOKEN": "other"}}),
        "settings",
        Level.BROKEN,
        "sets env.ANTHROPIC_AUTH_TOKEN, which beats",
    ),
    "managed settings redirect the provider": Case(
        set_in("managed", {"env": {"ANTHROPIC_BASE_URL": "http://127.0.0.1:7"}}),
        "settings",
        Level.BROKEN,
        "(your administrator's) sets env.ANTHROPIC_BASE_URL",
        by_hand=as_administrator,
    ),
    "the environment holds another provider": Case(
        environment(ANTHROPIC_AUTH_TOKEN=CANARY, ANTHROPIC_BASE_URL=URL),
        "environment",
        Level.WARNING,
        "sets ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL: provider glm replaces them",
    ),
    "hooks are disabled by the user": Case(
        set_in("user", {"disableAllHooks": True}), "hooks", Level.BROKEN, "sets disableAllHooks"
    ),
    "hooks are disabled by the project": Case(
        set_in("local", {"disableAllHooks": True}), "hooks", Level.BROKEN, "sets disableAllHooks"
    ),
    "hooks are disabled by the administrator": Case(
        set_in("managed", {"disableAllHooks": True}),
        "hooks",
        Level.BROKEN,
        "sets disableAllHooks",
        by_hand=as_administrator,
    ),
    "only managed hooks are allowed": Case(
        set_in("managed", {"allowManagedHooksOnly": True}),
        "hooks",
        Level.BROKEN,
        "sets allowManagedHooksOnly",
        by_hand=as_administrator,
    ),
    "our hook calls a program that is gone": Case(
        set_in("user", hook("/gone/ccc supervisor-hook")), "hooks", Level.BROKEN, "calls /gone/ccc, which is gone"
    ),
    "our hook is run by a Python that is gone": Case(
        set_in("user", hook(f"/gone/python -I {CCC} supervisor-hook || exit 1")),
        "hooks",
        Level.BROKEN,
        "calls /gone/python, which is gone",
    ),
    "a Python is to run a ccc that is gone": Case(
        set_in("user", hook(f"{sys.executable} -I /gone/ccc supervisor-hook || exit 1")),
        "hooks",
        Level.BROKEN,
        "calls /gone/ccc, which is gone",
    ),
    "a project's hook calls a program that is gone": Case(
        set_in("project", hook("/gone/ccc supervisor-hook")), "hooks", Level.BROKEN, "calls /gone/ccc, which is gone"
    ),
    "an old settings file of ccc calls a program that is gone": Case(
        lambda patient: (patient.world.config / "settings-glm.json").write_text(
            json.dumps(hook("/gone/ccc supervisor-hook --state-dir x"))
        ),
        "hooks",
        Level.BROKEN,
        "calls /gone/ccc, which is gone",
    ),
    "the hook's time is shorter than a review": Case(
        set_in("user", hook(OURS, timeout=60)), "hooks", Level.WARNING, "ends the hook after 60 s"
    ),
    "hooks are no object": Case(set_in("user", {"hooks": []}), "hooks", Level.BROKEN, "hooks is not what the client"),
    "hooks.Stop is no list": Case(
        set_in("local", {"hooks": {"Stop": {}}}), "hooks", Level.BROKEN, "hooks.Stop is not what the client"
    ),
    "another Stop hook is there": Case(
        set_in("project", hook("say done")), "hooks", Level.WARNING, "another Stop hook (say done)"
    ),
    "plugin and settings both have the hook": Case(
        set_in("user", {**hook(OURS), "enabledPlugins": {"ccc@somewhere": True}}),
        "plugin",
        Level.WARNING,
        "calls ccc twice",
    ),
    "the plugin finds no program": Case(plugin_without_program, "plugin", Level.BROKEN, "no program ccc on PATH"),
    "the guard is set in the shell": Case(
        environment(CCC_SUPERVISOR_HOOK="1"), "variables", Level.BROKEN, "CCC_SUPERVISOR_HOOK is set"
    ),
    "a variable of ccc's own is set in the shell": Case(
        environment(CCC_SUPERVISOR_PROMPT="/x"), "variables", Level.WARNING, "for ccc's own use"
    ),
    "supervision is switched on with the wrong word": Case(
        environment(CCC_SUPERVISOR="yes"), "variables", Level.WARNING, "only 1 does"
    ),
    "the language is none": Case(environment(CCC_LANG="klingon"), "variables", Level.WARNING, "no language of ccc's"),
    "a variable is misspelt": Case(
        environment(CCC_SUPERVISORS="1"), "variables", Level.WARNING, "did you mean CCC_SUPERVISOR?"
    ),
    "a folder is relative": Case(
        environment(CCC_WORK_DIR="here"),
        "variables",
        Level.WARNING,
        "means another folder wherever you are",
    ),
    "a folder is not there": Case(
        lambda patient: patient.env.update(CCC_WORK_DIR=str(patient.world.root / "new folder")),
        "variables",
        Level.WARNING,
        "does not exist yet",
    ),
    "the state folder is a file": Case(state_is_a_file, "state", Level.BROKEN, "is not a folder"),
    "the state folder cannot be made": Case(state_below_a_file, "state", Level.BROKEN, "cannot be made"),
    "others may write to the state folder": Case(mode(state, 0o777), "state", Level.BROKEN, "others may write"),
    "others may look into the state folder": Case(mode(state, 0o755), "state", Level.WARNING, "others can look into"),
    "no start can be kept": Case(
        lambda patient: state(patient).joinpath("memory.lock").mkdir(),
        "state",
        Level.BROKEN,
        "memory.lock: Is a directory, so ccc's list of starts cannot be kept",
        lambda patient: state(patient).joinpath("memory.lock").rmdir(),
    ),
    "reviews are off": Case(switched_off, "switch", Level.WARNING, "reviews are off for"),
    "nobody knows whether reviews are off": Case(
        lambda patient: (patient.world.state / "off.json").write_text("{"), "switch", Level.BROKEN, "cannot be read"
    ),
    "the locale is not UTF-8": Case(environment(LANG="C"), "terminal", Level.WARNING, "is not UTF-8"),
    "LC_ALL is not UTF-8": Case(environment(LC_ALL="POSIX"), "terminal", Level.WARNING, "locale POSIX is not UTF-8"),
}


def test_a_machine_in_order_has_no_problem(patient: Patient) -> None:
    assert patient.problems() == []
    names = "client flags ccc.json permissions SUPERVISOR.md settings variables state disk terminal python"
    assert [finding.name for finding in patient.findings()] == names.split()


def test_a_client_that_ccc_knows_is_asked_for_no_more_than_its_version(patient: Patient) -> None:
    asked = patient.world.root / "asked"
    client = fake_claude(patient.bin, [f"echo $1 >>{asked}", *client_lines()])
    claude.abilities(client, patient.world.state / "clients.json", patient.env)
    asked.unlink()
    assert patient.problems() == []
    assert asked.read_text().split() == ["--version"]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_what_is_broken_is_found_and_mended_by_its_own_advice(case: Case, patient: Patient) -> None:
    case.breaks(patient)
    found = [finding for finding in patient.problems() if finding.name == case.name and case.words in finding.text]
    assert [finding.level for finding in found] == [case.level], patient.problems()
    for _ in range(2):  # one piece of advice may lead to the next
        for finding in patient.problems():
            assert finding.fix
            case.by_hand(patient) if case.by_hand else patient.follow(finding.fix)
    assert patient.problems() == []


def test_no_client_anywhere(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "claude_agent_sdk", None)
    (patient.bin / "claude").rename(patient.bin / "elsewhere")
    [found] = patient.problems()
    assert (found.name, found.level, found.text) == ("client", Level.BROKEN, "claude is not on PATH")
    assert found.fix == f"run: {installation.adding('claude-agent-sdk')}"


def test_the_sdk_engine_needs_the_sdk(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    configured(supervisor={"engine": "sdk"})(patient)
    assert patient.problems() == []
    monkeypatch.setitem(sys.modules, "claude_agent_sdk", None)
    patient.program("pip", "exit 0")
    [found] = patient.problems()
    assert (found.name, found.level) == ("engine", Level.BROKEN)
    patient.follow(found.fix)


@pytest.mark.parametrize(("free", "level"), [(100, Level.WARNING), (5, Level.BROKEN)])
def test_a_full_disk(patient: Patient, free: int, level: Level) -> None:
    patient.free = free * 2**20
    [found] = patient.problems()
    assert (found.name, found.level, found.fix) == ("disk", level, "run: ccc clean --older-than 30d")


if os.geteuid() == 0:  # only root can give a folder away

    def test_a_state_folder_of_another_user(patient: Patient) -> None:
        os.chown(patient.world.state, 12345, 12345)
        [found] = patient.problems()
        assert (found.name, found.level) == ("state", Level.BROKEN)
        assert "belongs to another user" in found.text
        patient.follow(found.fix)
        assert patient.problems() == []


def test_a_config_folder_that_may_not_be_looked_into(ordinary_user: Path) -> None:
    place = Place({"HOME": str(ordinary_user)}, ordinary_user, is_ours)
    (ordinary_user / ".claude").mkdir(mode=0)
    found = {
        each.name: each for each in examination.examine(place, questions.ask(place.env, place.cwd), self_test=False)
    }
    assert {name for name, each in found.items() if "Permission denied" in each.text} == {
        *("ccc.json", "SUPERVISOR.md", "state", "disk")
    }
    assert found["state"].fix == "check its owner and permissions"


def test_a_state_folder_that_cannot_be_written(ordinary_user: Path) -> None:
    place = Place({"CCC_WORK_DIR": str(ordinary_user), "HOME": str(ordinary_user)}, ordinary_user, is_ours)
    place.state.mkdir(mode=0o500)
    [found] = doctor_machine.state_folder(place)
    assert (found.level, found.fix) == (Level.BROKEN, f"run: chmod 700 {place.state}")
    assert "cannot be used (Permission denied)" in found.text
    subprocess.run(["sh", "-c", found.fix.removeprefix("run: ")], check=True)
    assert doctor_machine.state_folder(place)[0].level is Level.OK


@pytest.mark.parametrize(
    ("python", "words"), [((3, 10, 1), "Python 3.10.1 is too old"), ((3, 11, 7), "Python 3.11.7, msgspec 0.19.9")]
)
def test_old_pythons(python: tuple[int, ...], words: str) -> None:
    [found] = doctor_machine.versions(python, "0.19.9")
    assert (found.level is Level.BROKEN) is (python < (3, 11))
    assert words in found.text


def test_a_terminal_without_a_name(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    patient.env["TERM"] = "dumb"
    [found] = patient.problems()
    assert (found.name, found.level) == ("terminal", Level.WARNING)
    patient.follow(found.fix)
    assert patient.problems() == []


def test_of_several_files_the_strongest_decides_on_hooks(patient: Patient) -> None:
    patient.settings("user", {"disableAllHooks": True})
    patient.settings("local", {"disableAllHooks": False})
    assert patient.problems() == []


def test_allow_managed_hooks_only_means_nothing_in_a_users_file(patient: Patient) -> None:
    # Measured: the client heeds it in managed settings alone.
    patient.settings("user", {"allowManagedHooksOnly": True})
    assert patient.problems() == []


def test_a_provider_that_is_not_the_current_one_is_a_warning(patient: Patient) -> None:
    others = {"glm": provider(URL, CANARY), "bad": {"env": {"ANTHROPIC_BASE_URL": "nonsense"}}}
    patient.world.write_config(others, current_provider="glm")
    [found] = patient.problems()
    assert (found.name, found.level) == ("provider", Level.WARNING)


def test_inside_a_client_that_ccc_started_its_own_variables_are_right(patient: Patient) -> None:
    patient.env |= {"CLAUDECODE": "1", "CCC_PROVIDER": "glm", "CCC_SUPERVISOR": "1", "CCC_SUPERVISOR_PROMPT": "/x"}
    patient.env["ANTHROPIC_AUTH_TOKEN"] = CANARY
    assert patient.problems() == []


def test_every_variable_of_the_source_is_known() -> None:
    folders = (ROOT / "src", ROOT / "hooks", ROOT / "legacy")
    texts = [path.read_text() for folder in folders for path in folder.rglob("*.py")]
    named = {name for text in texts for name in re.findall(r'"(CCC_[A-Z_]+)"', text)}
    assert named <= {*doctor_machine.VARIABLES, *doctor_machine.OWN_VARIABLES, variables.KEY_OF_ONE}


def test_a_key_that_ccc_handed_on_is_no_odd_variable(patient: Patient) -> None:
    patient.env[f"{variables.KEY_OF_ONE}0123456789abcdef"] = CANARY
    assert [finding.name for finding in patient.problems()] == ["environment"]


def test_no_finding_tells_a_key_or_moves_the_cursor(patient: Patient, capsys: pytest.CaptureFixture[str]) -> None:
    patient.env["ANTHROPIC_AUTH_TOKEN"] = CANARY
    patient.settings("user", {"env": {"ANTHROPIC_API_KEY": CANARY}})
    patient.settings("project", hook("\x1b[2Jecho \x07 <b>"))
    assert examination.main(patient.place, patient.asked, as_json=False, self_test=False) == 1
    assert examination.main(patient.place, patient.asked, as_json=True, self_test=False) == 1
    said = capsys.readouterr().out
    assert "echo  <b>" in said
    assert CANARY not in said
    assert "\x1b[2J" not in said


def test_json_is_one_list_and_the_exit_code_tells(patient: Patient, capsys: pytest.CaptureFixture[str]) -> None:
    assert examination.main(patient.place, patient.asked, as_json=True, self_test=False) == 0
    told = json.loads(capsys.readouterr().out)
    assert {"name": "settings", "level": "ok", "text": "there is none yet", "fix": ""} in told
    patient.settings("user", {"disableAllHooks": True})
    assert examination.main(patient.place, patient.asked, as_json=True, self_test=False) == 1
    assert any(finding["fix"].startswith("edit ") for finding in json.loads(capsys.readouterr().out))


def test_the_doctor_changes_nothing(patient: Patient) -> None:
    patient.settings("user", {**hook("/gone/ccc supervisor-hook"), "env": {"ANTHROPIC_MODEL": "x"}})

    def content() -> Mapping[Path, object]:
        return {p: (p.stat().st_mtime_ns, p.read_bytes()) for p in patient.world.root.rglob("*") if p.is_file()}

    before = content()
    patient.findings()
    assert content() == before


# The self-test, with the real client.


@pytest.fixture
def own_temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def alive_in(folder: Path) -> list[str]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if str(folder).encode() in (entry / "environ").read_bytes() and int(entry.name) != os.getpid():
                found.append((entry / "cmdline").read_text())
        except OSError:
            continue
    return found


def test_the_self_test_proves_that_the_hook_fires_blocks_and_lets_go(world: World, own_temp: Path) -> None:
    place = Place(world.env(), world.project, is_ours)
    [found] = examination.proof(place)
    assert found.level is Level.OK, found
    assert re.fullmatch(r"the hook fired, sent the agent back and let it go: 2 reviews in [\d.]+ s", found.text)
    assert list(own_temp.iterdir()) == []
    assert alive_in(world.root) == []
    assert not world.state.exists()


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["exit 0"], "the client ran and did not call the hook"),
        (["echo no such model >&2; exit 3"], "the client ended with exit code 3: "),
    ],
)
def test_the_self_test_fails_with_a_client_that_does_not_do_its_part(
    patient: Patient, own_temp: Path, lines: list[str], words: str
) -> None:
    started = '[ "$1" = --settings ] && shift 2'  # what keeps it with its provider
    fake_claude(patient.bin, [started, *client_lines(), "case $1 in --*) exit 0;; esac", *lines])
    [found] = examination.proof(patient.place)
    assert found.level is Level.BROKEN
    assert found.text.startswith(words)
    assert list(own_temp.iterdir()) == list((patient.world.home / ".cache").iterdir()) == []


def test_the_self_test_tells_why_a_review_failed(world: World, own_temp: Path) -> None:
    real = claude.find(world.env(), world.project)
    reviewer_fails = ['for word; do [ "$word" = --fork-session ] && exit 9; done', f'exec {real} "$@"']
    named = fake_claude(world.root / "bin", reviewer_fails)
    proof = selftest.prove(named, [sys.executable, "-m", "ccc"], world.env())
    assert proof.failure.startswith("the client called the hook, but the review failed: the reviewer ended with exit")
    assert list(own_temp.iterdir()) == list((world.home / ".cache").iterdir()) == []


def test_without_a_client_there_is_no_self_test(patient: Patient) -> None:
    [found] = examination.proof(replace(patient.place, env={**patient.env, "CCC_CLAUDE": "/nowhere"}))
    assert (found.level, found.fix) == (Level.BROKEN, "mend the client first")
