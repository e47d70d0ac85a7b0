import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pageOf } from '../html/page.ts'
import { jsonOf } from '../json/write-json.ts'
import type { ScenarioResult } from '../result.ts'
import { sampleResult } from '../testing/sample-result.ts'
import { AS_AGENT, SESSION } from '../testing/sample-transcript.ts'
import type { TranscriptEntry, WireEntry } from '../transcripts/transcript-entry.ts'
import { Transcripts } from '../transcripts/transcripts.ts'
import { packTranscripts } from '../transcripts/write-transcripts.ts'
import { junitOf } from '../write-junit.ts'
import { createRedactor, findSecrets, redactEntry } from './redact.ts'
import { mayHoldSecret, redactMembers } from './redact-text.ts'

const SECRET = 'QmVjYXVzZSBpdCBpcyBhIHNlY3JldC4gT2YgY291cnN'
const TOKEN = `${SESSION}.${SECRET}`
const PEM = `-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIB\n-----END PRIVATE KEY-----`

const wire = (request: Partial<WireEntry['request']>, body = ''): WireEntry => ({
  lane: 'wire',
  at_ms: 0,
  ms: 1,
  speaker: 'agent',
  tls: AS_AGENT,
  request: { method: 'POST', url: 'https://127.0.0.1:8881/v3/sessions', headers: {}, ...request },
  response: { status: 200, headers: {}, body },
})

const bodyAfter = (body: string): string | undefined => {
  const entry = redactEntry(wire({ body }))
  return entry.lane === 'wire' ? entry.request.body : undefined
}

const headersAfter = (headers: Readonly<Record<string, string>>) => {
  const entry = redactEntry(wire({ headers }))
  return entry.lane === 'wire' ? entry.request.headers : {}
}

test('the scheme, the session id and the length of a bearer token stay', () => {
  expect(headersAfter({ authorization: `Bearer ${TOKEN}` })).toEqual({
    authorization: `Bearer ${SESSION}.[redacted 43 characters]`,
  })
})

test('a token without a session id is redacted completely', () => {
  expect(headersAfter({ Authorization: `bearer ${SECRET}.${SECRET}` })).toEqual({
    Authorization: 'bearer [redacted 87 characters]',
  })
})

test('cookies and basic credentials are redacted', () => {
  expect(headersAfter({ cookie: 'a=1', authorization: 'Basic YWRtaW4=', accept: '*/*' })).toEqual({
    cookie: '[redacted 3 characters]',
    authorization: 'Basic [redacted 8 characters]',
    accept: '*/*',
  })
})

test('secret members are redacted, and auth_tag and every other byte stay', () => {
  const sent = `{ "v" : "abc",\n "payload":"xyz", "auth_tag":"tag", "n": 18446744073709551615, "v":null}`
  expect(bodyAfter(sent)).toBe(
    `{ "v" : "[redacted 3 characters]",\n "payload":"[redacted 3 characters]", "auth_tag":"tag", "n": 18446744073709551615, "v":null}`,
  )
})

const IN_BASE64 = Buffer.from(PEM).toString('base64')

test.each([
  ['a name spelled with escapes', SECRET, String.raw`{"\u0074oken":"${SECRET}"}`],
  ['a text that is cut off', SECRET, `{"results":{"encrypted_key":"${SECRET}`],
  ['JSON within a string', SECRET, JSON.stringify({ metadata: JSON.stringify({ token: SECRET }) })],
  ['a string that is cut off', SECRET, String.raw`{"metadata":"{\"token\":\"${SECRET}\"}`],
  ['an object as the value', SECRET, `{"payload":{"a":["}","${SECRET}"]},"b":1}`],
  ['a list as the value', SECRET, `{"revocation_key":[["${SECRET}"]]}`],
  ['a private key', 'MIGHAgEAMBMG', JSON.stringify({ key: PEM })],
  ['a private key that is cut off', 'MIGHAgEAMBMG', PEM.slice(0, 60)],
  ['a private key in base64', IN_BASE64.slice(40, 80), JSON.stringify({ key: IN_BASE64 })],
  ['a bearer token in prose', SECRET, `the header was "Bearer ${TOKEN}"`],
])('a secret is redacted in %s', (_, secret, body) => {
  expect(body).toContain(secret)
  expect(bodyAfter(body)).not.toContain(secret)
})

test('members next to a nested secret value stay', () => {
  expect(bodyAfter('{"payload":{"a":["}",1]},"b":[2]}')).toBe(
    '{"payload":"[redacted 13 characters]","b":[2]}',
  )
})

