import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SetupFault } from '../input/fault.ts'
import { DEFAULT_TIMES } from './limits.ts'
import { loadTarget, type TargetSurroundings } from './load-target.ts'
import type { Target } from './target.ts'
import { temporaryDirectory } from './testing/test-support.ts'

const WHOLE = `name: The vendor's verifier
versions: ['2.5', '3.0']
capabilities: [uefi_log]
roles:
  verifier:
    url: https://127.0.0.1:\${port.verifier}
    start:
      command: [node, server.js, '--port=\${port.verifier}', '\${ek_ca}', '\${target}/x']
      env: { HOME_OF: '\${env.VENDOR_HOME}' }
      cwd: sub
      ready: { path: /ping, within: 5s }
  registrar: { url: 'https://localhost:8891/' }
tls:
  ca: \${run}/cv_ca/cacert.crt
  admin: { certificate: pki/client.crt, key: /etc/client.pem }
time: { quote_interval: 250ms, verdict_within: 1m }
safety: { requests_per_second: 5 }
`

const MINIMAL = `name: x
versions: ['3.0']
roles: { verifier: { url: 'https://127.0.0.1:8881' } }
tls: { ca: ca.crt, admin: { certificate: a.crt, key: a.pem } }
`

const SURROUNDINGS: TargetSurroundings = {
  run: '/runs/1',
  ekCa: '/tpm/ca.pem',
  env: { VENDOR_HOME: 'us' },
  pickPorts: async (count) => Array.from({ length: count }, (_, index) => 20_000 + index),
}

async function load(
  text: string,
): Promise<{ readonly directory: string; readonly target: Target }> {
  const directory = temporaryDirectory()
  const file = join(directory, 'my.target.yaml')
  writeFileSync(file, text)
  return { directory, target: await loadTarget(file, SURROUNDINGS) }
}

/** The sentence with which a file is refused, without its directory. */
async function refusal(text: string): Promise<string> {
  const error: unknown = await load(text).catch((thrown: unknown) => thrown)
  if (!(error instanceof SetupFault)) throw new Error(`not refused: ${String(error)}`)
  return error.sentence.replace(/^.*\/(?=my\.target)/, '')
}

test('a complete target file is read with every placeholder resolved', async () => {
  const { directory, target } = await load(WHOLE)
  expect(target).toMatchObject({
    name: "The vendor's verifier",
    versions: ['2.5', '3.0'],
    capabilities: ['uefi_log'],
    directory,
    time: { quoteIntervalMs: 250, verdictWithinMs: 60_000 },
    safety: { loopbackOnly: true, requestsPerSecond: 5, dryRun: false },
  })
  expect(target.roles[0]).toEqual({
    role: 'verifier',
    url: 'https://127.0.0.1:20000',
    start: {
      command: ['node', 'server.js', '--port=20000', '/tpm/ca.pem', `${directory}/x`],
      env: { HOME_OF: 'us' },
      cwd: join(directory, 'sub'),
      ready: { path: '/ping', withinMs: 5000 },
    },
  })
})

test('roles keep the order of the file', async () => {
  const { target } = await load(WHOLE)
  expect(target.roles.map(({ role }) => role)).toEqual(['verifier', 'registrar'])
})

test('a role without start has none, and its url loses the trailing slash', async () => {
  const { target } = await load(WHOLE)
  expect(target.roles[1]).toEqual({ role: 'registrar', url: 'https://localhost:8891' })
})

test('paths in tls are relative to the target file unless absolute', async () => {
  const { directory, target } = await load(WHOLE)
  expect(target.tls).toEqual({
    ca: '/runs/1/cv_ca/cacert.crt',
    admin: { certificate: join(directory, 'pki/client.crt'), key: '/etc/client.pem' },
  })
})

test('the paths of the issuer are read from the target file', async () => {
  const issuer = '  issuer: { certificate: pki/ca.crt, key: /etc/ca.pem }\n'
  const { directory, target } = await load(WHOLE.replace(/^tls:\n/m, (line) => line + issuer))
  expect(target.tls.issuer).toEqual({
    certificate: join(directory, 'pki/ca.crt'),
    key: '/etc/ca.pem',
  })
})

