"""Providers as people and programs look at them."""

from __future__ import annotations

import json

import pytest

from tests.typed import Typed
from tests.world import World, provider


@pytest.fixture
def configured(world: World) -> World:
    broken = {
        "env": {"ANTHROPIC_BASE_URL": "https://a.example", "ANTHROPIC_MODEL": "m", "ANTHROPIC_AUTH_TOKEN": "${NO}"}
    }
    world.write_config({"broken": broken, "login": {}, "fine": provider("https://b.example")})
    return world


def test_a_problem_has_its_own_line_and_the_address_its_column(configured: World, typed: Typed) -> None:
    head, broken, _, _, problem = typed("providers").out.splitlines()
    assert head.split() == ["name", "base", "URL", "model", "key"]
    assert broken.split() == ["●", "broken", "https://a.example", "m", "✗"]
    assert problem.startswith("✗ broken: ")
    assert problem.endswith("names the variable NO, which is not set; run: export NO=…")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("http://me:s3cret@127.0.0.1:9/v1", "http://127.0.0.1:9/v1"),
        ("http://127.0.0.1:9/v1?key=s3cret", "http://127.0.0.1:9/v1?…"),
        ("http://127.0.0.1:9/gw/sk-s3cret0123456789/v1", "http://127.0.0.1:9/gw/…/v1"),
        ("http://127.0.0.1:9/anthropic-compatible/v1beta2", "http://127.0.0.1:9/anthropic-compatible/v1beta2"),
        ("sk-s3cret", "…"),
        ("${NO}", "${NO}"),
    ],
)
def test_an_address_is_shown_without_what_can_be_a_key(world: World, typed: Typed, address: str, shown: str) -> None:
    world.write_config({"glm": provider(address)})
    assert json.loads(typed("providers", "--json").out)[0]["base_url"] == shown
    assert "s3cret" not in typed("providers").out + typed("validate", "glm").out


def test_so_it_is_in_json(configured: World, typed: Typed) -> None:
    broken, login, fine = json.loads(typed("providers", "--json").out)
    assert (broken["base_url"], broken["model"], "NO" in broken["problem"]) == ("https://a.example", "m", True)
    assert (login["base_url"], login["problem"], fine["problem"]) == (None, None, None)


def test_of_a_login_it_is_said_that_only_the_client_can_try_it(configured: World, typed: Typed) -> None:
    run = typed("validate", "login")
    assert run.code == 0
    assert "?  login  uses the client's own login, which ccc cannot try; type: ccc login -p hi" in run.out
    assert json.loads(typed("validate", "login", "--json").out)[0]["ok"] is None


def test_the_tables_are_told_in_chinese(configured: World, typed: Typed) -> None:
    told = typed("providers", CCC_LANG="zh").out + typed("validate", "login", CCC_LANG="zh").out
    for words in ("名称", "地址", "密钥", "（登录）", "但它没有设置", "ccc 无法代为验证"):
        assert words in told
