"""Whether the person keeps the run to themselves, or to somebody else than the agent.

Rule: pure; clause by clause, ten languages, one row each. Who tells what went wrong when they ran it keeps nothing.
"""

# ruff: noqa: RUF001

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from ccc.base.patterns import Lazy, any_case
from ccc.evidence.wording import LENGTH_LIMIT, prose, simpler

CLAUSE_LIMIT = 600


def reserves(words: str) -> bool:
    """Whether a person says that the agent is not to run it, or that somebody else will."""
    return any(_is_reserving(clause) for clause in _clauses(words))


def _clauses(words: str) -> Iterator[str]:
    text = simpler(prose(words[:LENGTH_LIMIT], keep_code=False))
    return (each.strip()[:CLAUSE_LIMIT] for each in re.split(r"[.!?;,\n。！？；，、]|\s[—–-]\s", text) if each.strip())


def _is_reserving(clause: str) -> bool:
    if _TROUBLE.search(clause):
        return False
    if any(row.kept.search(clause) or row.barred.search(clause) for row in _ROWS):
        return True
    return bool(_MYSELF.search(clause) or _LATER.search(clause) or (_SOMEBODY.search(clause) and _ACTS.search(clause)))


class _Row(Struct, frozen=True):
    """`kept`: somebody else runs it. `barred`: the agent is not to, or cannot."""

    kept: Lazy
    barred: Lazy


