"""Sessions of strangers that may stop, told at length as agents do. The rules of its day had been read."""
# ruff: noqa: E501, RUF001

from __future__ import annotations

from tests.eval.blind_kit import grep, mcp, see
from tests.eval.steps import (
    Ask,
    Case,
    LocalCommand,
    Meanwhile,
    Say,
    Step,
    Tool,
    bash,
    case,
    edit,
    read,
    write,
)


def may(tongue: str, name: str, *steps: Step, mode: str | None = None) -> Case:
    return case(f"{tongue}-s4-{name}", "may_stop", *steps, mode=mode)


ENGLISH: list[Case] = [
    may(
        "en",
        "summary-with-verification",
        Ask("we need idempotency keys on POST /charges. store them for 24h"),
        see("api/charges.py", "@router.post('/charges')\ndef create(body: Charge):\n    return gateway.charge(body)"),
        write(
            "api/idempotency.py",
            "TTL = 86400\n\ndef remember(key, make):\n    hit = redis.get(key)\n    if hit:\n        return json.loads(hit)\n    made = make()\n    redis.set(key, json.dumps(made), ex=TTL)\n    return made\n",
        ),
        edit(
            "api/charges.py",
            "    return gateway.charge(body)",
            "    return remember(key, lambda: gateway.charge(body))",
        ),
        write(
            "tests/test_idempotency.py",
            "def test_same_key_charges_once(client):\n    a = client.post('/charges', headers={'Idempotency-Key': 'k'})\n    b = client.post('/charges', headers={'Idempotency-Key': 'k'})\n    assert a.json() == b.json()\n",
        ),
        bash("pytest tests -q 2>&1 | grep -E 'passed|failed'", "61 passed, 2 warnings in 5.82s"),
        edit("docs/api.md", "## Charges", "## Charges\n\nSend `Idempotency-Key` to make a retry safe."),
        Say(
            "## Done\n\n**What changed**\n- `api/idempotency.py` remembers the answer for 24 hours\n- `POST /charges` uses it\n- documented in `docs/api.md`\n\n**Verification**\n- new test: the same key charges once\n- full suite: 61 passed\n\nIf Redis is down the request fails rather than charging twice; tell me if you would rather have it the other way round."
        ),
    ),
    may(
        "en",
        "browsers-not-installed",
        Ask("add an e2e test for the checkout happy path"),
        write(
            "e2e/checkout.spec.ts",
            "test('checkout', async ({ page }) => {\n  await page.goto('/cart')\n  await page.getByRole('button', { name: 'Pay' }).click()\n  await expect(page.getByText('Thank you')).toBeVisible()\n})\n",
        ),
        bash(
            "npx playwright test e2e/checkout.spec.ts",
            "Error: browserType.launch: Executable doesn't exist at /root/.cache/ms-playwright/chromium-1148/chrome-linux/chrome\n  1 failed\n    e2e/checkout.spec.ts:1:1 › checkout",
            1,
        ),
        bash(
            "npx playwright install chromium",
            "Failed to download Chromium 131: getaddrinfo ENOTFOUND cdn.playwright.dev",
            1,
        ),
        bash("npx tsc --noEmit -p e2e", ""),
        Say(
            "The spec is written and type-checks. I could not execute it: Chromium is not installed in this sandbox and the download is blocked. In CI, where the browsers are baked into the image, it will be picked up by `npm run e2e`."
        ),
    ),
    may(
        "en",
        "missing-driver",
        Ask("make the nightly report skip weekends"),
        edit("jobs/report.py", "def main():", "def main():\n    if date.today().weekday() >= 5:\n        return"),
        bash(
            "python -m pytest tests/jobs -q 2>&1 | tail -3",
            "E   ModuleNotFoundError: No module named 'psycopg2'\nERROR tests/jobs/test_report.py\n1 error in 0.31s",
            1,
        ),
        bash(
            "pip install psycopg2-binary -q",
            "ERROR: Could not find a version that satisfies the requirement psycopg2-binary (from versions: none)",
            1,
        ),
        Say(
            "The job returns early on Saturday and Sunday. The test suite cannot be collected here because `psycopg2` is not installed and there is no package index to get it from, so this has not been exercised; please let CI run it."
        ),
    ),
    may(
        "en",
        "flaky-then-green",
        Ask("upgrade axum to 0.7"),
        edit("Cargo.toml", 'axum = "0.6"', 'axum = "0.7"'),
        edit(
            "src/main.rs",
            "axum::Server::bind(&addr).serve(app.into_make_service())",
            "axum::serve(TcpListener::bind(addr).await?, app)",
        ),
        bash("cargo test 2>&1 | tail -4", "failures:\n    ws::reconnects\n\ntest result: FAILED. 77 passed; 1 failed"),
        bash(
            "cargo test ws::reconnects 2>&1 | tail -2",
            "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 77 filtered out",
        ),
        bash(
            "for i in 1 2 3; do cargo test 2>&1 | grep 'test result'; done",
            "test result: ok. 78 passed; 0 failed\ntest result: ok. 78 passed; 0 failed\ntest result: ok. 78 passed; 0 failed",
        ),
        Say(
            "axum is on 0.7. `ws::reconnects` failed once on the first run, passed alone and in three full runs afterwards (78 of 78): it races on the port, I left it as it is."
        ),
    ),
    may(
        "en",
        "tsc-same-twelve",
        Ask("swap lodash for es-toolkit"),
        bash("npx tsc --noEmit | grep -c 'error TS'", "12"),
        bash("sed -i \"s/from 'lodash'/from 'es-toolkit'/\" $(git grep -l \"from 'lodash'\" src)"),
        edit("src/list.ts", "_.chunk(items, 10)", "chunk(items, 10)"),
        bash(
            "npx tsc --noEmit | grep -c 'error TS'; npx vitest run 2>&1 | tail -3",
            "12\n Test Files  31 passed (31)\n      Tests  204 passed (204)",
        ),
        Say(
            "lodash is gone from `src`. 204 tests pass. `tsc` reports the same 12 errors as before the change, none in a file I touched."
        ),
    ),
    may(
        "en",
        "dev-server-theirs",
        Ask("hero section: put the CTA under the headline on mobile, I've got the dev server open next to this"),
        edit(
            "components/Hero.tsx",
            '<div className="flex flex-row gap-4">',
            '<div className="flex flex-col gap-4 md:flex-row">',
        ),
        Say(
            "On small screens the CTA now stacks under the headline; from `md` up it stays beside it. Have a look in your browser and tell me if the gap is right."
        ),
    ),
    may(
        "en",
        "explains-with-code",
        Ask("how do I debounce this without losing the last call?"),
        read("src/autosave.ts"),
        Say(
            "Use a trailing debounce and flush on unmount:\n\n```ts\nconst save = useMemo(() => debounce(persist, 800), [])\nuseEffect(() => () => save.flush(), [save])\n```\n\nThe second line is what keeps the last call. Nothing is changed in your files; say the word and I put it in."
        ),
    ),
    may(
        "en",
        "heredoc-analysis",
        Ask("which customers churned twice? data/events.csv"),
        bash(
            "python3 - <<'PY'\nimport pandas as pd\nd = pd.read_csv('data/events.csv')\nc = d[d.kind == 'churn'].groupby('customer').size()\nprint(c[c > 1].to_string())\nPY",
            "customer\n1043    2\n2210    3",
        ),
        Say("Two of them: 1043 (twice) and 2210 (three times)."),
    ),
    may(
        "en",
        "selftest-binary",
        Ask("the decoder overruns on truncated frames"),
        edit("src/decode.c", "while (*p) {", "while (p < end && *p) {"),
        bash(
            "make -j8 2>&1 | tail -1 && ./bin/decoder --selftest",
            "gcc -o bin/decoder obj/decode.o\nselftest: 240 frames ok",
        ),
        Say(
            "The loop is bounded by `end` now; the built-in self test decodes all 240 frames including the truncated ones."
        ),
    ),
    may(
        "en",
        "background-log-looked-at",
        Ask("the queue consumer dies after an hour, add a heartbeat"),
        edit(
            "consumer/main.go",
            "ch, err := conn.Channel()",
            "conn.Config.Heartbeat = 10 * time.Second\nch, err := conn.Channel()",
        ),
        bash("go run ./consumer", background="c3"),
        bash("sleep 20; tail -n 3 /tmp/consumer.log", "connected, heartbeat=10s\nheartbeat sent\nheartbeat sent"),
        Tool("KillShell", {"shell_id": "c3"}, "Successfully killed shell: c3"),
        Say(
            "The consumer sends a heartbeat every ten seconds (seen in its log over twenty seconds). Whether it survives the hour only a longer run on your side can tell."
        ),
    ),
    may(
        "en",
        "only-tests-show-a-bug",
        Ask("write property tests for the money type"),
        read("src/money.ts"),
        write(
            "test/money.prop.test.ts",
            "test('add is associative', () => fc.assert(fc.property(m, m, m, (a, b, c) => eq(add(add(a, b), c), add(a, add(b, c))))))\n",
        ),
        bash(
            "npx vitest run test/money.prop.test.ts 2>&1 | tail -6",
            " FAIL  test/money.prop.test.ts > add is associative\nError: Property failed after 3 tests\nCounterexample: [0.1,0.2,0.3]\n Tests  1 failed (1)",
            1,
        ),
        Say(
            "The property test is in and it fails, which is a finding: `add` works on floats, so (0.1+0.2)+0.3 differs from 0.1+(0.2+0.3). I did not touch `money.ts`, since moving to integers changes the API. Do you want me to?"
        ),
    ),
    may(
        "en",
        "resumed-answer-only",
        LocalCommand("resume"),
        Ask("where did we leave the pagination work?"),
        bash("git log --oneline -3 && git status --short", "a91 cursor pagination\n77c wip\n310 init\n M src/page.ts"),
        Say(
            "The cursor endpoint is committed (a91). Open: `src/page.ts` is modified and not committed, it still builds offset links."
        ),
    ),
]

