"""Whether the person keeps the run to themselves, or to somebody else than the agent.

Rule: pure; clause by clause, by the rows of the languages it may be in. Who tells what went wrong when they ran it
keeps nothing.
"""

# ruff: noqa: RUF001

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from msgspec import Struct

from ccc.base.patterns import Lazy, any_case, pattern
from ccc.evidence import tongues
from ccc.evidence.tongues import Tongue
from ccc.evidence.wording import prose, simpler

LENGTH_LIMIT = 6_000  # what is longer is pasted
CLAUSES, CLAUSE_LIMIT = 150, 400
_CLAUSE_ENDS = pattern(r"[.!?;,\n。！？；，、]|\s[—–-]\s")


def reserves(words: str) -> bool:
    """Whether a person says that the agent is not to run it, or that somebody else will."""
    text = simpler(prose(words[:LENGTH_LIMIT], keep_code=False))
    rows = [_ROWS[tongue] for tongue in tongues.heard(text)]
    found = (each.strip()[:CLAUSE_LIMIT] for each in _CLAUSE_ENDS.split(text))
    clauses = islice((each for each in found if each), CLAUSES)
    return any(row.reserves(clause) for clause in clauses for row in rows)


class _Row(Struct, frozen=True):
    """`kept`: somebody else runs it, or says when they will see to it. `barred`: the agent is not to, or cannot.

    `role` is somebody whose work that is, where `act` stands beside it. `trouble`: they tell of what went wrong.
    """

    kept: Lazy
    barred: Lazy
    role: Lazy
    act: Lazy
    trouble: Lazy

    def reserves(self, clause: str) -> bool:
        if self.trouble.search(clause):
            return False
        if self.kept.search(clause) or self.barred.search(clause):
            return True
        return bool(self.role.search(clause) and self.act.search(clause))


