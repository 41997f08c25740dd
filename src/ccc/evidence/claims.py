"""What a final message claims, where tools would show it: tests that pass, a build, a deployment, a push, a file.

Rule: pure; ten languages of conversation, one row each. A condition, a wish or a doubt in the same clause makes it no
claim. Facts are never taken from a claim: it is only held against them.
"""

# ruff: noqa: RUF001

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from msgspec import Struct

from ccc.base.patterns import Lazy, Letters, any_case, pattern
from ccc.base.text import one_line
from ccc.evidence.tongues import CYRILLIC, HAN, HANGUL, KANA
from ccc.evidence.wording import prose, simpler

LENGTH_LIMIT = 20_000
CLAUSE_LIMIT = 600
_CLAUSE_ENDS = pattern(r"(?<=[.!?;])\s+|[。！？；，]|\s[—–]\s|, (?:but|however)\b")


class Claim(StrEnum):
    TESTS = "tests pass"
    BUILDS = "it builds"
    LINTS = "the linter is content"
    DEPLOYED = "it is deployed"
    COMMITTED = "it is committed or pushed"
    PROPOSED = "a pull request is open"
    INTEGRATED = "CI is green"


class Claimed(Struct, frozen=True):
    claim: Claim
    words: str


def claimed(message: str) -> tuple[Claimed, ...]:
    """Each kind of claim once, with the words it was first made in."""
    found: dict[Claim, Claimed] = {}
    for clause in _clauses(message):
        for claim in _claims_of(clause):
            found.setdefault(claim, Claimed(claim, one_line(clause, 160)))
    return tuple(found.values())


def says_made(message: str, path: str) -> str:
    """The words by which a message says that this file, or with an empty path any, was written or changed."""
    name = path.replace("\\", "/").rpartition("/")[2]
    if _REFUSED.search(message[-LENGTH_LIMIT:]):
        return ""
    clauses = (clause for clause in _clauses(message) if name in clause and _MADE.search(clause))
    return next((one_line(clause, 160) for clause in clauses if not _is_hedged(clause)), "")


def _clauses(message: str) -> Iterator[str]:
    text = simpler(prose(message[-LENGTH_LIMIT:], keep_code=True))
    for line in text.split("\n"):
        for clause in _CLAUSE_ENDS.split(line):
            if clause.strip():
                yield clause.strip()[:CLAUSE_LIMIT]


def _claims_of(clause: str) -> Iterator[Claim]:
    for language in _LANGUAGES:
        if language.speaks.search(clause) and not language.hedges.search(clause):
            yield from (claim for claim, pattern in language.claims.items() if pattern.search(clause))
    if not _is_hedged(clause):
        yield from (claim for claim, pattern in _EVERYWHERE.items() if pattern.search(clause))


def _is_hedged(clause: str) -> bool:
    return any(language.speaks.search(clause) and language.hedges.search(clause) for language in _LANGUAGES)


class _Language(Struct, frozen=True):
    """`speaks` is a sign that a clause may be of this language; `hedges` is what makes it no claim."""

    speaks: Lazy | Letters
    hedges: Lazy
    claims: Mapping[Claim, Lazy]


_CHECKERS = r"tsc|typescript|type[- ]?check(?:s|er|ing)?|mypy|pyright|cargo (?:check|build)|go (?:build|vet)"
_LINTERS = r"eslint|ruff|clippy|rubocop|golangci-lint|flake8|lint(?:er|ing|s)?"
_GOOD = (
    r"pass(?:es|ed|ing)?|clean|green|succeed(?:s|ed)?"
    r"|(?:reports?|shows?|with|has|gives) (?:no|zero|0) (?:errors?|issues?|warnings?)"
)

