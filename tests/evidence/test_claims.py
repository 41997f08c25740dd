# ruff: noqa: RUF001

from __future__ import annotations

from ccc.evidence.answers import admits_untried, asks_for_output
from ccc.evidence.claims import Claim, claimed, says_made
from tests.tables import each

TESTS = """
All 42 tests pass.
The test suite is green.
测试全部通过。
測試全部通過。
テストはすべて通過しました。
모든 테스트가 통과했습니다.
Todas las pruebas pasan.
Todos os testes passaram.
Tous les tests passent.
Alle Tests laufen durch.
Все тесты проходят.
"""
NO_CLAIM = """
Make sure all tests pass.
Once the tests pass you can merge.
The tests should pass now.
Not all tests pass.
请确保测试全部通过。
Wenn alle Tests durchlaufen, kannst du mergen.
Si todas las pruebas pasan, se puede fusionar.
テストが通過するはずです。
Run `npm test`: all tests pass?
"""


def rows(table: str) -> list[str]:
    return table.strip().split("\n")


@each("message", rows(TESTS))
def test_tests_that_pass_are_claimed_in_ten_languages(message: str) -> None:
    assert [each.claim for each in claimed(message)] == [Claim.TESTS]


@each("message", rows(NO_CLAIM))
def test_a_wish_a_condition_and_a_doubt_claim_nothing(message: str) -> None:
    assert claimed(message) == ()


@each(
    "message, claim",
    [
        ("tsc passes with no errors.", Claim.BUILDS),
        ("构建成功。", Claim.BUILDS),
        ("Deployed to production ✅", Claim.DEPLOYED),
        ("已部署到生产环境。", Claim.DEPLOYED),
        ("I committed the change.", Claim.COMMITTED),
        ("I opened a pull request.", Claim.PROPOSED),
        ("CI is green.", Claim.INTEGRATED),
        ("eslint is clean.", Claim.LINTS),
    ],
)
def test_other_claims_that_tools_would_show(message: str, claim: Claim) -> None:
    assert [each.claim for each in claimed(message)] == [claim]


def test_a_file_is_said_to_be_made_unless_the_refusal_is_told() -> None:
    assert says_made("I created docs/api.md with all endpoints.", "/x/docs/api.md")
    assert not says_made("I was denied permission to write docs/api.md.", "/x/docs/api.md")
    assert not says_made("See docs/api.md.", "/x/docs/api.md")


def test_who_asks_for_output_or_could_not_run_it_claims_nothing() -> None:
    assert asks_for_output("I added logging. Please run it and paste the console output.")
    assert not asks_for_output("Fixed. Please run it and paste the console output.")
    assert admits_untried("I could not run it: there is no device here.")
    assert not admits_untried("It runs twice as fast now.")
