import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  always,
  DEPLOYMENT,
  examineFakes,
  problemsIn,
  problemsOf,
  verifier,
} from '../doctor/testing/test-examination.ts'
import { type Answering, asRegistrar, asVerifier, listing } from '../doctor/testing/test-fixture.ts'
import { DEFAULT_TIMES } from '../target/limits.ts'
import { makeEnvironment } from '../target/testing/test-deployment.ts'
import { makeCa } from '../target/testing/test-support.ts'
import { DOCTOR_CHECKS, examine } from './examine.ts'

test('a valid deployment has only ok findings', async () => {
  const report = await examineFakes(await makeEnvironment(), {
    verifier: verifier(),
    registrar: asRegistrar(),
  })
  expect(report).toMatchObject({ ok: true, not_made: [] })
  expect(report.findings.every(({ ok, severity }) => ok && severity === undefined)).toBe(true)
  expect(report.findings.length).toBeGreaterThan(10)
})

test('each check lists only known codes, each once', () => {
  for (const { codes } of DOCTOR_CHECKS) expect(new Set(codes).size).toBe(codes.length)
  expect(new Set(DOCTOR_CHECKS.map(({ name }) => name)).size).toBe(DOCTOR_CHECKS.length)
})

test.each([
  ['refuses everything', always(403, {})],
  ['has an empty envelope for everything', always(200, { code: 200, results: {} })],
  ['knows no route', always(404, {})],
  ['says nothing that is JSON', always(200)],
  ['fails at everything', always(500, {})],
] as const)('a deployment that %s has no fault, and is named', async (_, fake) => {
  const report = await examineFakes(await makeEnvironment(), { verifier: fake, registrar: fake })
  expect(report.ok).toBe(true)
  expect(problemsIn(report)).toContain('D-VERSION warning')
  expect(problemsIn(report)).toContain('D-FUNCTION warning')
})

test('a role that serves a version without advertising it is a warning', async () => {
  const fewer = { 'GET /version': listing(['3.0']) }
  expect(await problemsOf({ verifier: verifier(fewer) })).toEqual(['D-VERSION warning'])
})

test('a role that neither advertises nor serves a version is a fault', async () => {
  const fewer = { 'GET /version': listing(['3.0']), 'GET /v2.5/allowlists/': [404] as const }
  expect(await problemsOf({ verifier: verifier(fewer) })).toEqual(['D-VERSION fault'])
})

test('versions may be listed at /versions, without an envelope, and in other spellings', async () => {
  const elsewhere = {
    'GET /version': [404] as const,
    'GET /versions': [200, { supported_versions: ['v2.5', '3'] }] as const,
  }
  expect(await problemsOf({ verifier: verifier(elsewhere) })).toEqual([])
})

test('a verifier without push endpoints that does not advertise 3.0 is a fault', async () => {
  const pull = { 'GET /version': [404] as const, 'POST /v3/sessions': [404] as const }
  expect(await problemsOf({ verifier: verifier(pull) })).toEqual([
    'D-VERSION warning',
    'D-MODE fault',
  ])
})

test('a verifier that advertises 3.0 without push endpoints is a warning', async () => {
  const pull = { 'POST /v3/sessions': [404] as const }
  expect(await problemsOf({ verifier: verifier(pull) })).toEqual(['D-MODE warning'])
})

test('a verifier without push endpoints is ok if 3.0 is not tested', async () => {
  const pull = { 'GET /version': listing(['2.5']), 'POST /v3/sessions': [404] as const }
  const change = { versions: ['2.5'] }
  expect(await problemsOf({ verifier: verifier(pull), change })).toEqual([])
})

test('exchanged urls are a fault only if the answers of both roles are clear', async () => {
  const silent = always(403, {})
  expect(await problemsOf({ verifier: silent, registrar: verifier() })).not.toContain(
    'D-URLS-SWAPPED fault',
  )
  const rejecting = { 'GET /v2.5/allowlists/': [400] as const }
  const odd = { verifier: asRegistrar(), registrar: { answering: asVerifier(rejecting) } }
  expect(await problemsOf(odd)).not.toContain('D-URLS-SWAPPED fault')
  const empty = always(404, {})
  expect(await problemsOf({ verifier: empty, registrar: verifier() })).not.toContain(
    'D-URLS-SWAPPED fault',
  )
  expect(await problemsOf({ verifier: asRegistrar(), registrar: verifier() })).toEqual([
    'D-URLS-SWAPPED fault',
  ])
})

test('exchanged urls are found without a pull version too', async () => {
  const change = { versions: ['3.0'] }
  const [wrong, right] = [
    { verifier: asRegistrar(), registrar: verifier() },
    { verifier: verifier(), registrar: asRegistrar() },
  ]
  expect(await problemsOf({ ...wrong, change })).toEqual(['D-URLS-SWAPPED fault'])
  expect(await problemsOf({ ...right, change })).toEqual([])
})

test.each([
  [-1, []],
  [20, ['D-CLOCK-SKEW warning']],
  [-20, ['D-CLOCK-SKEW warning']],
  [3600, ['D-CLOCK-SKEW fault']],
] as const)('a clock that is wrong by %d s is reported', async (skew, expected) => {
  expect(await problemsOf({ verifier: { ...verifier(), skew } })).toEqual(expected)
})

test('the local time is a parameter', async () => {
  const options = { now: () => Date.now() + 90_000 }
  expect(await problemsOf({ verifier: verifier(), options })).toEqual(['D-CLOCK-SKEW fault'])
})

