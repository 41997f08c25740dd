"""What words ask for: whether a request wants work done, and whether an answer only asks back.

Rule: pure and cautious: a rule of the gate may rest on `Wish.work` only, and every doubt makes it false.
Chinese and English are known well, a few other languages by their commonest imperatives.
"""

# ruff: noqa: RUF001

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from msgspec import Struct

from ccc.base.patterns import Letters, any_case
from ccc.evidence.tongues import HANGUL, KANA

LENGTH_LIMIT = 20_000


class Wish:
    """What a person wants, looked for when it is first asked: a Stop asks for little of it, and each is long to find.

    `work`: something done to the project, beyond doubt. `answer`: nothing but words, or no change at all.
    `unverified`: nothing that must be run. `red`: a test that is meant to fail. `repair`: something broken made whole.
    `delicate`: something that reaches outside or cannot be undone, so that asking first is right. `forbids`: it says
    that nothing is to be changed. `checks`: the failing tests or the broken build are themselves what is to be mended.
    `run`: something is to be run, not only written.
    """

    def __init__(self, request: str) -> None:
        self._text = _LOG_LINE.sub("", simpler(prose(request[:LENGTH_LIMIT], keep_code=True)))

    @property
    def work(self) -> bool:
        text, plain = self._text, self._sorts
        return (
            self._wants_work
            and (plain.joined or not plain.words)
            and not (plain.questions or plain.forbidden or _ASK_FIRST.search(text) or _PROSE_WORK.search(text))
            and not _is_bare(text)
        )

    @property
    def answer(self) -> bool:
        sorts = self._sorts
        only_words = bool(sorts.questions or sorts.words or sorts.forbidden) and not self._wants_work
        return self.forbids or (only_words and not _are_polite(sorts.questions))

    @property
    def unverified(self) -> bool:
        return bool(_NO_RUN.search(self._text))

    @property
    def red(self) -> bool:
        return bool(_RED.search(self._text))

    @property
    def repair(self) -> bool:
        return bool(_REPAIR.search(self._text))

    @property
    def delicate(self) -> bool:
        return bool(_DELICATE.search(self._text))

    @property
    def forbids(self) -> bool:
        return bool(_NO_CHANGE_AT_ALL.search(self._text))

    @property
    def checks(self) -> bool:
        return bool(_MEND_CHECKS.search(self._text))

    @property
    def run(self) -> bool:
        return bool(_RUN.search(self._text))

    @cached_property
    def _sorts(self) -> _Sorts:
        return _sorted(self._text)

    @cached_property
    def _wants_work(self) -> bool:
        return self._sorts.joined or any(map(_is_imperative, self._sorts.plain))


class _OfCommand(Wish):
    """A custom command: what it does is its own affair; only its name may show that it wants words."""

    work, repair, delicate, checks, run = False, False, True, False, False

    @property
    def answer(self) -> bool:
        name = re.match(r"/[\w:-]*", self._text)
        return bool(name and re.search(r"plan|review|explain|ask|discuss|brainstorm|audit|analy|research", name[0]))


class _Sorts(Struct, frozen=True):
    """The clauses of a request by their sort, and what the whole says of work and of none."""

    questions: list[str]
    words: list[str]
    plain: list[str]
    joined: bool
    forbidden: bool


def wish(request: str) -> Wish:
    return _OfCommand(request) if request.startswith("/") else Wish(request)


def _sorted(text: str) -> _Sorts:
    clauses = _clauses(text)
    questions = [clause for clause in clauses if _is_question(clause)]
    words = [clause for clause in clauses if clause not in questions and _WORDS_WANTED.search(clause)]
    plain = [clause for clause in clauses if clause not in questions and clause not in words]
    return _Sorts(questions, words, plain, bool(_JOINED_WORK.search(text)), bool(_NO_CHANGE.search(text)))


def _are_polite(questions: Iterable[str]) -> bool:
    return any(_POLITE.match(clause) and _is_imperative(clause) for clause in questions)


def mentions_checks(text: str) -> bool:
    return bool(_CHECK_WORDS.search(text[:LENGTH_LIMIT]))


def calls_off(words: str) -> bool:
    """Whether words typed while the agent worked tell it to leave off."""
    return bool(_CALLS_OFF.search(simpler(prose(words[:LENGTH_LIMIT], keep_code=False))))


