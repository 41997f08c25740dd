"""How the agent's last message stands to its work: it says that it succeeded, or it leaves something open.

Rule: pure; sentence by sentence, ten languages, one row each. What is open: the person is to do or to tell something,
nothing was run, or the agent could not or does not know. A sentence that is open claims nothing.
"""

# ruff: noqa: RUF001

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from ccc.base.patterns import Lazy, any_case
from ccc.evidence.answers import asks
from ccc.evidence.claims import claimed
from ccc.evidence.wording import LENGTH_LIMIT, prose, simpler


class Stance(Struct, frozen=True):
    """What the last message makes of the work.

    `claims`: a sentence says that it works or is mended. `asserts`: one says that it is finished, or how things are
    from now on. `opens` is the sentence that leaves something open, `admits` the one that says it was not run.
    """

    claims: str = ""
    asserts: str = ""
    opens: str = ""
    admits: str = ""

    @property
    def left_open(self) -> bool:
        """Whether it leaves something open and claims no success beside it."""
        return bool(self.opens) and not self.claims

    @property
    def done(self) -> str:
        """The words by which it says that the work is done and nothing is left; empty where it does not."""
        return self.claims or ("" if self.opens else self.asserts)


def of(message: str) -> Stance:
    sentences = list(_sentences(message))
    admitted = [each for each in sentences if _says(each, _NOT_RUN) or _says(each, _NOT_ABLE)]
    opened = [each for each in sentences if each in admitted or _is_open(each)]
    plain = [
        clause for each in sentences if each not in opened for clause in _clauses(each) if not _HEDGE.search(clause)
    ]
    asked = message.strip()[-SHOWN:] if asks(message) else ""
    return Stance(
        claims=next((each for each in plain if _SUCCESS.search(each) or claimed(each)), ""),
        asserts=next((each for each in plain if _is_assertion(each)), "") or _terse(message),
        opens=opened[0] if opened else asked,
        admits=admitted[0] if admitted else "",
    )


SHOWN = 160


def _sentences(message: str) -> Iterator[str]:
    text = simpler(prose(message[-LENGTH_LIMIT:], keep_code=False))
    found = re.split(r"(?<=[.!?;:])\s+|[。！？；，\n]", text)
    return (each.strip(" \t*_#>-•") for each in found if each.strip())


def _is_assertion(clause: str) -> bool:
    return _says(clause, (_FINISHED, _FROM_NOW_ON)) and not _PARTLY.search(clause)


def _clauses(sentence: str) -> list[str]:
    """What commas and conjunctions divide: a doubt about the second half is none about the first."""
    return re.split(r",\s+|\s(?:and|but|y|pero|e|mas|et|mais|und|aber|и|но)\s", sentence)


def _terse(message: str) -> str:
    """Who says next to nothing means that it is done."""
    return message.strip() if 0 < len(message.strip()) <= TERSE else ""


TERSE = 24


def _is_open(sentence: str) -> bool:
    return (_says(sentence, _TO_DO) or bool(_OUTCOME.search(sentence))) and not _COURTESY.search(sentence)


def _says(sentence: str, rows: tuple[Lazy, ...]) -> bool:
    return any(row.search(sentence) for row in rows)


# --- what the person is to do or to tell -------------------------------------------------------------------------