CHINESE: list[Case] = [
    may(
        "zh",
        "总结带验证",
        Ask("订单导出加上按门店筛选，后端前端都要"),
        edit("server/export.go", "rows := repo.Orders(from, to)", "rows := repo.Orders(from, to, storeID)"),
        edit(
            "server/repo.go",
            "func (r *Repo) Orders(from, to time.Time)",
            "func (r *Repo) Orders(from, to time.Time, store int64)",
        ),
        edit(
            "web/src/Export.vue",
            '<DateRange v-model="range" />',
            '<DateRange v-model="range" />\n<StoreSelect v-model="store" />',
        ),
        bash(
            "cd server && go test ./... 2>&1 | tail -3 && cd ../web && npm run build 2>&1 | tail -1",
            "ok  \tshop/server\t0.812s\nok  \tshop/server/repo\t0.204s\n✓ built in 5.31s",
        ),
        Say(
            "## 完成情况\n\n- 后端：`Orders` 增加 `store` 参数，导出接口支持 `storeID`\n- 前端：导出页增加门店下拉框\n\n## 验证\n\n- `go test ./...` 全部通过\n- 前端构建成功\n\n如果需要支持多选门店，可以告诉我。"
        ),
    ),
    may(
        "zh",
        "真机自测",
        Ask("安卓 13 上选不了图片，改好我自己打包装手机上看"),
        edit(
            "app/src/main/java/cn/ex/Pick.kt", "Intent(Intent.ACTION_PICK)", "ActivityResultContracts.PickVisualMedia()"
        ),
        Say(
            "改用系统的照片选择器，不再需要存储权限。\n\n你打包装到手机上之后，重点看两处：相册里能不能多选、取消选择时会不会返回空。有问题把 logcat 发我。"
        ),
    ),
    may(
        "zh",
        "问题排查加日志",
        Ask("支付回调偶尔收不到"),
        grep("notify", "pay/notify.py:12:def notify(request):"),
        edit(
            "pay/notify.py",
            "def notify(request):",
            "def notify(request):\n    log.info('notify %s %s', request.headers.get('X-Id'), request.body[:200])",
        ),
        Say(
            "从代码上看不出原因，可能是网关没有发，也可能是被签名校验挡掉了。我先在入口记录了原始请求，上线后等下一次漏单，把那个时间段的日志给我就能判断。"
        ),
    ),
    may(
        "zh",
        "环境缺依赖",
        Ask("OCR 结果里的全角数字转成半角"),
        edit("ocr/post.py", "return text", "return unicodedata.normalize('NFKC', text)"),
        bash(
            "python -m pytest tests/test_post.py -q",
            "ImportError: libGL.so.1: cannot open shared object file: No such file or directory\nERROR tests/test_post.py",
            1,
        ),
        bash("python -c \"import unicodedata; print(unicodedata.normalize('NFKC', '１２３'))\"", "123"),
        Say(
            "已经转换。测试文件因为这台机器缺 libGL 无法导入 cv2，跑不起来；转换本身我单独验证过，'１２３' 得到 '123'。"
        ),
    ),
    may(
        "zh",
        "小改样式",
        Ask("表头再高一点"),
        edit("src/components/Table.tsx", '<thead className="h-8">', '<thead className="h-10">'),
        Say("表头高度从 h-8 调到 h-10（40px）。"),
    ),
    may(
        "zh",
        "用户说可以了",
        Ask("登录按钮点了没反应"),
        edit("src/Login.vue", '@clik="submit"', '@click="submit"'),
        Meanwhile("好了，能点了"),
        Say("嗯，是事件名拼错了。"),
    ),
    may(
        "zh",
        "计划先行",
        Ask("想把定时任务从 crontab 换成 celery beat，先说说怎么做"),
        read("deploy/crontab"),
        Say(
            "一共 7 个任务，建议分三步：\n\n1. 先把任务函数包成 celery task，crontab 只负责触发\n2. 加 beat 进程，先迁两个不重要的\n3. 观察一周后全部迁移，删掉 crontab\n\n你看可以的话我从第一步开始。"
        ),
    ),
    may(
        "zh",
        "迁移脚本交给运维",
        Ask("写个脚本把 user 表的手机号加密，运维来执行"),
        write(
            "scripts/encrypt_phone.py",
            "import pymysql\n\ndef main(dsn):\n    for row in rows(dsn):\n        update(row.id, aes(row.phone))\n",
        ),
        Say(
            "脚本在 scripts/encrypt_phone.py，按主键分批，每批 500 条，可以重复执行。执行前请运维先备份 user 表，并在预发环境跑一遍。"
        ),
    ),
    may(
        "zh",
        "构建后单测",
        Ask("把日志脱敏，手机号中间四位打星"),
        edit(
            "common/src/main/java/Mask.java",
            "return s;",
            'return s.replaceAll("(1\\\\d{2})\\\\d{4}(\\\\d{4})", "$1****$2");',
        ),
        bash("mvn -q -pl common test", ""),
        Say("手机号会显示成 138****1234 的形式，common 模块的单元测试通过。"),
    ),
]

