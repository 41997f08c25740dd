"""What words ask for: whether a request wants work done, and whether an answer only asks back.

Rule: pure and cautious: a rule of the gate may rest on `Wish.work` only, and every doubt makes it false.
Chinese and English are known well, a few other languages by their commonest imperatives.
"""

from __future__ import annotations

import re

from msgspec import Struct

from ccc.base.patterns import any_case

LENGTH_LIMIT = 20_000


class Wish(Struct, frozen=True):
    """What a person wants.

    `work`: something done to the project, beyond doubt. `answer`: nothing but words, or no change at all.
    `unverified`: nothing that must be run. `red`: a test that is meant to fail. `repair`: something broken made whole.
    `delicate`: something that reaches outside or cannot be undone, so that asking first is right.
    """

    work: bool = False
    answer: bool = False
    unverified: bool = False
    red: bool = False
    repair: bool = False
    delicate: bool = False


def wish(request: str) -> Wish:
    text = _LOG_LINE.sub("", _prose(request[:LENGTH_LIMIT], keep_code=True))
    if request.startswith("/"):
        return _wish_of_command(text)
    clauses = _clauses(text)
    questions = [clause for clause in clauses if _is_question(clause)]
    words = [clause for clause in clauses if clause not in questions and _WORDS_WANTED.search(clause)]
    plain = [clause for clause in clauses if clause not in questions and clause not in words]
    joined = bool(_JOINED_WORK.search(text))
    work = joined or any(_is_imperative(clause) for clause in plain)
    polite = any(_POLITE.match(clause) and _is_imperative(clause) for clause in questions)
    forbidden = bool(_NO_CHANGE.search(text))
    return Wish(
        work=work
        and (joined or not words)
        and not (questions or forbidden or _ASK_FIRST.search(text) or _PROSE_WORK.search(text))
        and not _BARE.search(text),
        answer=bool(_NO_CHANGE_AT_ALL.search(text))
        or (bool(questions or words or forbidden) and not work and not polite),
        unverified=bool(_NO_RUN.search(text)),
        red=bool(_RED.search(text)),
        repair=bool(_REPAIR.search(text)),
        delicate=bool(_DELICATE.search(text)),
    )


def asks(message: str) -> bool:
    """Whether an answer asks the person something, wherever the question stands; not in code, quotes or addresses."""
    text = _prose(message[-LENGTH_LIMIT:], keep_code=False)
    return any(_line_asks(line) for line in text.split("\n"))


def offers_to_start(message: str) -> bool:
    """Whether an answer asks for leave to begin with what was asked for."""
    text = _prose(message[-LENGTH_LIMIT:], keep_code=False)
    return any(_OFFER.search(line) and not _MORE.search(line) for line in text.split("\n"))


def mentions_checks(text: str) -> bool:
    return bool(_CHECK_WORDS.search(text[:LENGTH_LIMIT]))


def asks_for_secrets(message: str) -> bool:
    """Whether an answer asks for what only the person can have, or for leave to do what cannot be undone."""
    return bool(_SECRET.search(message[-LENGTH_LIMIT:]))


def calls_off(words: str) -> bool:
    """Whether words typed while the agent worked tell it to leave off."""
    return bool(_CALLS_OFF.search(_prose(words[:LENGTH_LIMIT], keep_code=False)))


def is_chinese(text: str) -> bool:
    """Whether to answer in Chinese: Han characters, and neither kana nor hangul, which are other languages."""
    return bool(re.search(r"[\u3400-\u9fff]", text)) and not re.search(r"[\u3040-\u30ff\uac00-\ud7af]", text)


# --- pieces ------------------------------------------------------------------------------------------------------