test('a body of many megabytes is redacted without exhausting the stack', () => {
  const log = 'A'.repeat(12_000_000)
  expect(bodyAfter(`{"entries":"${log}","token":"abc"}`)).toMatch(
    /A","token":"\[redacted 3 characters\]"\}$/,
  )
})

test('a secret query parameter is redacted', () => {
  const entry = redactEntry(wire({ url: `https://host/x?token=${SECRET}&nonce=1` }))
  expect(entry.lane === 'wire' && entry.request.url).toBe(
    'https://host/x?token=[redacted 43 characters]&nonce=1',
  )
})

test('a host path is replaced by its name, the most specific name first', () => {
  const paths = [
    { prefix: '/home/me', name: 'HOME' },
    { prefix: '/home/me/run', name: 'RUN' },
  ]
  const entry = redactEntry(
    { lane: 'note', at_ms: 0, text: '/home/me/run/ca.crt of /home/me' },
    paths,
  )
  expect(entry).toEqual({ lane: 'note', at_ms: 0, text: 'RUN/ca.crt of HOME' })
})

test('a secret that was recorded once is redacted in later text', () => {
  const redactor = createRedactor([])
  redactor.entry(wire({}, `{"token":"${TOKEN}"}`))
  expect(redactor.text(`received ${SECRET}`)).toBe('received [redacted 43 characters]')
})

test('a secret that is known in advance is redacted in any text', () => {
  expect(createRedactor([], ['hunter2 hunter2']).text('it is hunter2 hunter2')).toBe(
    'it is [redacted 15 characters]',
  )
})