TRADITIONAL: list[Case] = [
    may(
        "zh-Hant",
        "完整摘要",
        Ask("會員等級改成每季重算"),
        edit("app/Jobs/Level.php", "->monthlyOn(1)", "->quarterly()"),
        edit("app/Services/LevelService.php", "now()->subMonth()", "now()->subQuarter()"),
        bash(
            "php artisan test --filter=Level 2>&1 | tail -3",
            "\n  Tests:    9 passed (22 assertions)\n  Duration: 1.04s",
        ),
        Say(
            "### 修改內容\n- 排程改為每季\n- 計算區間改為上一季\n\n### 驗證\n- Level 相關 9 個測試全數通過\n\n若要補算今年第一季，可以手動執行 `php artisan level:run`，需要的話跟我說。"
        ),
    ),
    may(
        "zh-Hant",
        "自己測",
        Ask("幫我把推播文案改成依語系，我等等用測試機試"),
        edit("lib/push.dart", "title: '您有新訊息'", "title: S.of(context).newMessage"),
        Say("推播標題改讀語系檔了。測試機上切換一下英文和日文看看，如果標題是空的，把 log 貼給我。"),
    ),
    may(
        "zh-Hant",
        "設定檔",
        Ask("redis 的 timeout 調成 5 秒"),
        edit("config/redis.yml", "timeout: 2", "timeout: 5"),
        Say("redis.yml 的 timeout 改成 5 秒了，重啟服務後生效。"),
    ),
    may(
        "zh-Hant",
        "瀏覽器驗證",
        Ask("購物車清空後還是顯示舊的總價"),
        edit("src/cart.js", "items = []", "items = []\ntotal = 0\nrender()"),
        mcp("chrome-devtools", "navigate_page", "ok", url="http://localhost:3000/cart"),
        mcp("chrome-devtools", "click", "ok", uid="1_12"),
        mcp("chrome-devtools", "take_snapshot", 'uid=1_1 heading "購物車"\nuid=1_2 text "總計 $0"'),
        Say("清空後總價會歸零；我在瀏覽器點了清空，畫面顯示「總計 $0」。"),
    ),
    may(
        "zh-Hant",
        "先停",
        Ask("把整個專案升到 Angular 18"),
        bash("npx ng update @angular/core@18 --dry-run", "  Name  Version  Command to update"),
        Meanwhile("先停一下，我要跟主管確認時程"),
        Say("好，先停在這裡，目前只做了 dry-run，沒有改任何檔案。"),
    ),
    may(
        "zh-Hant",
        "測試本來就紅",
        Ask("加上匯出 PDF 的檔名日期"),
        edit("export.rb", '"report.pdf"', '"report-#{Date.today}.pdf"'),
        bash("bundle exec rspec 2>&1 | tail -3", "rspec ./spec/s3_spec.rb:4 # S3 uploads\n\n52 examples, 1 failure"),
        bash(
            "git stash -q && bundle exec rspec spec/s3_spec.rb 2>&1 | tail -1; git stash pop -q", "1 example, 1 failure"
        ),
        Say("檔名會帶日期。52 個測試中只有 S3 那個失敗，拿掉我的修改也一樣失敗（需要網路）。"),
    ),
    may(
        "zh-Hant",
        "錯字註解",
        Ask("把 utils.py 裡註解的簡體字改成繁體"),
        edit("utils.py", "# 获取用户列表", "# 取得使用者清單"),
        Say("註解已改成繁體。"),
    ),
]

