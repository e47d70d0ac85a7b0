import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandsOf, documents } from './shown-commands.ts'
import { openUserDirectory, type UserDirectory } from './user-directory.ts'

/** How a shown command is run: with more options or other values, so that it is short and uses no fixed port. */
interface Row {
  readonly command: string
  readonly replace?: readonly (readonly [shown: string, run: string])[]
  readonly add?: string
  /** Default 0. */
  readonly code?: number
  readonly prints: string
}

const ONE = "--only 'push.evidence.accepted'"
const INIT = '--verifier https://127.0.0.1:8881 --registrar https://127.0.0.1:8891'

const ROWS: readonly Row[] = [
  {
    command: "npm start -- --only 'push.evidence.*'",
    replace: [['push.evidence.*', 'push.evidence.acc*']],
    prints: ' passed, 0 failed',
  },
  { command: 'npm start -- --only push.evidence.accepted', prints: '1 passed, 0 failed' },
  {
    command: 'node bin/assay.js report show push.evidence.accepted --version 3.0',
    prints: 'PATCH',
  },
  {
    command: 'node bin/assay.js report diff old.json new.json',
    replace: [['old.json new.json', 'reports/out/result.json reports/out/result.json']],
    prints: 'no difference',
  },
  { command: 'node bin/assay.js vectors run', prints: 'after the first answer' },
  { command: 'node bin/assay.js vectors run --list', prints: 'measurement-list' },
  {
    command:
      "node bin/assay.js vectors run --adapter 'node tools/vectors/adapters/tpm2-checkquote.js' --json one.json",
    add: '--group curves',
    prints: 'curves',
  },
  {
    command: 'node bin/assay.js vectors run --adapter ./mine --group signature --junit junit.xml',
    replace: [['--adapter ./mine ', '']],
    prints: 'signature',
  },
  {
    command: 'node bin/assay.js vectors compare one.json other.json',
    replace: [['other.json', 'one.json']],
    prints: 'both answer',
  },
  { command: 'node bin/assay.js vectors write vectors', prints: 'vectors in 21 files' },
  {
    command: 'node bin/assay.js openapi --role registrar --version 2.5 --out registrar.json',
    prints: 'wrote registrar.json',
  },
  {
    command: 'node bin/assay.js openapi --role verifier --version 3.0',
    prints: '"openapi": "3.1.1"',
  },
  { command: 'npm start -- --role registrar --version 2.5', add: '--list', prints: 'registrar.' },
  { command: 'npm start -- --shard 2/3 --seed 57ccdaae', add: '--list', prints: 'push.' },
  {
    command: 'node bin/assay.js run --target ours.target.yaml --format github --format sarif',
    add: ONE,
    prints: '::notice title=Assay::part passed',
  },
  {
    command:
      'node bin/assay.js run --target ours.target.yaml --baseline known.yaml --update-baseline',
    add: ONE,
    prints: 'verdict      matches the baseline',
  },
  {
    command: 'node bin/assay.js watch --target ours.target.yaml --every 1h --metrics 9464',
    replace: [['--metrics 9464', '--metrics 0 --rounds 1']],
    add: `-- ${ONE}`,
    prints: 'part passed  1 passed, 0 failed',
  },
  {
    command: 'node bin/assay.js run --target ours.target.yaml --baseline known.yaml',
    add: ONE,
    prints: 'verdict      matches the baseline',
  },
  {
    command:
      'node bin/assay.js run --target ours.target.yaml --seed 57ccdaae --shard 1/3 --out shard-1',
    replace: [['--shard 1/3', '--shard 1/1']],
    add: ONE,
    prints: 'verdict      part passed',
  },
  {
    command: 'node bin/assay.js report merge shard-1 shard-2 shard-3 --out merged',
    replace: [['shard-1 shard-2 shard-3', 'shard-1']],
    prints: 'verdict      part passed',
  },
  {
    command: 'node bin/assay.js run --target ours.target.yaml --format jsonl',
    add: ONE,
    prints: '{"event":"run-finished"',
  },
  { command: 'npm start -- --target ours.target.yaml', add: '--list', prints: 'push.' },
  {
    command: "npm start -- --target ours.target.yaml --only 'push.evidence.*'",
    replace: [["--only 'push.evidence.*'", ONE]],
    prints: ' passed, 0 failed',
  },
  {
    command: 'npm start -- --target ours.target.yaml --only push.evidence.signature-bit-flipped',
    prints: '2 passed, 0 failed',
  },
  {
    command:
      'node bin/assay.js bundle push.evidence.signature-bit-flipped --target ours.target.yaml --out bug.zip',
    prints: 'bug.zip: ',
  },
  {
    command: 'node bin/assay.js replay bug.zip --target theirs.target.yaml',
    replace: [['theirs.target.yaml', 'ours.target.yaml']],
    prints: 'reproduced: every check held',
  },
  {
    command: 'npm start -- --target ours.target.yaml --role registrar',
    add: '--list',
    prints: 'registrar.',
  },
  { command: 'openssl genpkey -algorithm ed25519 -out runner.pem', prints: '' },
  { command: 'openssl pkey -in runner.pem -pubout -out runner.pub.pem', prints: '' },
  {
    command:
      'node bin/assay.js certify --target ours.target.yaml --profile registrar --subject ours.tar --key runner.pem --out kit',
    replace: [['--profile registrar', '--profile evidence']],
    prints: 'kit: a certificate of the profile evidence',
  },
  {
    command: 'node bin/assay.js certificate verify kit --key runner.pub.pem',
    prints: 'kit is a valid certificate of the profile evidence',
  },
  {
    command: 'node bin/assay.js certificate compare kit kit-of-the-next-release',
    replace: [['kit-of-the-next-release', 'kit']],
    prints: 'no difference',
  },
  {
    command: 'npm start -- --target reference/push-agent.target.yaml',
    add: '--only push-agent.registered',
    prints: '1 passed, 0 failed',
  },
  {
    command: `node bin/assay.js init ${INIT}`,
    add: '</dev/null',
    code: 2,
    prints: 'assay: ',
  },
  { command: 'node bin/assay.js doctor --target ours.target.yaml', prints: 'ok: ' },
  {
    command:
      'node bin/assay.js explore --target reference/moved-clock.target.yaml --seed 7 --runs 200',
    replace: [['--runs 200', '--runs 2 --steps 6']],
    prints: 'seed 7',
  },
  {
    command:
      'node bin/assay.js fuzz quote --seed 7 --target ours.target.yaml --seconds 120 --rate 200',
    replace: [['--seconds 120', '--seconds 2']],
    prints: 'seed 7',
  },
  {
    command: 'node bin/assay.js fuzz quote --seed 7',
    add: '--runs 100',
    prints: 'nothing found',
  },
  {
    command: 'node bin/assay.js fuzz quote --seed 7 --runs 20000',
    replace: [['--runs 20000', '--runs 100']],
    prints: 'nothing found',
  },
  {
    command: "node bin/assay.js fuzz quote --seed 7 --command 'my-verifier --batch'",
    replace: [['my-verifier --batch', 'node bin/assay.js verify-evidence --batch']],
    add: '--runs 100',
    prints: 'nothing found',
  },
  { command: 'node bin/assay.js coverage', prints: 'either' },
  { command: 'node bin/assay.js coverage --matrices', prints: 'routes' },
  { command: 'node bin/assay.js coverage --vulnerabilities', prints: 'scenario' },
  { command: 'node bin/assay.js explain ATT-REASON-BROKEN', prints: 'checked by' },
  { command: 'node bin/assay.js explain ATT-QUOTE-OVER-CHALLENGE', prints: 'checked by' },
  { command: 'node bin/assay.js inspect quote quote.txt --ak ak.pem', prints: 'extraData' },
  {
    command:
      'node bin/assay.js inspect imalog ascii_runtime_measurements --pcrs pcrs.txt --entries all',
    prints: 'boot_aggregate',
  },
  {
    command: 'node bin/assay.js inspect eventlog binary_bios_measurements --pcrs quote.txt',
    code: 1,
    prints: 'EV_',
  },
  {
    command: 'node bin/assay.js inspect ekcert ekcert.der --trust makers.pem',
    code: 1,
    prints: 'swtpm',
  },
  { command: 'node bin/assay.js inspect policy policy.json --json', prints: '"kind"' },
  {
    command:
      'node bin/assay.js verify-evidence --nonce NONCE --quote quote.txt --ak ak.tpm2b_public --ima ascii_runtime_measurements --policy policy.json',
    replace: [['NONCE', 'Ab3dEfGh1jKlMnOpQrSt']],
    code: 1,
    prints: 'is a violation',
  },
  { command: 'node bin/assay.js demo', prints: 'The demonstration has ended' },
  { command: 'node bin/assay.js up', add: '--pull 1 --push 0 --do quit', prints: 'm1' },
  {
    command: 'node bin/assay.js up --pull 3 --push 2 --keep state',
    replace: [['--pull 3 --push 2', '--pull 1 --push 0']],
    add: "--do 'wait pass m1'",
    prints: 'PASS',
  },
  { command: 'node bin/assay.js up --keep state', add: "--do 'wait pass m1'", prints: 'PASS' },
  {
    command: 'node bin/assay.js up --target ours.target.yaml',
    add: "--pull 1 --push 0 --do 'wait pass m1'",
    prints: 'PASS',
  },
]

