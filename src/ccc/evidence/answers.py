"""What the agent's last words do: ask, offer to start, ask for output, admit that nothing was run.

Rule: pure; a question counts wherever it stands, but not in code, quotes or addresses. Chinese and English are known
well, the other languages by their commonest words.
"""

# ruff: noqa: RUF001

from __future__ import annotations

from ccc.base.patterns import Lazy, any_case, pattern
from ccc.evidence.wording import LENGTH_LIMIT, prose, simpler


def asks(message: str) -> bool:
    """Whether an answer asks the person something, wherever the question stands; not in code, quotes or addresses."""
    text = prose(message[-LENGTH_LIMIT:], keep_code=False)
    return any(_line_asks(line) for line in text.split("\n"))


def offers_to_start(message: str) -> bool:
    """Whether an answer asks for leave to begin with what was asked for."""
    text = prose(message[-LENGTH_LIMIT:], keep_code=False)
    return any(_OFFER.search(line) and not _MORE.search(line) for line in text.split("\n"))


def asks_for_secrets(message: str) -> bool:
    """Whether an answer asks for what only the person can have, or for leave to do what cannot be undone."""
    return bool(_SECRET.search(message[-LENGTH_LIMIT:]))


def asks_for_output(message: str) -> bool:
    """Whether an answer has the person run something and tell what comes out, and claims nothing."""
    text = simpler(prose(message[-LENGTH_LIMIT:], keep_code=True))
    return bool(_OUTPUT_WANTED.search(text)) and not _SUCCESS.search(text)


def admits_untried(message: str) -> bool:
    """Whether an answer says that it was not run, and why it could not or should not be."""
    text = simpler(prose(message[-LENGTH_LIMIT:], keep_code=True))
    sentences = _SENTENCE_ENDS.split(text)
    return any(_UNTRIED.search(each) and _REASON.search(each) for each in sentences)


def leaves_the_run(message: str) -> bool:
    """Whether an answer leaves to the person what touches their data or their production."""
    text = simpler(prose(message[-LENGTH_LIMIT:], keep_code=True))
    sentences = _SENTENCE_ENDS.split(text)
    return any(_YOURS_TO_RUN.search(each) and _DANGER.search(each) for each in sentences)


def presents_draft(message: str) -> bool:
    """Whether an answer hands over a draft to be looked at, and claims nothing of it."""
    text = simpler(prose(message[-LENGTH_LIMIT:], keep_code=True))
    return bool(_DRAFT.search(text)) and not _SUCCESS.search(text)


def speaks_of_failure(message: str) -> bool:
    return bool(_FAILURE.search(message[-LENGTH_LIMIT:]))


# --- patterns ----------------------------------------------------------------------------------------------------