const PLANTED = [
  { name: 'token', value: SECRET },
  { name: 'v', value: 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1w=' },
  { name: 'private key', value: 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIB' },
  { name: 'revocation key', value: 'revoke <me> & "you"' },
  { name: 'host path', value: '/home/someone/assay' },
] as const

const [, V, , REVOKE, PATH] = PLANTED

const scenarioWithSecrets = (): ScenarioResult => ({
  id: 'talkative',
  title: 'A scenario that recorded all it knew',
  role: 'verifier',
  version: '3.0',
  requirements: ['REG-ENVELOPE'],
  outcome: 'fail',
  reason: `the key in ${PATH.value}/key.pem is ${PEM}`,
  ms: 1,
  checks: [
    {
      requirement: 'REG-ENVELOPE',
      what: 'token',
      expected: 'none',
      received: TOKEN,
      ok: false,
      at: 0,
    },
  ],
  observations: [{ key: 'V', what: 'v', received: JSON.stringify({ v: V.value }), at: 0 }],
  transcript: { entries: 2, kept: true },
  repeat: `npm start -- --target ${PATH.value}/target.yaml`,
})

const ENTRIES: readonly TranscriptEntry[] = [
  wire(
    {
      headers: { authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify({ revocation_key: REVOKE.value, v: V.value }),
    },
    JSON.stringify({ data: { attributes: { token: TOKEN } }, pem: PEM }),
  ),
  { lane: 'note', at_ms: 2, text: `Bearer ${TOKEN} was read from ${PATH.value}` },
]

const reportsOf = async (scenario: ScenarioResult, entries: readonly TranscriptEntry[]) => {
  const result = sampleResult([scenario])
  const transcripts = new Transcripts('all')
  transcripts.keep(scenario, entries)
  return {
    json: jsonOf(result),
    junit: junitOf(result),
    html: pageOf(result, transcripts),
    transcripts: gunzipSync(await packTranscripts(transcripts)).toString(),
  }
}

test('no report contains a planted secret', async () => {
  const redactor = createRedactor([{ prefix: PATH.value, name: 'ASSAY' }])
  const entries = ENTRIES.map(redactor.entry)
  const reports = await reportsOf(redactor.scenario(scenarioWithSecrets()), entries)
  for (const text of Object.values(reports)) expect(findSecrets(text, PLANTED)).toEqual([])
})

test('without redaction the reports contain every planted secret', async () => {
  const reports = await reportsOf(scenarioWithSecrets(), ENTRIES)
  const all = PLANTED.map(({ name }) => name)
  expect(findSecrets(reports.html, PLANTED)).toEqual(all)
  expect(findSecrets(reports.transcripts, PLANTED)).toEqual(all)
  expect(findSecrets(reports.json, PLANTED)).toEqual(['token', 'v', 'private key', 'host path'])
  expect(findSecrets(reports.junit, PLANTED)).toEqual(['token', 'private key', 'host path'])
})

test('the secrets of an entry that is not recorded are redacted in later text', () => {
  const redactor = createRedactor([])
  const [exchange] = ENTRIES
  if (exchange !== undefined) redactor.learn(exchange)
  redactor.learn(wire({ url: 'https://host/x?token=An0ther-secret-value' }))
  expect(redactor.text(`${SECRET} ${V.value} ${REVOKE.value} An0ther-secret-value`)).toBe(
    '[redacted 43 characters] [redacted 44 characters] [redacted 19 characters] [redacted 20 characters]',
  )
})

test.each([
  ['a secret member', '{"token":"x"}'],
  ['a secret member within a string', String.raw`{"a":"{\"v\":\"x\"}"}`],
  ['a name spelled with escapes', String.raw`{"\u0074oken":"x"}`],
  ['a name with a superfluous backslash', String.raw`{"to\ken":"x"}`],
  ['a private key', PEM],
  ['the beginning of a private key in base64', IN_BASE64],
  ['a bearer token', `BEARER ${TOKEN}`],
])('%s is a marker of a secret', (_, text) => {
  expect(mayHoldSecret(text)).toBe(true)
})

test('evidence has no marker', () => {
  expect(mayHoldSecret('{"quote":"r/1RDR4A","auth_tag":"abc","values":["tokens"]}')).toBe(false)
})

test('a text without a marker has no secret member in any composition', () => {
  const piece = fc.constantFrom(
    ...['"', '\\', ':', '{', '}', ',', 'token', 'v', 'tok', 'en', 'payload', 'u0074', '\n', ' '],
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
      const text = pieces.join('')
      if (!mayHoldSecret(text)) expect(redactMembers(text, () => undefined)).toBe(text)
    }),
    { numRuns: 2000 },
  )
})

const RANDOM = 'Zm9ydHktdHdvIGFuZCA0Mg'

/** An answer of a subject to a request of the harness. */
const answer = (url: string, body: string): WireEntry => wire({ url }, body)

test.each([
  ['an answer that issues no token', answer('https://host/v2.5/agents/', `{"token":"${RANDOM}"}`)],
  [
    'a session whose token is a sentence',
    answer('https://host/v3.0/sessions/1', '{"token":"HTTP 403 or 401"}'),
  ],
  [
    'a session whose token is an id',
    answer('https://host/v3.0/sessions/1', '{"token":"push.evidence.accepted"}'),
  ],
  ['a request of a subject', { ...wire({ body: `{"v":"${RANDOM}"}` }), by_subject: true }],
  ['a note', { lane: 'note', at_ms: 0, text: `{"token":"${RANDOM}"}` }],
] as const)('%s erases nothing of what a report says later', (_, entry) => {
  const redactor = createRedactor([])
  expect(JSON.stringify(redactor.entry(entry))).toMatch(/\[redacted \d+ characters\]/)
  redactor.learn(entry)
  const text = `${RANDOM}: HTTP 403 or 401 in push.evidence.accepted`
  expect(redactor.text(text)).toBe(text)
})

test.each([
  ['the token of a session', answer('https://host/v3.0/sessions/1', `{"token":"${RANDOM}"}`)],
  ['a secret that the harness sent', wire({ body: `{"v":"${RANDOM}"}` })],
  ['a secret that the harness answered', { ...wire({}, `{"v":"${RANDOM}"}`), by_subject: true }],
] as const)('%s is redacted in what a report says later', (_, entry) => {
  const redactor = createRedactor([])
  redactor.learn(entry)
  expect(redactor.text(RANDOM)).toBe('[redacted 22 characters]')
})

test('who sent a request is not in reports', () => {
  expect(redactEntry({ ...wire({}), by_subject: true })).toEqual(redactEntry(wire({})))
})

test('of many invented tokens the oldest are forgotten, and known secrets are not', () => {
  const redactor = createRedactor([], [SECRET])
  const invented = (number: number) => `Invented-${1e9 + number}-token`
  for (let made = 0; made < 20_000; made++)
    redactor.learn(answer('https://host/v3/sessions/1', `{"token":"${invented(made)}"}`))
  expect(redactor.text(invented(0))).toBe(invented(0))
  expect(redactor.text(`${SECRET} ${invented(19_999)}`)).toBe(
    '[redacted 43 characters] [redacted 25 characters]',
  )
})