test('missing keys have the defaults of the schema', async () => {
  const { target } = await load(MINIMAL)
  expect(target.capabilities).toEqual([])
  expect(target.time).toEqual(DEFAULT_TIMES)
  expect(target.safety).toEqual({ loopbackOnly: true, requestsPerSecond: 0, dryRun: false })
  expect(target.ekTrust).toEqual({ kind: 'unchecked' })
  expect(target.hooks).toEqual({ general: {}, roles: {} })
  expect(target.dialect).toMatchObject({ base: 'document', values: {} })
  expect(target.subjects).toEqual([])
  expect(target).not.toHaveProperty('profile')
  expect(target).not.toHaveProperty('waivers')
})

test('a start without ready polls /version for 20 s, and runs in the directory of the file', async () => {
  const { directory, target } = await load(
    MINIMAL.replace("8881' }", "8881', start: { command: [x] } }"),
  )
  expect(target.roles[0]?.start).toEqual({
    command: ['x'],
    env: {},
    cwd: directory,
    ready: { path: '/version', withinMs: 20_000 },
  })
})

test('a missing target file is refused by name', async () => {
  await expect(loadTarget('/nowhere/t.yaml', SURROUNDINGS)).rejects.toMatchObject({
    sentence: 'the target file /nowhere/t.yaml cannot be read: there is no such file',
  })
})

