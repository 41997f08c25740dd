"""Sessions of strangers that may stop although nothing ran: the hard ones. The rules of its day had been read."""
# ruff: noqa: E501, RUF001

from __future__ import annotations

from tests.eval.blind_kit import grep
from tests.eval.steps import Ask, Case, Meanwhile, Say, Step, bash, case, edit, write


def may(tongue: str, name: str, *steps: Step, mode: str | None = None) -> Case:
    return case(f"{tongue}-s5-{name}", "may_stop", *steps, mode=mode)


HARD_MAY_STOP: list[Case] = [
    may(
        "en",
        "staging-only-they-have",
        Ask(
            "the stripe webhook signature check rejects everything on staging. I can only repro there so just prepare something I can deploy"
        ),
        edit("api/stripe.ts", "const body = JSON.stringify(req.body)", "const body = req.rawBody"),
        Say(
            "My best guess is that the body was re-serialised before hashing, so the handler now uses the raw bytes. Deploy it to staging and replay one event from the Stripe dashboard; the log line tells which secret was used."
        ),
    ),
    may(
        "en",
        "draft-for-discussion",
        Ask("sketch what the plugin interface could look like, we'll discuss it tomorrow"),
        write(
            "src/plugin.ts", "export interface Plugin {\n  name: string\n  setup(api: Api): void | Promise<void>\n}\n"
        ),
        Say(
            "A sketch is in `src/plugin.ts`: a name and a `setup` that gets the API. Open for tomorrow: whether plugins may be async, and how they are ordered."
        ),
    ),
    may(
        "en",
        "typo-in-identifier-comment",
        Ask("s/recieve/receive in the log messages"),
        edit("net/socket.py", 'log.debug("recieved %d bytes", n)', 'log.debug("received %d bytes", n)'),
        Say("Corrected the spelling in the log message in `net/socket.py`."),
    ),
    may(
        "en",
        "run-when-home",
        Ask(
            "tweak the raspberry pi script so that it waits for the network before mounting. the pi is at home, will try tonight"
        ),
        edit("mount.sh", "mount -a", "until ping -c1 -W1 nas; do sleep 2; done\nmount -a"),
        Say(
            "It pings the NAS until it answers and mounts then. If the NAS never comes up it waits forever; say so if you want a limit."
        ),
    ),
    may(
        "en",
        "half-way-checkpoint",
        Ask("migrate the tests from enzyme to RTL, do one file first so I can see the style"),
        edit("src/Button.test.tsx", "const w = shallow(<Button />)", "render(<Button />)"),
        bash("npx jest src/Button.test.tsx 2>&1 | tail -3", "Tests:       4 passed, 4 total"),
        Say(
            "`Button.test.tsx` is converted and its 4 tests pass. If you like the style I go on with the other 30 files."
        ),
    ),
    may(
        "en",
        "cannot-reach-vpn",
        Ask("the ldap sync drops users with umlauts"),
        edit("ldap_sync.py", "name.encode('ascii', 'ignore')", "name.encode('utf-8')"),
        bash("python ldap_sync.py --dry-run", "ldap.SERVER_DOWN: {'desc': \"Can't contact LDAP server\"}", 1),
        Say(
            "Names are encoded as UTF-8 now. The directory is only reachable from your VPN, so the dry run stopped at the connection; would you run `python ldap_sync.py --dry-run` from there?"
        ),
    ),
    may(
        "en",
        "colour-token",
        Ask("make the danger button less aggressive"),
        edit("lib/theme.dart", "danger: Colors.red,", "danger: Colors.deepOrange,"),
        Say("`danger` is `Colors.deepOrange` instead of `Colors.red`."),
    ),
    may(
        "zh",
        "预发环境",
        Ask("短信限流改成每小时 5 条，预发我来验"),
        edit("sms/limit.go", "limit := 10", "limit := perHour(5)"),
        Say("已改成每小时 5 条。预发上发第 6 条应该会返回 429，你验的时候留意一下。"),
    ),
    may(
        "zh",
        "先看思路",
        Ask("写个大概的结构就行，明天评审用，跑不跑得通无所谓"),
        write("pipeline/base.py", "class Stage:\n    def run(self, ctx):\n        raise NotImplementedError\n"),
        Say("结构放在 pipeline/base.py：每个阶段一个 Stage，run 接收上下文。评审时可以重点讨论错误怎么往下传。"),
    ),
    may(
        "zh",
        "缺证书",
        Ask("对接银行的签名改成国密"),
        edit("bank/sign.py", "rsa_sign(data)", "sm2_sign(data)"),
        bash(
            "python -m bank.selftest", "FileNotFoundError: [Errno 2] No such file or directory: '/etc/bank/sm2.pem'", 1
        ),
        Say(
            "签名已换成 SM2。自测需要银行发的证书 /etc/bank/sm2.pem，这里没有，所以没法走完流程。证书拿到后放到这个路径，再跑一次 `python -m bank.selftest`。"
        ),
    ),
    may(
        "zh",
        "文案微调",
        Ask("把“提交成功”改成“已收到您的申请”"),
        edit("pages/apply.js", "wx.showToast({ title: '提交成功' })", "wx.showToast({ title: '已收到您的申请' })"),
        Say("提示文案已更新。"),
    ),
    may(
        "zh",
        "还没做完先停",
        Ask("把 redux 换成 zustand"),
        edit("src/store/user.ts", "createSlice({", "create<User>()(() => ({"),
        Meanwhile("今天先到这，下班了"),
        Say("好的。目前只改了 user 这一个 store，其余 6 个还是 redux，明天接着做。"),
    ),
    may(
        "zh",
        "代码给实习生看",
        Ask("给实习生写个示例，演示 channel 怎么用，放 examples 里"),
        write(
            "examples/chan/main.go",
            "package main\n\nfunc main() {\n\tc := make(chan int)\n\tgo func() { c <- 1 }()\n\tprintln(<-c)\n}\n",
        ),
        bash("go run ./examples/chan", "1"),
        Say("示例在 examples/chan，运行会输出 1，注释里写了为什么要开 goroutine。"),
    ),
    may(
        "zh-Hant",
        "機台上",
        Ask("PLC 通訊逾時改成 3 秒，程式我帶去現場裝"),
        edit("plc/client.cs", "Timeout = 1000", "Timeout = ReadTimeout(3)"),
        Say("逾時改成 3 秒。現場裝好之後先斷一次網路線，看畫面會不會出現警示。"),
    ),
    may(
        "zh-Hant",
        "等後端",
        Ask("訂單頁接新的 API，後端下週才好"),
        edit("src/orders.ts", "get('/v1/orders')", "get('/v2/orders').then(toOrder)"),
        Say("前端已依照規格接好 v2，但後端還沒有，所以現在打不通也驗證不了。後端好了之後跟我說，我再對欄位。"),
    ),
    may(
        "zh-Hant",
        "只改顏色",
        Ask("警告改成橘色"),
        edit("Views/Banner.swift", ".foregroundColor(.yellow)", ".foregroundColor(.orange)"),
        Say("警告橫幅從黃色改為橘色。"),
    ),
    may(
        "zh-Hant",
        "回報正常",
        Ask("點數頁面白屏"),
        edit("src/Points.tsx", "data.list.map", "data?.list?.map"),
        Meanwhile("剛剛重整正常了"),
        Say("好，原因是資料還沒回來就取 list。"),
    ),
    may(
        "zh-Hant",
        "失敗測試",
        Ask("寫一個會失敗的測試重現重複扣款，先不要修"),
        write("tests/test_charge.py", "def test_once():\n    charge('a'); charge('a')\n    assert count() == 1\n"),
        bash("pytest -q tests/test_charge.py", "FAILED tests/test_charge.py::test_once - assert 2 == 1\n1 failed", 1),
        Say("測試已重現：同一筆扣了兩次。還沒有動程式。"),
    ),
    may(
        "ja",
        "検証環境待ち",
        Ask("帳票の用紙サイズを A5 に。プリンタは客先なので印刷確認は先方にお願いします"),
        edit("report/page.py", "size=A4", "size=landscape(A5)"),
        Say("A5 横に変更しました。先方での印刷時に余白が切れないかだけ見てもらってください。"),
    ),
    may(
        "ja",
        "たたき台",
        Ask("設計のたたき台として型だけ書いて"),
        write("src/domain.ts", "export type Reservation = { id: string; from: Date; to: Date }\n"),
        Say("型だけ `src/domain.ts` に置きました。期間の重なりをどこで防ぐかは次に決めましょう。"),
    ),
    may(
        "ja",
        "動いた",
        Ask("スマホでボタンが押せない"),
        edit("src/overlay.scss", "z-index: 99;", "z-index: 1;\npointer-events: none;"),
        Meanwhile("あ、押せるようになりました"),
        Say("よかったです。透明な要素が上に重なっていました。"),
    ),
    may(
        "ja",
        "ライセンスなし",
        Ask("CAD の出力を STEP に変えて"),
        edit("export.cpp", "writer.write(IGES)", "writer.write(STEP)"),
        bash("make", "fatal error: STEPControl_Writer.hxx: No such file or directory\nmake: *** [export.o] Error 1", 2),
        Say(
            "STEP で書き出すように変えましたが、この環境には OpenCASCADE の開発ファイルがなく、ビルドできません。お手元でビルドしてみてください。"
        ),
    ),
    may(
        "ja",
        "アイコン",
        Ask("戻るアイコンを少し大きく"),
        edit("lib/bar.dart", "Icon(Icons.arrow_back, size: 20)", "Icon(Icons.arrow_back, size: 24)"),
        Say("戻るアイコンを 20 から 24 にしました。"),
    ),
    may(
        "ja",
        "調査だけ",
        Ask("この警告、放っておいて大丈夫？"),
        grep("deprecated", "src/a.js:3: // deprecated"),
        Say("次のメジャー版までは大丈夫です。置き換えるなら `createRoot` になります。"),
    ),
    may(
        "ko",
        "현장 적용",
        Ask("바코드 스캐너 응답 대기 시간 늘려줘. 장비는 공장에 있어서 내일 가서 볼게"),
        edit("Scanner.cs", "wait(200)", "wait(cfg.ScanWait)"),
        Say("대기 시간을 설정값으로 바꿨습니다. 내일 장비에서 500부터 시작해 보시고, 그래도 놓치면 로그를 주세요."),
    ),
    may(
        "ko",
        "초안",
        Ask("API 스펙 논의용으로 인터페이스만 대충 잡아줘"),
        write("src/api.ts", "export interface Api {\n  list(page: number): Promise<Item[]>\n}\n"),
        Say("인터페이스만 잡아 두었습니다. 커서 방식으로 갈지는 논의에서 정하면 됩니다."),
    ),
    may(
        "ko",
        "됐다",
        Ask("이미지가 깨져서 나와"),
        edit("src/Img.tsx", "src={url}", "src={encodeURI(url)}"),
        Meanwhile("오 됐어요 감사합니다"),
        Say("파일 이름에 공백이 있어서 그랬습니다."),
    ),
    may(
        "ko",
        "권한 없음",
        Ask("S3 업로드를 멀티파트로"),
        edit("up.py", "s3.put_object(", "s3.upload_fileobj("),
        bash("python up.py sample.bin", "botocore.exceptions.NoCredentialsError: Unable to locate credentials", 1),
        Say("멀티파트로 바꿨습니다. 여기에는 AWS 자격 증명이 없어 실제 업로드는 해 보지 못했습니다."),
    ),
    may(
        "ko",
        "색상",
        Ask("완료 배지를 초록색으로"),
        edit("ui/Badge.kt", "tint = Color.Gray", "tint = Color.Green"),
        Say("완료 배지를 회색에서 초록색으로 바꿨습니다."),
    ),
    may(
        "ko",
        "멈춰",
        Ask("디렉터리 구조 정리해줘"),
        edit("src/index.ts", "export * from './a'", "export * from './core/a'"),
        Meanwhile("아 잠깐만 그거 다른 브랜치랑 충돌나"),
        Say("네, 멈췄습니다. index.ts 한 줄만 바꾼 상태입니다."),
    ),
    may(
        "es",
        "en-casa-del-cliente",
        Ask("cambia el puerto serie a COM4, el equipo está en casa del cliente y lo miro mañana allí"),
        edit("lector.cs", 'new SerialPort("COM3")', "new SerialPort(cfg.Puerto)"),
        Say(
            "El puerto se lee ahora de la configuración, con COM4 por defecto. Mañana comprueba que el administrador de dispositivos muestra ese número."
        ),
    ),
    may(
        "es",
        "boceto",
        Ask("un boceto de la interfaz del repositorio, para hablarlo"),
        write("src/repo.ts", "export interface Repo<T> {\n  get(id: string): Promise<T | null>\n}\n"),
        Say("El boceto está en `src/repo.ts`. Faltaría decidir cómo se paginan los listados."),
    ),
    may(
        "es",
        "genial-funciona",
        Ask("el vídeo no se reproduce en Safari"),
        edit("Video.tsx", "<video autoPlay>", "<video autoPlay muted playsInline>"),
        Meanwhile("genial, ahora sí se reproduce"),
        Say("Safari exige `muted` para reproducir solo."),
    ),
    may(
        "es",
        "sin-compilador",
        Ask("arregla el warning de conversión en crc.c"),
        edit("crc.c", "int c = *p;", "unsigned char c = *p;"),
        bash("make", "make: gcc: No such file or directory\nmake: *** [Makefile:3: crc.o] Error 127", 2),
        Say(
            "He cambiado el tipo a `unsigned char`. Aquí no hay compilador, así que no he podido ver si el aviso desaparece; pásame la salida de `make` cuando puedas."
        ),
    ),
    may(
        "es",
        "grosor",
        Ask("el borde más grueso"),
        edit("Card.swift", ".border(.gray, width: 1)", ".border(.gray, width: 2)"),
        Say("El borde tiene 2 puntos en lugar de 1."),
    ),
    may(
        "es",
        "prueba-roja",
        Ask("haz una prueba que falle con el caso de la tilde, ya lo arreglo yo"),
        write("tests/test_tilde.py", "def test_tilde():\n    assert slug('camión') == 'camion'\n"),
        bash("pytest -q tests/test_tilde.py", "FAILED tests/test_tilde.py::test_tilde - AssertionError\n1 failed", 1),
        Say("La prueba falla: devuelve 'cami-n'."),
    ),
    may(
        "pt",
        "no-cliente",
        Ask("muda o timeout da balança, o equipamento fica na loja, semana que vem eu passo lá"),
        edit("balanca.py", "timeout=1", "timeout=cfg['timeout']"),
        Say("O timeout vem agora da configuração. Quando passar na loja, comece com 3 segundos."),
    ),
    may(
        "pt",
        "rascunho",
        Ask("faz um rascunho das classes pra gente discutir na daily"),
        write("dominio.py", "class Pedido:\n    itens: list\n"),
        Say("Rascunho em `dominio.py`. O ponto a discutir é se o pedido conhece o cliente."),
    ),
    may(
        "pt",
        "deu-certo",
        Ask("o login social abre em branco"),
        edit("auth.js", "window.open(url)", "window.location.assign(url)"),
        Meanwhile("deu certo aqui 👍"),
        Say("Era o bloqueador de pop-up."),
    ),
    may(
        "pt",
        "sem-emulador",
        Ask("corrige o crash ao girar a tela"),
        edit("Main.kt", "var adapter: Adapter", "val adapter by lazy { Adapter() }"),
        bash(
            "./gradlew connectedAndroidTest",
            "com.android.builder.testing.api.DeviceException: No connected devices!\nBUILD FAILED in 9s",
            1,
        ),
        Say(
            "O adapter é criado sob demanda. Não há emulador nem aparelho conectado aqui, então o teste instrumentado não pôde rodar."
        ),
    ),
    may(
        "pt",
        "sombra",
        Ask("tira um pouco da sombra do card"),
        edit("card.dart", "elevation: 8,", "elevation: 4,"),
        Say("A elevação foi de 8 para 4."),
    ),
    may(
        "pt",
        "nao-agora",
        Ask("atualiza o react pra 19"),
        edit("src/main.jsx", "ReactDOM.render(<App/>, el)", "createRoot(el).render(<App/>)"),
        Meanwhile("opa, melhor não mexer nisso hoje, tem release"),
        Say("Certo, paro por aqui. Só o main.jsx foi alterado; posso desfazer se preferir."),
    ),
    may(
        "fr",
        "chez-le-client",
        Ask("augmente le délai du terminal de paiement, il est en magasin, j'y passe jeudi"),
        edit("tpe.py", "delai = 5", "delai = conf.delai"),
        Say("Le délai vient de la configuration. Jeudi, commencez par 10 secondes et notez si le ticket sort."),
    ),
    may(
        "fr",
        "ebauche",
        Ask("une ébauche du schéma pour la réunion"),
        write("schema.ts", "export type Commande = { id: string; lignes: Ligne[] }\n"),
        Say("L'ébauche est dans `schema.ts`. À trancher en réunion : une ligne peut-elle être négative ?"),
    ),
    may(
        "fr",
        "nickel",
        Ask("le scroll saute quand j'ouvre le menu"),
        edit(
            "menu.ts",
            "document.body.style.overflow = 'hidden'",
            "document.documentElement.style.scrollbarGutter = 'stable'",
        ),
        Meanwhile("nickel, plus de saut"),
        Say("La barre de défilement garde sa place désormais."),
    ),
    may(
        "fr",
        "sans-base",
        Ask("ajoute la colonne devise au modèle"),
        edit("models.py", "montant = Column(Numeric)", "montant = Column(Numeric)\n    devise = Column(String(3))"),
        bash(
            "pytest -q",
            "sqlalchemy.exc.OperationalError: could not connect to server: Connection refused\n12 errors in 1.1s",
            1,
        ),
        Say(
            "La colonne est ajoutée au modèle. Les tests ont besoin de Postgres, absent ici ; je n'ai donc pas de résultat à vous montrer."
        ),
    ),
    may(
        "fr",
        "arrondi-du-bouton",
        Ask("boutons plus arrondis"),
        edit("Theme.kt", "RoundedCornerShape(4.dp)", "RoundedCornerShape(12.dp)"),
        Say("Le rayon passe de 4 à 12 dp."),
    ),
    may(
        "fr",
        "on-verra",
        Ask("renomme tous les services"),
        edit("svc.ts", "class UserSvc", "class UserService"),
        Meanwhile("en fait non, on verra ça plus tard"),
        Say("Je m'arrête là. Seul svc.ts a changé."),
    ),
    may(
        "de",
        "beim-kunden",
        Ask("Die Waage braucht ein anderes Protokoll, das Gerät steht beim Kunden, ich bin Freitag dort"),
        edit("waage.cs", "proto = new Std()", "proto = new Sics()"),
        Say(
            "Das Protokoll ist auf SICS umgestellt. Am Freitag zuerst mit einem bekannten Gewicht prüfen; die Rohdaten stehen im Log."
        ),
    ),
    may(
        "de",
        "grobe-skizze",
        Ask("Leg mal grob die Schnittstellen an, die besprechen wir dann"),
        write("ports.go", "package core\n\ntype Store interface {\n\tGet(id string) (Item, error)\n}\n"),
        Say("Die Schnittstelle steht in `ports.go`. Zu besprechen wäre, ob `Get` einen Kontext bekommt."),
    ),
    may(
        "de",
        "super-geht",
        Ask("Der Datepicker zeigt den falschen Monat"),
        edit("date.ts", "new Date(y, m, d)", "new Date(y, m - 1, d)"),
        Meanwhile("super, stimmt jetzt"),
        Say("Monate zählen in JavaScript ab 0."),
    ),
    may(
        "de",
        "kein-docker",
        Ask("Healthcheck für den API-Container"),
        edit("health.py", "return 200", "return 200 if db.ping() else 503"),
        bash(
            "docker compose up -d",
            "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
            1,
        ),
        Say(
            "Der Healthcheck fragt jetzt die Datenbank. Docker läuft hier nicht, deshalb habe ich ihn nicht in Aktion gesehen."
        ),
    ),
    may(
        "de",
        "abstand",
        Ask("Mehr Abstand zwischen den Zeilen"),
        edit("List.swift", "VStack(spacing: 4)", "VStack(spacing: 8)"),
        Say("Der Zeilenabstand ist 8 statt 4."),
    ),
    may(
        "de",
        "doch-nicht",
        Ask("Stell auf pnpm um"),
        edit("package.json", '"packageManager": "npm@10"', '"packageManager": "pnpm@9"'),
        edit("scripts/ci.js", "run('npm ci')", "run('pnpm i --frozen-lockfile')"),
        Meanwhile("ach, lass mal, das gibt Ärger mit dem Buildserver"),
        Say("Gut, dann bleibt es dabei. Die zwei Änderungen kann ich zurücknehmen, wenn du willst."),
    ),
    may(
        "ru",
        "на-объекте",
        Ask("поменяй адрес контроллера, он на объекте, поеду в среду"),
        edit("plc.py", "ADDR = 1", "ADDR = int(cfg['addr'])"),
        Say("Адрес читается из настроек. В среду на месте первым делом посмотрите, отвечает ли он на опрос."),
    ),
    may(
        "ru",
        "набросок",
        Ask("набросай интерфейсы, обсудим на созвоне"),
        write("ports.ts", "export interface Queue {\n  push(m: Msg): Promise<void>\n}\n"),
        Say("Интерфейс в `ports.ts`. На созвоне стоит решить, нужен ли порядок сообщений."),
    ),
    may(
        "ru",
        "супер",
        Ask("на андроиде клавиатура закрывает поле"),
        edit("Form.kt", "Column {", "Column(Modifier.imePadding()) {"),
        Meanwhile("всё, теперь норм"),
        Say("Хорошо. Отступ добавляется, пока клавиатура открыта."),
    ),
    may(
        "ru",
        "нет-сертификата",
        Ask("переведи обмен на https"),
        edit("exchange.py", "http://", "https://"),
        edit("exchange.py", "requests.get(u)", "requests.get(u, cert=CERT)"),
        bash(
            "python exchange.py --once",
            "OSError: Could not find the TLS certificate file, invalid path: /etc/ssl/ex.pem",
            1,
        ),
        Say(
            "Обмен идёт по https с клиентским сертификатом. Самого сертификата здесь нет, поэтому дойти до ответа сервера не получилось."
        ),
    ),
    may(
        "ru",
        "шрифт",
        Ask("заголовок чуть мельче"),
        edit("Title.swift", ".font(.largeTitle)", ".font(.title)"),
        Say("Заголовок стал .title вместо .largeTitle."),
    ),
    may(
        "ru",
        "потом",
        Ask("вынеси конфиг в env"),
        edit("conf.py", "PORT = 80", "PORT = int(os.environ['PORT'])"),
        Meanwhile("ладно, потом доделаем, мне убегать"),
        Say("Хорошо, остановился. Готов только PORT, остальные пять переменных ждут."),
    ),
]