_OUTPUT_WANTED = any_case(
    r"\b(?:paste|share|send|post|tell me|show me|let me know(?! if\b)|give me|report back|copy)\b[^.\n]{0,60}"
    r"\b(?:outputs?|logs?|console|errors?|messages?|(?:stack ?)?trace|results?|screenshot|prints?|printed|appears?"
    r"|values?|shows?|says?"
    r"|you (?:see|get))\b",
    r"(?:输出|日志|控制台|报错|错误信息|打印|结果|截图|显示)[^。\n]{0,24}(?:告诉我|发给我|发我|贴给我|贴出来|贴过来"
    r"|发过来|发来|给我看|反馈给我|提供给我|给我)",
    r"(?:告诉我|发给我|贴一下|发一下|把)[^。\n]{0,24}(?:输出|日志|控制台|报错|错误信息|打印|截图)[^。\n]{0,10}(?:发"
    r"|贴|告诉|给我|是什么|什么)",
    r"(?:ログ|出力|結果|エラー|コンソール|表示)[^。\n]{0,24}(?:教えて|貼って|送って|共有して|見せて)",
    r"(?:로그|출력|결과|에러|오류|콘솔)[^.\n]{0,24}(?:알려|공유|붙여|보내|보여)",
    r"\b(?:pega|comparte|env[ií]ame|dime|mu[eé]strame|p[aá]same)\b[^.\n]{0,50}\b(?:salida|logs?|consola|error"
    r"|resultado|muestra|aparece)",
    r"\b(?:cole|compartilhe|envie|me diga|me mostre|mande|me envie)\b[^.\n]{0,50}\b(?:sa[ií]da|logs?|console|erro"
    r"|resultado|aparece)",
    r"\b(?:colle[rz]?|copie[rz]?|partage[rz]?|envoie|envoyez|dis-moi|dites-moi|montre[rz]?)\b[^.\n]{0,50}(?:sortie"
    r"|logs?|console|erreur|résultat|s'affiche)",
    r"\b(?:schicke?n?|sende|teile?n?|poste|sage?n?|zeige?n?|kopiere?n?)\b[^.\n]{0,50}(?:ausgabe|logs?|konsole"
    r"|fehler|ergebnis|erscheint|steht)",
    r"(?:пришли|скинь|покажи|скажи|вставь|отправь|сообщи)\w*[^.\n]{0,50}(?:вывод|лог|консол|ошибк|результат|появ)",
)
_DRAFT = any_case(
    r"\b(?:first|rough|initial|a|the) (?:draft|sketch|skeleton|outline)\b|\bfor (?:your )?review before (?:running"
    r"|it runs)\b",
    r"草稿|初稿|草案|供(?:你|您)(?:审阅|参考)|下書き|たたき台|ドラフト|초안",
    r"\b(?:borrador|rascunho|esbozo|esboço|brouillon|ébauche|entwurf\w*|skizze|vorschlag)\b|черновик|набросок",
)
_FAILURE = any_case(
    r"\b(?:fails?|failed|failing|failure|errors?|crash\w*|broken|exception|5\d\d|still|does ?n[o']t work|not working"
    r"|time[d]?[- ]?out|too long|no tests?|nothing)\b",
    r"失败|报错|错误|崩溃|仍|异常|超时|没有测试|失敗|タイムアウト|시간 초과|錯誤|エラー|오류|에러|실패"
    r"|\b(?:falla\w*|fallo|erro\w*|falha\w*|erreurs?|échoue\w*|fehler\w*|ошибк\w*)",
)
_SUCCESS = any_case(
    r"\b(?:fixed|resolved|solved|works? now|working now|now works?|should (?:now )?work|is (?:now )?(?:done"
    r"|complete|fixed)|all set)\b|✅",
    r"已修复|修复了|修好|解决了|已解决|已完成|完成了|正常工作|应该(?:可以|好)了|修正しました|解決しました"
    r"|完了しました|수정했|해결했|완료",
    r"\b(?:arreglad|corregid|solucionad|resuelt|corrigid|resolvid|consertad)[oa]s?\b|\b(?:corrigée?|résolue?"
    r"|réparée?)s?(?!\w)"
    r"|\b(?:behoben|gelöst|repariert)\b|исправлен|исправил|решен|решён|починил",
)
_UNTRIED = any_case(
    r"\b(?:not|n't|n’t|never|cannot|unable to|without)\b[^.\n]{0,30}\b(?:run|ran|running|test|tested|testing"
    r"|verif\w+|execut\w+|try|tried"
    r"|compile[d]?|built|build|check(?:ed)?|connect|start)\b|\b(?:untested|unverified)\b",
    r"(?:没有?|未|尚未|还没|无法|不能|没法|未能|不便)[^，。\n]{0,8}(?:运行|跑|测试|验证|执行|编译|构建|连接)"
    r"|(?:未经|没有经过)(?:测试|验证)",
    r"(?:実行|テスト|検証|動作確認|確認|ビルド)[^。\n]{0,10}(?:ません|ない|未|できず)|未(?:検証|テスト|実行)",
    r"(?:실행|테스트|검증|확인|빌드)[^.\n]{0,8}(?:않|못|안 했|없)|미검증",
    r"\b(?:no|sin)\b[^.\n]{0,25}\b(?:ejecut\w+|prob\w+|verific\w+|compil\w+)|\bn[aã]o\b[^.\n]{0,25}\b(?:execut\w+"
    r"|test\w+|rod\w+|verific\w+)",
    r"\b(?:pas|sans)\b[^.\n]{0,25}(?:exécut\w+|test\w+|lanc\w+|vérifi\w+|compil\w+)|\b(?:nicht"
    r"|ohne)\b[^.\n]{0,40}(?:ausgeführt|getestet|geprüft|ausführen|testen|gestartet|verifizier\w+)|ungetestet",
    r"\bне\b[^.\n]{0,25}(?:запуска\w+|запуст\w+|тестиро\w+|провер\w+|собра\w+|выполн\w+)",
)
_REASON = any_case(
    r"\b(?:can(?:no|')t|can not|could ?n[o']t|couldn’t|can’t|unable|because|since|as (?:it|this|there|you|the)"
    r"|no (?:access|device|database|server|network"
    r"|emulator|simulator|gpu|keys?|credentials?|hardware|display|browser|toolchain|compiler|xcode|docker)"
    r"|requires?|needs?|production|prod"
    r"|your (?:machine|side|device|environment|account|database|data|approval)|hardware|credentials?|would"
    r"|real (?:data|device|users?|money)"
    r"|not (?:available|installed|possible)|you (?:said|asked|wanted|decline\w*|den\w+)|denied|declined|here"
    r"|sandbox|offline|as (?:asked|requested))\b",
    r"无法|不能|没法|未能|因为|由于|需要|缺少|没有(?:权限|环境|设备|数据库|网络|安装)|生产|线上|真机|真实|环境"
    r"|你(?:的|来|自己|说|要求)|您|拒绝|会(?:删|清|覆盖|丢|影响)|数据|凭据|密钥",
    r"できません|できず|ため|ので|必要|環境|本番|実機|データ|権限|할 수 없|못|때문|필요|환경|운영|권한|데이터",
    r"\b(?:porque|ya que|no (?:puedo|pude|hay|tengo)|requiere|necesita|producci[oó]n|credenciales|datos|pois"
    r"|n[aã]o (?:posso|pude|consegui|h[aá]|tenho)|precisa|produ[cç][aã]o|dados)\b",
    r"\b(?:car|parce que|puisque|impossible|nécessite|besoin|production|données|pu|weil|da|konnte|kann|benötigt"
    r"|braucht|fehlt|produktion|daten|zugriff)\b",
    r"потому|так как|нет (?:доступа|базы|сети|устройства)|нужн|требу|не (?:могу|смог|удалось)|прод|данн|доступ",
)
_YOURS_TO_RUN = any_case(
    r"\b(?:you (?:can|should|need to|have to|must|may) (?:\w+ )?(?:run|apply|execute|deploy)|(?:please )?(?:run"
    r"|apply|execute) (?:it|this|the|them|that)?[^.\n]{0,40}"
    r"\b(?:yourself|when(?:ever)? you|on your|against|in production|on production|after (?:a|taking) backup"
    r"|once you))\b",
    r"(?:请|由|等)(?:你|您)[^。\n]{0,10}(?:运行|执行|跑|部署)|(?:你|您)(?:自己|来|亲自|可以|需要"
    r"|在)[^。\n]{0,12}(?:运行|执行|跑)",
    r"(?:実行|適用)してください|실행해\s?주|ejec[uú]t(?:a|e)(?:lo|la)?\b|execute\b|exécute[rz]?\b|führen? sie"
    r"|führ\b|выполни\w*|запусти\w*",
)
_DANGER = any_case(
    r"\b(?:production|prod|migrations?|migrate|drops?|deletes?|destructive|irreversible|backup|live (?:data"
    r"|database)|data loss|real (?:data|users?|money))\b",
    r"生产|线上|迁移|删除|备份|不可逆|数据丢失|清空|正式环境|本番|マイグレーション|削除|バックアップ|운영"
    r"|마이그레이션|삭제|백업",
    r"producci[oó]n|migraci[oó]n|produ[cç][aã]o|migra[cç][aã]o|sauvegarde|migration|produktion|sicherung|прод"
    r"|миграц|бэкап|резервн",
)

