import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SetupFault } from '../input/fault.ts'
import { loadTarget } from './load-target.ts'
import type { Target } from './target.ts'
import { temporaryDirectory } from './testing/test-support.ts'

const BASE = `name: x
versions: ['3.0']
roles:
  verifier: { url: 'https://127.0.0.1:8881' }
  push_agent: { command: [agent, --once], env: { A: b }, cwd: sub, within: 5s }
tls: { ca: ca.crt, admin: { certificate: a.crt, key: a.pem } }
`

const WIDE = `${BASE}ek_trust: { install: [trust, "\${ek_ca}"], within: 3s }
time: { request_within: 1s, scenario_within: 1m, token_lifetime: 90s }
hooks:
  advance_clock: { command: [clock, "+\${seconds}s", "\${role}"] }
  verifier: { restart: { command: [again, "\${role}"], within: 1m } }
dialect: { base: keylime, available-subjects: mapping }
profile: keylime
waivers: known/waivers.yaml
safety: { dry_run: true }
`

async function load(text: string): Promise<Target> {
  const file = join(temporaryDirectory(), 'my.target.yaml')
  writeFileSync(file, text)
  return await loadTarget(file, { run: '/runs/1', ekCa: '/tpm/ca.pem', env: {} })
}

async function refusal(text: string): Promise<Pick<SetupFault, 'sentence' | 'code'>> {
  const fault = await load(text).then(
    () => undefined,
    (thrown: SetupFault) => thrown,
  )
  const sentence = String(fault?.sentence).replace(/^.*\/(?=my\.target)/, '')
  return { sentence, ...(fault?.code && { code: fault.code }) }
}

test('agents and tenants have no url', async () => {
  const { directory, roles, subjects } = await load(BASE)
  expect(roles.map(({ role }) => role)).toEqual(['verifier'])
  expect(subjects).toEqual([
    {
      role: 'push_agent',
      command: ['agent', '--once'],
      env: { A: 'b' },
      cwd: join(directory, 'sub'),
      withinMs: 5000,
    },
  ])
})

test('a registrar may have an http url too', async () => {
  const roles = "registrar: { url: 'https://127.0.0.1:8891', http: 'http://127.0.0.1:8890/' }"
  const { roles: read } = await load(BASE.replace('roles:', `roles:\n  ${roles}`))
  expect(read[0]).toEqual({
    role: 'registrar',
    url: 'https://127.0.0.1:8891',
    http: 'http://127.0.0.1:8890',
  })
})

test.each([
  ['a verifier', "verifier: { url: 'https://127.0.0.1:8881'", 'D-TARGET-KEY', "http: 'http://x'"],
  [
    'an https URL',
    "registrar: { url: 'https://127.0.0.1:8881'",
    'D-TARGET-URL',
    "http: 'https://127.0.0.1:8890'",
  ],
  [
    'another machine',
    "registrar: { url: 'https://127.0.0.1:8881'",
    'D-LOOPBACK',
    "http: 'http://192.0.2.7'",
  ],
])('http of %s is refused', async (_, role, code, http) => {
  const from = "verifier: { url: 'https://127.0.0.1:8881'"
  expect((await refusal(BASE.replace(from, `${role}, ${http}`))).code).toBe(code)
})

test('ek_trust.install gets the path of the TPM manufacturer CA', async () => {
  const { ekTrust } = await load(WIDE)
  expect(ekTrust).toMatchObject({
    kind: 'install',
    install: { command: ['trust', '/tpm/ca.pem'], withinMs: 3000 },
  })
})

test.each(['trusted', 'unchecked'] as const)('ek_trust may be %s', async (kind) => {
  expect((await load(`${BASE}ek_trust: ${kind}\n`)).ekTrust).toEqual({ kind })
})

test('a named time replaces its default and no other', async () => {
  const { time } = await load(WIDE)
  expect(time).toMatchObject({ requestWithinMs: 1000, scenarioWithinMs: 60_000 })
  expect(time).toMatchObject({ verdictWithinMs: 10_000 })
})

test('a target has the lifetimes that its file names', async () => {
  expect((await load(WIDE)).lifetimes).toEqual({ token: 90_000 })
})

test('placeholders that a hook fills in stay in its command', async () => {
  const { hooks } = await load(WIDE)
  const late = (word: string) => `\${${word}}`
  expect(hooks.general.advance_clock?.command).toEqual([
    'clock',
    `+${late('seconds')}s`,
    late('role'),
  ])
  expect(hooks.roles.verifier?.restart).toMatchObject({ withinMs: 60_000 })
})