_RUN = (
    r"(?:re-?)?(?:run(?:s|ning)?|test(?:s|ing)?|try(?:ing)?|check(?:ing)?|verif(?:y|ies|ying)|build(?:s|ing)?"
    r"|compil(?:e|es|ing)"
    r"|flash(?:es|ing)?|deploy(?:s|ing)?|appl(?:y|ies|ying)|execut(?:e|es|ing)|start(?:s|ing)?|launch(?:es|ing)?"
    r"|play(?:ing)?"
    r"|press(?:ing)? play|hit play|upload(?:s|ing)?|install(?:s|ing)?|migrat(?:e|es|ing)|publish(?:es|ing)?"
    r"|push(?:es|ing)?"
    r"|roll(?:s|ing)? (?:it )?out)"
)
_TROUBLE = any_case(
    r"\b(?:errors?|crash\w*|fail\w*|broken|breaks?|exception|traceback|stuck|hangs?|nothing happens|when(?:ever)? i"
    r"|if i"
    r"|after i|every time|each time|tried|gives? me|i get|i see)\b",
    r"报错|失败|出错|崩溃|错误|卡住|没反应|的时候|时[会就候总]|(?:跑|运行|执行|测试?|试|编译|部署)了|エラー|失敗|落ち|すると|したら|오류|에러|실패"
    r"|안 되|하면|했더니",
    r"\b(?:error|falla\w*|fallo|cuando|al (?:ejecutar|correr|probar)|erro|falha\w*|quando|ao (?:rodar|executar"
    r"|testar)|erreur"
    r"|échoue\w*|plante\w*|quand|lorsque|fehler\w*|stürzt|wenn ich|sobald ich|schlägt)\b|ошибк|пада|когда|вылета"
    r"|не работает",
)
# Whoever stresses that it is they who do something, where the language does not ask for the pronoun, does it.
_MYSELF = any_case(
    r"\b(?:myself|ourselves)\b|我自己(?!的)|我来(?!说)|由我|自分で|こちらで|私の方で|(?:내가|제가)\s?\S{0,6}\s?(?:할게|볼게|함\b|하겠|볼래|합니다)",
    r"\b(?:yo|eu) mism[oa]\b|\beu mesm[oa]\b|\b\w{3,}o yo\b|\byo (?:lo|la|los|las|me)\b|\b\w{3,}o eu\b"
    r"|\beu (?:testo|rodo|\w{3,}o depois)\b",
    r"\bmoi-même\b|\bc'est moi qui\b|\bje m'en\b|\b(?:mache?|tue?|erledige|übernehme) ich\b|\bich (?:selbst"
    r"|selber)\b|\bя сам\w?\b|\bсам[аи]?\b",
)
# Who says on which day they will be there sees to it then.
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_LATER = any_case(
    rf"\b(?:i|we|i'll|will|gonna|i'm)\b[^.\n]{{0,40}}\b(?:tonight|tomorrow|this evening|next week|(?:on )?{_DAYS}"
    rf"|at home|when i'm)\b",
    r"(?:今晚|明天|后天|下周|周[一二三四五六日]|晚上|回头)[^，。\n]{0,8}(?:我|去|看|带|试|装|测)",
    r"我[^，。\n]{0,6}(?:今晚|明天|后天|下周|周[一二三四五六日]|晚上|回头)",
    r"(?:明日|今夜|今晩|後で|あとで|来週)[^。\n]{0,16}(?:見|確認|試|行)",
    r"(?:내일|오늘 밤|나중에|이따|다음 주)[^.\n]{0,16}(?:볼게|할게|갈게|해볼|확인|볼 거)",
    r"\b(?:mañana|esta noche|la semana que viene|amanhã|semana que vem|à noite)\b[^.\n]{0,24}\b(?:lo|la|yo|voy|paso"
    r"|estoy|eu|vou|vejo|miro)\b",
    r"\b(?:lo|la|yo|eu|vou)\b[^.\n]{0,16}\b(?:mañana|esta noche|amanhã|semana que vem|depois)\b",
    r"\bj(?:e|'y?)\b[^.\n]{0,24}\b(?:demain|ce soir|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
    r"|la semaine prochaine)\b",
    r"\bich\b[^.\n]{0,24}\b(?:morgen|heute abend|später|nächste woche|(?:mon|diens|donners|frei|sams|sonn)tag"
    r"|mittwoch)\b",
    r"(?:завтра|вечером|потом|на неделе|в (?:понедельник|вторник|среду|четверг|пятницу))[^.\n]{0,16}\b\w+[ую]\b"
    r"|\b\w{3,}[ую]\b[^.\n]{0,12}(?:завтра|вечером|в (?:понедельник|вторник|среду|четверг|пятницу))",
)
# Or somebody else whose work that is.
_SOMEBODY = any_case(
    r"\b(?:dbas?|ops|qa|devops|sre|admins?|colleagues?)\b|运维|测试同事|同事|现场"
    r"|運用|インフラ|担当|운영|인프라|담당|\b(?:operaciones|sistemas|explotación|operações|infra|operação|exploitation)\b"
    r"|\b(?:betrieb|kollege\w*)\b|эксплуатац|админ|девопс|коллег"
)
_ACTS = any_case(
    rf"\b{_RUN}\b|执行|运行|跑|部署|上线|发布|测|流す|流し|実行|適用|デプロイ|確認|실행|적용|배포|확인|\b(?:ejecut|aplic|despleg|despliega"
    r"|lanz|prueb|execut|rod|aplic|sobe|test|lance|déploi|appliqu)\w*|\w*(?:spiel|führ|roll|test|prüf|deploy)\w*"
    r"|запус|выкат|накат|примен|тестир|провер"
)
_ROWS = (
    _Row(
        any_case(
            rf"\b(?:i(?:['’]?ll| will|['’]?m| am|['’]?m gonna| can|['’]?d rather| want to| prefer to)?|we(?:['’]?ll"
            rf"| will)?|myself)"
            rf" (?:\w+ ){{0,3}}?{_RUN}\b(?! (?:is|are|was|fails?))",
            rf"\b{_RUN}\b[^.\n]{{0,24}}\b(?:myself|ourselves|on my (?:own|side|end|machine|phone|device|box))\b",
            rf"\b(?:our|the|my|a) (?:dba|ops|qa|pipeline|ci|team|colleague|admin|devops|customer|client"
            rf"|sre)\w* (?:team )?(?:will )?{_RUN}\b",
            r"\b(?:leave|keep) the (?:run|test|build|deploy|rest)\w* (?:to|for) me\b",
        ),
        any_case(
            rf"\b(?:don['’]?t|do not|no need to|without|never|not necessary to|needn['’]?t|skip|avoid"
            rf"|not to)\s+(?:\w+\s+){{0,3}}?{_RUN}\b",
            rf"\b(?:you|u|ya) (?:can(?:['’]?t|not)|won['’]?t be able to|could ?n[o'’]t"
            rf"|have no way to)\s+(?:\w+\s+){{0,2}}?{_RUN}\b",
            r"\b(?:just|only) (?:edit|the (?:code|edit|change|diff|file)|code|change the (?:code|file))\b|\b(?:code"
            r"|edit|plan) only\b",
        ),
    ),
    _Row(
        any_case(
            r"我(?:自己|来|会|等下|稍后|之后|晚上|这边|回头|手动|去|在)?[^，。\n]{0,8}(?:运行|跑|执行|测|验证|编译|构建|试|烧录|部署|上线|发布)"
            r"|(?:自己|我来)[^，。\n]{0,4}(?:运行|跑|执行|测|验证|编译|构建|试|烧录|部署|上线)"
            r"|(?:运行|执行|测试|验证|编译|构建|烧录|部署|上线|真机)[^，。\n]{0,8}(?:我来|我自己|由我|交给我|归我|给我)"
        ),
        any_case(
            r"(?:不要|别|不用|不必|无需|无须|不需要|先不|暂不|勿|没必要|禁止|不许|不准|绝对不)(?:\S{0,4}?)(?:运行|跑|执行|测|验证|编译|构建|部署|套用|应用|启动)"
            r"|(?:你|您)(?:这边|那边)?(?:跑不了|运行不了|没法(?:跑|运行|测)|不能(?:跑|运行|测))|只(?:要)?(?:改|写)(?:代码|文件)"
        ),
    ),
    _Row(
        any_case(
            r"(?:こちら|私|自分|僕|俺|当方|手元)(?:で|が|の)?[^。\n]{0,10}(?:実行|テスト|確認|ビルド|試|動か|デプロイ|起動|書き込|検証)"
            r"|(?:実行|テスト|確認|ビルド|デプロイ|書き込み|検証)(?:は|も)[^。\n]{0,8}(?:こちら|私|自分|僕|当方)"
        ),
        any_case(
            r"(?:実行|テスト|ビルド|起動|デプロイ|適用|検証|確認)[^。\n]{0,10}(?:しないで|しないこと|せずに|不要|しなくて|やめて|禁止|なしで|いりません)"
        ),
    ),
    _Row(
        any_case(
            r"(?:제가|내가|저희가|우리가|나중에 내가|직접)\s*[^.\n]{0,12}(?:실행|테스트|빌드|확인|돌리|돌려|돌릴"
            r"|배포|해볼|할게|함\b|합니다)"
            r"|(?:실행|테스트|빌드|배포|확인)[은는도]?\s*[^.\n]{0,6}(?:내가|제가|직접|저희가)"
        ),
        any_case(
            r"(?:실행|테스트|빌드|배포|적용|확인)[^.\n]{0,8}(?:하지\s?마|말아|말고|필요\s?없|안\s?해도|금지|하지\s?않아도|하지는\s?마)"
        ),
    ),
    _Row(
        any_case(
            r"\b(?:lo|la|los|las|ya) (?:pruebo|ejecuto|lanzo|corro|compilo|despliego|aplico|verifico|subo|instalo)\b"
            r"|\b(?:probar|ejecutar|lanzar|correr|compilar|desplegar|aplicar)é\b|\byo (?:mismo )?(?:\w+ )?(?:pruebo"
            r"|ejecuto|lanzo|corro)"
            r"|\bme encargo\b|\bpor mi cuenta\b|\b(?:yo|nosotros) (?:lo|la|los|las) \w+"
        ),
        any_case(
            r"\b(?:sin|no|nunca)\s+(?:\w+\s+){0,2}?(?:ejecut\w+|prueb\w+|probar\w*|corr(?:as|er)\w*|lanc\w+|lanz\w+"
            r"|compil\w+|apli(?:ca|que)\w*|despl\w+)"
            r"|\bs[oó]lo (?:el )?c[oó]digo\b"
        ),
    ),
    _Row(
        any_case(
            r"\b(?:eu|eu mesmo|depois eu|a gente)\s+(?:\w+\s+){0,2}?(?:testo|rodo|executo|aplico|compilo|subo"
            r"|instalo|verifico|test\w+|rod\w+)\b"
            r"|\bvou (?:testar|rodar|executar|aplicar|compilar)\b|\bdeixa comigo\b|\bpor minha conta\b"
            r"|\beu mesm[oa]\b"
        ),
        any_case(
            r"\b(?:não|nao|sem|nunca)\s+(?:\w+\s+){0,2}?(?:rod\w+|execut\w+|test\w+|compil\w+|apli(?:que|car)\w*"
            r"|suba)|\bs[oó] (?:o )?c[oó]digo\b"
        ),
    ),
    _Row(
        any_case(
            r"\bje (?:le |la |les |l')?(?:teste|lance|exécute|compile|déploie|vérifie|testerai|lancerai"
            r"|déploierai)\w*\b|\bje m'en (?:occupe|charge)\b"
            r"|\bmoi-même\b"
        ),
        any_case(
            r"\b(?:ne|n'|n’)\s?(?:l'|le |la |les )?(?:lance|exécute|teste|déploie|compile|applique)\w*"
            r"|\bsans (?:\w+ )?(?:lancer|exécuter|tester|déployer)"
        ),
    ),
    _Row(
        any_case(
            r"\bich\b[^.\n]{0,30}\b(?:teste|starte|probiere?|spiele?|führe|baue|flashe|prüfe|deploye|rolle"
            r"|mache)\b[^.\n]{0,20}(?:selbst|selber|dann|später|morgen)?"
            r"|\b(?:teste|starte|probiere?|spiele?|baue|flashe|prüfe|deploye|rolle|mache"
            r"|lasse)\b[^.\n]{0,20}\bich\b[^.\n]{0,20}\b(?:selbst|selber)\b"
            r"|\bselbst (?:aus|testen|starten|ausführen)\b"
        ),
        any_case(
            r"\b(?:nichts?|ohne|nie|kein\w*)\b[^.\n]{0,30}\b(?:ausführ\w*|test\w*|start\w*|lauf\w*|bauen"
            r"|ausprobier\w*|anwend\w*|deploy\w*)"
            r"|\bnur (?:den )?code\b"
        ),
    ),
    _Row(
        any_case(
            r"\b(?:запущу|проверю|протестирую|соберу|прошью|выкачу|задеплою|применю|прогоню|потестирую|установлю"
            r"|раскатаю|накачу)\b"
            r"|\bсам[аи]?\b[^.\n]{0,12}\b(?:запус\w+|провер\w+|тестир\w+|собер\w+)"
        ),
        any_case(
            r"\bне (?:надо |нужно |стоит )?(?:запуска\w+|тестиру\w+|тестирова\w+|проверя\w+|собира\w+|применя\w+"
            r"|выполня\w+)"
            r"|(?:запуска\w+|тестирова\w+|проверя\w+|собира\w+|применя\w+|выполня\w+) не (?:надо|нужно|стоит)"
            r"|только код\b"
        ),
    ),
)