test("a server that rejects the administrator's certificate in TLS is a fault", async () => {
  const environment = await makeEnvironment()
  const others = await makeCa(join(environment.directory, 'others'), 'Other CA')
  const strict = { requestCert: true, rejectUnauthorized: true }
  const distrusting = { ...verifier(), tls: { ...strict, ca: readFileSync(others.file) } }
  expect(problemsIn(await examineFakes(environment, { verifier: distrusting }))).toEqual([
    'D-CERT-REFUSED fault',
  ])
  expect(
    problemsIn(await examineFakes(environment, { verifier: { ...verifier(), tls: strict } })),
  ).toEqual([])
})

test('a 403 to the administrator is a warning', async () => {
  const denied = { 'GET /v2.5/allowlists/': [403] as const }
  expect(await problemsOf({ verifier: verifier(denied) })).toEqual(['D-CERT-REFUSED warning'])
})

test.each([
  ['expired', { from: -3, to: -2 }, 'D-CERT-EXPIRED fault'],
  ['not valid yet', { from: 1, to: 2 }, 'D-CERT-EXPIRED fault'],
  ['for clients only', { usages: ['clientAuth'] }, 'D-CERT-EKU fault'],
] as const)('a server certificate %s is a fault', async (_, certificate, expected) => {
  expect(await problemsOf({ verifier: { ...verifier(), certificate } })).toEqual([expected])
})

test('a server without TLS is a fault', async () => {
  const environment = await makeEnvironment()
  const plain = createServer((_, reply) => reply.end())
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
  const { port } = Object(plain.address()) as { port: number }
  const target = environment.target([{ role: 'verifier', url: `https://127.0.0.1:${port}` }])
  expect(problemsIn(await examine(target, DEPLOYMENT))).toEqual(['D-TLS-PLAIN fault'])
  plain.close()
})

test('checks after a fault are skipped and listed', async () => {
  const environment = await makeEnvironment()
  const target = environment.target([{ role: 'verifier', url: 'https://127.0.0.1:1' }])
  const { not_made } = await examine(target, DEPLOYMENT)
  expect(not_made.map(({ check }) => check)).toEqual([
    ...[
      'clock',
      'administrator',
      'urls',
      'versions',
      'mode',
      'function',
      'dialect',
      'ek-trust',
      'capabilities',
    ],
  ])
  expect(new Set(not_made.map(({ why }) => why))).toEqual(
    new Set(['D-TLS-UNREACHABLE must be resolved first']),
  )
})

test('two faults of one stage are reported together', async () => {
  const environment = await makeEnvironment()
  const admin = { certificate: '/nowhere.crt', key: '/nowhere.pem' }
  const target = environment.target([], { tls: { ca: environment.ca.file, admin } })
  expect(problemsIn(await examine(target, DEPLOYMENT))).toEqual([
    'D-CERT-UNREADABLE fault',
    'D-CERT-UNREADABLE fault',
  ])
})

test('a time limit above the certification maximum is a warning', async () => {
  const change = { time: { ...DEFAULT_TIMES, verdictWithinMs: 61_000 } }
  expect(await problemsOf({ verifier: verifier(), change })).toEqual(['D-TARGET-LIMITS warning'])
})

const HOOK = { command: ['true'], cwd: '/', env: {}, withinMs: 20_000 }

test.each([
  ['a stop without a start', { general: { stop: HOOK }, roles: {} }, ['D-HOOK-MISSING fault']],
  ['a stop with a start', { general: { stop: HOOK, start: HOOK }, roles: {} }, []],
  ['a hook of each role', { general: { stop: HOOK }, roles: { verifier: { start: HOOK } } }, []],
  [
    'a program that is not there',
    { general: { restart: { ...HOOK, command: ['no-such-hook'] } }, roles: {} },
    ['D-HOOK-MISSING fault'],
  ],
  [
    'a program that cannot be run',
    { general: { restart: { ...HOOK, command: ['/etc/passwd'] } }, roles: {} },
    ['D-HOOK-MISSING fault'],
  ],
] as const)('%s is reported', async (_, hooks, expected) => {
  expect(await problemsOf({ verifier: verifier(), change: { hooks } })).toEqual(expected)
})

test('a rejected dialect is a fault, with its position in the target file', async () => {
  const run = async () => ({ verdict: 'rejected', detail: 'a list of int is refused' }) as const
  const options = { dialectProbes: [{ what: 'available_subjects', run }] }
  const { findings } = await examineFakes(await makeEnvironment(), {
    verifier: verifier(),
    options,
  })
  expect(findings.find(({ what }) => what === 'available_subjects')).toMatchObject({
    code: 'D-DIALECT',
    severity: 'fault',
    detail: 'a list of int is refused',
    next: 'correct dialect at my.target.yaml:1:1',
  })
})

test('an accepted dialect is ok', async () => {
  const run = async () => ({ verdict: 'accepted', detail: 'taken' }) as const
  const options = { dialectProbes: [{ what: 'available_subjects', run }] }
  expect(await problemsOf({ verifier: verifier(), options })).toEqual([])
})

test('the requests respect the rate limit of the target file', async () => {
  const change = { safety: { loopbackOnly: true, requestsPerSecond: 4, dryRun: false } }
  let [asked, last] = [0, 0]
  const answering: Answering = (...request) => {
    asked += 1
    last = performance.now()
    return asVerifier()(...request)
  }
  const began = performance.now()
  await examineFakes(await makeEnvironment(), { verifier: { answering }, change })
  // The TLS probe does not count, and the first of the others is sent at once.
  const gaps = asked - 2
  expect(gaps).toBeGreaterThan(1)
  expect(last - began).toBeGreaterThanOrEqual(gaps * (1000 / 4))
})