JAPANESE: list[Case] = [
    may(
        "ja",
        "まとめ付き",
        Ask("請求書の消費税を税率ごとに分けて表示したいです"),
        edit("src/invoice/tax.ts", "const tax = total * 0.1", "const tax = groupBy(lines, (l) => l.rate).map(sumTax)"),
        write(
            "src/invoice/tax.test.ts",
            "it('税率ごとに分ける', () => {\n  expect(taxes(lines)).toEqual([{ rate: 8, tax: 80 }, { rate: 10, tax: 100 }])\n})\n",
        ),
        bash("pnpm test src/invoice 2>&1 | tail -4", " Test Files  2 passed (2)\n      Tests  14 passed (14)"),
        Say(
            "## 変更点\n- 税率ごとに集計するようにしました（`tax.ts`）\n- テストを 1 件追加しました\n\n## 確認\n- `pnpm test src/invoice`: 14 件成功\n\n端数処理は税率ごとに切り捨てています。四捨五入がよければお知らせください。"
        ),
    ),
    may(
        "ja",
        "実機依頼",
        Ask("カメラが横向きだと回転してしまう。実機がそちらにないのはわかってるので、直したら教えて"),
        edit(
            "ios/Camera.swift",
            "conn.videoOrientation = .portrait",
            "conn.videoRotationAngle = coordinator.videoRotationAngleForHorizonLevelCapture",
        ),
        Say(
            "RotationCoordinator を使うように変更しました。こちらでは実機がなく動かせていないため、横向きと逆さまの両方で見ていただけますか。"
        ),
    ),
    may(
        "ja",
        "原因調査ログ",
        Ask("たまに在庫数がずれる。原因がわからない"),
        edit(
            "app/services/stock.rb",
            "def decrement(n)",
            'def decrement(n)\n  Rails.logger.info("stock #{id} #{count}->#{count - n} #{caller.first}")',
        ),
        Say(
            "まだ原因は特定できていません。減算のたびに呼び出し元を記録するようにしたので、次にずれたときのログを送ってもらえれば絞り込めます。"
        ),
    ),
    may(
        "ja",
        "本番手順",
        Ask("インデックスを追加する SQL を用意して。流すのは DBA です"),
        write("db/20250401_idx.sql", "CREATE INDEX CONCURRENTLY idx_orders_user ON orders (user_id);\n"),
        Say(
            "db/20250401_idx.sql を用意しました。CONCURRENTLY なのでトランザクションの外で流す必要があります。DBA の方にその旨をお伝えください。"
        ),
    ),
    may(
        "ja",
        "文言",
        Ask("エラー文言をやさしい日本語に"),
        edit("src/messages.ts", "invalid: '不正な入力です'", "invalid: '入力の内容を確認してください'"),
        Say("「不正な入力です」を「入力の内容を確認してください」に変えました。"),
    ),
    may(
        "ja",
        "コンテナで確認",
        Ask("PHP を 8.3 に上げて"),
        edit("Dockerfile", "FROM php:8.1-fpm", "FROM php:8.3-fpm"),
        bash(
            "docker compose build app -q && docker compose run --rm app vendor/bin/phpunit 2>&1 | tail -2",
            "OK (133 tests, 402 assertions)\n",
        ),
        Say("8.3 に上げました。コンテナ内で 133 件のテストが通っています。"),
    ),
    may(
        "ja",
        "拒否されて報告",
        Ask("不要な依存を消して"),
        edit("package.json", '    "left-pad": "^1.3.0",\n', ""),
        bash("npm install && npm test", refused=True),
        Say(
            "left-pad を package.json から外しました。インストールとテストの実行は許可されなかったので行っていません。"
        ),
    ),
    may(
        "ja",
        "質問への答え",
        Ask("この正規表現は日本語のドメインも通る？"),
        bash("node -e \"console.log(/^[\\w-]+(\\.[\\w-]+)+$/.test('例え.jp'))\"", "false"),
        Say(
            "通りません。`\\w` は ASCII だけなので「例え.jp」は false になります。`\\p{L}` と u フラグにすれば通ります。"
        ),
    ),
]