/** Commands that another test runs, or that cannot run here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'npm start': 'conformance/vitest/scenarios.test.ts runs the same scenarios',
  'npm test': 'this test is a part of it',
  'npm run test:all': 'this test is a part of it',
  'bash .ci/run': 'this test is a part of it',
  'npm run check': '.ci/run runs it',
  ...Object.fromEntries(
    ['tenant', 'verifier', 'registrar', 'push-agent'].map((verb) => [
      `node bin/assay.js ${verb} --help`,
      'conformance/selftest/documents/cli-page.test.ts',
    ]),
  ),
  'node bin/assay.js registrar --set provider_registrar_ip=192.0.2.9 --set provider_registrar_port=8891':
    'reference/compose/tests/deep-quotes.test.ts',
  'node bin/assay.js agent --set tcti=swtpm:path=guest.sock --set host_tpm=swtpm:path=host.sock --set registrar_api_versions=2.0 --set provider_registrar_ip=192.0.2.9':
    'reference/compose/tests/deep-quotes.test.ts',
  'npm run format': 'it changes the sources; npm run check tests the result',
  'npm run release -- --dry-run': 'tools/release/release.test.ts tests its parts',
  'npm run docs': 'it writes the pages; npm test compares them',
  'npm run bench': 'its programs take minutes',
  'npm run bench:fleet': 'reference/dev/bench/fleet/fleet.gate.test.ts',
  'npm run test:containers': 'it needs a container engine',
  'npm run interop': 'it installs another implementation',
  'npm run readers': 'it builds readers of other projects',
  'npm run readers -- --data logs --mutations 500 --seed 7': 'it builds readers of other projects',
  'npm run bench:beside': 'it installs another implementation',
  'npm run bench:beside -- --release 7.14.2': 'it installs another implementation',
  'npm run interop -- --only our-pull-agent': 'it installs another implementation',
  'npm run interop -- --only suite-registrar --accept': 'it installs another implementation',
  'npm run interop -- --release 7.14.2 --release 7.14.3': 'it installs another implementation',
  'npm run interop -- --rust-agents /opt/rust-keylime/target/release':
    'it runs another implementation',
  'RUST_AGENTS=/opt/rust-keylime/target/release npm start -- --target tools/interop/rust-agents.target.yaml':
    'it runs another implementation',
  "npm run interop -- --only suite-pull --scenario 'verifier.polling.*'":
    'it installs another implementation',
  'node bin/assay.js run --target ours.target.yaml --scenario reports/out/explore/verifier-att-flag-stays-7.ts':
    'tools/explore/selftest/explore.gate.test.ts runs what it has written',
  'node bin/assay.js fuzz --target ours.target.yaml --replay reports/out/fuzz/quote-7-01-false-pass.json':
    'tools/fuzz/selftest/fuzz.gate.test.ts replays what it has found',
  'PGPASSWORD=… node bin/assay.js verifier --database postgres://assay@127.0.0.1:5432/verifier --set verifier_id=one':
    'reference/storage/databases/postgres.gate.test.ts',
  'node bin/assay.js verifier --set enabled_revocation_notifications=agent,webhook --set webhook_url=https://127.0.0.1:9443/hook --set webhook_ca=hook-ca.pem':
    'reference/compose/tests/published-revocations.test.ts',
  'node bin/assay.js verifier --set tee_cert_store=milan-cert-chain.pem':
    'scenarios/verifier/tee, with the store of the target file',
}

/** Documents that a test follows from the first command to the last. */
const FOLLOWED = new Set([
  'docs/tenant.md',
  'docs/pull-agent.md',
  'docs/push-agent-guide.md',
  'docs/targets.md',
])

let user: UserDirectory
beforeAll(async () => {
  user = openUserDirectory()
  const made = await user.run(
    'node bin/assay.js policy runtime --ima-log ascii_runtime_measurements -o policy.json',
  )
  expect(made.code, made.output).toBe(0)
})
afterAll(() => user.close())

test('every command that a document shows is in a table of this test, and no other', () => {
  const shown = documents()
    .flatMap(commandsOf)
    .filter(({ command }) => !command.startsWith('git '))
  const known = new Set([...ROWS.map(({ command }) => command), ...Object.keys(ELSEWHERE)])
  const missing = shown.filter(({ command, file }) => !known.has(command) && !FOLLOWED.has(file))
  expect(missing).toEqual([])
  const words = new Set(shown.map(({ command }) => command))
  expect([...known].filter((command) => !words.has(command))).toEqual([])
})

test.each(ROWS)('$command', async (row) => {
  const { replace = [], add = '', code = 0, prints } = row
  const line = replace.reduce((text, [shown, run]) => text.replace(shown, run), row.command)
  const ended = await user.run(`${line} ${add}`)
  expect(ended.code, ended.output).toBe(code)
  expect(ended.output).toContain(prints)
})