test('a dialect has a base and overrides, with the position of each', async () => {
  const { dialect, file } = await load(WIDE)
  expect(dialect).toMatchObject({ base: 'keylime', values: { 'available-subjects': 'mapping' } })
  expect(dialect.placeOf('available-subjects')).toBe(`${file}:12:47`)
  expect(dialect.placeOf()).toBe(`${file}:12:10`)
})

test('a dialect may be a name only', async () => {
  const { dialect } = await load(`${BASE}dialect: keylime\n`)
  expect(dialect).toMatchObject({ base: 'keylime', values: {} })
})

test('profile is a name, and waivers is a path relative to the target file', async () => {
  const { directory, profile, waivers, safety } = await load(WIDE)
  expect({ profile, waivers }).toEqual({
    profile: 'keylime',
    waivers: join(directory, 'known/waivers.yaml'),
  })
  expect(safety.dryRun).toBe(true)
})

/** The lines added to the base, the expected sentence, and its code. */
const REFUSED = [
  [
    'an unknown value of ek_trust',
    'ek_trust: checked',
    'my.target.yaml:7:11: ek_trust is "checked", expected one of unchecked, trusted; did you mean unchecked?',
    'D-TARGET-TYPE',
  ],
  [
    'an ek_trust without a command',
    'ek_trust: {}',
    'my.target.yaml:7:11: ek_trust lacks install',
    'D-TARGET-KEY',
  ],
  [
    'an unknown time',
    'time: { request_withing: 1s }',
    'my.target.yaml:7:9: time.request_withing is not a known key; did you mean request_within?',
    'D-TARGET-KEY',
  ],
  [
    'an unknown hook',
    'hooks: { reboot: { command: [x] } }',
    'my.target.yaml:7:10: hooks.reboot is not a known key; known here: restart, stop, start',
    'D-TARGET-KEY',
  ],
  [
    'the placeholder seconds in a hook that does not move the clock',
    `hooks: { restart: { command: ["\${seconds}"] } }`,
    `my.target.yaml:7:32: hooks.restart.command[0] holds the unknown placeholder \${seconds}; known are`,
    'D-TARGET-PLACEHOLDER',
  ],
  [
    'a placeholder of hooks outside of the hooks',
    `waivers: "\${role}"`,
    `my.target.yaml:7:11: waivers holds the unknown placeholder \${role}`,
    'D-TARGET-PLACEHOLDER',
  ],
  [
    'a dialect value that is not a string',
    'dialect: { first-index: 0 }',
    'my.target.yaml:7:25: dialect.first-index is the number 0, expected text; write it in quotes',
    'D-TARGET-TYPE',
  ],
  [
    'a dialect name with a space',
    'dialect: "key lime"',
    'my.target.yaml:7:10: dialect is "key lime", expected a word of small letters',
    'D-TARGET-TYPE',
  ],
  [
    'a dry_run that is not a boolean',
    'safety: { dry_run: maybe }',
    'my.target.yaml:7:20: safety.dry_run is the string "maybe", expected true or false',
    'D-TARGET-TYPE',
  ],
] as const

test.each(REFUSED)('%s is refused', async (_, line, sentence, code) => {
  const refused = await refusal(`${BASE}${line}\n`)
  expect(refused.sentence).toContain(sentence)
  expect(refused.code).toBe(code)
})

test('a duration without a unit is not advised to be put in quotes', async () => {
  const { sentence } = await refusal(`${BASE}time: { quote_interval: 2 }\n`)
  expect(sentence).toMatch(/quote_interval is the number 2, expected .+ 250ms, 2s or 5m$/)
})

/** The replaced text of the base, its replacement, and the expected code. */
const CODES = [
  ['text that is not YAML', 'name: x', 'name: [x', 'D-TARGET-YAML'],
  ['a misspelt key', 'verifier', 'verfier', 'D-TARGET-KEY'],
  ['a number for a version', "['3.0']", '[3.0]', 'D-TARGET-TYPE'],
  ['a placeholder without a value', 'ca.crt', `"\${runs}"`, 'D-TARGET-PLACEHOLDER'],
  ['a url with a path', '8881', '8881/v3', 'D-TARGET-URL'],
  ['a url of another machine', '127.0.0.1', '192.0.2.7', 'D-LOOPBACK'],
] as const

test.each(CODES)('%s has its own code', async (_, from, to, code) => {
  expect(BASE).toContain(from)
  expect((await refusal(BASE.replace(from, () => to))).code).toBe(code)
})

test('a missing file has its own code', async () => {
  await expect(
    loadTarget('/nowhere.yaml', { run: '/r', ekCa: '/e', env: {} }),
  ).rejects.toMatchObject({ code: 'D-TARGET-UNREADABLE' })
})
