import { expect, test } from 'vitest'
import { findSecrets } from '../../conformance/report/redaction/redact.ts'
import { sampleResult } from '../../conformance/report/testing/sample-result.ts'
import { sampleTranscripts } from '../../conformance/report/testing/sample-scenarios.ts'
import { makeBundle } from './make-bundle.ts'
import type { Recording } from './recording.ts'
import { redactFile } from './redact-file.ts'

const text = (length: number, seed: number) =>
  Array.from({ length }, (_, at) => 'kQ7xZ2mB9tR4wL1s'[(at * 7 + seed) % 16]).join('')

const armoured = (kind: string, seed: number) =>
  `-----BEGIN ${kind}-----\n${text(64, seed)}\n${text(64, seed + 1)}\n-----END ${kind}-----`

/** Secrets of forty kinds: the text in which each occurs, and what of it must not remain. */
const SECRETS: readonly (readonly [
  kind: string,
  secret: string,
  text: (secret: string) => string,
])[] = [
  ['PKCS #8 key', text(64, 1), () => armoured('PRIVATE KEY', 1)],
  ['PKCS #1 key', text(64, 2), () => armoured('RSA PRIVATE KEY', 2)],
  ['SEC 1 key', text(64, 3), () => armoured('EC PRIVATE KEY', 3)],
  ['encrypted key', text(64, 4), () => armoured('ENCRYPTED PRIVATE KEY', 4)],
  ['OpenSSH key', text(64, 5), () => armoured('OPENSSH PRIVATE KEY', 5)],
  ['PGP key', text(64, 6), () => armoured('PGP PRIVATE KEY BLOCK', 6)],
  ['age key', `AGE-SECRET-KEY-1${'Q7Z2'.repeat(14)}`, (it) => `# ${it}`],
  ['key in JSON', text(64, 7), () => JSON.stringify({ key: armoured('PRIVATE KEY', 7) })],
  ['AWS access key', 'AKIAIOSFODNN7EXAMPLE', (it) => `aws id ${it}`],
  ['AWS session key', 'ASIAIOSFODNN7EXAMPLE', (it) => `aws id ${it}`],
  ['AWS secret key', text(40, 8), (it) => `aws_secret_access_key = ${it}`],
  ['GitHub token', `ghp_${text(36, 9)}`, (it) => `git clone with ${it}`],
  ['GitHub app token', `ghs_${text(36, 10)}`, (it) => `git clone with ${it}`],
  ['GitHub fine-grained token', `github_pat_${text(50, 11)}`, (it) => `uses ${it}`],
  ['GitLab token', `glpat-${text(20, 12)}`, (it) => `uses ${it}`],
  ['Slack token', `xoxb-${text(24, 13)}`, (it) => `uses ${it}`],
  [
    'Slack hook',
    `T00000000/B00000000/${text(24, 14)}`,
    (it) => `https://hooks.slack.com/services/${it}`,
  ],
  ['npm token', `npm_${text(36, 15)}`, (it) => `publishes with ${it}`],
  ['PyPI token', `pypi-${text(60, 16)}`, (it) => `publishes with ${it}`],
  ['Hugging Face token', `hf_${text(34, 17)}`, (it) => `uses ${it}`],
  ['Stripe key', `sk_live_${text(24, 18)}`, (it) => `charges with ${it}`],
  ['Google API key', `AIza${text(35, 19)}`, (it) => `maps with ${it}`],
  ['Google OAuth token', `ya29.${text(40, 20)}`, (it) => `uses ${it}`],
  ['SendGrid key', `SG.${text(22, 21)}.${text(43, 22)}`, (it) => `mails with ${it}`],
  ['Vault token', `hvs.${text(24, 23)}`, (it) => `unseals with ${it}`],
  ['DigitalOcean token', `dop_v1_${'0a1b'.repeat(16)}`, (it) => `uses ${it}`],
  ['JSON Web Token', `eyJhbGciOiJI.${text(40, 24)}.${text(43, 25)}`, (it) => `got ${it}`],
  ['bearer token', text(43, 26), (it) => `authorization: Bearer ${it}`],
  ['basic credentials', text(24, 27), (it) => `Authorization: Basic ${it}`],
  ['proxy credentials', text(24, 28), (it) => `Proxy-Authorization: Basic ${it}`],
  ['API key header', text(32, 29), (it) => `X-Api-Key: ${it}`],
  ['cookie', text(32, 30), (it) => `Cookie: id=${it}`],
  ['set cookie', text(32, 31), (it) => `set-cookie: id=${it}; HttpOnly`],
  ['password in a URL', text(16, 32), (it) => `postgres://assay:${it}@db.example:5432/assay`],
  ['password variable', text(16, 33), (it) => `PGPASSWORD=${it}`],
  ['password option', text(16, 34), (it) => `program --db-password ${it} --verbose`],
  ['password in YAML', text(16, 35), (it) => `tls_key_password: ${it}`],
  ['password in JSON', text(16, 36), (it) => `{"password":"${it}"}`],
  ['session token in JSON', text(43, 37), (it) => `{"token":"${it}"}`],
  ['setting with a secret', text(32, 38), (it) => `--set\n  - revocation_secret=${it}`],
  ['passphrase', text(20, 39), (it) => `ca_passphrase = "${it}"`],
]