def confirms(words: str) -> bool:
    """Whether a person says that they have seen it work."""
    text = simpler(prose(words[:LENGTH_LIMIT], keep_code=False))
    return len(text) <= CONFIRMATION and bool(_CONFIRMS.search(text)) and not _NOT_YET.search(text)


CONFIRMATION = 120


def approves(words: str) -> bool:
    """Whether these are words by which a person lets a plan be carried out, and nothing else."""
    return bool(_APPROVAL.match(simpler(words.strip()[:200])))


def has_standing_rule(words: str) -> bool:
    """Whether a person wants to be asked first, always."""
    return bool(_ASK_FIRST.search(simpler(words[:LENGTH_LIMIT])))


def is_chinese(text: str) -> bool:
    """Whether to answer in Chinese: Han characters, and neither kana nor hangul, which are other languages."""
    return _HAN.search(text) and not (KANA.search(text) or HANGUL.search(text))


_HAN = Letters("\u3400\u9fff")  # with the rarer ones


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


def simpler(text: str) -> str:
    """Traditional Chinese in simplified characters, as far as anything here looks for them; Japanese as it is."""
    return text if text.isascii() or KANA.search(text) else text.translate(_SIMPLER)


_SIMPLER = str.maketrans(
    "請問嗎麼為樣個這裡裏們說寫動運執測試驗證編譯構檢確認實現創刪將後來過還沒無開關發佈線產環碼檔對應該會給讓幫優補調錯誤題輯時間點擊頁圖數據庫帳號網連結報態"
    "擇選單總議計畫劃導進處類復複綠紅訊輸學覺聽讀轉換遷級標準兩幾誰種邊嘗啟啓項務專業訂閱詢註釋儲顯隱錄鎖鍵壞舊東夠別繼續暫罷從經當與們議變資單設觸壓煩貼敗燒規範異斷決歸裝載備傳滿",
    "请问吗么为样个这里里们说写动运执测试验证编译构检确认实现创删将后来过还没无开关发布线产环码档对应该会给让帮优补调错误题辑时间点击页图数据库账号网连结报态"
    "择选单总议计画划导进处类复复绿红讯输学觉听读转换迁级标准两几谁种边尝启启项务专业订阅询注释储显隐录锁键坏旧东够别继续暂罢从经当与们议变资单设触压烦贴败烧规范异断决归装载备传满",
)


def prose(text: str, *, keep_code: bool) -> str:
    text = _CITED.sub("", _URL.sub(" ", _FENCE.sub("\n", text)))
    if keep_code:
        return _INLINE.sub(lambda code: f"`{code[0][1:-1].replace('?', '')}`", text)
    return _QUOTED.sub(" ", _INLINE.sub(" ", text))


def _clauses(text: str) -> list[str]:
    """Sentences, and in Chinese also what commas divide; each keeps the mark that ends it."""
    found = re.findall(r"[^.!?;\n。！？；，]*(?:\.(?=\S)[^.!?;\n。！？；，]*)*[.!?;\n。！？；，]?", text)
    return [clause.strip() for clause in found if clause.strip()]


# --- requests ----------------------------------------------------------------------------------------------------