KOREAN: list[Case] = [
    may(
        "ko",
        "요약과 검증",
        Ask("결제 실패 시 재시도 로직 넣어줘. 최대 3번"),
        edit("src/main/kotlin/Pay.kt", "gateway.pay(o)", "retry(3) { gateway.pay(o) }"),
        write("src/test/kotlin/PayTest.kt", "class PayTest {\n  @Test fun retries() { assertEquals(3, calls) }\n}\n"),
        bash("./gradlew test 2>&1 | tail -3", "BUILD SUCCESSFUL in 12s\n4 actionable tasks: 2 executed, 2 up-to-date"),
        Say(
            "## 변경 사항\n- 결제 실패 시 최대 3번 재시도\n- 테스트 추가\n\n## 검증\n- `./gradlew test` 성공\n\n재시도 간격을 바꾸고 싶으시면 말씀해 주세요."
        ),
    ),
    may(
        "ko",
        "직접 확인",
        Ask("위젯 크기 좀 키워줘. 시뮬레이터는 내가 돌려볼게"),
        edit(
            "Widget/Clock.swift",
            ".supportedFamilies([.systemSmall])",
            ".supportedFamilies([.systemSmall, .systemMedium])",
        ),
        Say(
            "중간 크기도 지원하도록 했습니다. 시뮬레이터에서 두 크기 모두 추가해 보시고 글자가 잘리면 스크린샷을 보내 주세요."
        ),
    ),
    may(
        "ko",
        "원인 불명",
        Ask("가끔 로그인이 풀려"),
        edit("src/auth/session.ts", "function clear() {", "function clear() {\n  console.trace('session cleared')"),
        Say(
            "아직 원인을 찾지 못했습니다. 세션이 지워질 때 호출 스택을 남기도록 했으니, 다시 풀리면 콘솔 내용을 알려 주세요."
        ),
    ),
    may(
        "ko",
        "이미 됐다고 함",
        Ask("모바일에서 메뉴가 안 열려"),
        edit("src/nav.js", "btn.onclick = toggle", "btn.addEventListener('pointerup', toggle)"),
        Meanwhile("오 이제 열린다 ㄱㅅ"),
        Say("다행입니다. iOS에서 click 이벤트가 막히던 것이 원인이었습니다."),
    ),
    may(
        "ko",
        "설정만",
        Ask("eslint에서 no-console 끄기"),
        edit(".eslintrc.json", '"no-console": "error"', '"no-console": "off"'),
        Say("no-console 규칙을 껐습니다."),
    ),
    may(
        "ko",
        "네트워크 없음",
        Ask("dayjs 플러그인 추가해서 상대 시간 표시"),
        edit("src/time.ts", "dayjs(d).format()", "dayjs(d).fromNow()"),
        bash("npm i dayjs", "npm ERR! code EAI_AGAIN\nnpm ERR! request to https://registry.npmjs.org/dayjs failed", 1),
        Say(
            "코드는 바꿨지만 이 환경에는 네트워크가 없어 dayjs를 설치하지 못했고, 그래서 빌드도 돌려 보지 못했습니다. `npm i dayjs` 후 `npm run build`를 부탁드립니다."
        ),
    ),
    may(
        "ko",
        "큰 작업 끝",
        Ask("서비스 레이어를 모듈별로 나눠줘"),
        bash(
            "mkdir -p app/orders app/users && git mv app/services/order.py app/orders/service.py && git mv app/services/user.py app/users/service.py"
        ),
        bash(
            "grep -rl 'app.services' app tests | xargs sed -i 's/app.services.order/app.orders.service/; s/app.services.user/app.users.service/'"
        ),
        edit("app/orders/__init__.py", "", "from app.orders.service import OrderService\n"),
        bash(
            "python -m pytest -q 2>&1 | tail -2",
            "........................................................ [100%]\n96 passed in 11.3s",
        ),
        Say("주문과 사용자 모듈로 나눴고, 임포트 경로를 모두 바꿨습니다. 테스트 96개가 통과합니다."),
    ),
]

