import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { fromBase64, toBase64 } from '../../bytes/base64.ts'
import { issue } from '../../dev/testing/certificates/issue-certificate.ts'
import { KEYS } from '../../dev/testing/certificates/recorded-keys.ts'
import { NOON } from '../../dev/testing/settable-clock.ts'
import { ekChecks } from '../../evidence/ek-certificate/ek-checks.ts'
import { pathChecks } from '../../pki/check-path.ts'
import { type EndorsementCase, endorsementChecks } from './endorsement.ts'

const maker = await issue({ name: 'maker' })
const key = new X509Certificate(fromBase64(KEYS.ekcert)).publicKey
const spki = key.export({ type: 'spki', format: 'der' })
const made = await issue({ name: 'TPM', by: maker, ca: false, spki })
const other = await issue({ name: 'TPM', by: maker, ca: false })
const server = await issue({
  name: 'TPM',
  by: maker,
  ca: false,
  spki,
  usages: ['1.3.6.1.5.5.7.3.1'],
})
const ek_tpm = KEYS.ek
const registration = { ek_tpm, ekcert: toBase64(made.der) }
const GOOD: EndorsementCase = { registration, store: [maker], pathChecks, ekChecks, now: NOON }

/** Problems by the id of the check that has them. */
function problemsOf(change: Partial<EndorsementCase>) {
  const subject = { ...GOOD, ...change }
  const problems = endorsementChecks.map((check) => [check.id, check.problem(subject)] as const)
  return Object.fromEntries(problems.filter(([, problem]) => problem !== undefined))
}

test('a key that a known maker certified is good', () => {
  expect(problemsOf({})).toEqual({})
  expect(problemsOf({ registration: { ...registration, ek_tpm: undefined } })).toEqual({})
})

test.each<[string, Partial<EndorsementCase>, string, RegExp]>([
  [
    'without a certificate',
    { registration: { ek_tpm, ekcert: undefined } },
    'present',
    /no certificate/,
  ],
  [
    'with a text for a certificate',
    { registration: { ek_tpm, ekcert: 'AAAA' } },
    'readable',
    /not base64 DER/,
  ],
  [
    'with the certificate of another key',
    { registration: { ek_tpm, ekcert: toBase64(other.der) } },
    'key',
    /another key/,
  ],
  [
    'that is no TPM2B_PUBLIC',
    { registration: { ...registration, ek_tpm: 'AAAA' } },
    'key',
    /no TPM2B_PUBLIC/,
  ],
  ['where no makers are known', { store: undefined }, 'store', /no makers of TPMs/],
  ['of an unknown maker', { store: [other] }, 'path', /has no issuer in/],
  ['whose certificate is over', { now: NOON + 3 * 86_400_000 }, 'path', /not valid at this time/],
  [
    'with a certificate for servers',
    { registration: { ek_tpm, ekcert: toBase64(server.der) } },
    'path',
    /another purpose/,
  ],
])('a key %s is not', (_, change, id, sentence) => {
  expect(problemsOf(change)).toEqual({ [`endorsement.${id}`]: expect.stringMatching(sentence) })
})
