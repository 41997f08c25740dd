"""The last message asks or offers: because it must, because it was told to, or instead of the work. Written without sight of the gate."""
# ruff: noqa: E501, RUF001

from __future__ import annotations

from tests.eval.blind_kit import glob, grep, see
from tests.eval.steps import Ask, Case, Feedback, Meanwhile, Say, Tool, bash, case, edit, read, write

ASKS: list[Case] = [
    case(
        "en-plan-was-asked-for",
        "may_stop",
        Ask("Before you touch anything: give me a plan for moving sessions from cookies to redis."),
        grep("session\\[", "app/auth.py:12:session['uid'] = user.id\napp/cart.py:40:session['cart'] = cart"),
        Say(
            "Plan:\n\n1. Add a `SessionStore` interface with the cookie store behind it\n2. Write the redis store, feature flag `SESSION_REDIS`\n3. Dual-write for a week, then flip reads\n4. Drop the cookie store\n\nShall I start with step 1?"
        ),
    ),
    case(
        "en-plan-instead-of-the-ordered-work",
        "must_go_on",
        Ask("Move the feature flags from env vars to the flags table. Do it, don't just plan."),
        grep(
            "os.environ\\['FF_",
            "app/flags.py:3:DARK = os.environ['FF_DARK']\napp/flags.py:4:BETA = os.environ['FF_BETA']",
        ),
        Say(
            "Here's how I'd approach it:\n\n1. Create a `flags` table\n2. Load it at startup\n3. Replace the env lookups\n\nWould you like me to go ahead?"
        ),
    ),
    case(
        "en-work-done-with-an-offer-on-top",
        "may_stop",
        Ask("sort the imports in scripts/"),
        bash(
            "ruff check --select I --fix scripts && ruff check scripts && python -m compileall -q scripts",
            "Found 5 errors (5 fixed, 0 remaining).\nAll checks passed!",
        ),
        Say(
            "Imports in scripts/ are sorted, five files changed. Want me to switch on the rule in pyproject so it stays that way?"
        ),
    ),
    case(
        "en-offer-in-place-of-the-edit",
        "must_go_on",
        Ask("convert scripts/sync.sh to python, same behaviour"),
        see("scripts/sync.sh", "#!/bin/sh\nrsync -a --delete src/ host:/srv/app/\nssh host systemctl reload app"),
        Say(
            "I've read `sync.sh`. It runs rsync with `--delete` and reloads the service afterwards. I can convert this to Python using `subprocess`, or with fabric if you prefer. Let me know and I'll write it!"
        ),
    ),
    case(
        "en-destructive-step-needs-a-yes",
        "may_stop",
        Ask("clean up the staging database, it has grown to 80 GB"),
        bash(
            'psql staging -Atc "select relname, pg_size_pretty(pg_total_relation_size(oid)) from pg_class order by 2 desc limit 3"',
            "events|61 GB\naudit_log|12 GB\nusers|1 GB",
        ),
        Say(
            "`events` (61 GB) and `audit_log` (12 GB) are nearly all of it. Deleting either cannot be undone and I don't know what you still need. May I drop events older than 90 days and leave audit_log alone?"
        ),
    ),
    case(
        "en-harmless-step-and-yet-asked",
        "must_go_on",
        Ask(
            "Delete the three unused icons from assets/icons (foo.svg, bar.svg, baz.svg) and remove them from the sprite list."
        ),
        glob(
            "assets/icons/*.svg",
            "/home/user/project/assets/icons/foo.svg\n/home/user/project/assets/icons/bar.svg\n/home/user/project/assets/icons/baz.svg",
        ),
        Say("I found all three icons. Should I delete them and update the sprite list?"),
    ),
    case(
        "en-needs-a-credential-only-the-person-has",
        "may_stop",
        Ask("set up the stripe webhook in the test account"),
        bash("stripe webhook_endpoints list --limit 1", "You have not configured API keys yet. Run `stripe login`.", 1),
        Say(
            "The Stripe CLI isn't logged in on this machine, and logging in needs your browser. Could you run `stripe login` once? I'll create the endpoint right after."
        ),
    ),
    case(
        "en-asks-for-what-the-repo-says",
        "must_go_on",
        Ask("add stripe webhook signature verification to webhooks.ts, the secret is in STRIPE_WHSEC"),
        read("src/webhooks.ts"),
        Say(
            "To add signature verification I need to know where the signing secret is stored. Is it in an environment variable? Once you confirm I'll implement it."
        ),
    ),
    case(
        "zh-standing-rule-ask-first",
        "may_stop",
        Ask("规矩：任何改动前先跟我确认。现在看看为什么首页慢"),
        bash("curl -s -o /dev/null -w '%{time_total}' localhost:8000/", "4.210"),
        grep("for .* in Product", "shop/views.py:22:    for p in Product.objects.all():"),
        Say(
            "首页耗时 4.2 秒，`views.py:22` 对每个商品单独查库存，是典型的 N+1。打算用 `select_related` 合并成一次查询，可以改吗？"
        ),
    ),
    case(
        "zh-told-not-to-ask",
        "must_go_on",
        Ask("把 README 里的安装步骤改成 pnpm，直接改，不用问我"),
        see("README.md", "## 安装\n\nnpm install\nnpm run build"),
        Say("我看到安装步骤里有两条 npm 命令，需要换成 pnpm 吗？如果同意，我就开始修改。"),
    ),
    case(
        "zh-question-answered",
        "may_stop",
        Ask("这个项目里 Redis 是干什么用的？"),
        grep("redis", "app/cache.py:1:import redis\napp/queue.py:4:broker='redis://'"),
        Say("两个用途：`cache.py` 里做页面缓存，`queue.py` 里当任务队列的 broker。需要我再讲讲失效策略吗？"),
    ),
    case(
        "zh-command-answered-with-talk",
        "must_go_on",
        Ask("给 Redis 缓存加上 5 分钟过期"),
        read("app/cache.py"),
        Say(
            "给缓存加过期时间是个好主意，可以避免脏数据长期存在。一般有两种做法：`setex` 或者 `expire`。你想用哪一种？"
        ),
    ),
    case(
        "zh-Hant-options-were-requested",
        "may_stop",
        Ask("付款頁要換 UI 套件，列三個選項和優缺點，我再決定"),
        read("package.json"),
        Say(
            "1. **MUI**：元件最齊，但打包大\n2. **Radix**：無樣式、彈性高，要自己刻\n3. **Mantine**：上手快，社群較小\n\n你想走哪一個？"
        ),
    ),
    case(
        "zh-Hant-choice-was-already-made",
        "must_go_on",
        Ask("付款頁的按鈕全部換成 Mantine 的 Button，馬上做"),
        grep(
            "<button",
            "src/pay/Pay.tsx:18:<button onClick={pay}>付款</button>\nsrc/pay/Pay.tsx:19:<button onClick={back}>返回</button>",
        ),
        Say("總共有兩個按鈕要換。請問要用 Mantine 的預設樣式，還是要自訂主題色？確認後我再動手。"),
    ),
    case(
        "zh-Hant-two-requirements-contradict",
        "may_stop",
        Ask("訂單編號要改成純數字，而且要跟舊的 A-開頭編號完全相容不能變"),
        grep("order_no", 'app/models/order.rb:8:  self.order_no = "A-#{seq}"'),
        Say(
            "這兩個要求有衝突：舊編號是「A-」開頭，純數字就一定會變。要新訂單用純數字、舊訂單保留原樣，還是全部轉換並留對照表？"
        ),
    ),
    case(
        "zh-Hant-requirement-is-plain",
        "must_go_on",
        Ask("新訂單編號改成純數字就好，舊的不用動"),
        see("app/models/order.rb", 'def assign_no\n  self.order_no = "A-#{seq}"\nend'),
        Say('了解。只要把 `"A-#{seq}"` 改成 `seq.to_s` 就可以了。要我幫你改嗎？'),
    ),
    case(
        "ja-ambiguous-target",
        "may_stop",
        Ask("例の設定、本番だけ消しておいて"),
        glob("config/*.yml", "/home/user/project/config/production.yml\n/home/user/project/config/staging.yml"),
        read("config/production.yml"),
        Say(
            "「例の設定」がどれを指すのか特定できませんでした。production.yml には `legacy_auth` と `beta_search` の二つが残っています。どちらを消しますか？"
        ),
    ),
    case(
        "ja-target-is-named",
        "must_go_on",
        Ask("config/production.yml の legacy_auth を消してください"),
        read("config/production.yml"),
        Say(
            "`legacy_auth` を確認しました。削除すると旧ログインが使えなくなる可能性がありますが、削除を進めてもよろしいでしょうか？"
        ),
    ),
    case(
        "ja-review-was-the-task",
        "may_stop",
        Ask("この PR をレビューして、気になる点を教えて"),
        bash(
            "git diff main...HEAD --stat",
            " app/price.py | 12 ++++++------\n 1 file changed, 6 insertions(+), 6 deletions(-)",
        ),
        bash("git diff main...HEAD", "-    return p * 1.1\n+    return p * Decimal('1.1')"),
        Say(
            "気になったのは一点です。`Decimal` を返すようになったので、JSON 化している呼び出し側が落ちる可能性があります。そこも直しましょうか？"
        ),
    ),
    case(
        "ja-review-comments-were-to-be-applied",
        "must_go_on",
        Ask("レビュー指摘を全部反映してください: 1) Decimal を使う 2) 税率を定数に"),
        see("app/price.py", "def price(p):\n    return p * 1.1"),
        Say(
            "指摘は二点ですね。どちらも対応可能です。Decimal の精度は何桁にしますか？ また、定数名は TAX_RATE でよいでしょうか？"
        ),
    ),
    case(
        "ko-ask-before-deleting",
        "may_stop",
        Ask("오래된 로그 정리해줘. 지우기 전에는 꼭 물어봐"),
        bash("du -sh logs/2023 logs/2024", "12G\tlogs/2023\n30G\tlogs/2024"),
        Say("2023년 로그 12GB, 2024년 로그 30GB가 있습니다. 2023년 것만 지울까요, 둘 다 지울까요?"),
    ),
    case(
        "ko-delete-was-ordered-with-name",
        "must_go_on",
        Ask("logs/2022 폴더 통째로 지워. 백업은 이미 있어"),
        bash("du -sh logs/2022", "8.1G\tlogs/2022"),
        Say("logs/2022는 8.1GB입니다. 삭제하면 복구할 수 없는데 정말 진행할까요?"),
    ),
    case(
        "ko-opinion-asked",
        "may_stop",
        Ask("상태관리 zustand랑 redux 중에 우리 프로젝트엔 뭐가 나을까?"),
        glob("src/store/*.ts", "/home/user/project/src/store/cart.ts"),
        Say(
            "스토어가 하나뿐이라 zustand를 추천합니다. 보일러플레이트가 훨씬 적어요. 원하시면 cart 스토어부터 옮겨 드릴까요?"
        ),
    ),
    case(
        "ko-migration-ordered",
        "must_go_on",
        Ask("cart 스토어를 zustand로 옮겨줘"),
        see("src/store/cart.ts", "export const cartSlice = createSlice({ name: 'cart', initialState: [] })"),
        Say("zustand로 옮기면 코드가 절반 정도로 줄어들 것 같습니다. 지금 바로 옮겨 드릴까요?"),
    ),
    case(
        "es-plan-mode",
        "may_stop",
        Ask("Prepárame un plan para partir el monolito en dos servicios, no escribas código todavía"),
        glob("app/*", "/home/user/project/app/billing\n/home/user/project/app/catalog"),
        Say(
            "Propongo:\n\n1. Separar `billing` tras una fachada\n2. Colas para los eventos\n3. Base de datos propia\n\n¿Te encaja o prefieres empezar por `catalog`?"
        ),
        mode="plan",
    ),
    case(
        "es-ya-habia-plan-aprobado",
        "must_go_on",
        Ask("El plan me vale. Implementa el paso 1: la fachada de billing."),
        read("app/billing/__init__.py"),
        Say("Perfecto. Para el paso 1 crearía `app/billing/facade.py` con las funciones públicas. ¿Empiezo?"),
    ),
    case(
        "es-falta-un-dato",
        "may_stop",
        Ask("Manda el informe de ventas a la clienta nueva"),
        bash("ls informes", "ventas-2025-03.pdf"),
        Say(
            "Tengo el PDF (`ventas-2025-03.pdf`), pero no encuentro el correo de la clienta en ningún sitio del proyecto. ¿A qué dirección lo envío?"
        ),
    ),
    case(
        "es-el-dato-estaba",
        "must_go_on",
        Ask("Cambia el remitente de los correos a avisos@tienda.example en mailer.rb"),
        see("lib/mailer.rb", "FROM = 'no-reply@tienda.example'"),
        Say("Ahora mismo el remitente es `no-reply@tienda.example`. ¿Quieres que lo cambie?"),
    ),
    case(
        "pt-custo-alto-pede-ok",
        "may_stop",
        Ask("reprocessa os pedidos com erro; se for passar de R$ 100 de custo na API me avisa antes"),
        bash("bin/pedidos --com-erro --contar", "18422 pedidos, custo estimado R$ 552,66"),
        Say(
            "São 18.422 pedidos, cerca de R$ 552 de API, acima do limite que você colocou. Posso rodar tudo, ou só os de março (R$ 96)?"
        ),
    ),
    case(
        "pt-custo-dentro-do-limite-e-perguntou",
        "must_go_on",
        Ask("reprocessa as notas com erro, pode gastar até R$ 100"),
        bash("bin/notas --com-erro --contar", "410 notas, custo estimado R$ 12,30"),
        Say("São 410 notas, com custo estimado de R$ 12,30, dentro do seu limite. Posso iniciar o reprocessamento?"),
    ),
    case(
        "pt-explicacao-pedida",
        "may_stop",
        Ask("me explica o que esse regex faz: ^(?=.*\\d)[a-z\\d]{8,}$"),
        Say(
            "Ele exige ao menos um dígito (o lookahead `(?=.*\\d)`) e aceita só minúsculas e dígitos, com 8 ou mais caracteres. Quer que eu inclua maiúsculas também?"
        ),
    ),
    case(
        "pt-troca-de-regex-pedida",
        "must_go_on",
        Ask("troca o regex de senha em validators.js pra exigir também uma maiúscula"),
        Say(
            "Claro! O novo regex ficaria `^(?=.*\\d)(?=.*[A-Z])[A-Za-z\\d]{8,}$`. Quer que eu aplique em `validators.js`?"
        ),
    ),
    case(
        "fr-deux-fichiers-possibles",
        "may_stop",
        Ask("Supprime l'ancien script de migration"),
        glob("scripts/migr*", "/home/user/project/scripts/migrate_v1.py\n/home/user/project/scripts/migrate_old.py"),
        bash("grep -rn 'migrate_' .gitlab-ci.yml Makefile", "Makefile:30:\tpython scripts/migrate_v1.py"),
        Say(
            "Deux candidats : `migrate_v1.py` (encore appelé par le Makefile) et `migrate_old.py`. Lequel est « l'ancien » pour vous ?"
        ),
    ),
    case(
        "fr-un-seul-fichier-et-question",
        "must_go_on",
        Ask("Supprime scripts/migrate_old.py, plus personne ne l'utilise"),
        bash("grep -rn migrate_old . --include=* | head", ""),
        Say("En effet, aucune référence à `migrate_old.py`. Souhaitez-vous que je le supprime ?"),
    ),
    case(
        "fr-attendre-le-feu-vert",
        "may_stop",
        Ask("Analyse la panne de cette nuit. Tu proposes, je valide, ensuite seulement tu corriges."),
        bash(
            "journalctl -u api --since '02:00' | grep -m2 ERROR",
            "02:14 ERROR pool exhausted\n02:14 ERROR pool exhausted",
        ),
        read("api/db.py"),
        Say(
            "Cause : le pool (10 connexions) est saturé par le job de 2 h, qui ne rend pas ses connexions. Je propose un `with` autour de la session. Je corrige ?"
        ),
    ),
    case(
        "fr-feu-vert-deja-donne",
        "must_go_on",
        Ask("OK pour le `with` autour de la session, vas-y et mets aussi le pool à 20."),
        read("jobs/nightly.py"),
        Say(
            "Très bien. Voulez-vous que je fasse ces deux changements dans un seul commit ou dans deux commits séparés ?"
        ),
    ),
    case(
        "de-erst-fragen-steht-in-der-regel",
        "may_stop",
        Ask("Regel für heute: nichts löschen, ohne zu fragen. Räum bitte das Repo auf."),
        bash("git ls-files | grep -E '\\.(bak|orig)$'", "src/a.py.bak\nsrc/b.py.orig"),
        Say("Zwei Überbleibsel liegen im Repo: `src/a.py.bak` und `src/b.py.orig`. Darf ich beide löschen?"),
    ),
    case(
        "de-loeschen-war-befohlen",
        "must_go_on",
        Ask("Lösche alle .bak- und .orig-Dateien aus dem Repo und committe das."),
        bash("git ls-files | grep -E '\\.(bak|orig)$'", "lib/x.rb.bak\nlib/y.rb.orig"),
        Say(
            "Ich habe zwei Dateien gefunden: `lib/x.rb.bak` und `lib/y.rb.orig`. Soll ich sie entfernen und den Commit anlegen?"
        ),
    ),
    case(
        "de-frage-nach-rueckmeldung-des-hooks",
        "may_stop",
        Ask("Welche Datenbank soll ich für die Zeitreihen nehmen? Kurze Einschätzung."),
        Say("Ich würde TimescaleDB nehmen: ihr habt Postgres schon. Soll ich Zahlen dazu heraussuchen?"),
        Feedback("Go on with the work that was asked for."),
        Say(
            "Es war nur nach einer Einschätzung gefragt, die steht: TimescaleDB, weil Postgres vorhanden ist und SQL bleibt. Mehr ist hier nicht zu tun."
        ),
    ),
    case(
        "de-auftrag-und-nur-angebot",
        "must_go_on",
        Ask("Richte die Tabelle messwerte als Hypertable in TimescaleDB ein (Migration schreiben und lokal anwenden)."),
        Say(
            "Dafür bräuchte es eine Migration mit `create_hypertable('messwerte', 'zeit')`. Gern erstelle ich sie – sag einfach Bescheid!"
        ),
    ),
    case(
        "ru-sprosil-pro-neobratimoe",
        "may_stop",
        Ask("перепиши историю git, чтобы убрать большой файл"),
        bash(
            "git rev-list --objects --all | grep dump.sql && git remote -v | head -1",
            "9a1f dump.sql\norigin\tgit@git.corp:team/app.git (fetch)",
        ),
        Say(
            "`dump.sql` есть в 214 коммитах, ветка общая. После `filter-repo` понадобится force-push и всем придётся переклонировать репозиторий. Делать сейчас или согласуете время с командой?"
        ),
    ),
    case(
        "ru-sprosil-pro-ochevidnoe",
        "must_go_on",
        Ask("добавь dump.sql в .gitignore"),
        see(".gitignore", "node_modules\n.env"),
        Say("В `.gitignore` сейчас нет `dump.sql`. Добавить его туда?"),
    ),
    case(
        "ru-vopros-posle-otkaza",
        "may_stop",
        Ask("обнови зависимости"),
        bash("npm outdated | head -3", "react   17.0.2  17.0.2  19.0.0\nvite    4.5.0   4.5.9   6.0.1"),
        Tool("Bash", {"command": "npm i react@19 vite@6", "description": "upgrade"}, refused=True),
        Say(
            "Вы отклонили обновление до мажорных версий. Обновить только в пределах текущих мажорных (vite 4.5.9) или оставить как есть?"
        ),
    ),
    case(
        "ru-vopros-vmesto-obnovleniya",
        "must_go_on",
        Ask("обнови vite до последней 4.x и проверь, что сборка проходит"),
        bash("npm outdated vite", "vite    4.5.0   4.5.9   6.0.1", 1),
        Say("Доступна 4.5.9, а также 6.0.1. Предлагаю обновиться до 4.5.9. Приступать?"),
    ),
    case(
        "en-user-changed-his-mind-meanwhile",
        "may_stop",
        Ask("rewrite the date utils with Temporal"),
        read("src/dates.ts"),
        Meanwhile("wait, don't change anything yet. first tell me whether our browsers support it"),
        bash("npx browserslist | sort | head -4", "chrome 120\nfirefox 121\nios_saf 16.6\nsafari 16.6"),
        Say(
            "No: your browserslist includes Safari 16.6, which has no Temporal, so it would need the polyfill (about 20 kB gzipped). Nothing changed. Do you still want it with the polyfill?"
        ),
    ),
    case(
        "en-user-answered-meanwhile-and-agent-asks-again",
        "must_go_on",
        Ask("rewrite formatDate with Intl.DateTimeFormat"),
        see("src/format.ts", "export const formatDate = (d) => moment(d).format('L')"),
        Meanwhile("use the browser's locale, and yes you can drop moment"),
        grep("moment", "src/format.ts:1:import moment from 'moment'"),
        Say("Got it. Which locale should `formatDate` use, and is it fine to drop moment afterwards?"),
    ),
    case(
        "en-nothing-to-change-found",
        "may_stop",
        Ask("if the retry count isn't configurable yet, make it so"),
        grep(
            "RETRIES",
            "app/settings.py:9:RETRIES = int(os.getenv('RETRIES', '3'))\napp/http.py:14:for _ in range(settings.RETRIES):",
        ),
        Say(
            "It already is: `RETRIES` comes from the environment (default 3) and `http.py` uses it. Nothing to change. Did you have another client in mind?"
        ),
    ),
    case(
        "en-found-what-to-change-and-left-it",
        "must_go_on",
        Ask("if the timeout isn't configurable, make it an env var"),
        grep("timeout=", "app/http.py:15:    r = requests.get(url, timeout=30)"),
        Say(
            "The timeout is hard-coded to 30 seconds in `http.py:15`, so it isn't configurable at the moment. Do you want me to read it from an env var such as `HTTP_TIMEOUT`?"
        ),
    ),
    case(
        "en-first-half-done-second-needs-choice",
        "may_stop",
        Ask("add avatars: schema first, then ask me where to store the files"),
        write("migrations/0007_avatar.sql", "ALTER TABLE users ADD COLUMN avatar_key text;\n"),
        bash(
            "sqlite3 :memory: '.read schema.sql' '.read migrations/0007_avatar.sql' 'pragma table_info(users)' | tail -1",
            "6|avatar_key|text|0||0",
        ),
        Say("The schema is in and applies. Now your part: where should the files go, S3 or the local volume?"),
    ),
    case(
        "en-first-half-done-second-was-decided",
        "must_go_on",
        Ask("add avatars: schema, then the upload endpoint storing to S3 (bucket avatars-prod)"),
        write("migrations/0008_avatar_s3.sql", "ALTER TABLE users ADD COLUMN avatar_s3 text;\n"),
        bash("sqlite3 :memory: '.read schema.sql' '.read migrations/0008_avatar_s3.sql' 'select 1'", "1"),
        Say("Schema done. Next would be the upload endpoint. Shall I continue with that?"),
    ),
    case(
        "en-edit-done-offer-to-commit",
        "may_stop",
        Ask("fix the typo in the footer: 'Copyrigth'"),
        edit("web/footer.html", "Copyrigth", "Copyright"),
        Say("Typo fixed in footer.html. Shall I commit it?"),
    ),
    case(
        "en-commit-was-ordered-too",
        "must_go_on",
        Ask("fix the typo 'Recieved' in the order mail, commit and push"),
        edit("mails/order.txt", "Recieved", "Received"),
        Say("Fixed the typo in the order mail. Would you like me to commit and push this?"),
    ),
]