_RUN = (
    r"(?:re-?)?(?:run(?:s|ning)?|test(?:s|ing)?|try(?:ing)?|check(?:ing)?|verif(?:y|ies|ying)|build(?:s|ing)?"
    r"|compil(?:e|es|ing)|flash(?:es|ing)?|deploy(?:s|ing)?|appl(?:y|ies|ying)|execut(?:e|es|ing)|start(?:s|ing)?"
    r"|launch(?:es|ing)?|play(?:ing)?|press(?:ing)? play|hit play|upload(?:s|ing)?|install(?:s|ing)?|migrat(?:e|es"
    r"|ing)"
    r"|publish(?:es|ing)?|push(?:es|ing)?|roll(?:s|ing)? (?:it )?out)"
)
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_ENGLISH = _Row(
    kept=any_case(
        rf"\b(?:i(?:['’]?ll| will|['’]?m| am|['’]?m gonna| can|['’]?d rather| want to| prefer to)?|we(?:['’]?ll"
        rf"| will)?"
        rf"|myself) (?:\w+ ){{0,3}}?{_RUN}\b(?! (?:is|are|was|fails?))",
        rf"\b{_RUN}\b[^.\n]{{0,24}}\bon my (?:own|side|end|machine|phone|device|box)\b|\b(?:myself|ourselves)\b",
        rf"\b(?:our|the|my|a) (?:pipeline|ci|team|customer|client)\w* (?:team )?(?:will )?{_RUN}\b",
        r"\b(?:leave|keep) the (?:run|test|build|deploy|rest)\w* (?:to|for) me\b",
        rf"\b(?:i|we|i'll|will|gonna|i'm)\b[^.\n]{{0,40}}\b(?:tonight|tomorrow|this evening|next week|(?:on )?{_DAYS}"
        r"|at home|when i'm)\b",
    ),
    barred=any_case(
        rf"\b(?:don['’]?t|do not|no need to|without|never|not necessary to|needn['’]?t|skip|avoid|not to)\s+"
        rf"(?:\w+\s+){{0,3}}?{_RUN}\b",
        rf"\b(?:you|u|ya) (?:can(?:['’]?t|not)|won['’]?t be able to|could ?n[o'’]t"
        rf"|have no way to)\s+(?:\w+\s+){{0,2}}?"
        rf"{_RUN}\b",
        r"\b(?:just|only) (?:edit|the (?:code|edit|change|diff|file)|code|change the (?:code|file))\b"
        r"|\b(?:code|edit|plan) only\b",
    ),
    role=any_case(r"\b(?:dbas?|ops|qa|devops|sre|admins?|colleagues?)\b"),
    act=any_case(rf"\b{_RUN}\b"),
    trouble=any_case(
        r"\b(?:errors?|crash\w*|fail\w*|broken|breaks?|exception|traceback|stuck|hangs?|nothing happens"
        r"|when(?:ever)? i"
        r"|if i|after i|every time|each time|tried|gives? me|i get|i see)\b"
    ),
)
_RUN_ZH = r"(?:运行|跑|执行|测|验证|验|编译|构建|试|烧录|部署|上线|发布|打包|装)"
_DAYS_ZH = r"(?:今晚|明天|后天|下周|周[一二三四五六日]|晚上|回头)"
_CHINESE = _Row(
    kept=any_case(
        rf"我(?:自己|来|会|等下|稍后|之后|晚上|这边|回头|手动|去|在)?[^，。\n]{{0,8}}{_RUN_ZH}|我自己(?!的)|我来(?!说)|由我",
        rf"{_RUN_ZH}[^，。\n]{{0,8}}(?:我来|我自己|由我|交给我|归我|给我)",
        rf"{_DAYS_ZH}[^，。\n]{{0,8}}(?:我|去|看|带|试|装|测)|我[^，。\n]{{0,6}}{_DAYS_ZH}",
    ),
    barred=any_case(
        rf"(?:不要|别|不用|不必|无需|无须|不需要|先不|暂不|勿|没必要|禁止|不许|不准|绝对不)\S{{0,4}}?(?:{_RUN_ZH}|套用|应用|启动)",
        r"(?:你|您)(?:这边|那边)?(?:跑不了|运行不了|没法(?:跑|运行|测)|不能(?:跑|运行|测))|只(?:要)?(?:改|写)(?:代码|文件)",
    ),
    role=any_case(r"运维|测试同事|同事|现场|\b(?:dba|qa)\b"),
    act=any_case(_RUN_ZH),
    trouble=any_case(r"报错|失败|出错|崩溃|错误|卡住|没反应|的时候|时[会就候总]|(?:跑|运行|执行|测试?|试|编译|部署)了"),
)
_JAPANESE = _Row(
    kept=any_case(
        r"(?:こちら|私|自分|僕|俺|当方|手元)(?:で|が|の)?[^。\n]{0,10}(?:実行|テスト|確認|ビルド|試|動か|デプロイ|起動|書き込|検証)",
        r"(?:実行|テスト|確認|ビルド|デプロイ|書き込み|検証)(?:は|も)[^。\n]{0,8}(?:こちら|私|自分|僕|当方|先方)",
        r"自分で|こちらで|私の方で|(?:明日|今夜|今晩|後で|あとで|来週)[^。\n]{0,16}(?:見|確認|試|行)",
    ),
    barred=any_case(
        r"(?:実行|テスト|ビルド|起動|デプロイ|適用|検証|確認)[^。\n]{0,10}(?:しないで|しないこと|せずに|不要|しなくて|やめて|禁止"
        r"|なしで|いりません)"
    ),
    role=any_case(r"運用|インフラ|担当|先方|\b(?:dba|qa)\b"),
    act=any_case(r"流す|流し|実行|適用|デプロイ|確認"),
    trouble=any_case(r"エラー|失敗|落ち|すると|したら"),
)
_KOREAN = _Row(
    kept=any_case(
        r"(?:제가|내가|저희가|우리가|나중에 내가|직접)\s*[^.\n]{0,12}(?:실행|테스트|빌드|확인|돌리|돌려|돌릴|배포"
        r"|해볼|할게|함\b|합니다)",
        r"(?:실행|테스트|빌드|배포|확인)[은는도]?\s*[^.\n]{0,6}(?:내가|제가|직접|저희가)",
        r"(?:내가|제가)\s?\S{0,6}\s?(?:할게|볼게|함\b|하겠|볼래|합니다)",
        r"(?:내일|오늘 밤|나중에|이따|다음 주)[^.\n]{0,16}(?:볼게|할게|갈게|해볼|확인|볼 거)",
    ),
    barred=any_case(
        r"(?:실행|테스트|빌드|배포|적용|확인)[^.\n]{0,8}(?:하지\s?마|말아|말고|필요\s?없|안\s?해도|금지|하지\s?않아도"
        r"|하지는\s?마)"
    ),
    role=any_case(r"운영팀|인프라|담당|\b(?:dba|qa)"),
    act=any_case(r"실행|적용|배포|확인"),
    trouble=any_case(r"오류|에러|실패|안 되|하면|했더니"),
)
_SPANISH = _Row(
    kept=any_case(
        r"\b(?:lo|la|los|las|ya) (?:pruebo|ejecuto|lanzo|corro|compilo|despliego|aplico|verifico|subo|instalo|miro"
        r"|veo"
        r"|escucho)\b|\b(?:probar|ejecutar|lanzar|correr|compilar|desplegar|aplicar)é\b|\bme encargo\b"
        r"|\bpor mi cuenta\b",
        r"\byo mism[oa]\b|\b\w{3,}o yo\b|\b(?:yo|nosotros) (?:lo|la|los|las|me|mismo)\b",
        r"\b(?:mañana|esta noche|la semana que viene)\b[^.\n]{0,24}\b(?:lo|la|yo|voy|paso|estoy|miro)\b"
        r"|\b(?:lo|la|yo)\b[^.\n]{0,16}\b(?:mañana|esta noche)\b",
    ),
    barred=any_case(
        r"\b(?:sin|no|nunca)\s+(?:\w+\s+){0,2}?(?:ejecut\w+|prueb\w+|probar\w*|corr(?:as|er)\w*|lanc\w+|lanz\w+"
        r"|compil\w+"
        r"|apli(?:ca|que)\w*|despl\w+)|\bs[oó]lo (?:el )?c[oó]digo\b"
    ),
    role=any_case(r"\b(?:operaciones|sistemas|explotación|dba|qa|el pipeline|la pipeline|el ci)\b"),
    act=any_case(r"\b(?:ejecut|aplic|despleg|despliega|lanz|prueb)\w*"),
    trouble=any_case(r"\b(?:error|falla\w*|fallo|cuando|al (?:ejecutar|correr|probar))\b"),
)
_PORTUGUESE = _Row(
    kept=any_case(
        r"\b(?:eu|depois eu|a gente)\s+(?:\w+\s+){0,2}?(?:testo|rodo|executo|aplico|compilo|subo|instalo|verifico"
        r"|test\w+"
        r"|rod\w+)\b|\bvou (?:testar|rodar|executar|aplicar|compilar)\b|\bdeixa comigo\b|\bpor minha conta\b",
        r"\beu mesm[oa]\b|\b\w{3,}o eu\b|\beu \w{3,}o (?:depois|lá|aqui)\b",
        r"\b(?:amanhã|semana que vem|à noite)\b[^.\n]{0,24}\b(?:eu|vou|vejo|passo)\b"
        r"|\b(?:eu|vou)\b[^.\n]{0,16}\b(?:amanhã|semana que vem|depois)\b",
    ),
    barred=any_case(
        r"\b(?:não|nao|sem|nunca)\s+(?:\w+\s+){0,2}?(?:rod\w+|execut\w+|test\w+|compil\w+|apli(?:que|car)\w*|suba)"
        r"|\bs[oó] (?:o )?c[oó]digo\b"
    ),
    role=any_case(r"\b(?:operações|infra|operação|dba|qa)\b"),
    act=any_case(r"\b(?:execut|rod|aplic|sobe|test)\w*"),
    trouble=any_case(r"\b(?:erro|falha\w*|quando|ao (?:rodar|executar|testar))\b"),
)
_FRENCH = _Row(
    kept=any_case(
        r"\bje (?:le |la |les |l')?(?:teste|lance|exécute|compile|déploie|vérifie|testerai|lancerai|déploierai)\w*\b"
        r"|\bje m'en (?:occupe|charge)\b|\bmoi-même\b|\bc'est moi qui\b",
        r"\bj(?:e|'y?)\b[^.\n]{0,24}\b(?:demain|ce soir|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
        r"|la semaine prochaine)\b|\brecette\b[^.\n]{0,30}\bchez nous\b",
    ),
    barred=any_case(
        r"\b(?:ne|n'|n’)\s?(?:l'|le |la |les )?(?:lance|exécute|teste|déploie|compile|applique)\w*"
        r"|\bsans (?:\w+ )?(?:lancer|exécuter|tester|déployer)"
    ),
    role=any_case(r"\b(?:exploitation|infra|dba|qa|collègue)\b"),
    act=any_case(r"\b(?:lance|déploi|appliqu|test|exécut)\w*"),
    trouble=any_case(r"\b(?:erreur|échoue\w*|plante\w*|quand|lorsque)\b"),
)
_TRY_DE = r"(?:teste|starte|probiere?|spiele?|führe|baue|flashe|prüfe|deploye|rolle|mache|lasse)"
_GERMAN = _Row(
    kept=any_case(
        rf"\bich\b[^.\n]{{0,30}}\b{_TRY_DE}\b|\b{_TRY_DE}\b[^.\n]{{0,20}}\bich\b[^.\n]{{0,20}}\b(?:selbst|selber)\b",
        r"\bselbst (?:aus|testen|starten|ausführen)\b|\b(?:mache?|tue?|erledige|übernehme) ich\b|\bich (?:selbst"
        r"|selber)\b",
        r"\bich\b[^.\n]{0,24}\b(?:morgen|heute abend|später|nächste woche|(?:mon|diens|donners|frei|sams|sonn)tag"
        r"|mittwoch)\b",
    ),
    barred=any_case(
        r"\b(?:nichts?|ohne|nie|kein\w*)\b[^.\n]{0,30}\b(?:ausführ\w*|test\w*|start\w*|lauf\w*|bauen|ausprobier\w*"
        r"|anwend\w*"
        r"|deploy\w*)|\bnur (?:den )?code\b"
    ),
    role=any_case(r"\b(?:betrieb|kolleg\w*|dba|qa)\b"),
    act=any_case(r"\w*(?:spiel|führ|roll|test|prüf|deploy)\w*"),
    trouble=any_case(r"\b(?:fehler\w*|stürzt|wenn ich|sobald ich|schlägt)\b"),
)
_DAYS_RU = r"(?:завтра|вечером|в (?:понедельник|вторник|среду|четверг|пятницу))"
_RUSSIAN = _Row(
    kept=any_case(
        r"\b(?:запущу|проверю|протестирую|соберу|прошью|выкачу|задеплою|применю|прогоню|потестирую|установлю|раскатаю"
        r"|накачу)\b|\bсам[аи]?\b",
        rf"(?:потом|на неделе|{_DAYS_RU})[^.\n]{{0,16}}\b\w+[ую]\b|\b\w{{3,}}[ую]\b[^.\n]{{0,12}}{_DAYS_RU}",
    ),
    barred=any_case(
        r"\bне (?:надо |нужно |стоит )?(?:запуска\w+|тестиру\w+|тестирова\w+|проверя\w+|собира\w+|применя\w+"
        r"|выполня\w+)",
        r"(?:запуска\w+|тестирова\w+|проверя\w+|собира\w+|применя\w+|выполня\w+) не (?:надо|нужно|стоит)"
        r"|только код\b",
    ),
    role=any_case(r"эксплуатац|админ|девопс|коллег|тестировщик"),
    act=any_case(r"запус|выкат|накат|примен|тестир|провер|посмотр"),
    trouble=any_case(r"ошибк|пада|когда|вылета|не работает"),
)
_ROWS: Mapping[Tongue, _Row] = {
    Tongue.ENGLISH: _ENGLISH,
    Tongue.CHINESE: _CHINESE,
    Tongue.JAPANESE: _JAPANESE,
    Tongue.KOREAN: _KOREAN,
    Tongue.SPANISH: _SPANISH,
    Tongue.PORTUGUESE: _PORTUGUESE,
    Tongue.FRENCH: _FRENCH,
    Tongue.GERMAN: _GERMAN,
    Tongue.RUSSIAN: _RUSSIAN,
}