_TRYING_EN = (
    r"(?:re-?)?(?:run|try|test|build|flash|start|launch|play|deploy|apply|execute|install|verify|check|load|open"
    r"|boot|compile|upload|look|see|watch|have a look|take a look)"
)
_TO_DO: tuple[Lazy, ...] = (
    any_case(
        r"\bplease\b|\b(?:tell|send|show|give|ping) me\b|\blet me know\b|\b(?:paste|report back|over to you"
        r"|your turn)\b",
        rf"^(?:\d+[.)]\s*)?(?:then |now |just |simply |first,? )?(?:{_TRYING_EN}|press|refresh|restart|plug|connect"
        rf"|send"
        r"|put|wait)\b",
        rf"\byou(?:'ll| will| should| need to| have to| must| could| may| want to)? (?:\w+ ){{0,2}}?{_TRYING_EN}\b",
        r"\b(?:is|are|stays?|remains?) (?:yours|with you|up to you|left to you|for you)\b",
    ),
    any_case(
        r"请(?!求)|麻烦|劳驾|(?:你|您)(?:再|来|先|自己|自行|那边|这边|本地|可以|试|跑|看|手动|部署|运行|执行)"
        r"|(?:告诉|发给|贴给|反馈给|发|回|跟|和|叫|通知)我|(?:由|交给|留给|等|归)(?:你|您)"
    ),
    any_case(r"ください|下さい|お願い|願います|いただけ|頂け|もらえ|教えて|お任せ|そちらで"),
    any_case(r"주세요|주시|보세요|하세요|시겠|부탁|바랍니다|맡기|직접 (?:확인|실행|테스트|빌드)"),
    any_case(
        r"\b(?:por favor|d[ií]me|av[ií]same|p[aá]same|env[ií]ame|m[aá]ndame|cu[eé]ntame|pru[eé]b[ae](?:lo|la)|te toca"
        r"|tu turno|queda pendiente|de tu lado|por tu parte|a ti)\b",
        r"^(?:\W*luego )?(?:gr[aá]ba(?:lo|la)?|mira|s[uú]be(?:lo|la)|prueba|ejecuta|reinicia|recarga|instala"
        r"|compila|despliega|lanza|abre|aplica)\b",
    ),
    any_case(
        r"\b(?:por favor|me (?:diga|mande|envie|avise|conte|passe|mostre)|fica (?:com você|pendente|por sua)"
        r"|do seu lado"
        r"|sua vez|com você)\b",
        r"^(?:depois )?(?:veja|confira|rode|execute|teste|reinicie|recarregue|instale|compile|avise|mande|envie"
        r"|experimente"
        r"|aplique"
        r"|abra|me)\b",
    ),
    any_case(
        r"s'il (?:te|vous) pla[iî]t|\bmerci de\b|\b(?:dis|dites|envoie|envoyez|montre|montrez|donne|donnez)-moi\b"
        r"|\bà (?:toi|vous) de\b|\bde (?:ton|votre) côté\b|\bchez (?:toi|vous)\b",
        r"^(?:puis )?(?:lance|teste|essaie|redémarre|recharge|installe|exécute|vérifie|compile|ouvre"
        r"|relance)z?\b(?! la| le)",
        r"\b(?:regardez|voyez|lancez|testez|essayez|redémarrez|rechargez|installez|exécutez|vérifiez|compilez"
        r"|relancez|déployez"
        r"|prévenez)\b",
    ),
    any_case(
        r"\bbitte\b|\b(?:sag|sagt|sagen sie|gib|geben sie) (?:mir|bescheid)\b|\bschick\w*\b|\bbei (?:dir|ihnen"
        r"|euch)\b"
        r"|\bauf (?:deiner|ihrer) seite\b|\b(?:du|sie|ihr) (?:musst|müssen|müsst|solltest|sollten)\b",
        r"^(?:dann )?(?:schau|sieh|flashe?|starte|teste|probiere?|lade|installiere|baue|führe|spiele?|öffne|prüfe)\b",
    ),
    any_case(
        r"пожалуйста|\b\w{3,}(?:йте|ьте|ите)\b|\b(?:пришли|проверь|запусти|скажи|покажи|попробуй|скинь|перезапусти"
        r"|собери|глянь)\b|дай(?:те)? знать|у себя|за вами|за тобой"
    ),
)
# Who tells what to do in case it does not work has not seen it work.
_OUTCOME = any_case(
    r"\bif (?:it|that|this|they)(?:'s| is| are)? (?:still|not|too|doesn't|does not|isn't|keeps?|happens)\b"
    r"|\bif (?:not|so),"
    r"|\b(?:see|check|watch|tell) (?:me )?(?:if|whether)\b|\bwhether it\b|\bonly a \w+ (?:run|test) \w+ can\b",
    r"如果?(?:还|仍|不行|不对|没|有问题|不)|有问题|看看?(?:能不能|是否|会不会|有没有|效果)|(?:试|看)(?:试|看|一下|一遍)",
    r"もし|だめなら|ダメなら|なければ|まだ[^。]{0,12}(?:なら|場合)|(?:か|かどうか)(?:を)?(?:見|確認|お知らせ|教え)",
    r"안 되면|안되면|그래도|여전히|(?:는지|은지|인지)|(?:잘리|이상하|느리|있으|없으)면|다시 [^.]{0,12}면",
    r"\bsi (?:no|sigue\w*|va\b|vuelve|ves|aún|todavía)|\b(?:mira|comprueba|verifica|fíjate) si\b|\bcuando (?:vuelva"
    r"|aparezca|ocurra)",
    r"\bse (?:não|ainda|continuar|voltar|der)\b|\b(?:veja|confira|confirme|verifique) se\b|\bquando (?:testar"
    r"|acontecer|rodar|subir)",
    r"\bsinon\b|\bsi (?:ça|ca|c'est|cela|non|vous voyez|tu vois|le problème)\b|\b(?:regarde|voyez|vois"
    r"|vérifie)\w* si\b|\bà vérifier\b",
    r"\b(?:wenn|falls) (?:nicht|es|das|noch|dann)\b|\b(?:schau|sieh|prüfe?|guck)\w*,? ob\b|\bob (?:das|es|der"
    r"|die)\b[^.]{0,30}\b(?:weg|noch|jetzt)\b",
    r"если (?:нет|не\b|есть|что|всё|все|снова|опять|останется|будет)|(?:посмотри|глянь|проверь)\w*,? (?:нет ли|не"
    r"|есть ли|что)|когда (?:снова|опять|прошь)",
)
# What everybody says at the end leaves nothing open.
_COURTESY = any_case(
    r"\blet me know if (?:you(?:'d| would)? (?:need|want|like|have|run into)|anything|there(?:'s| is)|something)\b"
    r"|如果?(?:你|您)?(?:还)?有(?:其他|任何|什么)|(?:其他|任何)(?:问题|需要)|他に(?:何か|ご)|ご不明|お気軽"
    r"|何かあれ|더 필요|궁금한"
    r"|\bsi (?:necesitas|quieres|tienes|vous avez|tu as|vous voulez)\b|\bse (?:precisar|quiser|tiver)\b"
    r"|\b(?:falls|wenn) (?:du|sie) (?:noch|weitere|fragen)\b|если (?:нужно|понадобится|будут|есть) "
)