/** The replaced text of the minimal file, its replacement, and the expected sentence. */
const REFUSED: readonly (readonly [title: string, from: string, to: string, sentence: string])[] = [
  ['text that is not YAML', 'name: x', 'name: [x', 'my.target.yaml:2:1: not YAML: '],
  [
    'a key given twice',
    'name: x',
    'name: x\nname: y',
    'my.target.yaml:2:1: not YAML: Map keys must be unique',
  ],
  [
    'an alias',
    'name: x',
    'name: &a x\nversion: *a',
    'my.target.yaml:2:10: version is an alias: write the value itself',
  ],
  [
    'an unknown key',
    'verifier:',
    'verfier:',
    'my.target.yaml:3:10: roles.verfier is not a known key; did you mean verifier?',
  ],
  [
    'an unknown key without a similar one',
    'name: x',
    'name: x\nzzzzzz: 1',
    'my.target.yaml:2:1: zzzzzz is not a known key; known here: name, versions, ',
  ],
  [
    'the key __proto__',
    'name: x',
    'name: x\n__proto__: {}',
    'my.target.yaml:2:1: __proto__ is not a known key',
  ],
  [
    'a version without quotes',
    "['3.0']",
    '[2.5]',
    "my.target.yaml:2:12: versions[0] is the number 2.5, expected an API version in quotes, such as '2.5'; write it in quotes",
  ],
  [
    'a version that does not exist',
    "['3.0']",
    "['2.9']",
    'my.target.yaml:2:12: versions[0] is "2.9", expected one of 1.0, 2.0, 2.1, 2.2, 2.3, 2.4, 2.5, 3.0; did you mean 2.0?',
  ],
  [
    'an empty list of versions',
    "['3.0']",
    '[]',
    'my.target.yaml:2:11: versions is an empty list, expected a list of API versions',
  ],
  [
    'the same version twice',
    "['3.0']",
    "['3.0', '3.0']",
    'my.target.yaml:2:11: versions holds the same value twice',
  ],
  [
    'a missing key',
    'name: x',
    '',
    'my.target.yaml:2:1: the file lacks name, expected a mapping with the keys name, versions, roles and tls',
  ],
  [
    'an empty mapping of roles',
    "{ verifier: { url: 'https://127.0.0.1:8881' } }",
    '{}',
    'my.target.yaml:3:8: roles is an empty mapping, expected at least one of registrar, verifier, pull_agent, push_agent, tenant and tenant_web',
  ],
  [
    'a list where a mapping is expected',
    '{ ca: ca.crt, admin: { certificate: a.crt, key: a.pem } }',
    '[1]',
    'my.target.yaml:4:6: tls is a list, expected a mapping with ca and admin',
  ],
  [
    'an empty value',
    'name: x',
    'name:',
    'my.target.yaml:1:6: name is empty, expected the name of the deployment in reports',
  ],
  [
    'a duration without unit',
    'name: x',
    'name: x\ntime: { quote_interval: 2 }',
    'my.target.yaml:2:25: time.quote_interval is the number 2, expected a duration such as 250ms, 2s or 5m',
  ],
  [
    'a duration in hours',
    'name: x',
    'name: x\ntime: { quote_interval: 2h }',
    'my.target.yaml:2:25: time.quote_interval is "2h", expected a duration such as 250ms, 2s or 5m',
  ],
  [
    'a command in one string',
    "8881' }",
    "8881', start: { command: run me } }",
    'my.target.yaml:3:71: roles.verifier.start.command is the string "run me", expected a list of a program and its arguments; there is no shell',
  ],
  [
    'a url that is not https',
    'https://127.0.0.1:8881',
    'http://127.0.0.1:8881',
    'my.target.yaml:3:27: roles.verifier.url is "http://127.0.0.1:8881", expected an https URL',
  ],
  [
    'a url with a path',
    'https://127.0.0.1:8881',
    'https://127.0.0.1:8881/v3',
    'my.target.yaml:3:27: roles.verifier.url is "https://127.0.0.1:8881/v3", expected an https URL of scheme, host and port',
  ],
  [
    'a url with a password',
    'https://127.0.0.1:8881',
    'https://a:b@127.0.0.1:8881',
    'my.target.yaml:3:27: roles.verifier.url is ',
  ],
  [
    'a url on another machine',
    '127.0.0.1',
    '192.0.2.7',
    'my.target.yaml:3:27: roles.verifier.url names 192.0.2.7, which is not this machine',
  ],
  [
    'a host name that begins like loopback',
    '127.0.0.1',
    '127.0.0.1.example',
    'my.target.yaml:3:27: roles.verifier.url names 127.0.0.1.example, which',
  ],
  [
    'an unknown placeholder',
    'ca.crt',
    `"\${runs}/ca.crt"`,
    `my.target.yaml:4:13: tls.ca holds the unknown placeholder \${runs}; did you mean \${run}?`,
  ],
  [
    'an unknown placeholder without a similar one',
    'ca.crt',
    `"x\${password}"`,
    `my.target.yaml:4:14: tls.ca holds the unknown placeholder \${password}; known are \${run}, \${target}, \${ek_ca}, \${port.NAME}, \${env.NAME}`,
  ],
  [
    'a placeholder without a closing brace',
    'ca.crt',
    `"a\${run"`,
    `my.target.yaml:4:14: tls.ca has no closing brace after \${run`,
  ],
  [
    'an environment variable that is not set',
    'ca.crt',
    `"\${env.NOT_SET}"`,
    'my.target.yaml:4:13: tls.ca needs the environment variable NOT_SET, which is not set',
  ],
]

test.each(REFUSED)('%s is refused', async (_, from, to, sentence) => {
  expect(MINIMAL).toContain(from)
  expect(await refusal(MINIMAL.replace(from, () => to))).toContain(sentence)
})

test('an empty file is refused', async () => {
  expect(await refusal('')).toBe(
    'my.target.yaml:1:1: the file is empty, expected a mapping with the keys name, versions, roles and tls',
  )
})

test('the error for another machine names safety.loopback_only, which allows it', async () => {
  const elsewhere = MINIMAL.replace('127.0.0.1', '192.0.2.7')
  await expect(load(elsewhere)).rejects.toMatchObject({
    next: expect.stringContaining('set safety.loopback_only to false'),
  })
  const { target } = await load(`${elsewhere}safety: { loopback_only: false }\n`)
  expect(target.roles[0]?.url).toBe('https://192.0.2.7:8881')
})
