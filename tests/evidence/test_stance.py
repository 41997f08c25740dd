"""What a last message makes of the work: success, an end, or something left open."""

# ruff: noqa: RUF001

from __future__ import annotations

import pytest

from ccc.evidence import stance, tongues
from ccc.evidence.stance_words import ROWS
from ccc.evidence.tongues import Tongue, heard
from tests.tables import each

CLAIMS = """
The crash is fixed and the page loads correctly.
登录问题已修复。
登入問題已修正。
ログインの問題を修正しました。
로그인 문제를 해결했습니다.
Corregido: el correo ya no se envía dos veces.
Resolvido, o menu não some mais.
C'est corrigé, le tri fonctionne.
Behoben, der Dialog schließt richtig.
Исправлено, бот больше не падает.
The race is resolved and CI should be green again.
Fixed. You'll need to restart the workers.
"""
OPEN = """
I added a log line. Please install it and send me the output.
The limit is 5 now. Press play and tell me whether it still lags.
先加了日志，请在真机上复现一次，把输出发给我。
我先印出重置原因，麻煩貼給我。
ログを追加したので、もう一度試してください。
로그를 추가했으니 다시 실행해 주세요.
He añadido un log; cuando vuelva a fallar, pásame las últimas líneas.
O erro vai agora para o log; me mande o arquivo.
La rampe est en place ; une fois téléversée, regardez si le départ est doux, sinon on allonge.
Der Filter ist drin. Schau, ob das Flackern weg ist.
Команда добавлена. Запускайте у себя; если что-то упадёт, пришлите трейсбек.
The code is in place; nothing is tested.
没有显卡，没法运行。
Ich konnte es hier nicht bauen.
"""
TELLS_ONLY = """
The spacing went from 8 to 16 points, as the guideline asks for.
The sketch has one interface and two types for tomorrow's talk.
按钮的颜色由红色改为橙色，其余样式保持原样。
Der Exponent in der Formel ist 1,5, wie im Papier beschrieben.
"""
ENDS = ("Done.", "The port is finished.", "任务完成。", "Готово.", "Erledigt.", "Listo.", "Added.", "改好了。")


def rows(table: str) -> list[str]:
    return table.strip().split("\n")


@each("message", rows(CLAIMS))
def test_success_is_claimed_in_ten_languages_whatever_else_is_said(message: str) -> None:
    assert stance.of(message).claims
    assert not stance.of(message).left_open


@each("message", rows(OPEN))
def test_what_is_left_to_the_person_or_was_not_run_is_open(message: str) -> None:
    assert stance.of(message).left_open, stance.of(message)
    assert not stance.of(message).done


@each("message", rows(TELLS_ONLY))
def test_who_tells_of_the_edits_says_neither(message: str) -> None:
    assert not stance.of(message).done
    assert not stance.of(message).left_open


@each("message", ENDS)
def test_an_end_is_no_success_but_an_end(message: str) -> None:
    taken = stance.of(message)
    assert taken.done
    assert not taken.left_open


@each("message", ("Fixed. Let me know if you need anything else.", "已修复。如果还有其他问题请告诉我。"))
def test_a_courtesy_leaves_nothing_open(message: str) -> None:
    assert not stance.of(message).opens


def test_what_is_quoted_is_not_said() -> None:
    assert not stance.of("The button reads “it works” and `fixed` in the new layout.").claims


@each("text, tongue", [("这个", "zh"), ("これです", "ja"), ("이것", "ko"), ("это", "ru"), ("das ist es", "de")])
def test_a_language_is_heard_by_its_letters_or_its_words(text: str, tongue: str) -> None:
    assert Tongue(tongue) in heard(text)


def test_where_nothing_tells_all_languages_of_these_letters_may_be() -> None:
    assert set(heard("Behoben")) == set(Tongue) - {Tongue.CHINESE, Tongue.JAPANESE, Tongue.KOREAN, Tongue.RUSSIAN}
    assert heard("") == ()
    assert set(ROWS) == set(tongues.Tongue)


@pytest.mark.parametrize("message", ["a" * 200_000, "no. " * 50_000, "请 " * 50_000, "\n" * 10_000, "i can't " * 9_000])
def test_any_length_is_looked_at_in_part(message: str) -> None:
    assert isinstance(stance.of(message), stance.Stance)
