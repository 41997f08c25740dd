"""Whether a message says what it says without reserve: no negation, no contrast, no condition, nothing left to do.

Rule: pure; the broadest words of each language, because a word too many only makes the gate silent. Nothing is read
into a message without reserve but that it holds none: what it leaves out must be known from the tools.
"""

from __future__ import annotations

from collections.abc import Mapping

from ccc.base.patterns import Lazy, any_case
from ccc.evidence import tongues
from ccc.evidence.tongues import Tongue
from ccc.evidence.wording import prose, simpler

LENGTH_LIMIT = 20_000


def has_none(message: str) -> bool:
    """Whether a message that says something reserves nothing at all."""
    text = simpler(prose(message[-LENGTH_LIMIT:], keep_code=True))
    if not text.strip() or _EVERYWHERE.search(text):
        return False
    return not any(_RESERVES[tongue].search(text) for tongue in tongues.heard(text))


# A question, a status by which a server refuses, the name of an error, and a cross.
_EVERYWHERE = Lazy(r"[?？]|\b[45]\d\d\b(?! ?(?:%|ms|s\b|k|m))|\b\w*(?:Error|Exception)\b|\bE[A-Z]{4,}\b|[❌✗✘⚠]")
_RESERVES: Mapping[Tongue, Lazy] = {
    Tongue.ENGLISH: any_case(
        r"\b(?:not|never|no|none|nothing|without|but|however|although|though|except|only|still|yet|fail\w*|errors?"
        r"|warn\w*|skip\w*|pending|remain\w*|left|todo|later|until|unless|if|when|once|should|could|would|might|may"
        r"|cannot|unable|blocked|denied|expired|invalid|missing|requires?|needs?|needed|you|please|manual\w*|waiting"
        r"|will|instead|unrelated|known|already|before|earlier|exits?|timeout|killed)\b|n['’]t\b"
    ),
    Tongue.CHINESE: any_case(
        r"不|没|未|无(?!误)|但|仅|只|若|如果|请|需|失败|错|待|尚|可能|应该|你|您|等|再|之前|原来|本来|已知|超时|除|将|会"
    ),
    Tongue.JAPANESE: any_case(
        r"ない|なく|なり|ません|せず|できず|だけ|のみ|まだ|けど|ただ|失敗|エラー|未|必要|ください|かも|はず|もし|以前|既知|除|たら"
        r"|れば|落ち"
    ),
    Tongue.KOREAN: any_case(
        r"않|못|없|안 |지만|아직|실패|오류|에러|필요|주세요|세요|만 |까요|면 |는데|기존|이미|제외|원래|시간 초과"
    ),
    Tongue.SPANISH: any_case(
        r"\bno (?:\w*[oaeáéí]|se|es|hay|han?|he|las?|los?)\b|\b(?:sin|pero|aunque|s[oó]lo|todav[ií]a|a[uú]n|falta\w*"
        r"|falla\w*|errores|error|salvo|excepto|si|cuando|queda\w*|pendiente\w*|necesita\w*|debe\w*|antes|puedes|tu)\b"
    ),
    Tongue.PORTUGUESE: any_case(
        r"\b(?:n[aã]o|sem|mas|por[eé]m|apenas|s[oó]|ainda|falta\w*|falh\w*|erros?|exceto|se|quando|fica|pendente\w*"
        r"|precisa\w*|deve\w*|antes|você|embora)\b"
    ),
    Tongue.FRENCH: any_case(
        r"\bn['’e]|\b(?:pas|sans|mais|sauf|seule?(?:ment)?|encore|échou\w*|erreurs?|reste\w*|faut|si|quand|vous|tu"
        r"|à faire|avant|déjà|hormis|toutefois|cependant)(?!\w)"
    ),
    Tongue.GERMAN: any_case(
        r"\b(?:nicht\w*|kein\w*|ohne|aber|jedoch|nur|noch|fehl\w*|scheiter\w*|muss|müssen|bitte|sollten?|wenn|falls|bis"
        r"|außer|vorher|schon|bereits|bekannt\w*|du|sie|ihr|offen\w*|allerdings|bleib\w*)\b"
    ),
    Tongue.RUSSIAN: any_case(
        r"\b(?:не|нет|ни|без|но|только|ещё|еще|пока|если|когда|кроме|нужно|надо|раньше|уже|осталось|остал\w+|вы|вам|ты"
        r"|известн\w+)\b|ошибк\w*|упал\w*|пада\w*"
    ),
}
