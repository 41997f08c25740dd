"""Whether a person keeps the run to themselves."""

# ruff: noqa: RUF001

from __future__ import annotations

from ccc.evidence.reservation import reserves
from tests.tables import each

KEPT = """
add the flag, i'll run it myself tonight
just edit, im testing in another window
i have the editor open so u cant run it
write the migration, our DBA runs these
Don't execute anything.
改好我自己打包，真机上我来试
短信限流改一下，预发我来验
脚本写好，运维来执行
幫我改，等等我用測試機試
移行スクリプトを書いて。実行は絶対にしないで
直してください。確認はこちらでします
푸시 채널 추가해줘. 빌드는 내가 함
lo pruebo yo en el teléfono
mete un filtro. lo grabo yo en la placa
arruma isso, eu testo depois
je m'en occupe, ne lance rien
Flashen mach ich
einspielen tut es der Betrieb
добавь команду, запущу сам
"""
NOT_KEPT = """
when i run npm test it crashes
I get an error if I start the server
Fix the build.
Add a test for the parser and run it.
我运行的时候报错
実行すると落ちます
빌드하면 에러가 납니다
cuando lo ejecuto da error
wenn ich es starte, stürzt es ab
при запуске падает с ошибкой
Make the tests faster.
"""


@each("words", KEPT.strip().split("\n"))
def test_who_keeps_the_run_is_understood(words: str) -> None:
    assert reserves(words)


@each("words", NOT_KEPT.strip().split("\n"))
def test_who_tells_of_trouble_or_asks_for_work_keeps_nothing(words: str) -> None:
    assert not reserves(words)


def test_a_pasted_text_of_any_length_is_read_in_part() -> None:
    assert not reserves("x " * 200_000)