_ENGLISH = _Language(
    any_case(
        r"\b(?:tests?|specs?|suite|build|builds|compil\w+|tsc|typescript|type|lint\w*|eslint|deploy\w*|live|pushed"
        r"|committed|passed|created|added|updated|wrote|written|saved|fixed|mypy|ruff)\b"
    ),
    any_case(
        r"\b(?:should|would|could|might|may|will|shall|must|if|once|whenever|when|until|unless|before|so that"
        r"|need(?:s|ed)? to"
        r"|make sure|ensures?|verify|confirm|please|assuming|expect\w*|hopefully|probably|likely|not|never|cannot"
        r"|want|whether"
        r"|to (?:make|get|have|see|check|be|keep)|let me|you can|you could|i'll|todo|try|previously|already|earlier"
        r"|still to)\b|n't\b|n’t\b|\?$"
    ),
    {
        Claim.TESTS: any_case(
            r"\ball (?:of )?(?:the |\d+ |unit |existing |new |our |integration |other |\w+ )*?(?:tests?|specs?"
            r"|checks)(?: suites?)? (?:are |now |still |have |all |also )*(?:pass(?:es|ed|ing)?|green|succeed(?:s"
            r"|ed)?)\b",
            r"\b(?:tests?|test suites?|specs?|suite) (?:is |are |have |has |now |all |still |also |run "
            r"|runs )*(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?)\b",
            r"\b\d+(?:/\d+)? (?:\w+ )?(?:tests?|specs?|examples) (?:\w+ )?(?:pass(?:ed|ing|es)?|green)\b"
            r"|\b\d+ passed\b",
            r"\btests?\b:? ?(?:✅|✓|✔)|\bpass(?:es|ed|ing) all (?:the |\d+ |\w+ )?tests\b",
        ),
        Claim.BUILDS: any_case(
            r"\bbuilds? (?:is |was |has |now |also |still )*(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|successful"
            r"|clean(?:ly)?|green|successfully|without (?:any )?(?:errors?|warnings?|issues?|problems?))\b",
            r"\bcompil(?:es|ed|ing) (?:fine|cleanly|successfully|without (?:any )?(?:errors?|warnings?|issues?"
            r"|problems?))\b|\bcompilation (?:succeed\w*|passe[sd]|is successful|was successful)",
            rf"\b(?:{_CHECKERS})\b[^.\n]{{0,20}}\b(?:{_GOOD}|compiles?)\b",
            r"\b(?:no|zero|0) (?:type|typescript|compile|compilation|compiler|tsc|build) errors?\b",
        ),
        Claim.LINTS: any_case(
            rf"\b(?:{_LINTERS})\b[^.\n]{{0,20}}\b(?:{_GOOD})\b",
            r"\b(?:no|zero|0) (?:lint(?:er|ing)?|eslint"
            r"|ruff) (?:errors?|issues?|warnings?)\b",
        ),
        Claim.DEPLOYED: any_case(
            r"\b(?:i(?:'ve| have)?|and|has been|have been|was|were|is|are|been|successfully|now) (?:now "
            r"|successfully )?(?:re)?deployed\b|^\W*(?:re)?deployed\b|\bdeployed (?:to|successfully|it)\b"
            r"|\bdeployed ?(?:✅|✓|✔|🚀)",
            r"\b(?:is|are|now|went) live\b|\bdeployment (?:is |was )?(?:completed?|successful|succeeded|done"
            r"|finished)\b",
        ),
        Claim.COMMITTED: any_case(
            r"\b(?:i(?:'ve| have)?|and|has been|have been|was|were|are|successfully|changes) (?:now "
            r"|also )?(?:committed|pushed)\b|^\W*(?:committed|pushed)\b(?! by)"
        ),
    },
)
_CHINESE = _Language(
    HAN,
    any_case(
        r"应该|应当|如果|若|一旦|确保|请|需要|将|会|待|等|未|没|不(?!报错)|可能|预计|希望|是否|能否|建议|再|尚|吗"
        r"|之前|以便|才|可以"
    ),
    {
        Claim.TESTS: any_case(
            r"(?:测试|用例|单测)[^，。；\n]{0,14}(?:通过|跑通|全绿|成功|✅)|(?:通过|跑通)了?(?:全部|所有"
            r"|\s*\d+\s*个)[^，。\n]{0,8}(?:测试|用例)",
        ),
        Claim.BUILDS: any_case(
            r"(?:编译|构建|打包|类型检查|tsc|typescript)[^，。；\n]{0,8}(?:通过|成功|不报错|无(?:报错|错误)|零错误"
            r"|0\s*个?错误)"
        ),
        Claim.LINTS: any_case(r"(?:lint|eslint|ruff|代码检查)[^，。；\n]{0,8}(?:通过|成功|无(?:报错|错误|警告))"),
        Claim.DEPLOYED: any_case(
            r"(?:已|已经|成功)[^，。\n]{0,4}(?:部署|上线)|(?:部署|上线)(?:完成|成功|完毕|好了|了)"
        ),
        Claim.COMMITTED: any_case(
            r"已(?:经)?(?:提交|推送)(?:代码|到|了|至|并|到远程|$)|代码已(?:经)?(?:提交|推送)|(?:提交|推送)(?:完成"
            r"|成功)"
        ),
    },
)
_JAPANESE = _Language(
    KANA,
    any_case(r"はず|べき|ください|下さい|もし|たら|れば|予定|必要|ない|ません|未|でしょう|思い|かも|します(?!た)|か？"),
    {
        Claim.TESTS: any_case(r"テスト[^。\n]{0,20}(?:通過|パス|成功|合格|通り|通っ|グリーン)"),
        Claim.BUILDS: any_case(
            r"(?:ビルド|コンパイル|型チェック|tsc)[^。\n]{0,14}(?:成功|通過|通り|通っ|パス|エラーなし)"
        ),
        Claim.LINTS: any_case(r"(?:lint|eslint|リント)[^。\n]{0,14}(?:成功|通過|通り|パス|エラーなし)"),
        Claim.DEPLOYED: any_case(r"デプロイ(?:しました|済み|完了|が完了|されました)|本番(?:環境)?に反映しました"),
        Claim.COMMITTED: any_case(r"(?:コミット|プッシュ)(?:しました|済み|完了)"),
    },
)
_KOREAN = _Language(
    HANGUL,
    any_case(r"해야|하면|되면|예정|필요|않|못|아직|만약|겠|주세요|것입니다|까요|확인하세요"),
    {
        Claim.TESTS: any_case(r"테스트[^.\n]{0,20}(?:통과|성공|패스)"),
        Claim.BUILDS: any_case(
            r"(?:빌드|컴파일|타입 ?체크|타입 ?검사|tsc)[^.\n]{0,14}(?:성공|통과|오류 없|에러 없|완료)"
        ),
        Claim.LINTS: any_case(r"(?:린트|lint|eslint)[^.\n]{0,14}(?:성공|통과|오류 없|에러 없)"),
        Claim.DEPLOYED: any_case(r"배포(?:했습니다|완료|를 완료|되었습니다|됐습니다|가 완료)"),
        Claim.COMMITTED: any_case(r"(?:커밋|푸시)(?:했습니다|완료|되었습니다|하였습니다)"),
    },
)
_SPANISH = _Language(
    any_case(
        r"\b(?:pruebas|los tests|compila\w*|build|desplegad\w+|despliegue|tsc|subid\w+|creado|he|todos|todas"
        r"|tests)\b"
    ),
    any_case(
        r"\b(?:deber[ií]an?|deben?|si|cuando|una vez|hasta|aseg[uú]rate|por favor|no|podr[ií]a|ser[aá]|para que"
        r"|necesita\w*|falta\w*)\b|¿"
    ),
    {
        Claim.TESTS: any_case(
            r"\b(?:pruebas|tests?)\b[^.\n]{0,25}\b(?:pasan|pasaron|pasado|pasando|verdes?|exitosas?|exitosamente"
            r"|superad[oa]s)\b|\bverdes\b[^.\n]{0,10}\b(?:pruebas|tests)\b"
        ),
        Claim.BUILDS: any_case(
            r"\b(?:compila|compilaci[oó]n|build|tsc)\b[^.\n]{0,20}\b(?:sin errores|correctamente|exitosa(?:mente)?"
            r"|pasa|con [eé]xito)"
        ),
        Claim.LINTS: any_case(r"\b(?:lint|linter|eslint)\b[^.\n]{0,20}\b(?:sin errores|pasa|limpio)"),
        Claim.DEPLOYED: any_case(r"\bdesplegad[oa]s?\b|\bdespliegue (?:completado|exitoso|realizado|hecho)"),
        Claim.COMMITTED: any_case(
            r"\b(?:he|hemos) (?:hecho (?:el )?(?:commit|push)|subido)\b|\b(?:commit|push) (?:hecho|realizado)\b"
        ),
    },
)
_PORTUGUESE = _Language(
    any_case(r"\b(?:testes?|compila\w*|build|implantad\w+|deploy|tsc|todos|commit|push)\b"),
    any_case(
        r"\b(?:deve\w*|se|quando|assim que|at[eé]|certifique\w*|por favor|n[aã]o|poderia|ser[aá]|para que"
        r"|precisa\w*|falta\w*)\b"
    ),
    {
        Claim.TESTS: any_case(
            r"\btestes?\b[^.\n]{0,25}\b(?:passam|passaram|passando|passou|verdes?|aprovad[oa]s?|com sucesso)\b"
        ),
        Claim.BUILDS: any_case(
            r"\b(?:compila|compila[cç][aã]o|build|tsc)\b[^.\n]{0,20}\b(?:sem erros|corretamente|com sucesso|passa"
            r"|passou)\b"
        ),
        Claim.LINTS: any_case(r"\b(?:lint|linter|eslint)\b[^.\n]{0,20}\b(?:sem erros|passa|passou|limpo)\b"),
        Claim.DEPLOYED: any_case(
            r"\bimplantad[oa]s?\b|\bdeploy (?:foi )?(?:feito|conclu[ií]do|realizado)"
            r"|\bpublicad[oa] em produ[cç][aã]o"
        ),
        Claim.COMMITTED: any_case(
            r"\b(?:commit|push) (?:foi )?(?:feito|realizado|conclu[ií]do)\b|\bfiz (?:o )?(?:commit|push)\b"
        ),
    },
)
_FRENCH = _Language(
    any_case(r"\b(?:les tests|tests|compile\w*|compilation|build|déploy\w+|tsc|commit|poussé\w*)\b"),
    any_case(
        r"\b(?:devrai\w+|doi(?:t|vent)|si|quand|lorsque|une fois|jusqu\w*|assurez|assure|veuillez|ne|pas|pourrai\w+"
        r"|sera|seront|pour que|il faut|afin)\b|\bn'|\?$"
    ),
    {
        Claim.TESTS: any_case(
            r"\btests?\b[^.\n]{0,25}\b(?:passent|passés?|passe|réussis?|réussissent|verts?|au vert|succès)(?!\w)"
        ),
        Claim.BUILDS: any_case(
            r"\b(?:compile|build|compilation|tsc)\b[^.\n]{0,20}\b(?:sans erreurs?|correctement|avec succès|passe"
            r"|réussie?)(?!\w)"
        ),
        Claim.LINTS: any_case(r"\b(?:lint|linter|eslint)\b[^.\n]{0,20}\b(?:sans erreurs?|passe|propre)\b"),
        Claim.DEPLOYED: any_case(r"\b(?:re)?déployée?s?(?!\w)|\bdéploiement (?:est )?(?:terminé|réussi|effectué)"),
        Claim.COMMITTED: any_case(r"\b(?:commit|push) (?:est )?(?:fait|effectué|terminé)|\bj'ai (?:commité|poussé)"),
    },
)
_GERMAN = _Language(
    any_case(
        r"\b(?:tests?|kompiliert|build|deployt|bereitgestellt|ausgerollt|tsc|gepusht|committet|deployment"
        r"|lint\w*)\b"
    ),
    any_case(
        r"\b(?:sollten?|wenn|falls|sobald|bis|stell\w*|bitte|nicht|kein\w*|könnten?|wird|werden|damit|muss|müssen"
        r"|noch|ob)\b|\?$"
    ),
    {
        Claim.TESTS: any_case(
            r"\btests?\b[^.\n]{0,25}\b(?:bestanden|bestehen|laufen(?: alle)? (?:erfolgreich )?durch|grün"
            r"|erfolgreich|durchgelaufen)(?!\w)"
        ),
        Claim.BUILDS: any_case(
            r"\b(?:kompiliert|build|kompilierung|tsc)\b[^.\n]{0,20}\b(?:fehlerfrei|ohne fehler|erfolgreich"
            r"|läuft durch|sauber)\b"
        ),
        Claim.LINTS: any_case(
            r"\b(?:lint|linter|eslint)\b[^.\n]{0,20}\b(?:fehlerfrei|ohne fehler|sauber|erfolgreich)\b"
        ),
        Claim.DEPLOYED: any_case(
            r"\b(?:deployt|deployed|ausgerollt)\b|\bwurden? (?:\w+ ){0,3}bereitgestellt\b|\bdeployment (?:ist "
            r"|war )?(?:abgeschlossen|erfolgreich)\b"
        ),
        Claim.COMMITTED: any_case(r"\b(?:committet|gepusht|committed und gepusht)\b"),
    },
)
_RUSSIAN = _Language(
    CYRILLIC,
    any_case(
        r"должн\w*|если|когда|как только|до тех|убеди\w*|пожалуйста|\bне\b|\bнет\b|мог\w*|будет|будут|чтобы|нужно"
        r"|надо|\?$"
    ),
    {
        Claim.TESTS: any_case(
            r"тест\w*[^.\n]{0,25}(?:проход\w+|прошл\w+|пройден\w*|зел[её]н\w+|успешн\w+)|(?:проход\w+"
            r"|прошл\w+)[^.\n]{0,15}тест\w*"
        ),
        Claim.BUILDS: any_case(
            r"(?:компилир\w+|компиляци\w+|сборк\w+|проект|билд|tsc)[^.\n]{0,20}(?:без ошибок|успешн\w+|прошл\w+"
            r"|проходит|собирается)"
        ),
        Claim.LINTS: any_case(r"(?:линтер|lint|eslint)[^.\n]{0,20}(?:без ошибок|проходит|прош[её]л|чист\w*)"),
        Claim.DEPLOYED: any_case(
            r"задеплоен\w*|задеплоил\w*|разв[её]рнут\w*|деплой (?:завершён|завершен|выполнен|прошёл|прошел)"
            r"|выкачен\w*"
        ),
        Claim.COMMITTED: any_case(r"закоммич\w+|закоммитил\w*|запушил\w*|запушен\w*|отправил\w* в репозитори"),
    },
)
_LANGUAGES = (_ENGLISH, _CHINESE, _JAPANESE, _KOREAN, _SPANISH, _PORTUGUESE, _FRENCH, _GERMAN, _RUSSIAN)

