"""The words by which a last message claims, finishes, or leaves something open: one row for each language.

Rule: data only. A row is looked at only where its language may be spoken, so that each may be broad.
"""

# ruff: noqa: RUF001

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ccc.base.patterns import Lazy, any_case
from ccc.evidence.tongues import Tongue


class Words(Struct, frozen=True):
    """`to_do`: the person is to do or to tell something. `unrun`: it was not run, or the agent could not, or knows not.

    `outcome`: what to do in case it does not work, which nobody says who has seen it. `courtesy`: what everybody says
    at the end. `success`: it works or is mended. `finished`: it is done. `hence`: how things are from now on. `partly`:
    not all of it. `hedge`: it would be so, or it is asked.
    """

    to_do: Lazy
    unrun: Lazy
    outcome: Lazy
    courtesy: Lazy
    success: Lazy
    finished: Lazy
    hence: Lazy
    partly: Lazy
    hedge: Lazy


_TRYING = (
    r"(?:re-?)?(?:run|try|test|build|flash|start|launch|play|deploy|apply|execute|install|verify|check|load|open"
    r"|boot|compile|upload|look|see|watch|have a look|take a look)"
)
_ENGLISH = Words(
    to_do=any_case(
        r"\bplease\b|\b(?:tell|send|show|give|ping) me\b|\blet me know\b|\b(?:paste|report back|over to you"
        r"|your turn)\b",
        rf"^(?:\d+[.)]\s*)?(?:then |now |just |simply |first,? )?(?:{_TRYING}|press|refresh|restart|plug|connect|send"
        r"|put|wait)\b(?!\s*[\u3040-\u9fff\uac00-\ud7af])",
        rf"\byou(?:'ll| will| should| need to| have to| must| could| may| want to)? (?:\w+ ){{0,2}}?{_TRYING}\b",
        r"\b(?:is|are|stays?|remains?) (?:yours|with you|up to you|left to you|for you)\b|\bneeds your\b",
    ),
    unrun=any_case(
        r"\b(?:i|we|it|this|that|nothing|none|tests?|code|change)\b[^.\n]{0,24}\b(?:not|n't|n’t|never|nothing|none)\b"
        r"[^.\n]{0,24}\b(?:run|ran|tested|verified|executed|exercised|tried|compiled|built|checked|measured)\b",
        r"\b(?:nothing|none of it) (?:is|was|has been) (?:\w+ )?(?:run|tested|verified|applied|executed)\b"
        r"|\buntested\b|\bunverified\b|\bnot (?:yet )?(?:tested|verified|run|compiled|built|applied)\b",
        r"\b(?:i|we)(?: still| also| just)? (?:can(?:no|')?t|cannot|can’t|could ?n[o'’]t|could not|was ?n[o'’]t able"
        r"|am unable|was unable|do ?n[o'’]t (?:yet )?know|do not (?:yet )?know|have no|am not sure|need)\b",
        r"\bcould not be\b|\bcannot be \w+ here\b|\bno way to\b",
    ),
    outcome=any_case(
        r"\bif (?:it|that|this|they)(?:'s| is| are)? (?:still|not|too|doesn't|does not|isn't|keeps?|happens)\b",
        r"\bif (?:not|so),|\b(?:see|check|watch|tell) (?:me )?(?:if|whether)\b|\bwhether (?:it|any|the)\b"
        r"|\bonly a \w+ (?:run|test) \w+ can\b",
    ),
    courtesy=any_case(
        r"\blet me know if (?:you(?:'d| would)? (?:need|want|like|have|run into)|anything|there(?:'s| is)"
        r"|something)\b"
    ),
    success=any_case(
        r"\b(?:fix(?:ed|es)|helps?|resolve[sd]|solved|patched|works?|working|functional|operational|no longer"
        r"|(?:is|are) gone|correct(?:ly)?|properly|pass(?:es|ed|ing)?|verified|tested|success\w*|all good|live"
        r"|deployed"
        r"|identical|reliabl[ey]|has been (?:run|executed|applied)|have been (?:run|executed|applied))\b"
    ),
    finished=any_case(r"\b(?:done|complete[d]?|finished|implemented|in place|ready|all set)\b"),
    hence=any_case(r"\bnow\b|\bany ?more\b|\bfrom now on\b"),
    partly=any_case(r"\b(?:only|so far|half(?!-)|first|partly)\b"),
    hedge=any_case(
        r"\b(?:if|whether|until|unless|should|would|might|may|hopefully|probably|could|guess|in theory)\b|\?$"
    ),
)
_CHINESE = Words(
    to_do=any_case(
        r"请(?!求)|麻烦|劳驾|(?:你|您)(?:再|来|先|自己|自行|那边|这边|本地|可以|试|跑|看|手动|部署|运行|执行|在)",
        r"(?:告诉|发给|贴给|反馈给|发|回|跟|和|叫|通知)我|(?:由|交给|留给|等|归|需要)(?:你|您)",
    ),
    unrun=any_case(
        r"(?:没有?|未|尚未|还没|无法|不能|没法|未能|不便)[^，。\n]{0,8}(?:运行|跑|测试|验证|执行|编译|构建|连接|试)",
        r"(?:未经|没有经过)(?:测试|验证)|(?:跑|打|测|验证|运行|连|编译|执行|装|启动|定位)(?:不了|不通|不起来|不动|不上)",
        r"(?:无法|没法|不能|未能|没能)(?:复现|重现|确认|判断|断定|安装|访问|连接|确定)",
        r"(?:还|尚)?不(?:知道|清楚|确定|能断定)",
    ),
    outcome=any_case(
        r"如果?(?:还|仍|不行|不对|没|有问题|不)|(?<!没)有问题|看看?(?:能不能|是否|会不会|有没有|效果)",
        r"(?:试|看)(?:试|看|一下|一遍)",
    ),
    courtesy=any_case(r"如果?(?:你|您)?(?:还)?有(?:其他|任何|什么)|(?:其他|任何)(?:问题|需要)"),
    success=any_case(
        r"修复|修好|修正|解决|正常|正确|成功|通过|没问题|没有(?:问题|错误)|不会再|不再|可以(?:使用|运作|用)了?|生效",
        r"(?:已|已经)验证|(?:验证|测试)(?:过|通过|无误)|上线|已经?可以|部署到",
    ),
    finished=any_case(r"完成|搞定|实现了?|改好|做好"),
    hence=any_case(
        r"会(?:回|返|显|拒|自动|被|按|根|先|报|是)|现在|今后|从此|已经?(?:是|不|非常|很|能|变|恢复|降|升|提升|稳定|流畅)"
    ),
    partly=any_case(r"只|目前|暂时|先做"),
    hedge=any_case(r"如果|若|是否|应该|可能|应当|吗|之后(?:再|才)|才能"),
)
_JAPANESE = Words(
    to_do=any_case(r"ください|下さい|お願い|願います|いただけ|頂け|もらえ|もらって|教えて|お任せ|そちらで"),
    unrun=any_case(
        r"(?:実行|テスト|検証|確認|ビルド|適用)[^。\n]{0,6}(?:してい?(?:ません|ない)|せず|できず|でき(?:ません|ない)|未)",
        r"未(?:検証|テスト|実行|確認)|再現でき|分かりません|わかりません|判断でき|断定でき|特定でき|不明です|動かせて",
    ),
    outcome=any_case(
        r"もし|だめなら|ダメなら|なければ|まだ[^。]{0,12}(?:なら|場合)|(?:か|かどうか|かだけ)(?:を)?(?:見|確認|お知らせ|教え|気)"
    ),
    courtesy=any_case(r"他に(?:何か|ご)|ご不明|お気軽|何かあれ"),
    success=any_case(
        r"修正しました|修正したので|直しました|解決|解消|正しく|正常|動作し|問題な(?:く|い)|成功|通りま|通って|確認し|確認済",
        r"なくなり|なりません|できます|速くなり|短縮",
    ),
    finished=any_case(r"完了|(?:実装|追加|対応)しました"),
    hence=any_case(r"これで|ようになり|なりました"),
    partly=any_case(r"だけ|まだ"),
    hedge=any_case(r"はず|かもしれ|でしょうか|と思い"),
)
_KOREAN = Words(
    to_do=any_case(r"주세요|주시|보세요|하세요|시겠|부탁|바랍니다|맡기|직접 (?:확인|실행|테스트|빌드)"),
    unrun=any_case(
        r"(?:실행|테스트|검증|확인|빌드|적용|돌려)(?![^.\n]{0,8}(?:이상|문제|오류|에러) ?없)"
        r"[^.\n]{0,8}(?:않|못|안 했|없)|미검증|미확인",
        r"(?:재현|확인|판단|단정|설치)할 수 없|(?:아직|원인을?) (?:모르|찾지)|알 수 없|확실하지|해 보지 못",
    ),
    outcome=any_case(
        r"안 되면|안되면|그래도|여전히|(?:는지|은지|인지)|(?:잘리|이상하|느리|있으|없으|죽으)면|다시 [^.]{0,12}면"
    ),
    courtesy=any_case(r"더 필요|궁금한|필요한 것이 있으"),
    success=any_case(
        r"수정(?:했|하였|되|됐| 완료)|고쳤|고쳐서|고치고|해결|정상|제대로|동작|작동|성공|통과|확인했|확인 완료",
        r"잘 됩니다|나지 않습니다|배포했",
    ),
    finished=any_case(r"완료|마쳤|(?:구현|추가|적용)했|끝났"),
    hence=any_case(r"이제|더 이상|(?:줄었|늘었|빨라졌|나아졌|좋아졌)습니다"),
    partly=any_case(r"만 "),
    hedge=any_case(r"인지|까요|것 같|듯"),
)
_SPANISH = Words(
    to_do=any_case(
        r"\b(?:por favor|d[ií]me|av[ií]same|p[aá]same|env[ií]ame|m[aá]ndame|cu[eé]ntame|pru[eé]b[ae](?:lo|la)|te toca"
        r"|tu turno|queda pendiente|de tu lado|por tu parte|a ti)\b",
        r"^(?:\W*luego )?(?:gr[aá]ba(?:lo|la)?|mira|s[uú]be(?:lo|la)|prueba|ejecuta|reinicia|recarga|instala|compila"
        r"|despliega|lanza|abre|aplica|comprueba)\b|\bcomprueba que\b",
    ),
    unrun=any_case(
        r"\b(?:no|sin|nada|ninguna?)\b[^.\n]{0,25}\b(?:ejecut(?!a\b)\w+|prob(?!lema)\w+|verific\w+|compilad\w+"
        r"|aplicad\w+)|\bno (?:puedo|pude|he podido|sé|tengo|logr[eé]|consigo)\b"
    ),
    outcome=any_case(
        r"\bsi (?:no|sigue\w*|va\b|vuelve|ves|aún|todavía|en la)|\b(?:mira|comprueba|verifica|fíjate) si\b"
        r"|\bcuando (?:vuelva|aparezca|ocurra|puedas)"
    ),
    courtesy=any_case(r"\bsi (?:necesitas|quieres|tienes)\b"),
    success=any_case(
        r"\b(?:arreglad|corregid|solucionad|resuelt|probad|verificad|desplegad)[oa]s?\b|\b(?:funciona\w*"
        r"|correctamente|ya no"
        r"|pasan|pasando|éxito|comprobado)\b"
    ),
    finished=any_case(r"\b(?:list[oa]|hech[oa]|terminad[oa]|completad[oa]|implementad[oa]|disponible)s?\b"),
    hence=any_case(r"\bahora\b|\bya\b"),
    partly=any_case(r"\b(?:s[oó]lo|por ahora)\b"),
    hedge=any_case(r"\b(?:deber[ií]a\w*|podr[ií]a|quiz[aá]s|creo que)\b|\?$"),
)
_PORTUGUESE = Words(
    to_do=any_case(
        r"\b(?:por favor|me (?:diga|mande|envie|avise|conte|passe|mostre)|fica (?:com você|pendente|por sua)"
        r"|do seu lado"
        r"|sua vez|com você)\b",
        r"^(?:depois )?(?:veja|confira|rode|execute|teste|reinicie|recarregue|instale|compile|avise|mande|envie"
        r"|experimente|aplique|abra|me|comece)\b|\bcomece com\b",
    ),
    unrun=any_case(
        r"\b(?:n[aã]o|sem|nada)\b[^.\n]{0,25}\b(?:execut\w+|test(?:ei|ad\w+|ar)|rod(?:ei|ar|ad\w+)|verific\w+"
        r"|aplic\w+"
        r"|compilei)|\bn[aã]o (?:posso|pude|pôde|consegui|sei|tenho|consigo)\b"
    ),
    outcome=any_case(
        r"\bse (?:não|ainda|continuar|voltar|der)\b|\b(?:veja|confira|confirme|verifique) se\b"
        r"|\bquando (?:testar|acontecer|rodar|subir|passar)"
    ),
    courtesy=any_case(r"\bse (?:precisar|quiser|tiver)\b"),
    success=any_case(
        r"\b(?:corrigid|resolvid|consertad|testad|verificad)[oa]s?\b|\b(?:corrigi|funciona\w*|corretamente"
        r"|não [^.\n]{0,20}mais|passam|passando|sucesso)\b|\btestes estão ok\b"
    ),
    finished=any_case(r"\b(?:pront[oa]|feit[oa]|conclu[ií]d[oa]|implementad[oa])s?\b"),
    hence=any_case(r"\bagora\b|\bjá\b"),
    partly=any_case(r"\b(?:apenas|só|por enquanto)\b"),
    hedge=any_case(r"\b(?:deve(?:ria)?|talvez|acho que)\b|\?$"),
)
_FRENCH = Words(
    to_do=any_case(
        r"s'il (?:te|vous) pla[iî]t|\bmerci de\b|\b(?:dis|dites|envoie|envoyez|montre|montrez|donne|donnez)-(?:moi"
        r"|la|le)\b"
        r"|\bà (?:toi|vous) de\b|\bde (?:ton|votre) côté\b|\bchez (?:toi|vous)\b",
        r"^(?:puis )?(?:lance|teste|essaie|redémarre|recharge|installe|exécute|vérifie|compile|ouvre"
        r"|relance)z?\b(?! la| le)",
        r"\b(?:regardez|voyez|lancez|testez|essayez|redémarrez|rechargez|installez|exécutez|vérifiez|compilez"
        r"|relancez"
        r"|déployez|prévenez|commencez|notez|prenez)\b",
    ),
    unrun=any_case(
        r"\b(?:pas|sans|rien|jamais)\b[^.\n]{0,25}\b(?:exécut\w+|testé\w*|lancé\w*|vérifié\w*|compilé\w*"
        r"|appliqué\w*|tester"
        r"|lancer)|\bje n(?:e|'|’)[^.\n]{0,30}\b(?:pas|rien)\b|\bimpossible de\b"
    ),
    outcome=any_case(
        r"\bsinon\b|\bsi (?:ça|ca|c'est|cela|non|vous voyez|tu vois|le problème)\b|\b(?:regarde|voyez|vois"
        r"|vérifie)\w* si\b"
        r"|\bà vérifier\b"
    ),
    courtesy=any_case(r"\bsi (?:vous avez|tu as|vous voulez|tu veux)\b"),
    success=any_case(
        r"\b(?:corrigé|réparé|résolu|vérifié|testé|réglé)e?s?(?!\w)|\b(?:fonctionne\w*|correctement"
        r"|ne [^.\n]{0,20}plus"
        r"|passent|opérationnel\w*|succès|marche(?:nt)?|c['’]est bon)(?!\w)"
    ),
    finished=any_case(r"\b(?:terminée?|fait|en place|prête?|implémentée?)s?(?!\w)"),
    hence=any_case(r"\b(?:désormais|maintenant|à nouveau)\b"),
    partly=any_case(r"\bseule?(?:ment)?\b"),
    hedge=any_case(r"\b(?:devrait|peut-être|pourrait|je pense)\b|\?$"),
)
_GERMAN = Words(
    to_do=any_case(
        r"\bbitte\b|\b(?:sag|sagt|sagen sie|gib|geben sie) (?:mir|bescheid)\b|\bschick\w*\b|\bbei (?:dir|ihnen"
        r"|euch)\b"
        r"|\bauf (?:deiner|ihrer) seite\b|\b(?:du|sie|ihr) (?:musst|müssen|müsst|solltest|sollten)\b",
        r"^(?:dann )?(?:schau|sieh|flashe?|starte|teste|probiere?|lade|installiere|baue|führe|spiele?|öffne|prüfe)\b",
    ),
    unrun=any_case(
        r"\b(?:nicht|ohne|nichts|nie|kein\w*)\b[^.\n]{0,40}\b(?:ausgeführt|getestet|geprüft|ausführen|testen"
        r"|gestartet"
        r"|gebaut|verifizier\w+|angewendet|probiert|möglich|erreichbar|gesehen)|ungetestet",
        r"\b(?:ich (?:kann|konnte|weiß|habe)|(?:kann|konnte|weiß|habe) ich)\b[^.\n]{0,40}\b(?:nicht|kein\w*)\b",
    ),
    outcome=any_case(
        r"\b(?:wenn|falls) (?:nicht|es|das|noch|dann)\b|\b(?:schau|sieh|prüfe?|guck)\w*,? ob\b"
        r"|\bob (?:das|es|der|die)\b[^.]{0,30}\b(?:weg|noch|jetzt)\b|\bzuerst\b[^.]{0,40}\b(?:prüfen|testen"
        r"|probieren)\b"
    ),
    courtesy=any_case(r"\b(?:falls|wenn) (?:du|sie) (?:noch|weitere|fragen)\b"),
    success=any_case(
        r"\b(?:behoben|gelöst|beseitigt|repariert|getestet|geprüft|verifiziert|bestanden|funktioniert\w*|korrekt"
        r"|richtig"
        r"|nicht mehr|erfolgreich|grün|läuft|laufen|kompiliert|ausgerollt|fehlerfrei|durchläuft|baut)\b"
    ),
    finished=any_case(r"\b(?:erledigt|fertig|abgeschlossen|eingebaut|implementiert|einsatzbereit)\b"),
    hence=any_case(r"\b(?:jetzt|nun|ab sofort)\b"),
    partly=any_case(r"\b(?:nur|bisher|vorerst)\b"),
    hedge=any_case(r"\b(?:ob|sollten?|müsste|vielleicht|könnten?|vermutlich)\b|\?$"),
)
_RUSSIAN = Words(
    to_do=any_case(
        r"пожалуйста|\b\w{3,}(?:йте|ьте|ите)\b|\b(?:пришли|проверь|запусти|скажи|покажи|попробуй|скинь|перезапусти"
        r"|собери|глянь)\b|дай(?:те)? знать|у себя|за вами|за тобой"
    ),
    unrun=any_case(
        r"\bне\b[^.,\n]{0,25}\b(?:запуска\w+|запуст\w+|тестиро\w+|провер\w+|собра\w+|выполня\w+|примен\w+)",
        r"\bне (?:могу|смог\w*|знаю|удалось|понятно|ясно|вышло|получилось)\b|неизвестн|непонятно",
    ),
    outcome=any_case(
        r"если (?:нет|не\b|есть|что|всё|все|снова|опять|останется|будет)|когда (?:снова|опять|прошь)",
        r"(?:посмотри|глянь|проверь)\w*,? (?:нет ли|не|есть ли|что)",
    ),
    courtesy=any_case(r"если (?:нужно|понадобится|будут|есть) "),
    success=any_case(
        r"исправ\w+|почин\w+|реш[её]н\w*|устран\w+|работа(?:ет|ют)|корректно|правильно|больше не|успешн\w+|проход\w+"
        r"|проверил\w*|протестир\w+|верн(?:о|ое)\b|собирается"
    ),
    finished=any_case(r"готов\w*|сделан\w*|заверш\w+|реализован\w*"),
    hence=any_case(r"теперь"),
    partly=any_case(r"только|пока"),
    hedge=any_case(r"\bли\b|долж(?:ен|на|но|ны)|возможно|наверн|вероятно|\?$"),
)
ROWS: Mapping[Tongue, Words] = {
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
# In every language: a tick, and by how much it is better, which somebody must have measured.
MEASURED = any_case(
    r"[✅🎉🚀]|(?<![\d/])(\d+) ?(?:/|of|из|de|von|sur|中) ?\1(?![\d/])"
    r"|\d[\d.,]* ?(?:x|×|%|times|倍|раз\w*|fois|veces|vezes|mal)[^.\n]{0,12}(?:faster|quicker|smaller|less|快|短縮|빨라"
    r"|rápid|rapide|schneller|быстрее)|\d ?(?:ms|мс|s|秒|毫秒|초)\b[^.\n]{0,24}\d ?(?:ms|мс|s|秒|毫秒|초)"
)