test.each(SECRETS)('%s', (kind, secret, textOf) => {
  const dirty = textOf(secret)
  expect(findSecrets(dirty, [{ name: kind, value: secret }])).toEqual([kind])
  expect(redactFile(`before\n${dirty}\nafter`)).toMatch(/^before\n[\s\S]*\[redacted[\s\S]*\nafter$/)
  expect(findSecrets(redactFile(dirty), [{ name: kind, value: secret }])).toEqual([])
})

test.each([
  'lifetimes: { token: 300s, challenge: 5m }',
  '"/etc/token.conf": ["00112233445566778899aabbccddeeff00112233"]',
  `password: ${'$'}{env.DB_PASSWORD}`,
  '"session_token_size": 43, "secret": null',
  'GET https://127.0.0.1:8881/v3.0/agents/d432fbb3/attestations',
])('nothing of %s is a secret', (plain) => {
  expect(redactFile(plain)).toBe(plain)
})

/** A recording with a text in every place that a bundle takes from a deployment. */
function recordingWith(planted: string): Recording {
  const result = sampleResult()
  const [scenario] = result.scenarios.filter(({ transcript }) => transcript.kept)
  if (scenario === undefined) throw new Error('the sample has no transcript')
  const [kept] = [...sampleTranscripts().all()].filter(({ id }) => id === scenario.id)
  if (kept === undefined) throw new Error('the sample has no transcript')
  const headers = { 'x-told': planted }
  const body = JSON.stringify({
    told: planted,
    long: Array(Math.ceil(1200 / planted.length))
      .fill(planted)
      .join('\n'),
  })
  return {
    result: { ...result, target: { ...result.target, name: planted } },
    scenario: {
      ...scenario,
      reason: planted,
      failed_step: { what: planted, expected: planted, received: planted },
      checks: scenario.checks.map((one) => ({ ...one, received: planted })),
    },
    kept: {
      ...kept,
      transcript: [
        ...kept.transcript,
        {
          ...{ lane: 'wire', at_ms: 1, ms: 1, speaker: planted, failure: planted },
          request: { method: 'GET', url: `https://a.example/?q=${planted}`, headers, body },
          response: { status: 200, headers, body },
        },
        { lane: 'note', at_ms: 2, text: planted },
      ],
    },
    ...{ tpms: [], logs: [{ path: 'logs/verifier.out', text: planted }] },
  }
}

test.each(SECRETS)('no file of a bundle has a %s', (kind, secret, textOf) => {
  const dirty = textOf(secret)
  const files = makeBundle(recordingWith(dirty), 'a.zip', `name: x\n${dirty}\n`)
  const found = files.filter(
    ({ bytes }) =>
      findSecrets(Buffer.from(bytes).toString(), [{ name: kind, value: secret }]).length > 0,
  )
  expect(found.map(({ path }) => path)).toEqual([])
})