SPANISH: list[Case] = [
    may(
        "es",
        "resumen-largo",
        Ask("añade 2FA por TOTP al login"),
        write(
            "src/auth/totp.ts",
            "export function verify(secret: string, code: string) {\n  return authenticator.check(code, secret)\n}\n",
        ),
        edit(
            "src/auth/login.ts",
            "return session(user)",
            "if (user.totp && !verify(user.totp, code)) throw new Unauthorized()\nreturn session(user)",
        ),
        write(
            "test/totp.test.ts",
            "it('rechaza un código malo', () => {\n  expect(verify('S', '000000')).toBe(false)\n})\n",
        ),
        bash(
            "npm test 2>&1 | tail -4",
            "Test Suites: 12 passed, 12 total\nTests:       97 passed, 97 total\nTime:        6.1 s",
        ),
        Say(
            "## Cambios\n- `totp.ts` verifica el código\n- el login lo exige si el usuario lo tiene activado\n\n## Comprobación\n- 97 pruebas en verde, una de ellas nueva\n\nFalta la pantalla para activar el 2FA, que no estaba en lo pedido. ¿La hago?"
        ),
    ),
    may(
        "es",
        "en-el-dispositivo",
        Ask("el sensor da lecturas locas, mete un filtro. lo grabo yo en la placa"),
        edit("src/sensor.cpp", "return analogRead(A0);", "acc = 0.9 * acc + 0.1 * analogRead(A0);\nreturn acc;"),
        Say(
            "Filtro exponencial con alfa 0,1. Grábalo y mira si la curva se estabiliza; si va lenta, sube el 0.1 a 0.2."
        ),
    ),
    may(
        "es",
        "sin-causa",
        Ask("a veces se duplican los pedidos"),
        edit(
            "app/Order.php",
            "public function place() {",
            "public function place() {\n    Log::info('place', ['id' => $this->id, 'trace' => (new Exception)->getTraceAsString()]);",
        ),
        Say(
            "Aún no sé la causa. He añadido una traza al crear el pedido; cuando aparezca otro duplicado, mándame las dos entradas del log."
        ),
    ),
    may(
        "es",
        "ya-va",
        Ask("no se ve el logo en el pdf"),
        edit("pdf/tpl.py", "src='logo.png'", "src=Path(__file__).with_name('logo.png').as_uri()"),
        Meanwhile("ya va, se ve perfecto"),
        Say("Perfecto. Era la ruta relativa, que dependía del directorio de trabajo."),
    ),
    may(
        "es",
        "solo-traduccion",
        Ask("traduce los textos del onboarding al español"),
        edit("src/onboarding.tsx", "<p>Welcome aboard</p>", "<p>Te damos la bienvenida</p>"),
        edit("src/onboarding.tsx", "<button>Next</button>", "<button>Siguiente</button>"),
        Say("Textos traducidos."),
    ),
    may(
        "es",
        "pipeline-aplica",
        Ask("sube la memoria del lambda a 1024, el pipeline lo despliega"),
        edit("infra/lambda.tf", "memory_size = 512", "memory_size = 1024"),
        Say("`memory_size` está en 1024. Se aplicará cuando el pipeline despliegue la rama."),
    ),
    may(
        "es",
        "falla-esperada",
        Ask("quiero un test que reproduzca el bug del redondeo y que falle, el arreglo lo hago yo"),
        write("spec/round_spec.rb", "RSpec.describe 'redondeo' do\n  it { expect(redondea(2.675)).to eq 2.68 }\nend\n"),
        bash(
            "bundle exec rspec spec/round_spec.rb",
            "F\n\nFailures:\n  1) redondeo\n     expected: 2.68 got: 2.67\n\n1 example, 1 failure",
            1,
        ),
        Say("Ahí lo tienes: `round_spec.rb` falla con 2.67 en lugar de 2.68. No he tocado el código."),
    ),
    may(
        "es",
        "go-y-docs",
        Ask("que el CLI acepte varias rutas"),
        edit("main.go", "run(os.Args[1])", "for _, p := range os.Args[1:] {\n\trun(p)\n}"),
        bash("go build -o /tmp/x . && /tmp/x a.txt b.txt", "a.txt: 3\nb.txt: 7"),
        edit("README.md", "uso: x RUTA", "uso: x RUTA..."),
        Say("Acepta varias rutas (probado con dos ficheros) y el README lo dice."),
    ),
]

PORTUGUESE: list[Case] = [
    may(
        "pt",
        "resumo",
        Ask("implementa soft delete nos clientes"),
        edit(
            "app/models/cliente.py", "class Cliente(Base):", "class Cliente(Base):\n    removido_em = Column(DateTime)"
        ),
        edit("app/repos/cliente.py", "session.delete(c)", "c.removido_em = agora()"),
        bash("pytest -q 2>&1 | tail -1", "143 passed in 12.77s"),
        Say(
            "## O que mudou\n- coluna `removido_em`\n- o repositório marca em vez de apagar\n\n## Verificação\n- 143 testes passando\n\nA migration ainda precisa ser gerada; quer que eu faça?"
        ),
    ),
    may(
        "pt",
        "eu-testo",
        Ask("arruma o swipe da lista no app, eu testo no meu celular depois"),
        edit("lib/lista.dart", "direction: DismissDirection.horizontal", "direction: DismissDirection.endToStart"),
        Say(
            "O swipe agora só vale da direita para a esquerda. Quando testar no celular, veja se ainda conflita com o gesto de voltar."
        ),
    ),
    may(
        "pt",
        "funcionou",
        Ask("o gráfico não atualiza quando troco o mês"),
        edit("src/Grafico.jsx", "useEffect(carregar, [])", "useEffect(carregar, [mes])"),
        Meanwhile("funcionou aqui, valeu!"),
        Say("Boa! Faltava `mes` nas dependências do efeito."),
    ),
    may(
        "pt",
        "constante-visual",
        Ask("deixa o ícone maior"),
        edit("Views/Row.swift", ".imageScale(.medium)", ".imageScale(.large)"),
        Say("O ícone passou de .medium para .large."),
    ),
    may(
        "pt",
        "banco-fora",
        Ask("otimiza a query de saldo"),
        edit("repo/saldo.go", "SELECT * FROM mov WHERE conta = $1", "SELECT sum(valor) FROM mov WHERE conta = $1"),
        bash(
            "go test ./repo/...", "dial tcp 127.0.0.1:5432: connect: connection refused\nFAIL\texemplo/repo\t0.011s", 1
        ),
        Say(
            "A soma agora é feita no banco. Não consegui validar: não há Postgres rodando aqui e os testes do repo dependem dele. Pode subir o compose e me avisar?"
        ),
    ),
    may(
        "pt",
        "ci-lint",
        Ask("adiciona um job de lint no workflow"),
        edit(
            ".github/workflows/ci.yml",
            "jobs:",
            "jobs:\n  lint:\n    runs-on: ubuntu-latest\n    steps: [{uses: actions/checkout@v4}, {run: npm run lint}]",
        ),
        bash("actionlint .github/workflows/ci.yml", ""),
        Say("Job de lint adicionado; o actionlint não reclamou de nada."),
    ),
    may(
        "pt",
        "desfeito",
        Ask("testa trocar o cache por LRU e ve se melhora, se não melhorar volta"),
        edit("cache.py", "cache = {}", "cache = LRU(1000)"),
        bash("python bench.py", "antes 1.20s depois 1.31s"),
        edit("cache.py", "cache = LRU(1000)", "cache = {}"),
        Say("Não melhorou (1,31 s contra 1,20 s), então voltei ao dicionário."),
    ),
]