_SENTENCE_ENDS = pattern(r"(?<=[.!?])\s+|[。！？\n]")
_MARKS = pattern(r"[.!?。！？](?:\s|$)|[。！？]")
_MARK = Lazy("[？؟]", r"\?(?=[\s*_)\]\"'.!~]|$)", "[?](?=[”’」』）…])", "[?](?=[\u2600-\u9fff\U0001f300-\U0001faff])")
_ADDRESSED = any_case(
    r"\b(?:you|your|yours|i|me|my|we|us|shall|should|would|which|whether|any|ok|okay|right|proceed|prefer|want"
    r"|sie|du|soll|vous|je|usted|quieres|prefieres|debo|вы|ты|мне)\b|[你您我]|要不要|需要|是否|哪|可以吗|好吗|行吗"
    r"|对吗"
)
_ASKING_WORDS = any_case(
    r"\blet me know (?:which|whether|how|what|when|where|if (?:this|that|it|i should))\b"
    r"|\blet me know if you(?:'d| would) (?:like|prefer|want)\b"
    r"|\b(?:tell me|advise) (?:which|whether|how|what|when|where|if)\b"
    r"|\bplease (?:confirm|clarify|specify|choose|provide|share|decide|pick|indicate|reply|answer|approve)\b"
    r"|\b(?:awaiting|waiting (?:for|on)) (?:your|you)\b|\bi need (?:you to|your|more (?:information|details"
    r"|context))\b"
    r"|\bonce you (?:confirm|decide|approve|choose|reply|let me know)\b"
    r"|请(?:你|您|先)?(?:确认|提供|告诉我|告知|选择|指示|回复|补充|明确|指定|给出|批准|说明|决定|答复)"
    r"|等(?:待)?(?:你|您)的?(?:确认|回复|指示|批准|答复|决定|选择)|(?:需要|希望|麻烦)(?:你|您)(?:来)?(?:提供|确认"
    r"|选择|决定|明确|告诉|补充)"
    r"|[吗呢][。.!！~]*\s*$|如果?(?:你|您)?(?:同意|愿意|需要|没问题|觉得可以|确认|希望)[^。\n]{0,40}我(?:就|会|可以"
    r"|马上|将|再)"
    r"|(?:でしょうか|ますか|ですか|ましょうか)[。.]?\s*$|(?:教えて|確認して|お知らせ|選んで)(?:ください|下さい)"
    r"|(?:할까요|될까요|나요|주세요|알려\s?주)"
)
_OFFER = any_case(
    r"\b(?:shall|should|may|can) i\b|\b(?:would you like|do you want|want|like) me to\b"
    r"|\bready (?:to (?:start|proceed)|when)|\byour (?:approval|confirmation|go-ahead)\b"
    r"|\b(?:proceed|go ahead|get started|start implementing|sound good|look good)\b"
    r"|(?:要|需要|让|由)我(?:现在|直接|继续|开始|来|去|帮)?|是否(?:开始|继续|执行|需要|要|可以|同意|按)|(?:可以"
    r"|能)(?:开始|继续|动手)"
    r"|(?:开始|继续|动手|执行|实施)(?:吗|么)|我(?:就|会|马上|再)(?:开始|继续|动手|执行|实现|修改)"
    r"|soll ich|dois-je|souhaitez-vous|debo|quieres que|進めて(?:も|よ)|始めて(?:も|よ)|할까요"
    r"|(?:始め|開始し|進め|着手し|修正し|実装し|実行し|確認し|対応し)(?:ましょうか|ますか|てもよ|ても良|ていいです)"
    r"|(?:시작|진행|수정|구현)(?:할까요|해도 될까요|하시겠)|\b(?:quieres|quiere|desea|deseas) que\b|\b(?:empiezo"
    r"|procedo|comienzo)\b"
    r"|\b(?:posso|devo|quer que eu) (?:come[cç]ar|prosseguir|iniciar|seguir|fa[cç]a)|\bje (?:commence|procède"
    r"|continue)\b|\bvoulez-vous que\b"
    r"|\bсделать\?|\b(?:начать|приступ\w+|продолж\w+)\b"
)
_MORE = any_case(
    r"\b(?:also|additionally|as well|another|further|next|else|too|more)\b|另外|还(?:要|需要|想)|顺便|其他|更多"
    r"|接下来"
)
_SECRET = any_case(
    r"\b(?:password|passphrase|token|api[- ]?key|credentials?|secret|account id|license key|access to|permission to"
    r"|irreversible|cannot be undone|permanently|production|destructive|data loss|cost|billing|legal)\b"
    r"|密码|密钥|令牌|凭证|凭据|账号|账户|权限|不可逆|无法恢复|不可恢复|生产环境|数据丢失|费用|付费|授权"
)


def _line_asks(line: str) -> bool:
    if _ASKING_WORDS.search(line):
        return True
    heading = line.lstrip().startswith("#")
    for mark in _MARK.finditer(line):
        sentence = _MARKS.split(line[: mark.start()])[-1]
        if _ADDRESSED.search(sentence):
            return True
        # Nobody is addressed: what goes on behind it is its own answer, and a heading is a topic.
        if not heading and not line[mark.end() :].strip(" *_)]\"'”’」』）.!~…"):
            return True
    return False
