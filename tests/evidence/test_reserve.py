"""What a message reserves: said outright, or with a but, an if or a not, in ten languages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ccc.evidence import reserve
from tests.tables import each

OUTRIGHT = (
    "The converter is written and all samples have been converted.",
    "Deploy feito! O site está no ar em produção.",
    "脚本写好了，列表已抓取并保存。",
    "測試都跑過了，全部順利。",
    "ユニットを作成し、有効化しました。",
    "릴리스를 완료했습니다.",
    "La plantilla está publicada y visible para todos.",
    "Modèle réentraîné : la précision monte à 94,2 %.",
    "Umgesetzt und mit einem Test abgesichert, der durchläuft.",
    "Тесты написаны и прогнаны: 2 из 2 прошли.",
)
RESERVED = (
    "Published, but the tag could not be pushed.",
    "Converted all of them once the token is valid.",
    "The upload returned 403.",
    "Deploy feito, mas o domínio ainda falha.",
    "脚本写好了，但是没有跑通。",
    "部署需要你先登录。",
    "実装しましたが、実行できませんでした。",
    "배포했지만 확인하지 못했습니다.",
    "Publicada, pero falta el certificado.",
    "Réentraîné, sauf le dernier lot.",
    "Umgesetzt, aber nicht getestet.",
    "Всё готово, кроме прода.",
    "Done. Shall I push it?",
    "It ended with a ProxyError.",
    "",
)


@each("message", OUTRIGHT)
def test_what_is_said_outright_reserves_nothing(message: str) -> None:
    assert reserve.has_none(message)


@each("message", RESERVED)
def test_a_but_an_if_a_not_and_a_question_reserve_something(message: str) -> None:
    assert not reserve.has_none(message)


@given(st.text(max_size=300))
def test_any_text_has_an_answer(message: str) -> None:
    assert reserve.has_none(message) in (True, False)