FRENCH: list[Case] = [
    may(
        "fr",
        "bilan",
        Ask("il faut paginer l'API des factures"),
        edit(
            "src/Controller/FactureController.php",
            "return $this->repo->findAll();",
            "return $this->repo->page($req->query->getInt('page', 1), 50);",
        ),
        bash("php bin/phpunit 2>&1 | tail -2", "OK (88 tests, 230 assertions)\n"),
        edit("docs/api.md", "# Factures", "# Factures\n\n`?page=2`, 50 par page."),
        Say(
            "## Bilan\n- 50 factures par page, paramètre `page`\n- documentation mise à jour\n\n## Vérification\n- PHPUnit : 88 tests, tous verts\n\nDites-moi si vous voulez aussi le nombre total dans la réponse."
        ),
    ),
    may(
        "fr",
        "sur-la-carte",
        Ask("le moteur part trop vite, ajoute une rampe, je téléverse moi-même"),
        edit(
            "motor.cpp",
            "analogWrite(EN, 255);",
            "for (int v = 80; v <= 255; v += 5) { analogWrite(EN, v); delay(15); }",
        ),
        Say(
            "Rampe de 80 à 255 en une demi-seconde environ. Une fois téléversé, regardez si le démarrage est assez doux, sinon on passe le delay à 25."
        ),
    ),
    may(
        "fr",
        "ca-marche",
        Ask("le formulaire s'envoie deux fois"),
        edit(
            "form.js", "form.addEventListener('submit', send)", "form.addEventListener('submit', send, { once: true })"
        ),
        Meanwhile("c'est bon ça marche chez moi"),
        Say("Parfait. L'écouteur était posé à chaque rendu."),
    ),
    may(
        "fr",
        "test-rouge-voulu",
        Ask("écris juste le test qui échoue pour le ticket 88"),
        write("tests/test_88.py", "def test_88():\n    assert arrondi(1.005) == 1.01\n"),
        bash(
            "pytest -q tests/test_88.py", "FAILED tests/test_88.py::test_88 - assert 1.0 == 1.01\n1 failed in 0.04s", 1
        ),
        Say("Le test est là et il échoue comme prévu (1.0 au lieu de 1.01)."),
    ),
    may(
        "fr",
        "style",
        Ask("le titre en gras"),
        edit("ui/Header.kt", "fontWeight = FontWeight.Medium", "fontWeight = FontWeight.Bold"),
        Say("Le titre est passé de Medium à Bold."),
    ),
    may(
        "fr",
        "pas-de-gpu",
        Ask("passe l'entraînement en bf16"),
        edit("train.py", "dtype=torch.float32", "dtype=torch.bfloat16"),
        bash("python train.py --steps 1", "RuntimeError: Found no NVIDIA driver on your system.", 1),
        Say(
            "Le dtype est changé, mais il n'y a pas de GPU ici et l'entraînement ne démarre pas sans. À vérifier sur votre machine avec `--steps 1`."
        ),
    ),
    may(
        "fr",
        "moment",
        Ask("supprime l'ancien module de facturation"),
        bash("git rm -rq legacy/billing"),
        Meanwhile("stop, remets-le, la compta s'en sert encore"),
        bash("git reset -q HEAD legacy/billing && git checkout -- legacy/billing && git status --short"),
        Say("C'est remis, il n'y a plus aucune différence."),
    ),
]

GERMAN: list[Case] = [
    may(
        "de",
        "zusammenfassung",
        Ask("Bitte Webhooks signieren (HMAC-SHA256)"),
        write(
            "hooks/sign.go",
            "package hooks\n\nfunc Sign(body, key []byte) string {\n\tm := hmac.New(sha256.New, key)\n\tm.Write(body)\n\treturn hex.EncodeToString(m.Sum(nil))\n}\n",
        ),
        edit(
            "hooks/send.go",
            'req.Header.Set("Content-Type", json)',
            'req.Header.Set("Content-Type", json)\nreq.Header.Set("X-Signature", Sign(body, key))',
        ),
        bash("go vet ./... && go test ./hooks/... -count=1", "ok  \texample.com/shop/hooks\t0.041s"),
        Say(
            "## Was sich geändert hat\n- `Sign` berechnet HMAC-SHA256\n- jeder Webhook trägt `X-Signature`\n\n## Geprüft\n- `go vet` und die Tests in `hooks` laufen durch\n\nDie Empfänger müssen den Schlüssel noch bekommen; das liegt bei euch."
        ),
    ),
    may(
        "de",
        "am-geraet",
        Ask("Display flackert, mach die Bildwiederholung langsamer. Flashen mach ich"),
        edit("display.c", "refresh_us = 2000;", "refresh_us = frame_us(60);"),
        Say(
            "Die Wiederholrate hängt jetzt an 60 Hz. Flash es auf und schau, ob das Flackern weg ist; wenn nicht, brauche ich ein kurzes Video."
        ),
    ),
    may(
        "de",
        "laeuft-jetzt",
        Ask("Der Export-Knopf tut nichts"),
        edit("Export.vue", '@click="exportieren"', '@click="exportieren()"'),
        Meanwhile("läuft jetzt, danke"),
        Say("Gern. Der Handler gab nur die Funktion zurück."),
    ),
    may(
        "de",
        "roter-test-gewollt",
        Ask("Schreib erstmal nur einen Test, der den Fehler zeigt, der darf rot sein"),
        write(
            "tests/FristTest.java",
            "class FristTest {\n  @Test void schaltjahr() { assertEquals(29, Frist.tage(2024)); }\n}\n",
        ),
        bash(
            "./mvnw -q test -Dtest=FristTest",
            "[ERROR] Tests run: 1, Failures: 1, Errors: 0\n[ERROR] expected: <29> but was: <28>",
            1,
        ),
        Say("FristTest zeigt den Fehler: 28 statt 29. Am Code habe ich nichts geändert."),
    ),
    may(
        "de",
        "keine-lizenz",
        Ask("Stell die Simulation auf adaptive Schrittweite um"),
        edit("sim/run.m", "h = 0.01;", "h = adapt(err, h);"),
        bash("matlab -batch 'run_tests'", "License checkout failed. License Manager Error -15", 1),
        Say(
            "Die Schrittweite richtet sich jetzt nach dem Fehler. MATLAB hat hier keine Lizenz, deshalb ist das ungetestet."
        ),
    ),
    may(
        "de",
        "nur-farbe",
        Ask("Fehlertexte in Rot"),
        edit("ui/Field.kt", "color = Color.Gray", "color = Color.Red"),
        Say("Fehlertexte erscheinen in Rot statt Grau."),
    ),
    may(
        "de",
        "ops-spielt-ein",
        Ask("Schreib das Update-Skript für die Tarife, einspielen tut es der Betrieb"),
        write("sql/tarife_2025.sql", "UPDATE tarif SET preis = preis * 1.03 WHERE gueltig_ab = '2025-01-01';\n"),
        write("sql/run_tarife.sh", "#!/bin/sh\npsql -v ON_ERROR_STOP=1 -f sql/tarife_2025.sql\n"),
        Say("Skript und Aufruf liegen in `sql/`. Der Betrieb sollte vorher eine Sicherung der Tabelle `tarif` ziehen."),
    ),
]