# --- nothing was run, or it could not be -------------------------------------------------------------------------

_NOT_RUN: tuple[Lazy, ...] = (
    any_case(
        r"\b(?:i|we|it|this|that|nothing|none|tests?|code|change)\b[^.\n]{0,24}\b(?:not|n't|n’t|never|nothing|none)\b"
        r"[^.\n]{0,24}\b(?:run|ran|tested|verified|executed|exercised|tried|compiled|built|checked|measured)\b",
        r"\b(?:nothing|none of it) (?:is|was|has been) (?:\w+ )?(?:run|tested|verified|applied|executed)\b"
        r"|\buntested\b|\bunverified\b|\bnot (?:yet )?(?:tested|verified|run|compiled|built|applied)\b",
    ),
    any_case(
        r"(?:没有?|未|尚未|还没|无法|不能|没法|未能|不便)[^，。\n]{0,8}(?:运行|跑|测试|验证|执行|编译|构建|连接|试)"
        r"|(?:未经|没有经过)(?:测试|验证)",
    ),
    any_case(
        r"(?:実行|テスト|検証|確認|ビルド|適用)[^。\n]{0,6}(?:してい?(?:ません|ない)|せず|できず|でき(?:ません|ない)|未)|未(?:検証|テスト|実行|確認)"
    ),
    any_case(r"(?:실행|테스트|검증|확인|빌드|적용)[^.\n]{0,8}(?:않|못|안 했|없)|미검증|미확인"),
    any_case(
        r"\b(?:no|sin|nada|ninguna?)\b[^.\n]{0,25}\b(?:ejecut(?!a\b)\w+|prob(?!lema)\w+|verific\w+|compilad\w+"
        r"|aplicad\w+)"
    ),
    any_case(
        r"\b(?:n[aã]o|sem|nada)\b[^.\n]{0,25}\b(?:execut\w+|test(?:ei|ad\w+|ar)|rod(?:ei|ar|ad\w+)|verific\w+"
        r"|aplic\w+)"
    ),
    any_case(
        r"\b(?:pas|sans|rien|jamais)\b[^.\n]{0,25}\b(?:exécut\w+|testé\w*|lancé\w*|vérifié\w*|compilé\w*"
        r"|appliqué\w*|tester|lancer)"
    ),
    any_case(
        r"\b(?:nicht|ohne|nichts|nie|kein\w*)\b[^.\n]{0,40}\b(?:ausgeführt|getestet|geprüft|ausführen|testen"
        r"|gestartet"
        r"|gebaut|verifizier\w+|angewendet|probiert)|ungetestet"
    ),
    any_case(r"\bне\b[^.\n]{0,25}\b(?:запуска\w+|запуст\w+|тестиро\w+|провер\w+|собра\w+|выполня\w+|примен\w+)"),
)
_NOT_ABLE: tuple[Lazy, ...] = (
    any_case(
        r"\b(?:i|we)(?: still| also| just)? (?:can(?:no|')?t|cannot|can’t|could ?n[o'’]t|could not"
        r"|was ?n[o'’]t able|am unable"
        r"|was unable|do ?n[o'’]t (?:yet )?know|do not (?:yet )?know|have no|am not sure|need)\b|\bcould not be\b"
        r"|\bno way to\b"
    ),
    any_case(
        r"(?:跑|打|测|验证|运行|连|编译|执行|装|启动)(?:不了|不通|不起来|不动|不上)",
        r"(?:无法|没法|不能|未能|没能)(?:复现|重现|确认|判断|断定|安装|访问|连接|确定)|(?:还|尚)?不(?:知道|清楚|确定|能断定)",
    ),
    any_case(r"再現でき|分かりません|わかりません|判断でき|断定でき|不明です|確認でき(?:ません|ない)"),
    any_case(r"(?:재현|확인|판단|단정|설치)할 수 없|(?:아직|원인을?) 모르|알 수 없|확실하지"),
    any_case(r"\bno (?:puedo|pude|he podido|sé|tengo|logr[eé]|consigo)\b"),
    any_case(r"\bn[aã]o (?:posso|pude|consegui|sei|tenho|consigo)\b"),
    any_case(r"\bje n(?:e|'|’)[^.\n]{0,30}\b(?:pas|rien)\b|\bimpossible de\b"),
    any_case(r"\b(?:ich (?:kann|konnte|weiß|habe)|(?:kann|konnte|weiß|habe) ich)\b[^.\n]{0,40}\b(?:nicht|kein\w*)\b"),
    any_case(r"\bне (?:могу|смог\w*|знаю|удалось|понятно|ясно)\b|неизвестн"),
)

