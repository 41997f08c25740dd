"""Whether words say that the work is good.

Rule: pure and linear; permission needs an affirmation, so what no table knows affirms nothing. It must stand in a main
clause (not in a purpose, a condition or a wish) and be about the work and not about the review.
"""

# ruff: noqa: RUF001

from __future__ import annotations

import re

from ccc.base.patterns import Lazy, any_case
from ccc.judging import denial

# Words that say so by themselves. Participles of what is done to the work count; those of what hides it do not.
# One pattern for each group of languages: most answers need the first alone, and all of them are slow to compile.
_GOOD = (
    any_case(
        # English
        r"\b(?:pass(?:es|ed|ing)?|green|clean(?:ly)?|done|complete[sd]?|completely|finish(?:ed|es)|fine|good|great"
        r"|perfect\w*"
        r"|excellent|ok|okay|lgtm|yes|y|approv(?:e|ed|al)|accept(?:s|ed|able)?|allow(?:ed)?|agree|met|meets|satisf\w+"
        r"|verif(?:y|ied|ies)|confirm(?:s|ed)?|correct(?:ly)?|right|works|worked|(?<!the\s)working|well|fulfill?(?:ed"
        r"|s)"
        r"|succe\w+"
        r"|fix(?:ed|es)|mended|repaired|corrected|identical|pinned|flat|requirement(?=\W*$)|resolved|solved|gone|closed"
        r"|ready|flawless\w*|solid|thorough\w*|preserved|stable"
        r"|handle[sd]|cover(?:s|ed)?|exported|explain(?:s|ed)|listed|accurate(?:ly)?|(?:is|are)\sshown|did\sthe\swork"
        r"|implement(?:s|ed)|added|updated?|tested|written|committed|pushed|merged|deployed"
        r"|documented|documents|removed|(?:is|are)\sactive|migrated|translated|answer(?:s|ed)|address(?:es|ed)"
        r"|delivered|installed|included"
        r"|provided|granted|reached|proves?|proved|proven|evidence|matches|matched|exists?|existed|present|created"
        r"|renamed"
        r"|replaced|refactored|improved|restored|supported|ticked|checked|ran|rerun|built|builds|compiles?|starts?"
        r"|started"
        r"|runs|loads|renders|behaves?|responds?|replies|boots|serves|rejects|refuses|retries"
        r"|honou?r(?:s|ed)|respects?|follow(?:s|ed)|applied|agrees|positive|clear|justified|nothing\sto\sadd|rose"
        r"|holds?(?=\W*$)|happy|pleased|convinced|satisfactory|enough|sufficient|exactly|ship\sit"
        r"|true|valid|safe|secure|sound|faster|thumbs\sup|no\slonger|as\s(?:the\s\w+\s)?(?:asked|requested|required"
        r"|specified|wanted|expected|promised|agreed|demanded|described|it\s(?:should|must)|(?:the\s)?spec\w*)|(?:may"
        r"|can)\s(?:now\s)?stop"
        r"|all\s(?:there|set|in\sorder|of\sit)|is\sthere|are\sthere|out\sof\sscope|user\s(?:only\s(?:asked|wanted)"
        r"|expected\s(?:that|this|it))|(?:user|was|were)\s(?:had\s)?(?:asked|wanted|requested)(?:\sfor)?(?=\W*$)"
        r"|in\splace|in\sorder|up\sto\sdate|(?:it|they)\s(?:is|are|does|do|did|has|have)(?=\W*$)|(?:can|may)\snow"
        r"|now\s(?:can|\w{3,}s)|is\sright|silent"
        r"|100\s?%|exit(?:s|ed)?(?:\s(?:code|status|with))*\s0|out(?=\W*$)|succeeded|have\s(?:their|its)|has\s(?:its"
        r"|their|an?|all|both|every))\b",
        r"^\W*(?:they|it|both)\s(?:is|are|was|were)\s(?:now\s)?(?:deleted|disabled|stopped)\b",
        # What a program does when it works, and what was done to it.
        r"\b(?:saves|stores|sends|opens|closes|accepts|finds|reads|parses|validates|sorts|filters|displays|appears"
        r"|exports"
        r"|imports|produces|computes|supports|describes?|mentions|includes|remembers|recovers|recovered|saved|loaded"
        r"|opened|cleaned|validated|rebased|bumped|encrypted|escaped|computed|sanitized|formatted|moved|enabled"
        r"|configured"
        r"|registered|integrated|kept|available|readable|accessible|consistent|reproducible|robust|reliable|compliant"
        r"|compatible|idempotent|above|beyond|better|exceeds|wonderful|splendid|impeccable|spotless|sane|legit"
        r"|no\s(?:objections?|concerns?|complaints?|comments?)|go\sahead|case\sclosed|thumbs[\s-]up)\b",
        # What comes out is what should: `prints the expected output`.
        r"\b(?:print|return|give|yield|produce|show|display|emit|output|render|generate|deliver|send|write|report"
        r"|contain"
        r"|answer\swith|answers\swith|respond\swith|responds\swith|has|have|expose|use|set|log"
        r"|raise)s?\s(?:back\s)?(?:exactly\s|precisely\s)?(?:(?:the|all|its|their"
        r"|an?|both)\s)?(?:\w+\s)?(?:expected|specified|required|requested|documented|desired|promised|agreed"
        r"|prescribed|intended"
        r"|wanted)\s\w"
        r"|\b(?:outputs?|results?|behaviou?r|responses?|values?|outcomes?)\s(?:is|are|was"
        r"|were)\s(?:exactly\s)?the\s(?:expected|specified"
        r"|required|requested|desired)\b|\bequals?\sthe\s(?:expected|reference|specified)\b"
        r"|\bdo(?:es)?\swhat\s(?:it|they)\sshould\b",
    ),
    any_case(
        # German
        r"\b(?:erstellt|angelegt|gespeichert|geladen|gesendet|geöffnet|bestätigt|gültig|stabil|verfügbar|lesbar"
        r"|beantwortet"
        r"|beseitigt|dokumentiert|eingebaut|eingerichtet|migriert|veröffentlicht|zusammengeführt|akzeptiert|einwandfrei"
        r"|tadellos|perfekt|prima|belegt|nachgewiesen|eingehalten|berücksichtigt|erreicht|wie\s(?:gewünscht|verlangt)"
        r"|fertig|erledigt|bestanden|abgeschlossen|gut|ordnung|grün|erfüllt|behoben|gelöst|repariert|umgesetzt"
        r"|implementiert|geschrieben|getestet|geprüft|aktualisiert|ausgeführt|zufrieden|funktionier(?:t|en)|korrekt"
        r"|richtig|vollständig|bereit|genehmigt|freigegeben|angenommen|ergänzt|hinzugefügt|vorhanden|gedeckt|abgedeckt"
        r"|durch|(?:läuft|laufen)(?=\W*$)|ausreichend|reicht|kann\saufhören|stimmt|passt|sauber|erfolgreich|ja"
        r"|gewünscht\w*|darf\saufhören|baut|startet|übersetzt|entfernt)\b",
        r"\b(?:gibt|geben|liefer(?:t|n)|zeig(?:t|en)|druckt|erzeug(?:t|en)|schreibt|sende[tn]|enthält"
        r"|antworte[tn]\smit)\s(?:(?!nicht)\w+\s){0,2}"
        r"(?:erwartet|gefordert|verlangt|vorgegeben|spezifiziert|dokumentiert|vorgesehen"
        r"|vereinbart)e[nrsm]?\s\w(?!.*\bnicht\b)"
        r"|\bentspr(?:icht|echen)\s(?:genau\s)?(?:der|den|dem)\b(?!.*\bnicht\b)",
    ),
    any_case(
        # French
        r"\b(?:créée?s?|enregistr(?:e|ent|ée?s?)|chargée?s?|envoyée?s?|confirmée?s?|stables?|disponibles?|documentée?s?"
        r"|déployée?s?|fusionnée?s?|parfait\w*|supprimée?s?|traduite?s?|répond(?:ent|ue?s?)?|livrée?s?|atteinte?s?"
        r"|prouvée?s?"
        r"|comme\sdemandé|d['’]accord|nettoyée?s?|remplacée?s?|compile|achevée?s?|remplie?s?|terminée?s?|finie?s?"
        r"|faite?s?|complète?s?|complets?|prête?s?|acceptée?s?|approuv\w+"
        r"|pass(?:e|ent|ée?s?)"
        r"|réuss\w+|vertes?|verts?|bonn?e?s?|bien|correcte?s?|satisf\w+|fonctionn\w+|mise?s?\sà\sjour|écrite?s?"
        r"|testée?s?"
        r"|vérifiée?s?|exécutée?s?|implémentée?s?|ajoutée?s?|conforme\w*|validée?s?|marche(?:nt)?|corrigée?s?"
        r"|résolue?s?"
        r"|en\splace|en\sordre|correctement|attendue?s?|couv(?:re|rent|erte?s?)|oui|démarre|présente?s?|respectée?s?"
        r"|peut\ss['’]arrêter)\b",
        r"\b(?:affiche|renvoie|retourne|donne|produi[st]e?|imprime|génère|montre)(?:nt)?\s(?:(?!pas|plus|jamais"
        r"|rien)[\w'’]+\s){1,4}"
        r"(?:demandée?s?|spécifiée?s?|requise?s?|prévue?s?|voulue?s?)\b",
    ),
    any_case(
        # Spanish, Portuguese
        r"\b(?:cread[oa]s?|guardad?[oa]?s?|cargad[oa]s?|enviad[oa]s?|confirmad[oa]s?|estables?|disponibles?"
        r"|documentad[oa]s?"
        r"|desplegad[oa]s?|fusionad[oa]s?|perfect[oa]s?|eliminad[oa]s?|traducid[oa]s?|entregad[oa]s?|logrado"
        r"|incluye[n]?"
        r"|agregad[oa]s?|respondid[oa]s?|como\sse\spidió|de\sacuerdo|criad[oa]s?|salv[oa]s?|carregad[oa]s?"
        r"|disponíve(?:l"
        r"|is)"
        r"|removid[oa]s?|traduzid[oa]s?|entregue?s?|respondid[oa]s?|como\spedido|estáve(?:l|is)|perfeit[oa]s?"
        r"|incluíd[oa]s?|terminad[oa]s?|completad[oa]s?|complet[oa]s?|list[oa]s?|hech[oa]s?|pasan?|pasaron"
        r"|aceptad[oa]s?"
        r"|aprob\w+"
        r"|aprueb\w+|funcionan?m?|compilan?|cumplen?|cumplid[oa]s?|correct[oa]s?|satisf\w+|actualizad[oa]s?"
        r"|ejecutad[oa]s?"
        r"|ejecutaron|(?:com)?probad[oa]s?|verificad[oa]s?|escrit[oa]s?|implementad[oa]s?|está\sbien|resuelt[oa]s?"
        r"|corregid[oa]s?"
        r"|arreglad[oa]s?|añadid[oa]s?|cubiert[oa]s?|cubre|sí|verdes?|en\sorden|correctamente|ya\sno|éxito|ya\stiene"
        r"|arranca|responde|bien|pode\sparar"
        r"|concluíd[oa]s?|pront[oa]s?|feit[oa]s?|passam?|passou|passaram|aceit[oa]s?|aprov\w+|cumprid[oa]s?"
        r"|corret[oa]s?"
        r"|atualizad[oa]s?|executad[oa]s?|testad[oa]s?|verificad[oa]s?|resolvid[oa]s?|corrigid[oa]s?|adicionad[oa]s?"
        r"|tratad[oa]s?|cobert[oa]s?|bom|boa|sim|certo|corretamente|sucesso|atendid[oa]s?|puede\sparar)\b",
        r"\b(?:imprime|devuelve|muestra|da|produce|genera|retorna|responde\scon|escribe|emite|devolve|mostra|dá"
        r"|produz|gera|exibe|escreve"
        r"|responde\scom)[nm]?\s(?:\w+\s){1,4}(?:esperad|especificad|requerid|exigid|solicitad|pedid|documentad"
        r"|previst)[oa]s?\b"
        r"|\b(?:es|son|é|são)\s(?:el|l[oa]s?|[oa]s?)\s(?:esperad|previst|solicitad)[oa]s?\b",
    ),
    any_case(
        # Italian, Dutch
        r"\b(?:creat[oaie]|salvat[oaie]|caricat[oaie]|inviat[oaie]|confermat[oaie]|stabil[ei]|disponibil[ei]"
        r"|documentat[oaie]"
        r"|rimoss[oaie]|tradott[oaie]|consegnat[oaie]|perfett[oaie]|rispettat[oaie]|compila|come\srichiesto"
        r"|d['’]accordo"
        r"|aangemaakt|opgeslagen|geladen|verzonden|bevestigd|stabiel|beschikbaar|gedocumenteerd|verwijderd|vertaald"
        r"|opgeleverd|perfect|in\sorde|zoals\sgevraagd|akkoord|heeft\s(?:nu\s)?\w+(?=\W*$)|(?:is|zijn)\saf|bouwt"
        r"|completat[oaie]"
        r"|complet[oaie]|finit[oaie]|fatt[oaie]|terminat[oaie]|pront[oaie]|passa(?:no|ta|to|te|ti)?"
        r"|superat[oaie]|accettat[oaie]|approvat[oaie]|funziona(?:no)?|corrett[oaie]|aggiornat[oaie]|eseguit[oaie]"
        r"|testat[oaie]|verificat[oaie]|scritt[oaie]|implementat[oaie]|soddisf\w+|conforme|risolt[oaie]|aggiunt[oaie]"
        r"|presente|verde|bene|ordine|correttamente|sì|coperto|ha\sil\ssuo|klaar|voltooid|afgerond|compleet|gereed"
        r"|slagen"
        r"|slaagt|geslaagd|goed"
        r"|goedgekeurd|werkt|werken|groen|voldoende|correct|juist|bijgewerkt|uitgevoerd|getest|geschreven|toegevoegd"
        r"|geïmplementeerd|opgelost|hersteld|gehaald|voldaan|bewezen|ja|mag\sstoppen)\b",
        r"\b(?:stampa|restituisc(?:e|ono)|mostra|produc(?:e|ono)|genera|dà|danno|ritorna|emett(?:e|ono)"
        r"|visualizza|scrive)(?:no)?"
        r"\s(?:[\w'’]+\s){0,4}(?:l['’]\w+\s)?(?:attes|previst|richiest|specificat|desiderat|volut)[oaie]\b|\b(?:è"
        r"|sono)\squell[oaie]\s(?:attes|previst|richiest)[oaie]\b",
        r"\b(?:geeft|geven|toont|tonen|print|levert|retourneert|produceert"
        r"|stuurt)\s(?:(?!niet)\w+\s){0,2}(?:verwacht|gevraagd|vereist"
        r"|gespecificeerd|gewenst)e?\s\w(?!.*\bniet\b)",
    ),
    any_case(
        # Russian
        r"\b(?:создан\w*|сохран[её]н\w*|сохраняет|загружен\w*|отправлен\w*|подтвержд[её]н\w*|стабильн\w*|доступн\w*"
        r"|удал[её]н\w*|перевед[её]н\w*|отвечает|идеальн\w*|отличн\w*|учт[её]н\w*|закрыт\w*|собран\w*|компилиру\w+"
        r"|как\sпросили|согласен|в\sпорядке|описан\w*|достигнут\w*|выполнен\w*|заверш[её]н\w*|закончен\w*|готов\w*"
        r"|пройден\w*|проход\w+|прошл\w+|прош[её]л|принят\w*|одобр\w+"
        r"|работа(?:ет|ют)|соответству\w+|обновл[её]н\w*|запущен\w*|проверен\w*|написан\w*|реализован\w*|исправлен\w*"
        r"|устран[её]н\w*|реш[её]н\w*|добавлен\w*|сделан\w*|приложен\w*|покрыт\w*|успешн\w*|да|верн\w+|правильн\w+"
        r"|зел[её]н\w+|собирается|может\sостановиться|хорошо|полн\w+)\b",
        r"\b(?:вывод|возвраща|выда|показыва|печата|да|отобража|генериру)\w*\s(?:\w+\s){0,3}(?:ожидаем|требуем"
        r"|заданн|указанн|нужн|предусмотренн)\w+",
    ),
    any_case(
        # Polish, Turkish, Vietnamese, Swedish, Arabic, Hindi
        r"\b(?:gotow\w+|przechodzą|zrobion\w+|ukończon\w+|poprawn\w+|tamam\w*|geçti|geçiyor|bitti|tamamlandı|başarılı"
        r"|đã\sxong|hoàn\sthành|klart?|godkänt?|färdigt?|fungerar|passerar|ناجحة|نجحت?|اكتملت?|تم|مكتملة?)\b",
        r"(?:सफल|पूरा|पूर्ण|ठीक)",
    ),
    any_case(
        # Chinese
        r"完成|通[过過]|达标|達標|合格|做完|写完|写好|完[毕畢善整备]|成功|[实實][现現]了|已[经經]?\w|均|[满滿]足|[满滿]意"
        r"|符合|正[确確常]|修[复復好正]|解[决決]了|解[决決]"
        r"|批准|允[许許]|同意|[认認]可|可以停|放行|可用|可靠|到位|[齐齊]全|无[误可]|無[誤可]|没[有]?问题"
        r"|[没沒无無]有?[遗遺]留|不再|[覆涵][盖蓋]|都[有能可实實通]|全[部绿綠]|良好|完美"
        r"|[不错錯]错|好了|是的|^是$|[对對]的|[运運]行[了过過]|[验驗][证證]|接好|加密|[写寫加]了|[补補]充了|改了|改好"
        r"|可以使用|保持[稳兼不]|充分|整[洁潔]|[干乾][净淨]|降到|补上|補上|更新了|有[测測][试試校]|回答了|属实|優秀|优秀"
        r"|没有?必要"
        r"|[无毋][需须]|不需要|正常|[绿綠]的|很好|得到了|提升|足[够夠]|收工|可以(?:编译|停|结束)|^行|^可以|不[必用]",
        r"(?<![不没沒未能])(?:[输輸]出|返回|[显顯]示|打印|[产產]生|[给給]出"
        r"|生成)[^，。；不没沒未非与與和跟比超]{0,8}(?:[预預]期|期望|要求|指定|[规規]定)的"
        r"|[预預]期[^，。；不没沒未非]{0,4}(?:一致|相[符同])",
    ),
    any_case(
        # Japanese, Korean
        r"完了|終わりました|終わっています|通りました|通っています|通過|成功|合格|承認|実装され|実装済|更新され|更新済"
        r"|確認しました|確認済|検証|解決|修正され|修正済|修正しました|満た|動作し|動いて|動きます"
        r"|問題(?:は)?(?:あり|なし|な)|正し|十分|追加され|追加済|はい|達成|良好|対応済|テスト済|されました|直りました"
        r"|直って|揃って|構いません|不要です"
        r"|(?:期待|想定|要求|指定)(?:された|した|どおりの|通りの)[^、。]{0,12}(?:返|出力|表示|出)(?!.*ない)"
        r"|(?:期待|想定|仕様)[^、。]{0,6}一致し(?!ない)",
        r"완료|완성|끝났|끝냈|통과|성공|승인|구현되|구현했|업데이트되|업데이트했|실행했|확인했|확인됨|검증|해결|수정되"
        r"|수정했|충족|작동합|동작합|정상|빌드됩|표시됩|만족|올바|추가되|예$|문제가?\s?없"
        r"|(?:예상|기대|요구|지정)(?:된|한|되는|하는|대로의?)\s[^,.]{0,12}(?:출력|반환|표시)|(?:예상"
        r"|기대)[^,.]{0,6}일치",
    ),
)
_TICK = Lazy(r"[✅✔☑✓🎉👍👌🟢💯]")
# Not the work.
_OF_THE_REVIEW = any_case(
    r"\b(?:my|the|this|our)\s(?:code\s)?review\s(?:is|was|has\sbeen)\s(?:now\s)?(?:done|complete[d]?|finished|over)\b"
    r"|\b(?:concludes?|completes?|finish(?:es|ed)|end\sof|complete[d]?|done\swith)\s(?:my|the|this"
    r"|our)\s(?:code\s)?review\b"
    r"|^\W*(?:review(?:ed)?)\W*(?:complete[d]?|done|finished|over)\W*$|\breasonable\b|\bprogress\b|\bgood\s(?:start"
    r"|effort|try|job\sso\sfar)\b"
    r"|\bthanks?\b|\bthank\syou\b|\b(?:best|kind)\sregards\b|\bwell\sdone\sso\sfar\b|\bsee\sabove\b",
    r"(?:审查|審查|评审|評審|检查|檢查|复核|审核)(?:已经?|均已|到此)?(?:完[毕畢成]|[结結]束)|以上。|辛苦"
    r"|レビュー(?:は|が)?(?:完了|終了|以上)|검토(?:가|를)?\s?(?:완료|마)",
    r"\b(?:prüfung|review|revue|revisión|revisão|revisione|beoordeling|проверка|ревью)\s(?:ist|est|está|è"
    r"|is)?\s?(?:hiermit\s)?(?:abgeschlossen"
    r"|beendet|terminée?|terminada|concluída|completata|afgerond|voltooid|завершена|закончена)\b",
)
# What follows them is a wish, a purpose, a reason or a case, not a fact.
_ASIDE = any_case(
    r"\b(?:so\sthat|so\sas\sto|in\sorder\sto|to\s(?:get|make|have|let|keep|see|be|avoid|save)|(?<=\s)because|if"
    r"|unless|until|once|when"
    r"|whether|instead\sof|rather\sthan|would|(?<!it\s)should|could(?!\snot)|might|must|needs?\sto|has\sto|have\sto"
    r"|ought\sto"
    r"|wants?\sto|let"
    r"|supposed\sto|claims?|claimed|pretends?|says?\sit|i['’]d|i\swould|damit|ob|um|wenn|falls|sobald|pour|afin|quand"
    r"|para|cuando"
    r"|antes\sde|quando|omdat|zodat|чтобы|если|когда)\b[^,;，；:]*",
    r"(?:如果|假如|只有|等|为了|以便|才|是否|能否)[^，,；;]*|(?:[请請](?!求)|(?<![不无毋])需(?!求)要?|必须|应该?|建议"
    r"|要(?![求件的]))[^，,；;。]*",
    r"[^、。]*(?:たら|なら|れば|ために|べき|てください|て下さい)|\S*(?:세요|해야|십시오|하면)",
)
# What was run says nothing: what came of it does, and that stands after the colon.
_RAN = any_case(
    r"^\W*(?:(?:i|we|he|the\sagent)\s)?(?:(?:\w+ly|also|then|have)\s)?(?:re-?ran|ran|executed|started|launched"
    r"|opened|called|tried"
    r"|checked(?=\s\w)|built(?=\s\w)|ausgeführt|gestartet|exécutée?|lancée?|ejecutad[oa]|executad[oa]|eseguit[oa]"
    r"|avviat[oa]|uitgevoerd"
    r"|gestart|запущен[оаы]?|запустил[аи]?|(?:已经?)?[运運執执]行了?|実行しました)(?![^\W_])[^:：]{0,80}[:：](?=\s*\w)"
)
_CLAUSE = any_case(r"[;:,，、；：。]|\s[-–—]+\s|\b(?:and|but|und|et|и)\b|但")
NEGATED = any_case(
    r"\b(?:no|not|none|nothing|never|neither|cannot|nobody)\b|n['’]t\b|\b(?:kein\w*|nicht|nichts|nie|pas|rien|aucune?"
    r"|jamais|ningun\w*|nunca|nada"
    r"|não|nenhuma?|non|nessun\w*|niente|niet|geen|niets|нет|ничего|никогда)\b|没|沒|(?<![分错錯])[别別]|未"
    r"|(?<!構い)ません|않|못|없",
    r"\b(?:nie|inte|ej|ikke|ei|nu|nem|nincs|není|ne|δεν|не|chưa|không|belum|tidak|değil|başarısız|lâ|لا|لم|ليس|غير|לא"
    r"|nog\sniet)\b|नहीं|असफल|विफल|ไม่|\bbitme\w+",
)
# What a program or a log is quoted with can be good news, too.
_QUOTED = Lazy(r"`[^`]*`|\"[^\"]*\"|“[^”]*”")
_QUOTES_GOOD = any_case(r"\b(?:20[0-4]|ok|\d+ pass\w*|success\w*|allow|done)\b|完成|通过")


def _in_a_word(found: re.Match[str]) -> str:
    return " passed " if _QUOTES_GOOD.search(found[0]) else "x"


def affirms(sentence: str) -> bool:
    """Whether it says of the work, as a fact, that something about it is good."""
    told = denial.own_words(_QUOTED.sub(_in_a_word, sentence[-denial.SENTENCE_LIMIT :]))
    if _OF_THE_REVIEW.search(told):
        return False
    if _TICK.search(told) or denial.is_excused(told):
        return True
    fact = _ASIDE.sub(" ", _RAN.sub("", told))
    return any(map(_is_good, _CLAUSE.pattern.split(fact)))


def of_the_review(sentence: str) -> bool:
    return bool(_OF_THE_REVIEW.search(sentence[-denial.SENTENCE_LIMIT :]))


def _is_good(clause: str) -> bool:
    return any((found := good.search(clause)) and not _is_turned(clause, found.start()) for good in _GOOD)


def _is_turned(clause: str, at: int) -> bool:
    # In English a negation comes first; elsewhere it may follow.
    return bool(NEGATED.search(clause[:at] if clause.isascii() else clause)) and not denial.is_mended(clause)