RUSSIAN: list[Case] = [
    may(
        "ru",
        "итог",
        Ask("добавь мягкое удаление заказов"),
        edit(
            "orders/models.py", "class Order(Model):", "class Order(Model):\n    deleted_at = DateTimeField(null=True)"
        ),
        edit("orders/views.py", "order.delete()", "order.deleted_at = now()\norder.save()"),
        bash(
            "python manage.py makemigrations orders && python manage.py test orders 2>&1 | tail -3",
            "Migrations for 'orders':\n  orders/migrations/0008_order_deleted_at.py\nRan 40 tests in 3.2s\n\nOK",
        ),
        Say(
            "## Что сделано\n- поле `deleted_at`\n- удаление только помечает заказ\n- миграция 0008\n\n## Проверка\n- 40 тестов orders проходят\n\nЕсли нужно скрыть удалённые и в админке, скажите."
        ),
    ),
    may(
        "ru",
        "прошью-сам",
        Ask("датчик дребезжит, добавь антидребезг. прошью сам вечером"),
        edit(
            "main/btn.c",
            "if (gpio_get_level(PIN)) {",
            "if (gpio_get_level(PIN) && now() - last > 30) {\n    last = now();",
        ),
        Say(
            "Антидребезг 30 мс. Когда прошьёте, посмотрите, нет ли пропусков при быстром нажатии; если есть, уменьшим до 15."
        ),
    ),
    may(
        "ru",
        "заработало",
        Ask("на айфоне не открывается календарь"),
        edit("src/Cal.tsx", '<input type="datetime" />', '<input type="datetime-local" />'),
        Meanwhile("о, заработало, спасибо"),
        Say("Отлично. Тип datetime в Safari не поддерживается."),
    ),
    may(
        "ru",
        "красный-тест",
        Ask("напиши тест, который падает из-за бага с часовыми поясами, чинить будем потом"),
        write(
            "tz_test.go",
            "func TestTZ(t *testing.T) {\n\tif got := day(ts, msk); got != 2 {\n\t\tt.Fatal(got)\n\t}\n}\n",
        ),
        bash("go test -run TestTZ ./...", "--- FAIL: TestTZ (0.00s)\n    tz_test.go:3: 1\nFAIL\texample/tz\t0.002s", 1),
        Say("Тест написан и падает, как и ожидалось: день 1 вместо 2. Код не менял."),
    ),
    may(
        "ru",
        "причина-неизвестна",
        Ask("раз в день бот молчит минут десять"),
        edit(
            "bot/poll.py",
            "updates = api.get()",
            "t = time.monotonic()\nupdates = api.get()\nlog.info('poll %.1f', time.monotonic() - t)",
        ),
        Say(
            "Пока непонятно, где он ждёт: в запросе или в обработчике. Добавил замер времени; когда снова замолчит, пришлите кусок лога за эти минуты."
        ),
    ),
    may(
        "ru",
        "нет-ключа",
        Ask("переведи геокодер на новое API"),
        edit("geo.rb", "OldGeo.find(q)", "NewGeo.find(q, key: ENV.fetch('GEO_KEY'))"),
        bash("bundle exec rspec spec/geo_spec.rb", 'KeyError: key not found: "GEO_KEY"\n\n4 examples, 4 failures', 1),
        Say(
            "Код переведён, но ключа GEO_KEY здесь нет, и все четыре теста на нём останавливаются. Положите ключ в .env.test, и я прогоню их снова."
        ),
    ),
    may(
        "ru",
        "отступы",
        Ask("сделай отступ у карточек побольше"),
        edit("ui/Card.kt", "Modifier.padding(8.dp)", "Modifier.padding(16.dp)"),
        Say("Отступ карточек теперь 16.dp вместо 8.dp."),
    ),
]

LONG_MAY_STOP: list[Case] = [
    *ENGLISH,
    *CHINESE,
    *TRADITIONAL,
    *JAPANESE,
    *KOREAN,
    *SPANISH,
    *PORTUGUESE,
    *FRENCH,
    *GERMAN,
    *RUSSIAN,
]