# Words that are the same in every language, beside those that are not.
_PULL = r"\b(?:PR|MR|pull request|merge request)\b|合并请求|拉取请求|プルリク|풀\s?리퀘스트"
_OPENED = (
    r"\b(?:opened|created|raised|submitted)\b|创建|提交|开好|发起|作成|オープンし|생성|올렸|열었|\b(?:abiert|cread"
    r"|abert|criad)[oa]\b"
    r"|\babri\b|\bcriei\b|\bouvert\w*|\bcréé\w*|\berstellt\b|\bgeöffnet\b|\bangelegt\b|открыт\w*|открыл\w*|созда\w+"
)
_EVERYWHERE: Mapping[Claim, Lazy] = {
    Claim.PROPOSED: any_case(rf"(?:{_PULL}).{{0,30}}(?:{_OPENED})|(?:{_OPENED}).{{0,30}}(?:{_PULL})"),
    Claim.INTEGRATED: any_case(
        r"\b(?:CI|pipeline)\b.{0,24}(?:\bgreen\b|\bpass\w*|\bverdes?\b|\bgrün\b|\bverte?s?\b|зел[её]\w+|通过|绿"
        r"|通過|통과|成功|성공|✅)"
    ),
}

_MADE = any_case(
    r"\b(?:created|wrote|written|added|updated|saved|generated|modified|edited|changed|fixed|implemented)\b",
    r"创建|新建|写入|写好|添加|加入|更新|修改|生成|保存|实现|修复|改好|作成|追加|変更|修正|生成しました|생성|추가"
    r"|수정|작성|만들",
    r"\b(?:cread|añadid|agregad|actualizad|modificad|escrit|corregid|criad|adicionad|atualizad|corrigid)[oa]s?\b"
    r"|\b(?:criei|adicionei|atualizei|alterei|corrigi|creé|añadí|agregué|actualicé|modifiqué|corregí)(?!\w)",
    r"\b(?:créée?|ajoutée?|mise? à jour|modifiée?|écrite?|corrigée?)s?(?!\w)",
    r"\b(?:erstellt|hinzugefügt|aktualisiert|geändert|geschrieben|angelegt|behoben)\b|созда\w+|добав\w+|обнов\w+"
    r"|измен\w+|записа\w+|исправ\w+",
)
_REFUSED = any_case(
    r"\b(?:denied|refus\w+|permission|blocked|could ?n[o']t|couldn’t|cannot|can't|unable|failed to|rejected"
    r"|not (?:able|allowed)|declined)\b",
    r"拒绝|权限|无法|未能|没能|失败|没有成功|拒絕|權限|無法|拒否|権限|できません|거부|권한|할 수 없",
    r"denegad|permiso|no pude|negad|permiss|não pude|não consegui|autoris|n'ai pas pu|abgelehnt|berechtigung"
    r"|verweigert|konnte nicht",
    r"отклон|разрешени|не удалось|не смог",
)