_FENCE = any_case(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)")
_INLINE = any_case(r"`[^`\n]*`")
_URL = any_case(r"\b(?:https?|ftp|file)://\S+|\bwww\.\S+")
_QUOTED = any_case(r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|「[^」\n]{1,300}」|『[^』\n]{1,300}』|«[^»\n]{1,300}»")
# Pasted output may tell somebody to fix something as well.
_LOG_LINE = any_case(
    r"(?m)^[ \t]*(?:[>$%#][ \t]|\[|\d{2,4}[-:/]\d{2}|npm (?:err|warn|error)|at \S+ ?\(|File \"|Traceback|E  |\^+"
    r"|(?:error|warning|warn|info|debug|fatal|note|hint|help)\b).*$"
)
_CITED = any_case(r"(?m)^[ \t]*>.*$")


def _prose(text: str, *, keep_code: bool) -> str:
    text = _CITED.sub("", _URL.sub(" ", _FENCE.sub("\n", text)))
    if keep_code:
        return _INLINE.sub(lambda code: f"`{code[0][1:-1].replace('?', '')}`", text)
    return _QUOTED.sub(" ", _INLINE.sub(" ", text))


def _clauses(text: str) -> list[str]:
    """Sentences, and in Chinese also what commas divide; each keeps the mark that ends it."""
    found = re.findall(r"[^.!?;\n。！？；，]*(?:\.(?=\S)[^.!?;\n。！？；，]*)*[.!?;\n。！？；，]?", text)
    return [clause.strip() for clause in found if clause.strip()]


def _wish_of_command(text: str) -> Wish:
    """A custom command: what it does is its own affair; only its name may show that it wants words."""
    name = re.match(r"/[\w:-]*", text)
    asked = bool(name and re.search(r"plan|review|explain|ask|discuss|brainstorm|audit|analy|research", name[0]))
    return Wish(answer=asked, unverified=bool(_NO_RUN.search(text)), red=bool(_RED.search(text)), delicate=True)


# --- requests ----------------------------------------------------------------------------------------------------

# Verbs that mean a change of the project, and verbs that may as well mean a text.
_STRONG = (
    "fix|implement|refactor|debug|rename|migrate|upgrade|port|rewrite|remove|replace|add|update|change|modify|resolve"
    "|repair|correct|integrate|convert|extract|split|merge|optimi[sz]e|handle|support|enable|disable|configure|set up"
    "|clean up|finish|complete|install|bump|move|wire up|hook up|patch|adjust|adapt|build|run|execute"
)
_WEAK = "write|create|make|generate|develop|code|set|improve|apply|do"
_ARTEFACT = (
    r"`[^`]+`|\b[\w-]+\.(?:py|js|jsx|ts|tsx|go|rs|java|kt|rb|php|c|cc|cpp|h|cs|swift|sh|sql|html|css|vue|json|ya?ml|toml)\b"
    r"|\b(?:file|function|class|method|module|component|endpoint|api|script|tests?|bug|page|button|server|client|cli"
    r"|command|project|repo(?:sitory)?|package|service|database|table|migration|schema|handler|parser|plugin|hook"
    r"|app(?:lication)?|website|feature|login|form|route|config|dockerfile|makefile|pipeline|workflow|unit)\b"
)
_LEAD = (
    r"(?:^|[.!;:,]\s+|^[-*\d.)\s]+|\b(?:please|pls|kindly|and|then|now|also|just|next|finally|first|can you|could you"
    r"|would you|will you|you to|you should|you must|let's|go ahead and|help me)\s+)"
)
_IMPERATIVE_EN = any_case(rf"{_LEAD}(?:{_STRONG})\b(?!\s+(?:me|us)\b)")
_IMPERATIVE_WEAK_EN = any_case(rf"{_LEAD}(?:{_WEAK})\b")
_ARTEFACT_EN = any_case(_ARTEFACT)

_STRONG_ZH = (
    "修复|修正|修好|修一下|修掉|改成|改为|改一下|修改|更改|改造|实现|添加|增加|新增|加上|加个|加一个|加入|删除|删掉|移除|去掉|重构|重写"
    "|重命名|替换|换成|迁移|升级|优化|完善|补充|补上|补全|编写|创建|新建|搭建|开发|集成|接入|配置|安装|运行|跑一下|跑一遍|执行"
    "|调试|解决|完成|拆分|合并|更新|适配|支持|封装|抽取|抽出|整理|清理|写一个|写个|做一个|做个|生成|落实|处理掉|处理好|打通|让.{0,12}通过"
)
_NOT_A_NOUN_ZH = (
    r"(?!.{0,12}(?:方案(?![一二三四A-Ea-e1-9])|计划|思路|建议|办法|步骤|清单|文案|邮件|作文|诗|的原因|的方法|的区别))"
)
# What is told as done already is no request.
_IMPERATIVE_ZH = any_case(
    rf"^(?!.*(?:已经?|刚刚?|都|之前|昨天)[^，。]{{0,6}}(?:{_STRONG_ZH}))(?!.*(?:{_STRONG_ZH})了)"
    rf"(?!.*(?:{_STRONG_ZH})[^，。]{{0,10}}了[，。！!\s]*$)"
    rf".*?(?:{_STRONG_ZH}){_NOT_A_NOUN_ZH}"
)
# Without an object there is nothing to start with.
_BARE = any_case(
    r"^\s*(?:please\s+)?[a-z]+(?:\s+(?:it|this|that|them|now|please|everything|up))*[\s.!]*$",
    r"^[\u3400-\u9fff]{1,4}[。！!\s]*$",
)
_IMPERATIVE_OTHER = any_case(
    r"\b(?:behebe|repariere|implementiere|füge|ändere|ergänze|entferne|korrigiere|aktualisiere"
    r"|arregla|corrige|implementa|añade|agrega|refactoriza|elimina|actualiza"
    r"|implémente|ajoute|refactorise|modifie|supprime|répare"
    r"|corrija|adicione|implemente|conserte|remova|atualize|correggi|aggiungi)\b"
    r"|\b(?:исправь|добавь|реализуй|почини|удали|обнови|перепиши|замени)\w*"
    r"|(?:修正|実装|追加|直|作成|変更|削除|更新|リファクタ\w*)して|(?:고쳐|수정해|구현해|추가해|만들어|변경해|삭제해)"
)

_QUESTION_ZH = any_case(
    r"[吗呢么][？?。!！，,\s]*$|为什么|为何|怎么(?!样也)|怎样|如何|什么|哪(?:个|些|里|种|儿|一)|是否|能否|可否|能不能|可不可以|要不要|有没有"
    r"|是不是|多少|几个|谁|何时|意味着"
)
_QUESTION_EN = any_case(
    r"\?[\s\"')\]*_]*$"
    r"|^(?:why|how|what|which|who|when|where|whose|is|are|was|were|does|do you|did|has|have you|should|shall|may|might"
    r"|i wonder|any idea|wondering)\b"
)
_QUESTION_MARK = any_case(r"[?？؟]")
_POLITE_START = any_case(r"^(?:can|could|would|will) (?:you|we)\b")

# Clauses that want words: an explanation, a plan, an opinion.
_WORDS_WANTED = any_case(
    r"^(?:[-*\d.)\s]*)(?:(?:please|pls|kindly|now|first|then|also|just|next|help me|let'?s|so|ok|okay|hi|hello|hey"
    r"|i(?:'d| would) like(?: you)? to|i want(?: you)? to|you should)[\s,]+)*"
    r"(?:plan|explain|describe|review|analy[sz]e|brainstorm|discuss|suggest|propose|recommend|outline|summari[sz]e"
    r"|compare|evaluate|assess|estimate|investigate|research|diagnose|audit|inspect|report|think|look|tell|show|give"
    r"|list|walk|teach|understand|draft|find|figure|check|see|study|read|consider|answer|talk|know|learn)\b",
    r"^(?:请|麻烦|帮忙|帮我|给我|你|先|再|然后|现在|能否|帮)*(?:分析|解释|讲|介绍|评估|评审|审查|审阅|点评|讨论|聊|建议|看|了解|梳理|总结"
    r"|列出|列|对比|比较|调研|研究|头脑风暴|设计|告诉|说|想|回答|检查|排查|查|估算|确认|制定|规划|思考|描述|概括|阅读|读)",
    r"(?:给|出|写|做|提|列|拟|制定|设计)[^，。\n]{0,10}(?:方案(?![一二三四A-Ea-e1-9])|计划|思路|建议|清单)",
    r"^(?:erkläre|beschreibe|explica|describe|explique|décris|объясни|опиши|説明して|教えて|설명해)",
)
_ASK_FIRST = any_case(
    r"\b(?:ask|interview|quiz) me\b|\bbefore you (?:start|begin|write|change|touch|implement|do)\b",
    r"\bwait for (?:my|me)\b",
    r"\b(?:confirm|check) with me\b|\bwith my (?:approval|ok)\b|\bplan first\b|\bfirst (?:plan|propose|show|ask)\b",
    r"先(?:问|给|出|列|讨论|说|确认|规划|计划|别|不)|问我|等我|(?:我|经我)(?:确认|同意|批准)|和我(?:确认|讨论|商量)|有(?:疑问|问题)就?问",
)
_NO_CHANGE = any_case(
    r"(?:不要|别|不用|不必|无需|先不|暂不|不许|禁止|勿)(?:急着|再|去|直接|随便|先|做)?(?:任何)?"
    r"(?:改|动|修|写|编辑|实现|执行|做|提交|开始)"
    r"|只(?:读|看|分析|回答|告诉|需要?说|要说|讨论|规划|给方案)|仅(?:分析|讨论|回答)"
    r"|\b(?:don'?t|do not|never|without|no need to|avoid|rather than|instead of)\s+(?:\w+\s+){0,3}?"
    r"(?:chang|edit|modif|touch|writ|implement|cod|fix|start|mak|apply|commit|do)(?:e|ing|y|ying|ting|ed)?\b"
    r"|\bnicht änder"
)
_NO_CHANGE_AT_ALL = any_case(
    r"(?:不要|别|不用|不必|无需|先不|暂不|勿)(?:急着|再|去|直接|先)?(?:改|动|修改|写|编辑)(?:任何)?(?:代码|东西|文件|手)",
    r"只(?:读|看|分析|回答|告诉|需要?说|要说|讨论|规划|给方案)|仅(?:分析|讨论|回答)",
    r"\b(?:don'?t|do not|without)\s+(?:\w+\s+)?(?:chang|edit|modif|touch|writ|implement)(?:e|ing|y|ying|ting)?\s+"
    r"(?:anything|any|the code|code|files|yet|it yet)\b",
    r"\bread[- ]only\b|\bno (?:code|changes?|edits?)\b",
    r"\b(?:just|only) (?:tell|explain|answer|plan|describe|show|look)\b|\bnur (?:erklär|lesen)|\bsolo explica",
)
_VERBS_JOINED = "fix|implement|repair|resolve|correct|apply|update|refactor|rewrite|add|change|patch|make it work"
_JOINED_WORK = any_case(
    rf"(?:并且?|然后|之后|接着|随后|再|后|顺便|，|、|；)\s*(?:帮我|请|直接|把.{{0,20}}?|将.{{0,20}}?|立即|马上|动手)?"
    rf"(?:{_STRONG_ZH}){_NOT_A_NOUN_ZH}"
    rf"|(?:\b(?:and|then|&)\s+|[,;.]\s+(?:then\s+|please\s+)?)(?:{_VERBS_JOINED})\b"
)
_PROSE_WORK = any_case(
    r"\b(?:grammar|sentence|paragraph|essay|poem|haiku|story|letter|e-?mail|tweet|blog|wording|speech|joke|recipe|song"
    r"|cover letter|slogan|translation|translate|this text|commit message|pr description|release notes)\b"
    r"|邮件|作文|诗|文章|文案|翻译|润色|这句话|这段话|段落|标语|故事|笑话|周报|日报|提交信息|措辞"
)
_NO_RUN = any_case(
    r"(?:不要|别|不用|不必|无需|无须|不需要|先不|暂不|勿|没必要)(?:再|去|急着)?(?:运行|跑|执行|测试?|验证|编译|构建|检查)"
    r"|我(?:自己|来|会|等下|稍后|之后)\w{0,4}?(?:运行|跑|测|验证|编译|构建|试)|只(?:改|写)(?:代码)?(?:就行|即可|就好|，)"
    r"|\b(?:don'?t|do not|no need to|without|never|not necessary to|needn'?t|skip|avoid)\s+(?:\w+\s+){0,3}?"
    r"(?:run|running|test|tests|testing|execut\w+|verif\w+|build|building|compil\w+|check\w*)\b"
    r"|\bi(?:'ll| will| can)\s+(?:\w+\s+){0,2}?(?:run|test|verify|build|check|try)\b|\bcan(?:'t|not) be run\b"
    r"|\bnicht (?:ausführen|testen)|\bsin ejecutar|\bsans (?:lancer|exécuter)",
    # What changes no behaviour: taking back, comments, a version number.
    r"\b(?:revert|undo|roll back)\b|撤销|还原|回退|恢复原",
    r"\b(?:add|update|write|fix|translate|remove|improve|clean up)\s+(?:\w+\s+){0,4}?(?<!review )(?<!pr )"
    r"(?:comments?|docstrings?|typos?|copyright|license headers?)\b|注释|错别字|文档字符串|版权",
    r"\bbump\b[^.\n]{0,20}\bversion\b|版本号",
)
_RED = any_case(
    r"\b(?:write|add|create)\b[^.\n]{0,60}\b(?:failing|red)\b[^.\n]{0,20}\btests?\b|\breproduc\w*|\brepro\b|\btdd\b"
    r"|\btests? (?:that|which) (?:currently )?fails?\b|\b(?:should|must|will|to) fail\b|\bexpected to fail\b"
    r"|复现|重现|(?:写|加|添加|补)[^。\n]{0,12}失败的?(?:测试|用例)|测试先行|预期失败"
    r"|(?:ignore|leave|despite|even if)[^.\n]{0,40}\bfail|\bbaseline\b"
    r"|失败(?:也|了)?(?:没关系|不要紧|不用管|可以忽略)|忽略[^。\n]{0,10}失败"
)
_TROUBLE = (
    r"(?:tests?|specs?|suite|build|ci|lint\w*|compil\w*|type ?checks?|fail\w*|broken|bugs?|crash\w*|regression|errors?"
    r"|flak\w*)"
)
_REPAIR = any_case(
    rf"\b(?:fix|repair|resolve|solve|debug|correct)\b[^.\n]{{0,80}}\b{_TROUBLE}\b|\bfix (?:whatever|what|all|any)\b",
    r"\b(?:make|get|until|so that|ensure|sure)\b[^.\n]{0,60}\b(?:pass(?:es)?|green|works?|compiles?|builds?)\b",
    r"(?:修复|修正|修好|修一下|修掉|解决|调试)[^。\n]{0,30}(?:测试|用例|构建|编译|报错|失败|错误|崩溃|bug|问题|CI)",
    r"(?:测试|构建|编译|报错|失败|错误|崩溃|bug|问题)[^。\n]{0,20}(?:修复|修正|修好|修一下|修掉|解决)",
    r"调通|跑通|让.{0,12}通过",
)
_DELICATE = any_case(
    r"\b(?:deploy|publish|release|push|delete|drop|wipe|purge|pay|purchase|send|e-?mail|production|prod|rm -rf|force"
    r"|truncate|reset --hard|shut ?down|terminate|rotate|revoke|merge to (?:main|master))\b"
    r"|部署|发布|上线|推送|删库|删表|清空|付款|支付|下单|生产环境|线上|发送|群发|回滚|停机"
)


def _is_question(clause: str) -> bool:
    return any(pattern.search(clause) for pattern in (_QUESTION_MARK, _QUESTION_EN, _QUESTION_ZH, _POLITE_START))


# A request in the form of a question. Whether it wants work is for the reviewer to weigh, unless work was done.
_POLITE = any_case(
    r"(?:hi|hey|hello|please)?[,\s]*(?:can|could|would|will) (?:you|we)\b"
    r"(?!.*\b(?:explain|tell|describe|why|how|what)\b)",
    r"(?:请问)?(?:你|您)?(?:能不能|能否|可否|可不可以|可以|能|麻烦)(?!.*(?:为什么|怎么|什么|如何|哪|解释|说明|告诉))",
)


def _is_imperative(clause: str) -> bool:
    if _IMPERATIVE_EN.search(clause) or _IMPERATIVE_ZH.search(clause) or _IMPERATIVE_OTHER.search(clause):
        return True
    return bool(_IMPERATIVE_WEAK_EN.search(clause) and _ARTEFACT_EN.search(clause))


_CHECK_WORDS = any_case(r"\b(?:test|run|verif|check|build|compil|execut)|测试|运行|验证|构建|编译|检查|执行")
_CALLS_OFF = any_case(
    r"^\s*(?:stop|wait|pause|hold on|enough|cancel|abort|never ?mind|leave it|that'?s (?:enough|fine|ok|all)|forget)\b",
    r"\b(?:stop|leave) (?:here|it|now|there|that|as is)\b|\b(?:don'?t|do not) (?:bother|worry|continue|go on)\b",
    r"\b(?:good|fine) enough\b|\bi'?ll (?:do|take|handle|finish|fix)\b",
    r"停|等等|等一下|先这样|就这样|够了|取消|算了|不用(?:管|了|修|再)|别(?:管|修|再|继续)|到此为止|我(?:自己)?来",
)


# --- answers -----------------------------------------------------------------------------------------------------

_MARK = any_case(r"[？؟]|\?(?=[\s*_)\]\"'”’」』）.!~…]|$|[\u2600-\u9fff\U0001f300-\U0001faff])")
_ADDRESSED = any_case(
    r"\b(?:you|your|yours|i|me|my|we|us|shall|should|would|which|whether|any|ok|okay|right|proceed|prefer|want"
    r"|sie|du|soll|vous|je|usted|quieres|prefieres|debo|вы|ты|мне)\b|[你您我]|要不要|需要|是否|哪|可以吗|好吗|行吗|对吗"
)
_ASKING_WORDS = any_case(
    r"\blet me know (?:which|whether|how|what|when|where|if (?:this|that|it|i should))\b"
    r"|\blet me know if you(?:'d| would) (?:like|prefer|want)\b"
    r"|\b(?:tell me|advise) (?:which|whether|how|what|when|where|if)\b"
    r"|\bplease (?:confirm|clarify|specify|choose|provide|share|decide|pick|indicate|reply|answer|approve)\b"
    r"|\b(?:awaiting|waiting (?:for|on)) (?:your|you)\b|\bi need (?:you to|your|more (?:information|details|context))\b"
    r"|\bonce you (?:confirm|decide|approve|choose|reply|let me know)\b"
    r"|请(?:你|您|先)?(?:确认|提供|告诉我|告知|选择|指示|回复|补充|明确|指定|给出|批准|说明|决定|答复)"
    r"|等(?:待)?(?:你|您)的?(?:确认|回复|指示|批准|答复|决定|选择)|(?:需要|希望|麻烦)(?:你|您)(?:来)?(?:提供|确认|选择|决定|明确|告诉|补充)"
    r"|[吗呢][。.!！~]*\s*$|如果?(?:你|您)?(?:同意|愿意|需要|没问题|觉得可以|确认|希望)[^。\n]{0,40}我(?:就|会|可以|马上|将|再)"
    r"|(?:でしょうか|ますか|ですか|ましょうか)[。.]?\s*$|(?:教えて|確認して|お知らせ|選んで)(?:ください|下さい)"
    r"|(?:할까요|될까요|나요|주세요|알려\s?주)"
)
_OFFER = any_case(
    r"\b(?:shall|should|may|can) i\b|\b(?:would you like|do you want|want|like) me to\b"
    r"|\bready (?:to (?:start|proceed)|when)|\byour (?:approval|confirmation|go-ahead)\b"
    r"|\b(?:proceed|go ahead|get started|start implementing|sound good|look good)\b"
    r"|(?:要|需要|让|由)我(?:现在|直接|继续|开始|来|去|帮)?|是否(?:开始|继续|执行|需要|要|可以|同意|按)|(?:可以|能)(?:开始|继续|动手)"
    r"|(?:开始|继续|动手|执行|实施)(?:吗|么)|我(?:就|会|马上|再)(?:开始|继续|动手|执行|实现|修改)"
    r"|soll ich|dois-je|souhaitez-vous|debo|quieres que|進めて(?:も|よ)|始めて(?:も|よ)|할까요"
)
_MORE = any_case(
    r"\b(?:also|additionally|as well|another|further|next|else|too|more)\b|另外|还(?:要|需要|想)|顺便|其他|更多|接下来"
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
        sentence = re.split(r"[.!?。！？](?:\s|$)|[。！？]", line[: mark.start()])[-1]
        if _ADDRESSED.search(sentence):
            return True
        # Nobody is addressed: what goes on behind it is its own answer, and a heading is a topic.
        if not heading and not line[mark.end() :].strip(" *_)]\"'”’」』）.!~…"):
            return True
    return False