# --- success ------------------------------------------------------------------------------------------------------

_SUCCESS = any_case(
    r"\b(?:fix(?:ed|es)|helps?|resolve[sd]|solved|patched|works?|working|functional|operational|no longer|(?:is"
    r"|are) gone"
    r"|correct(?:ly)?"
    r"|properly|pass(?:es|ed|ing)?|verified|tested|success\w*|done|complete[d]?|finished|all set|all good|live"
    r"|deployed"
    r"|identical|reliabl[ey])\b|✅|🎉|🚀",
    r"修复|修好|修正|解决|正常|正确|成功|通过|没问题|不会再|不再|可以(?:使用|运作|用)了?|(?:已|已经)验证|验证(?:过|通过|无误)|上线|已经?可以|生效",
    r"修正しました|直しました|解決|解消|正しく|正常|動作し|問題な(?:く|い)|成功|通りま|通って|確認し|確認済|なくなり|できます",
    r"수정(?:했|하였|되|됐| 완료)|고쳤|해결|정상|제대로|동작|작동|성공|통과|확인했|확인 완료|잘 됩니다",
    r"\b(?:arreglad|corregid|solucionad|resuelt|probad|verificad)[oa]s?\b|\b(?:funciona\w*"
    r"|correctamente"
    r"|ya no|pasan|éxito|comprobado)\b",
    r"\b(?:corrigid|resolvid|consertad|testad|verificad)[oa]s?\b|\bcorrigi\b"
    r"|\b(?:funciona\w*"
    r"|corretamente|não [^.\n]{0,20}mais|passam|passando|sucesso)\b",
    r"\b(?:corrigé|réparé|résolu|vérifié|testé|réglé)e?s?(?!\w)|\b(?:fonctionne\w*|correctement"
    r"|ne [^.\n]{0,20}plus|passent"
    r"|opérationnel\w*|succès)(?!\w)",
    r"\b(?:behoben|gelöst|beseitigt|repariert|getestet|geprüft|verifiziert|bestanden"
    r"|funktioniert\w*"
    r"|korrekt|richtig|nicht mehr|erfolgreich|grün|läuft|laufen|kompiliert)\b",
    # how much better, which somebody must have measured
    r"\d[\d.,]* ?(?:x|×|%|times|倍|раз\w*|fois|veces|vezes|mal)[^.\n]{0,12}(?:faster|quicker|smaller|less|快|短縮|빨라"
    r"|más rápid|mais rápid"
    r"|plus rapide|schneller|быстрее)|\d ?(?:ms|мс|s|秒|毫秒|초)\b[^.\n]{0,24}\d ?(?:ms|мс|s|秒|毫秒|초)|\b(?:has"
    r"|have) been (?:run|executed|applied)\b",
    r"исправ\w+|почин\w+|реш[её]н\w*|устран\w+|работа(?:ет|ют)|корректно|правильно|больше не|успешн\w+"
    r"|проход\w+|проверил\w*"
    r"|протестир\w+|верн(?:о|ое)\b",
)
_FINISHED = any_case(
    r"\b(?:done|complete[d]?|finished|implemented|in place|ready|all set)\b",
    r"完成|搞定|实现了?|改好|做好|完了|(?:実装|追加|対応)しました|완료|마쳤|(?:구현|추가|적용)했|끝났",
    r"\b(?:list[oa]|hech[oa]|terminad[oa]|completad[oa]|implementad[oa]|disponible|pront[oa]|feit[oa]"
    r"|conclu[ií]d[oa]|implementad[oa])s?\b",
    r"\b(?:terminée?|fait|en place|prête?|implémentée?)s?(?!\w)|\b(?:erledigt|fertig|abgeschlossen|eingebaut"
    r"|implementiert"
    r"|einsatzbereit)\b|готов\w*|сделан\w*|заверш\w+|реализован\w*",
)
_PARTLY = any_case(
    r"\b(?:only|so far|half|first|partly)\b|只|目前|暂时|だけ|まだ|만 |\b(?:s[oó]lo|por ahora|apenas|só|por enquanto"
    r"|seule?(?:ment)?)\b"
    r"|\b(?:nur|bisher|vorerst)\b|только|пока"
)
_FROM_NOW_ON = any_case(
    r"\bnow\b|\bany ?more\b|\bfrom now on\b|会(?:回|返|显|拒|自动|被|按|根|先|报)|现在|今后|从此",
    r"これで|ようになり|なりました|이제|더 이상",
    r"\bahora\b|\bagora\b|\b(?:désormais|maintenant|à nouveau)\b|\b(?:jetzt|nun|ab sofort)\b|теперь",
)
# What would be so, or is asked, is not claimed.
_HEDGE = any_case(
    r"\b(?:if|whether|until|unless|should|would|might|may|hopefully|probably|could|guess|in theory)\b|\?$",
    r"如果|若|是否|应该|可能|应当|吗|之后(?:再|才)|才能|はず|かもしれ|でしょうか|と思い|인지|까요|것 같|듯",
    r"\b(?:deber[ií]a\w*|podr[ií]a|quiz[aá]s|creo que|deve(?:ria)?|talvez|acho que|devrait|peut-être|pourrait"
    r"|je pense)\b",
    r"\b(?:ob|sollten?|müsste|vielleicht|könnten?|vermutlich)\b|\bли\b|долж(?:ен|на|но|ны)|возможно|наверн|вероятно",
)