# Verbs that mean a change of the project, and verbs that may as well mean a text.
_STRONG = (
    "fix|implement|refactor|debug|rename|migrate|upgrade|port|rewrite|remove|replace|add|update|change|modify|resolve"
    "|repair|correct|integrate|convert|extract|split|merge|optimi[sz]e|handle|support|enable|disable|configure|set up"
    "|clean up|finish|complete|install|bump|move|wire up|hook up|patch|adjust|adapt|build|run|execute"
)
_WEAK = "write|create|make|generate|develop|code|set|improve|apply|do"
_ARTEFACT = (
    r"`[^`]+`|\b[\w-]+\.(?:py|js|jsx|ts|tsx|go|rs|java|kt|rb|php|c|cc|cpp|h|cs|swift|sh|sql|html|css|vue|json|ya?ml"
    r"|toml)\b"
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
_BARE = any_case(r"^\s*(?:please\s+)?[a-z]+(?:\s+(?:it|this|that|them|now|please|everything|up))*[\s.!]*$")
_IMPERATIVE_OTHER = any_case(
    r"\b(?:behebe|repariere|implementiere|füge|ändere|ergänze|entferne|korrigiere|aktualisiere"
    r"|arregla|corrige|implementa|añade|agrega|refactoriza|elimina|actualiza"
    r"|implémente|ajoute|refactorise|modifie|supprime|répare"
    r"|corrija|adicione|implemente|conserte|remova|atualize|correggi|aggiungi)\b"
    r"|\b(?:исправь|добавь|реализуй|почини|удали|обнови|перепиши|замени)\w*"
    r"|(?:修正|実装|追加|直|作成|変更|削除|更新|リファクタ\w*)して|(?:고쳐|수정해|구현해|추가해|만들어|변경해|삭제해)"
)

_QUESTION_ZH = any_case(
    r"[吗呢么][？?。!！，,\s]*$|为什么|为何|怎么(?!样也)|怎样|如何|什么|哪(?:个|些|里|种|儿|一)|是否|能否|可否"
    r"|能不能|可不可以|要不要|有没有"
    r"|是不是|多少|几个|谁|何时|意味着"
)
_QUESTION_EN = any_case(
    r"\?[\s\"')\]*_]*$"
    r"|^(?:why|how|what|which|who|when|where|whose|is|are|was|were|does|do you|did|has|have you|should|shall|may"
    r"|might"
    r"|i wonder|any idea|wondering|i was wondering|i'?d like to know|i want to know|do you know|curious|not sure"
    r"|thoughts)\b"
    r"|\b(?:wondering|curious|not sure|unsure|don'?t (?:know|understand|get)|tell me|let me know|want to know"
    r"|like to know)\b"
    r"[^.\n]{0,20}\b(?:if|whether|why|how|what|which|where|when|who)\b|\bis it (?:possible|ok|okay|worth)\b"
    r"|\bwhat about\b|\bhow about\b"
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
    r"^(?:请|麻烦|帮忙|帮我|给我|你|先|再|然后|现在|能否|帮)*(?:分析|解释|讲|介绍|评估|评审|审查|审阅|点评|讨论|聊"
    r"|建议|看|了解|梳理|总结"
    r"|列出|列|对比|比较|调研|研究|头脑风暴|设计|告诉|说|想|回答|检查|排查|查|估算|确认|制定|规划|思考|描述|概括"
    r"|阅读|读)",
    r"(?:给|出|写|做|提|列|拟|制定|设计)[^，。\n]{0,10}(?:方案(?![一二三四A-Ea-e1-9])|计划|思路|建议|清单)",
    r"^(?:erkläre|beschreibe|explica|describe|explique|décris|объясни|опиши|説明して|教えて|설명해)",
)
_ASK_FIRST = any_case(
    r"\b(?:ask|interview|quiz) me\b|\bbefore you (?:start|begin|write|change|touch|implement|do)\b",
    r"\bwait for (?:my|me)\b",
    r"\b(?:confirm|check) with me\b|\bwith my (?:approval|ok)\b|\bplan first\b|\bfirst (?:plan|propose|show|ask)\b",
    r"先(?:问|给|出|列|讨论|说|确认|规划|计划|别|不)|问我|等我|(?:我|经我)(?:确认|同意|批准)|和我(?:确认|讨论|商量)"
    r"|有(?:疑问|问题)就?问",
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
    r"(?:不要|别|不用|不必|无需|先不|暂不|勿)(?:急着|再|去|直接|先)?(?:改|动|修改|写|编辑)(?:任何)?(?:代码|东西"
    r"|文件|手)",
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
    r"\b(?:grammar|sentence|paragraph|essay|poem|haiku|story|letter|e-?mail|tweet|blog|wording|speech|joke|recipe"
    r"|song"
    r"|cover letter|slogan|translation|translate|this text|commit message|pr description|release notes)\b"
    r"|邮件|作文|诗|文章|文案|翻译|润色|这句话|这段话|段落|标语|故事|笑话|周报|日报|提交信息|措辞"
)
_NO_RUN = any_case(
    r"(?:不要|别|不用|不必|无需|无须|不需要|先不|暂不|勿|没必要)(?:再|去|急着)?(?:运行|跑|执行|测试?|验证|编译|构建"
    r"|检查)"
    r"|我(?:自己|来|会|等下|稍后|之后)\w{0,4}?(?:运行|跑|测|验证|编译|构建|试)|只(?:改|写)(?:代码)?(?:就行|即可"
    r"|就好|，)"
    r"|\b(?:don'?t|do not|no need to|without|never|not necessary to|needn'?t|skip|avoid)\s+(?:\w+\s+){0,3}?"
    r"(?:run|running|test|tests|testing|execut\w+|verif\w+|build|building|compil\w+|check\w*)\b"
    r"|\bi(?:'ll| will| can)\s+(?:\w+\s+){0,2}?(?:run|test|verify|build|check|try)\b|\bcan(?:'t|not) be run\b"
    r"|\b(?:nichts?|ohne|kein\w*)\b[^.\n]{0,30}\b(?:ausführ\w*|test\w*|start\w*|lauf\w*|bauen|ausprobier\w*"
    r"|funktionier\w*)"
    r"|\bich (?:teste|prüfe|starte|lese|probiere)\b"
    r"|\b(?:sin|no) (?:ejecut\w+|prob\w+|corr\w+|lanc\w+)|\byo (?:lo|la|los|las)? ?(?:pruebo|ejecuto|probar[eé])"
    r"|\b(?:sem|não) (?:execut\w+|test\w+|rod\w+)|\beu (?:mesmo )?(?:testo|executo|rodo|vou testar)"
    r"|\bsans (?:lancer|exécuter|tester)|\bne (?:lance|teste|exécute)\w*\b|\bje (?:teste|lance|vérifie)\w*\b"
    r"|\bне (?:запуска\w+|тестиру\w+|проверя\w+)|\bя (?:сам\w? )?(?:запущу|проверю|протестирую)"
    r"|(?:実行|テスト|ビルド|起動)(?:は|を)?(?:しないで|不要|しなくて)|(?:実行|テスト)は(?:私|こちら)"
    r"|(?:실행|테스트|빌드)(?:은|는|을|를)?\s*(?:하지\s?마|필요\s?없|안\s?해도)|(?:제가|내가)\s*(?:직접\s*)?(?:실행"
    r"|테스트|확인)",
    # The person looks at it first, or it need not work yet.
    r"\b(?:i (?:want|need|would like|'d like) to|i'?ll|let me) (?:read|review|look at|see) (?:it|this|them"
    r"|the code)\b"
    r"|\b(?:need(?:n'?t| not)|does ?n[o']t (?:have|need) to) (?:run|work|compile|pass)\b|\bproposal\b"
    r"|\bproof of concept on paper\b"
    r"|\bbefore (?:it|anything|this) (?:runs?|is run|goes|gets)\b|\b(?:bevor|ehe)\b[^.\n]{0,25}\b(?:läuft|laufen"
    r"|ausgeführt|live)"
    r"|\bnur\b[^.\n]{0,30}\b(?:\w*schreib\w*|grob\w*|vorschlag|gerüst|konzept|text)\b|\bvorschlag\b|\bdurchlesen\b"
    r"|\bantes de (?:ejecutar|correr|lanzar|executar|rodar)|\bpropuesta\b|\bproposta\b|\bavant de (?:lancer"
    r"|l'exécuter|exécuter)"
    r"|\bproposition\b|перед (?:тем,? как )?запуск\w*|実行(?:する)?前に|たたき台|실행(?:하기)? 전에|(?:运行"
    r"|执行)之?前(?:我|先|让我)",
    # Only the outside of it is wanted.
    r"\b(?:stubs?|skeleton|scaffold(?:ing)?|placeholder|signatures? (?:only|for|of)|interface only)\b"
    r"|NotImplemented|\btodo!"
    r"|函数签名|骨架|桩函数|占位|空实现|シグネチャ|スタブ|雛形|骨組み|시그니처|스텁|뼈대|골격|\b(?:esqueleto"
    r"|andamiaje|squelette|gerüst|rumpf)\b"
    r"|\bentw(?:irf|erf|urf)\w*|заглушк\w*|каркас|сигнатур\w*",
    # Only the text of it is wanted.
    r"\b(?:just|only) (?:write|draft|sketch|type|show me) (?:it|the|a|me|out|down)?\b|\b(?:draft|sketch|skeleton"
    r"|template|snippet) only\b|\bonly (?:a|the) (?:draft|sketch|first draft)\b"
    r"|\b(?:a|first|rough) draft\b|只(?:要|需要?)?(?:写|改|给)(?:出|好|一下)?(?:代码|草稿|初稿)|草稿|初稿"
    r"|先写(?:出来|着)|下書き|ドラフト|書くだけ|草案"
    r"|(?:작성|코드)만|초안|적어만|쓰기만|\bs[oó]lo (?:escrib\w+|el c[oó]digo|un borrador)|\bborrador\b|\b(?:s[oó]"
    r"|apenas|somente) (?:escrev\w+|o c[oó]digo|um rascunho)|\brascunho\b"
    r"|\b(?:juste|seulement|uniquement) (?:écri\w+|le code|un brouillon)|\bbrouillon\b|\bnur (?:schreib\w*|den code"
    r"|(?:einen|als) entwurf|ein entwurf)|\bentwurf\w*|\bskizz\w+"
    r"|\bтолько (?:напиши|код|черновик)|черновик",
    # What changes no behaviour: taking back, comments, a version number.
    r"\b(?:revert|undo|roll back)\b|撤销|还原|回退|恢复原",
    r"\b(?:add|update|write|fix|translate|remove|improve|clean up)\s+(?:\w+\s+){0,4}?(?<!review )(?<!pr )"
    r"(?:comments?|docstrings?|typos?|copyright|license headers?)\b|注释|错别字|文档字符串|版权",
    r"\bbump\b[^.\n]{0,20}\bversion\b|版本号",
)
_RED = any_case(
    # a test that fails, in the other languages
    r"(?:テスト|スペック)[^。\n]{0,24}(?:失敗する|落ちる|失敗させ|再現)|(?:失敗する|落ちる|再現する)[^。\n]{0,12}テスト|再現",
    r"(?:실패하는|깨지는|재현하는)[^.\n]{0,16}테스트|테스트[^.\n]{0,16}(?:실패하는|재현)|재현",
    r"\b(?:tests?|pruebas?|specs?)\b[^.\n]{0,50}\b(?:fall(?:e|en|a|an|ar)|reprodu\w+|rojo)\b|\breproduzca\w*",
    r"\btestes?\b[^.\n]{0,60}\b(?:falh\w+|prov\w+|reprodu\w+|vermelho)\b",
    r"\btests?\b[^.\n]{0,50}\b(?:échou\w+|rouge|reprodui\w+|montre le)(?!\w)",
    r"\btests?\b[^.\n]{0,50}\b(?:fehlschl\w+|rot|zeigt|reproduzier\w+|scheitert)\b|\b(?:fehlschlagend\w*"
    r"|rote[nr]?)\b[^.\n]{0,16}\btests?\b",
    r"тест\w*[^.\n]{0,40}(?:пада\w+|красн\w+|воспроизв\w+|провал\w+|ловит)|(?:падающ\w+"
    r"|воспроизв\w+)[^.\n]{0,16}тест",
    r"\b(?:write|add|create)\b[^.\n]{0,60}\b(?:failing|red)\b[^.\n]{0,20}\btests?\b|\breproduc\w*|\brepro\b|\btdd\b"
    r"|\btests? (?:that|which) (?:currently )?fails?\b|\b(?:should|must|will|to) fail\b|\bexpected to fail\b"
    r"|复现|重现|(?:写|加|添加|补)[^。\n]{0,12}失败的?(?:测试|用例)|测试先行|预期失败"
    r"|(?:ignore|leave|despite|even if)[^.\n]{0,40}\bfail|\bbaseline\b"
    r"|失败(?:也|了)?(?:没关系|不要紧|不用管|可以忽略)|忽略[^。\n]{0,10}失败",
    # what may stay red
    r"\bnot your (?:problem|job|concern|fault|business)\b|\bknown (?:to be )?(?:red|broken|failing|failures?)\b"
    r"|\b(?:is|are|was|were) (?:already |currently )?(?:red|broken|failing|down)\b[^.\n]{0,12}\b(?:this week|today"
    r"|anyway|already|for now|on main)\b",
    r"(?:与你|跟你|和你)无关|不是你的(?:问题|锅)|本来就(?:是)?(?:红|失败|挂|不过)|関係ない|(?:元|もと)から(?:落ち"
    r"|失敗|壊れ)|既知の(?:失敗|不具合)"
    r"|원래(?:부터)? (?:실패|깨)|네 (?:문제|책임)(?:가|이)? 아니|알려진 (?:실패|문제)",
    r"\bno es (?:tu problema|asunto tuyo|cosa tuya)|\bya (?:estaba|fallaba)|\bnão é (?:problema )?seu"
    r"|\bjá (?:estava|falhava)"
    r"|\bpas ton (?:problème|affaire)|\bdéjà (?:rouge|cassée?s?)|\bnicht dein(?:e|s)? (?:problem|thema|sache"
    r"|baustelle)"
    r"|\b(?:ohnehin|sowieso|schon vorher) (?:rot|kaputt)|не твоя? (?:проблема|забота|дело)|(?:и так|давно) (?:красн"
    r"|пада|слома)\w*",
    r"\b(?:skip|ignore|leave|don'?t (?:worry|care|mind|bother))\b[^.\n]{0,40}\b(?:fail\w*|red|tests?|e2e|flaky"
    r"|lint\w*|errors?|warnings?)\b"
    r"|\b(?:fails?|failing|red|broken|flaky)\b[^.\n]{0,40}\b(?:is (?:fine|ok|okay|expected|known)|are (?:fine|ok"
    r"|okay|expected|known)|anyway|ignore|for now)\b",
    r"(?:失败|红|报错|不通过|不过)[^。\n]{0,12}(?:没事|正常|不用管|别管|先不管|可以|无所谓|忽略)|(?:不用管|别管"
    r"|先不管|忽略|跳过)[^。\n]{0,16}(?:测试|失败|报错|e2e)",
    r"(?:失敗|エラー|赤)[^。\n]{0,16}(?:構わ|かまわ|無視|気にし|大丈夫|問題な|そのまま)|(?:실패|에러|오류|깨져"
    r"|빨간)[^.\n]{0,16}(?:괜찮|무시|상관없|신경\s?쓰지|놔둬|둬도)",
    r"(?:테스트|e2e)[^.\n]{0,20}(?:실패해도|깨져도|무시|건너뛰|신경\s?쓰지|넘어가)|(?:テスト"
    r"|e2e)[^。\n]{0,16}(?:無視|落ちて(?:も|いい|る(?:のは|けど))|スキップ|気にし)",
    r"\b(?:ignora|no importa|da igual|aunque)\b[^.\n]{0,40}\b(?:fall\w*|rojo|tests?|pruebas|e2e)|\b(?:ignore"
    r"|não importa|tudo bem se|pode falhar|mesmo que)\b[^.\n]{0,40}\b(?:falh\w*|testes?|e2e)",
    r"\b(?:ignore|laisse|peu importe|même si|tant pis)\b[^.\n]{0,40}(?:échou\w*|tests?|rouge|e2e)|\b(?:ignorier\w*"
    r"|egal|auch wenn|dürfen|darf)\b[^.\n]{0,40}(?:fehlschlag\w*|tests?|rot|e2e|fehler)",
    r"(?:игнориру\w*|не важно|неважно|пусть|не страшно)[^.\n]{0,40}(?:пада\w*|тест\w*|красн\w*|ошибк\w*|e2e)",
    r"\bfail(?:s|ing)?\b[^.\n]{0,30}\b(?:before|without|prior to|on (?:main|master|the old|current))\b|(?:修复"
    r"|改)之?前[^。\n]{0,10}失败",
)
_TROUBLE = (
    r"(?:tests?|specs?|suite|build|ci|lint\w*|compil\w*|type ?checks?|fail\w*|broken|bugs?|crash\w*|regression"
    r"|errors?"
    r"|flak\w*)"
)
_REPAIR = any_case(
    rf"\b(?:fix|repair|resolve|solve|debug|correct)\b[^.\n]{{0,80}}\b{_TROUBLE}\b|\bfix (?:whatever|what|all|any)\b",
    r"\b(?:make|get|until|so that|ensure|sure)\b[^.\n]{0,60}\b(?:pass(?:es)?|green|works?|compiles?|builds?)\b",
    r"(?:修复|修正|修好|修一下|修掉|解决|调试)[^。\n]{0,30}(?:测试|用例|构建|编译|报错|失败|错误|崩溃|bug|问题|CI)",
    r"(?:测试|构建|编译|报错|失败|错误|崩溃|bug|问题)[^。\n]{0,20}(?:修复|修正|修好|修一下|修掉|解决)",
    r"调通|跑通|让.{0,12}通过",
)
# The check itself is the job: what failed before is then no excuse.
_MEND_CHECKS = any_case(
    r"\b(?:fix|repair|resolve|solve|debug|correct|mend)\b[^.\n]{0,60}\b(?:tests?|specs?|suite|builds?|ci|pipeline"
    r"|lint\w*|compil\w*"
    r"|type ?(?:checks?|errors?)|failing|failures?)\b|\bfix (?:whatever|what|all|any)\b",
    r"\b(?:make|get|until|so that|ensure|sure)\b[^.\n]{0,60}\b(?:pass(?:es)?|green|compiles?|builds?)\b",
    r"(?:修复|修正|修好|修一下|修掉|解决)[^。\n]{0,20}(?:测试|用例|构建|编译|CI)|(?:测试|构建|编译"
    r"|CI)[^。\n]{0,12}(?:修复|修好|修一下|修掉|解决)"
    r"|调通|跑通|让.{0,12}通过",
    r"\b(?:arregla|corrige|repara)\w*\b[^.\n]{0,30}\b(?:tests?|pruebas|build|compilaci)|\b(?:corrija|conserte"
    r"|arrume)\b[^.\n]{0,30}\b(?:testes?|build)",
    r"\b(?:corrige|répare)\w*\b[^.\n]{0,30}\b(?:tests?|build|compilation)|\b(?:behebe|repariere|korrigiere"
    r"|fixe)\b[^.\n]{0,30}\b(?:tests?|build)",
    r"(?:исправ|почин)\w+[^.\n]{0,30}(?:тест|сборк)|(?:テスト|e2e|ビルド|CI)[^。\n]{0,12}(?:修正|直)|테스트[^.\n]{0,12}(?:고쳐|수정)",
)
_RUN = any_case(
    r"\b(?:re-?run|run|execute|tests?|tested|verif(?:y|ied)|prove|make sure|ensure|confirm|benchmark|measure"
    r"|(?:re)?train|convert|migrate|generate|build|compile|deploy|publish|release|apply|ship|pass(?:es)?|green)\b",
    r"跑|运行|执行|测试|验证|确认|编译|构建|部署|发布|上线|生成|训练|转换|打包|通过",
    r"実行|テスト|検証|確認|ビルド|デプロイ|リリース|生成|回して|通(?:る|った|して|せ)|実行|실행|테스트|검증|확인|빌드|배포|릴리스"
    r"|돌려|돌리|통과|생성",
    r"\b(?:ejecut\w+|pruebas?|tests?|verific\w+|comprueb\w+|compil\w+|despl[ie]\w+|publi\w+|gener[ae]\w*|corre|lanza"
    r"|rod[ae]r?|testes?|sobe|deploy|gera|confirm\w+|lance[rz]?|exécut\w+|vérifi\w+|déplo\w+|génèr\w+|(?:ré)?entraîn\w+"
    r"|ausf[üu]hr\w*|prüf\w*|verifizier\w*|baue?n?|kompilier\w*|rolle?|veröffentlich\w*|erzeug\w*|durchlauf\w*)\b",
    r"прогон\w*|запуст\w*|тест\w*|провер\w*|собер\w*|выкат\w*|задепло\w*|опублик\w*|сгенер\w*",
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


def _is_bare(text: str) -> bool:
    letters = text.rstrip("。！! \t\r\n")
    return bool(_BARE.search(text)) or (0 < len(letters) <= 4 and all(map(_HAN.search, letters)))


def _is_imperative(clause: str) -> bool:
    if _IMPERATIVE_EN.search(clause) or _IMPERATIVE_ZH.search(clause) or _IMPERATIVE_OTHER.search(clause):
        return True
    return bool(_IMPERATIVE_WEAK_EN.search(clause) and _ARTEFACT_EN.search(clause))


_CHECK_WORDS = any_case(r"\b(?:test|run|verif|check|build|compil|execut)|测试|运行|验证|构建|编译|检查|执行")
_CALLS_OFF = any_case(
    r"^\s*(?:ok[,.\s]+|no[,.\s]+|hey[,.\s]+)?(?:stop|wait|pause|hold (?:on|up|off)|hang on|enough|cancel|abort"
    r"|never ?mind|leave it"
    r"|that'?s (?:enough|fine|ok|all)|forget|one (?:sec|second|moment)|just a (?:sec|moment)|not yet)\b",
    r"^\s*(?:espera|esperen?|para\b|detente|un momento|aguarde|aguarda|pare\b|peraí|um momento|attends|attendez"
    r"|arrête|stoppe|une seconde"
    r"|warte|moment\b|halt\b|stopp|lass (?:es|das)|laisse tomber|déjalo|deixa (?:pra|isso)|подожди|погоди|стой|стоп"
    r"|хватит|остановись|минутку)",
    r"^\s*(?:(?:ちょっと)?(?:待って|まって|ストップ|止めて|やめて)|(?:잠깐|잠시만|멈춰|그만|기다려))",
    r"\b(?:stop|leave) (?:here|it|now|there|that|as is)\b|\b(?:don'?t|do not) (?:bother|worry|continue|go on)\b",
    r"\b(?:good|fine) enough\b|\bi'?ll (?:do|take|handle|finish|fix)\b",
    r"停|等等|等下|等会|稍等|慢着|且慢|等一下|先这样|就这样|够了|取消|算了|不用(?:管|了|修|再)|别(?:管|修|再|继续)"
    r"|到此为止|我(?:自己)?来",
)


_CONFIRMS = any_case(
    r"\b(?:it |that |this )?(?:works|worked|is working|fixed it|did (?:it|the trick)|looks? (?:good|great|right)"
    r"|perfect)\b",
    r"(?:可以|好|行|能[^，。]{0,4}|正常|修好|搞定|没问题)了|已经?(?:可以|好|正常)|没问题|動きました|直りました|できました|なおった|直った|動いた|大丈夫(?:です|そう)",
    r"(?:된다|됩니다|됐|되네|열린다|잘 돼|잘돼|잘 나|해결됐)|이제 \S+(?:다|네|요)\b",
    r"\b(?:ya (?:va|funciona|est[aá]|anda|se ve)|funciona|perfecto|funcionou|deu certo|agora foi|ficou (?:bom"
    r"|ótimo)|est[aá] funcionando)\b",
    r"\b(?:ça marche|ca marche|c'est bon|fonctionne|impeccable|läuft|klappt|funktioniert|geht (?:jetzt|wieder)"
    r"|passt)\b",
    r"заработал\w*|работает|получилось|всё ок|все ок|отлично|супер",
)
_NOT_YET = any_case(
    r"\b(?:not|n't|but|still|except|only|no|nicht|aber|noch|nur|pas|mais|sauf|encore|pero|todav[ií]a|a[uú]n|salvo"
    r"|mas|ainda|não)\b"
    r"|不|没(?!问题)|但|还|ない|ません|でも|けど|まだ|안 |는데|지만|아직|\bне\b|\bно\b|ещё|еще|\?|？|吗"
)


# --- earlier turns -----------------------------------------------------------------------------------------------

_APPROVAL = any_case(
    r"(?:yes|yep|yeah|yup|ok|okay|sure|go|go ahead|do it|proceed|approved?|lgtm|sounds good|looks good|please do"
    r"|perfect|great|continue)"
    r"(?:[,.!\s]+(?:please|go ahead|do it|proceed|start|thanks?|continue|with it|that|it|then|now|and|implement"
    r"|to me))*[\s.!]*$",
    r"(?:好的?|可以|行|没问题|同意|确认|批准|就这样|按(?:这个|你说的|方案|计划)|开始吧?|执行吧?|继续|动手吧?|做吧"
    r"|嗯|是的?|对)[^\n]{0,12}$",
    r"(?:はい|お願い|了解|進めて|오케이|네|좋아|진행|s[ií]\b|adelante|vale|sim\b|pode|oui|vas-y|d'accord|ja\b|mach"
    r"|passt|да\b|давай|ок\b)[^\n]{0,30}$",
)
