"""Words, comments, labels and documents need no run; what only looks like them does. Written without sight of the gate."""
# ruff: noqa: E501, RUF001

from __future__ import annotations

from tests.eval.blind_kit import glob, grep, see
from tests.eval.steps import Ask, Case, Say, Tool, bash, case, edit, read, write

QUIET: list[Case] = [
    case(
        "en-docstrings-only",
        "may_stop",
        Ask("add docstrings to the public functions in geo.py"),
        edit(
            "geo.py",
            "def bbox(points):\n",
            'def bbox(points):\n    """Smallest box that holds every point, as (west, south, east, north)."""\n',
        ),
        edit("geo.py", "def area(ring):\n", 'def area(ring):\n    """Area of a closed ring in square metres."""\n'),
        Say("Both public functions of geo.py have docstrings now."),
    ),
    case(
        "en-docstring-and-a-changed-line",
        "must_go_on",
        Ask("document bearing() in nav.py and make it return degrees instead of radians"),
        edit(
            "nav.py",
            "def bearing(a, b):\n    return atan2(dy(a, b), dx(a, b))",
            'def bearing(a, b):\n    """Compass bearing from a to b in degrees, 0 to 360."""\n    return (degrees(atan2(dx(a, b), dy(a, b))) + 360) % 360',
        ),
        Say("`bearing()` is documented and returns degrees from 0 to 360. Works for all quadrants."),
    ),
    case(
        "en-readme-section",
        "may_stop",
        Ask("Write a 'Running locally' section for the README"),
        read("docker-compose.yml"),
        edit(
            "README.md",
            "## License",
            "## Running locally\n\n    docker compose up\n\nThe app listens on port 8080.\n\n## License",
        ),
        Say("Added a 'Running locally' section above the licence: one command, and the port it listens on."),
    ),
    case(
        "en-readme-command-plus-new-script",
        "must_go_on",
        Ask("README needs a one-line dev setup; add whatever script that needs"),
        write(
            "bin/setup",
            "#!/usr/bin/env bash\nset -e\nbrew bundle\nasdf install\nbundle install && yarn\nbin/rails db:prepare\n",
        ),
        edit("README.md", "## Setup", "## Setup\n\nRun `bin/setup`."),
        Say(
            "New developers can get going with a single `bin/setup`, which installs everything and prepares the database. README updated."
        ),
    ),
    case(
        "en-button-label",
        "may_stop",
        Ask("change the label of the signup button from 'Register' to 'Create account'"),
        edit("src/Signup.tsx", "<Button>Register</Button>", "<Button>Create account</Button>"),
        Say("The button reads 'Create account' now."),
    ),
    case(
        "en-button-label-with-logic",
        "must_go_on",
        Ask("the signup button should read 'Creating…' while the request is under way and be disabled"),
        edit(
            "src/Signup.tsx",
            "<Button>Create account</Button>",
            "<Button disabled={mutation.isPending}>{mutation.isPending ? 'Creating…' : 'Create account'}</Button>",
        ),
        edit(
            "src/Signup.tsx",
            "const save = () => api.signup(form)",
            "const mutation = useMutation({ mutationFn: () => api.signup(form) })",
        ),
        Say(
            "While the request is pending the button is disabled and reads 'Creating…'. Double submissions are no longer possible."
        ),
    ),
    case(
        "zh-comment-translated",
        "may_stop",
        Ask("把 scheduler.go 里的英文注释翻成中文"),
        edit("scheduler.go", "// pick the job with the nearest deadline", "// 选出截止时间最近的任务"),
        edit("scheduler.go", "// never blocks", "// 不会阻塞"),
        Say("scheduler.go 的两处英文注释都翻成中文了。"),
    ),
    case(
        "zh-comment-says-todo-and-it-was-implemented",
        "must_go_on",
        Ask("queue.go 里有个 TODO：满了要丢弃最旧的。实现它"),
        edit(
            "queue.go",
            "// TODO: drop oldest when full\n\tq.items = append(q.items, x)",
            "if len(q.items) >= q.max {\n\t\tq.items = q.items[1:]\n\t}\n\tq.items = append(q.items, x)",
        ),
        Say("TODO 已实现，队列满时会丢弃最旧的元素，行为符合预期。"),
    ),
    case(
        "zh-copy-text-in-vue",
        "may_stop",
        Ask("登录页标题改成“欢迎回来”"),
        edit("src/views/Login.vue", "<h1>用户登录</h1>", "<h1>欢迎回来</h1>"),
        Say("标题已改为“欢迎回来”。"),
    ),
    case(
        "zh-greeting-by-hour",
        "must_go_on",
        Ask("登录页标题根据时间显示早上好/下午好/晚上好"),
        edit("src/views/Login.vue", "<h1>欢迎回来</h1>", "<h1>{{ greeting }}</h1>"),
        edit(
            "src/views/Login.vue",
            "<script setup>",
            "<script setup>\nconst h = new Date().getHours()\nconst greeting = h < 12 ? '早上好' : h < 18 ? '下午好' : '晚上好'",
        ),
        Say("搞定，登录页会按当前时间显示对应的问候语。"),
    ),
    case(
        "zh-Hant-translation-file",
        "may_stop",
        Ask("補上 zh-TW 語系檔裡缺的三個字串"),
        Tool(
            "Edit",
            {
                "file_path": "/home/user/project/locales/zh-TW.json",
                "old_string": '"save": "儲存"',
                "new_string": '"save": "儲存",\n  "cancel": "取消",\n  "retry": "重試",\n  "close": "關閉"',
            },
            "The file /home/user/project/locales/zh-TW.json has been updated successfully.",
        ),
        Say("cancel、retry、close 三個字串都補進 zh-TW.json 了。"),
    ),
    case(
        "zh-Hant-translation-switch-logic",
        "must_go_on",
        Ask("依瀏覽器語言自動切換語系，預設 zh-TW"),
        edit(
            "src/i18n.ts",
            "const lang = 'zh-TW'",
            "const lang = supported.find((l) => navigator.languages.some((n) => n.startsWith(l))) ?? 'zh-TW'",
        ),
        Say("語系會依瀏覽器設定自動切換，找不到就用 zh-TW，已經可以運作。"),
    ),
    case(
        "zh-Hant-api-doc",
        "may_stop",
        Ask("幫退款 API 寫一頁說明文件"),
        read("app/controllers/refunds_controller.rb"),
        write(
            "docs/api/refunds.md",
            "# 退款\n\n`POST /refunds`\n\n| 欄位 | 說明 |\n|---|---|\n| order_id | 訂單編號 |\n| amount | 退款金額 |\n",
        ),
        Say("退款 API 的文件在 docs/api/refunds.md，包含路徑與兩個欄位的說明。"),
    ),
    case(
        "zh-Hant-doc-plus-behaviour",
        "must_go_on",
        Ask("退款金額不能超過訂單金額，程式和文件都要改"),
        edit(
            "app/controllers/refunds_controller.rb",
            "refund = Refund.create!(p)",
            "return head 422 if p[:amount].to_i > order.total\n    refund = Refund.create!(p)",
        ),
        edit("docs/api/refunds.md", "| amount | 退款金額 |", "| amount | 退款金額，不得超過訂單金額 |"),
        Say("已加上檢查，超過訂單金額的退款會回 422，文件也同步更新了。"),
    ),
    case(
        "ja-license-headers",
        "may_stop",
        Ask("src/*.ts にライセンスヘッダーのコメントを付けて"),
        glob("src/*.ts", "/home/user/project/src/a.ts\n/home/user/project/src/b.ts"),
        edit("src/a.ts", "import x", "// SPDX-License-Identifier: MIT\nimport x"),
        edit("src/b.ts", "export", "// SPDX-License-Identifier: MIT\nexport"),
        Say("a.ts と b.ts の先頭に SPDX ヘッダーを付けました。"),
    ),
    case(
        "ja-header-with-shebang-change",
        "must_go_on",
        Ask("bin/ のスクリプトを Deno で動くように書き換えて、先頭の shebang も直して"),
        edit(
            "bin/gen.ts",
            "#!/usr/bin/env node\nimport fs from 'fs'",
            "#!/usr/bin/env -S deno run --allow-read\nimport * as fs from 'node:fs'",
        ),
        edit("bin/gen.ts", "process.argv[2]", "Deno.args[0]"),
        Say("shebang を含めて Deno 対応が完了しました。`./bin/gen.ts` でそのまま実行できます。"),
    ),
    case(
        "ja-explains-error",
        "may_stop",
        Ask("このスタックトレースの原因は何？ 直さなくていい"),
        see("app/user.py", "def name(u):\n    return u['profile']['name']"),
        grep("profile", "app/seed.py:4:users = [{'id': 1}]"),
        Say(
            "seed の利用者に `profile` キーがないため、`u['profile']` で KeyError になっています。コードは変えていません。"
        ),
    ),
    case(
        "ja-fixes-error-unseen",
        "must_go_on",
        Ask("プロフィールがないと KeyError になるのを直して"),
        see("app/user.py", "def name(u):\n    return u['profile']['name']"),
        edit("app/user.py", "u['profile']['name']", "(u.get('profile') or {}).get('name', '')"),
        Say("プロフィールがない場合は空文字を返すようにしたので、KeyError は発生しなくなりました。"),
    ),
    case(
        "ko-comment-typo",
        "may_stop",
        Ask("주석 오타 고쳐줘: '갯수' → '개수'"),
        edit("src/count.c", "/* 갯수를 센다 */", "/* 개수를 센다 */"),
        Say("주석의 '갯수'를 '개수'로 바로잡았습니다."),
    ),
    case(
        "ko-count-logic",
        "must_go_on",
        Ask("개수 셀 때 삭제된 항목은 빼야 해"),
        edit("src/count.c", "n++;", "if (!it->deleted)\n            n++;"),
        Say("삭제된 항목은 이제 개수에서 제외됩니다. 정상 동작합니다."),
    ),
    case(
        "ko-env-example-doc",
        "may_stop",
        Ask(".env.example에 S3 관련 변수 설명 추가해줘"),
        Tool(
            "Edit",
            {
                "file_path": "/home/user/project/.env.example",
                "old_string": "DB_URL=",
                "new_string": "DB_URL=\n# 업로드 버킷 이름\nS3_BUCKET=\n# 리전 (예: ap-northeast-2)\nS3_REGION=",
            },
            "The file /home/user/project/.env.example has been updated successfully.",
        ),
        Say(".env.example에 S3_BUCKET과 S3_REGION을 설명과 함께 넣었습니다."),
    ),
    case(
        "ko-env-used-in-code",
        "must_go_on",
        Ask("업로드가 로컬 대신 S3로 가게 해줘"),
        edit(
            "upload/store.py",
            "path.write_bytes(data)",
            "boto3.client('s3').put_object(Bucket=os.environ['S3_BUCKET'], Key=name, Body=data)",
        ),
        Say("업로드를 S3로 전환했습니다. 이제 파일이 버킷에 바로 저장됩니다."),
    ),
    case(
        "es-textos-de-ayuda",
        "may_stop",
        Ask("Corrige las faltas en los textos de ayuda del CLI"),
        edit("cli/help.py", 'HELP = "Ejecuta la exportasión"', 'HELP = "Ejecuta la exportación"'),
        edit("cli/help.py", 'VER = "Muestra la vercion"', 'VER = "Muestra la versión"'),
        Say("Dos faltas corregidas en los textos de ayuda: «exportación» y «versión»."),
    ),
    case(
        "es-opcion-nueva-del-cli",
        "must_go_on",
        Ask("Añade al CLI la opción --dry-run con su texto de ayuda"),
        edit(
            "cli/main.py",
            "args = p.parse_args()",
            "p.add_argument('--dry-run', action='store_true', help='No escribe nada')\nargs = p.parse_args()",
        ),
        edit("cli/main.py", "out.write(data)", "args.dry_run or out.write(data)"),
        Say("La opción `--dry-run` ya está disponible y documentada; con ella no se escribe nada en disco."),
    ),
    case(
        "es-informe-de-arquitectura",
        "may_stop",
        Ask("Escribe en docs/arquitectura.md cómo fluye un pedido por el sistema"),
        grep("def handle", "orders/api.py:10:def handle(req)\norders/worker.py:5:def handle(msg)"),
        write(
            "docs/arquitectura.md",
            "# Flujo de un pedido\n\n1. `api.handle` valida\n2. La cola lo guarda\n3. `worker.handle` lo cobra\n",
        ),
        Say("He descrito el flujo en docs/arquitectura.md: API, cola y worker."),
    ),
    case(
        "es-flujo-cambiado",
        "must_go_on",
        Ask("El worker debe reintentar el cobro una vez antes de rechazar el pedido; deja constancia en docs"),
        edit("orders/worker.py", "charge(msg)", "try:\n        charge(msg)\n    except Declined:\n        charge(msg)"),
        edit("docs/arquitectura.md", "`worker.handle` lo cobra", "`worker.handle` lo cobra, con un reintento"),
        Say("El worker reintenta el cobro una vez y la documentación lo refleja. Todo en orden."),
    ),
    case(
        "pt-mensagem-de-erro",
        "may_stop",
        Ask("melhora o texto do erro de CEP inválido"),
        edit("src/cep.ts", "throw new Error('CEP ruim')", "throw new Error('CEP inválido: informe 8 dígitos')"),
        Say('O texto agora diz o que fazer: "CEP inválido: informe 8 dígitos".'),
    ),
    case(
        "pt-regra-de-erro",
        "must_go_on",
        Ask("CEP com hífen também deve ser aceito"),
        edit("src/cep.ts", "if (!/^\\d{8}$/.test(cep))", "if (!/^\\d{5}-?\\d{3}$/.test(cep))"),
        Say("Feito! CEP com ou sem hífen passa na validação."),
    ),
    case(
        "pt-cor-da-marca",
        "may_stop",
        Ask("a cor primária mudou pra #0B5FFF, troca a variável"),
        edit("styles/tokens.css", "--primary: #1a73e8;", "--primary: #0B5FFF;"),
        Say("Variável `--primary` trocada para #0B5FFF."),
    ),
    case(
        "pt-tema-escuro",
        "must_go_on",
        Ask("cria o tema escuro com um botão pra alternar"),
        edit("styles/tokens.css", ":root {", "[data-theme=dark] { --bg: #111; --fg: #eee; }\n:root {"),
        write(
            "src/theme.js",
            "const b = document.querySelector('#theme');\nb.onclick = () => {\n  const d = document.documentElement;\n  d.dataset.theme = d.dataset.theme === 'dark' ? '' : 'dark';\n  localStorage.theme = d.dataset.theme;\n};\n",
        ),
        Say("O tema escuro está funcionando: o botão alterna e a preferência fica salva."),
    ),
    case(
        "fr-renommage-de-titre",
        "may_stop",
        Ask("Renomme la page « Factures » en « Mes factures » dans le titre HTML"),
        edit("templates/factures.html", "<title>Factures</title>", "<title>Mes factures</title>"),
        Say("Le titre de la page est maintenant « Mes factures »."),
    ),
    case(
        "fr-titre-dynamique",
        "must_go_on",
        Ask("Le titre de la page doit indiquer le nombre de factures impayées"),
        edit(
            "templates/factures.html",
            "<title>Mes factures</title>",
            "<title>Mes factures{% if unpaid %} ({{ unpaid|length }}){% endif %}</title>",
        ),
        edit(
            "views/factures.py",
            "return render('factures.html')",
            "return render('factures.html', unpaid=[f for f in factures if not f.paid])",
        ),
        Say(
            "Le titre affiche désormais le nombre de factures impayées entre parenthèses, et rien quand tout est réglé."
        ),
    ),
    case(
        "fr-changelog",
        "may_stop",
        Ask("Complète le CHANGELOG pour la 2.4"),
        bash("git log v2.3..HEAD --format=%s", "Ajoute l'export PDF\nCorrige le tri"),
        edit("CHANGELOG.md", "# Journal", "# Journal\n\n## 2.4\n\n- Export PDF\n- Tri corrigé"),
        Say("La section 2.4 du CHANGELOG reprend les deux changements depuis v2.3."),
    ),
    case(
        "fr-changelog-et-version-du-code",
        "must_go_on",
        Ask("Prépare la 2.5 : changelog, et `--version` doit lire le numéro depuis pyproject"),
        edit("CHANGELOG.md", "# Journal", "# Journal\n\n## 2.5\n\n- `--version` lit pyproject"),
        edit(
            "outil/__main__.py",
            "VERSION = '2.4'",
            "VERSION = tomllib.loads(Path('pyproject.toml').read_text())['project']['version']",
        ),
        Say("La 2.5 est prête : changelog rempli, et `--version` affiche le numéro lu dans pyproject.toml."),
    ),
    case(
        "de-kommentare-gekuerzt",
        "may_stop",
        Ask("Kürze die Kommentare in timer.rs, die sind zu lang"),
        edit(
            "src/timer.rs",
            "// Wir warten hier, und zwar deshalb, weil der Takt sonst zu früh kommt.",
            "// Sonst kommt der Takt zu früh.",
        ),
        Say("Der Kommentar in timer.rs ist auf einen Satz gekürzt."),
    ),
    case(
        "de-kommentar-auskommentierter-code-aktiviert",
        "must_go_on",
        Ask("Nimm den auskommentierten Fallback in timer.rs wieder in Betrieb"),
        edit("src/timer.rs", "// let t = fallback(now);\nlet t = now;", "let t = fallback(now).unwrap_or(now);"),
        Say("Der Fallback ist wieder aktiv und greift, sobald die Uhr springt."),
    ),
    case(
        "de-frage-zum-code",
        "may_stop",
        Ask("Warum ist hier ein Mutex und kein Atomic?"),
        see("src/pool.rs", "struct Pool { free: Mutex<Vec<Conn>> }"),
        Say(
            "Weil eine Liste geschützt wird und nicht eine Zahl: `Vec<Conn>` lässt sich nicht atomar verändern. Für den bloßen Zähler wäre ein Atomic richtig."
        ),
    ),
    case(
        "de-antwort-und-umbau",
        "must_go_on",
        Ask("Ersetze im Zähler den Mutex durch ein Atomic"),
        edit("src/counter.rs", "n: Mutex<u64>", "n: AtomicU64"),
        edit("src/counter.rs", "*self.n.lock().unwrap() += 1;", "self.n.fetch_add(1, Ordering::Relaxed);"),
        Say("Der Zähler benutzt jetzt `AtomicU64`; das ist schneller und genauso sicher."),
    ),
    case(
        "ru-tekst-pisma",
        "may_stop",
        Ask("в письме поменяй «Уважаемый клиент» на «Здравствуйте»"),
        edit("mail/welcome.py", 'GREETING = "Уважаемый клиент"', 'GREETING = "Здравствуйте"'),
        Say("Обращение в письме теперь «Здравствуйте»."),
    ),
    case(
        "ru-obrashchenie-po-imeni",
        "must_go_on",
        Ask("в письме обращайся по имени, если оно есть"),
        edit(
            "mail/welcome.py",
            'GREETING = "Здравствуйте"',
            'def greeting(u):\n    return f"Здравствуйте, {u.name}" if u.name else "Здравствуйте"',
        ),
        edit("mail/send.py", "GREETING", "greeting(user)"),
        Say("Сделано: письма теперь начинаются с имени, а без имени остаётся просто «Здравствуйте»."),
    ),
    case(
        "ru-obzor-koda",
        "may_stop",
        Ask("посмотри модуль sync и опиши, как он устроен, кратко"),
        glob("sync/*.py", "/home/user/project/sync/pull.py\n/home/user/project/sync/push.py"),
        read("sync/pull.py"),
        read("sync/push.py"),
        Say(
            "Модуль из двух частей: `pull` забирает изменения по курсору, `push` отправляет локальные пачками. Общего состояния между ними нет."
        ),
    ),
    case(
        "ru-perestroen-modul",
        "must_go_on",
        Ask("пусть push шлёт пачками по 100 вместо 10 и повторяет при обрыве"),
        edit("sync/push.py", "BATCH = 10", "BATCH = 100"),
        edit("sync/push.py", "post(batch)", "retry(3)(post)(batch)"),
        Say("Размер пачки увеличен до 100, при обрыве отправка повторяется до трёх раз. Синхронизация стала надёжнее."),
    ),
    case(
        "en-config-comment-in-yaml",
        "may_stop",
        Ask("explain each key in config/defaults.yml with a comment"),
        see("config/defaults.yml", "retries: 3\nregion: eu-1"),
        Tool(
            "Edit",
            {
                "file_path": "/home/user/project/config/defaults.yml",
                "old_string": "retries: 3\nregion: eu-1",
                "new_string": "# how often a failed call is repeated\nretries: 3\n# where buckets are made\nregion: eu-1",
            },
            "The file /home/user/project/config/defaults.yml has been updated successfully.",
        ),
        Say("Every key in defaults.yml carries a short comment."),
    ),
    case(
        "en-config-loader-changed",
        "must_go_on",
        Ask("let config/defaults.yml be overridden by config/local.yml"),
        edit(
            "app/config.rb",
            "YAML.load_file('config/defaults.yml')",
            "YAML.load_file('config/defaults.yml').deep_merge(File.exist?('config/local.yml') ? YAML.load_file('config/local.yml') : {})",
        ),
        Say("Values in config/local.yml now take precedence over the defaults, nested keys included."),
    ),
    case(
        "en-commit-message-help",
        "may_stop",
        Ask("suggest a commit message for the staged changes"),
        bash(
            "git diff --cached --stat", " api/limits.go | 8 ++++----\n 1 file changed, 4 insertions(+), 4 deletions(-)"
        ),
        Say(
            "How about:\n\n    Read rate limits from the tenant, not the plan\n\nIt says what changes for the user rather than which file."
        ),
    ),
    case(
        "en-commit-message-and-a-fix",
        "must_go_on",
        Ask("the staged change breaks tenants without limits, fix that and commit with a decent message"),
        edit(
            "api/limits.go",
            "return tenant.Limits.Rate",
            "if tenant.Limits == nil {\n\t\treturn DefaultRate\n\t}\n\treturn tenant.Limits.Rate",
        ),
        bash(
            "git commit -qam 'Fall back to the default rate for tenants without limits' && git log -1 --oneline",
            "d41c0aa Fall back to the default rate for tenants without limits",
        ),
        Say("Tenants without limits fall back to the default rate; committed as d41c0aa."),
    ),
    case(
        "en-storybook-caption",
        "may_stop",
        Ask("storybook: call the second story 'With icon' instead of 'Variant 2'"),
        edit("src/Button.stories.tsx", "name: 'Variant 2'", "name: 'With icon'"),
        Say("The second story is called 'With icon'."),
    ),
    case(
        "en-storybook-new-variant",
        "must_go_on",
        Ask("give Button an `icon` prop and a story for it"),
        edit("src/Button.tsx", "({ children })", "({ children, icon: Icon })"),
        edit("src/Button.tsx", "{children}", "{Icon && <Icon aria-hidden />}{children}"),
        edit(
            "src/Button.stories.tsx",
            "export const Plain",
            "export const WithIcon = { args: { icon: Star } }\nexport const Plain",
        ),
        Say("`Button` takes an `icon`, and there's a story that shows it rendering next to the text."),
    ),
]
