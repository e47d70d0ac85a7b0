import { afterAll, expect, test, vi } from 'vitest'
import { ekChecks } from '../../evidence/ek-certificate/ek-checks.ts'
import { imaEntryChecks } from '../../evidence/ima/entry-checks.ts'
import { imaListChecks } from '../../evidence/ima/evaluate-ima.ts'
import { parseRuntimePolicy } from '../../evidence/ima/policy/runtime-policy.ts'
import { parsePcrBlob } from '../../evidence/quote/pcr-blob.ts'
import { quoteChecks } from '../../evidence/quote/quote.ts'
import { parseSubjectData } from '../../evidence/quote/subject-data.ts'
import { parseTpmPolicy } from '../../evidence/quote/tpm-policy.ts'
import { pathChecks } from '../../pki/check-path.ts'
import { verifySignature } from '../../tpm/verify-signature.ts'
import { busy, now } from './clocks.ts'
import { fuzz } from './fuzz.ts'
import type { Target } from './target.ts'
import { ekcertTarget } from './targets/ekcert.ts'
import { imalogTarget } from './targets/imalog.ts'
import { pcrsTarget } from './targets/pcrs.ts'
import { type PolicyReaders, policyTarget } from './targets/policy.ts'
import { quoteTarget } from './targets/quote.ts'
import { signatureTarget } from './targets/signature.ts'

const SEED = 1

// Each of these ends at the first false pass, which is soon; a busy machine takes its time.
vi.setConfig({ testTimeout: 120_000 })
afterAll(() => vi.resetConfig())

/** Faults of a session, which ends at one of them. */
async function faults(target: Target, runs: number, enough: string): Promise<readonly string[]> {
  const options = { seed: SEED, runs, now, busy }
  const report = await fuzz(target, {
    ...options,
    enough: ({ kind, message }) => `${kind}: ${message}`.startsWith(enough),
  })
  return report.found.map(({ fault }) => `${fault.kind}: ${fault.message}`)
}

/** Whether a session has this fault within so many runs. */
async function expectFault(target: Target, runs: number, fault: string): Promise<void> {
  const found = await faults(target, runs, fault)
  expect(found.filter((each) => each.startsWith(fault))).toHaveLength(1)
}

test.each([
  ['quote.structure', 'the message is no TPMS_ATTEST of a quote'],
  ['quote.magic', 'the message does not begin with TPM_GENERATED_VALUE'],
  ['quote.nonce', 'the message is over another nonce'],
  ['quote.signature-form', 'the signature is no TPMT_SIGNATURE'],
  ['quote.algorithms', 'the signature uses another hash than agreed'],
  ['quote.signature', 'the signature is not good for the message'],
  ['quote.selection', 'a PCR that was asked for is missing'],
  ['quote.pcr-digest', 'the digest is not that of the values'],
  ['quote.clock', 'the clock stood still or went back'],
])('a verifier without the check %s is found out within 8000 runs', async (id, message) => {
  const checks = quoteChecks.filter((check) => check.id !== id)
  expect(checks).toHaveLength(quoteChecks.length - 1)
  await expectFault(quoteTarget(checks), 8000, `false-pass: ${message}`)
})

test('without the check of the type nothing passes that should not: what is no quote proves nothing', async () => {
  const checks = quoteChecks.filter(({ id }) => id !== 'quote.type')
  expect(await faults(quoteTarget(checks), 3000, 'false-pass')).toEqual([])
})

test('a verifier that does not look at the signature is found out', async () => {
  const target = signatureTarget(() => ({ ok: true }))
  await expectFault(target, 500, 'false-pass: the signature is not good for the message')
})

test('a verifier that throws at a hash it does not know has crashed', async () => {
  const target = signatureTarget((key, signature, message) => {
    if (signature.value.hash > 0x20) throw new TypeError('no such hash')
    return verifySignature(key, signature, message)
  })
  await expectFault(target, 4000, 'crash: TypeError: no such hash')
})

test('a reader that takes a cut blob for a whole one is found out', async () => {
  const blob: typeof parsePcrBlob = (bytes) => {
    const whole = Math.max(0, Math.ceil((bytes.length - 136) / 532)) * 532 + 136
    const padded = new Uint8Array(whole)
    padded.set(bytes.subarray(0, whole))
    return parsePcrBlob(padded)
  }
  const target = pcrsTarget({ blob, subject: parseSubjectData })
  await expectFault(target, 4000, 'false-pass: these are no PCR values')
})

test('a reader that takes any key that looks like a number is found out', async () => {
  const subject: typeof parseSubjectData = (value, bank, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return parseSubjectData(value, bank, path)
    const entries = Object.entries(value).map(([key, text]) => [String(Number(key)), text])
    return parseSubjectData(Object.fromEntries(entries), bank, path)
  }
  const target = pcrsTarget({ blob: parsePcrBlob, subject })
  await expectFault(target, 8000, 'false-pass: these are no PCR values')
})

const LIST = { list: imaListChecks, entry: imaEntryChecks }

test.each([
  ['ima.quoted', 'no PCR 10 was quoted'],
  ['ima.replay', 'the list does not replay to what was quoted'],
  ['ima.entry', 'the list cannot be read to its end'],
  ['ima.entry-pcr', 'an entry is for another PCR'],
  ['ima.entry-hash', 'a template hash is wrong'],
  ['ima.entry-violation', 'an entry is a violation'],
  ['ima.entry-template', 'an entry says nothing'],
  ['ima.entry-policy', 'an entry is not in the policy'],
])(
  'a verifier of lists without the check %s is found out within 20000 runs',
  async (id, message) => {
    const checks = {
      list: LIST.list.filter((check) => check.id !== id),
      entry: LIST.entry.filter((check) => check.id !== id),
    }
    const all = LIST.list.length + LIST.entry.length
    expect(checks.list.length + checks.entry.length).toBe(all - 1)
    await expectFault(imalogTarget(checks), 20_000, `false-pass: ${message}`)
  },
)

test.each<[string, PolicyReaders['runtime'], string]>([
  ['in upper case', (text) => parseRuntimePolicy(text.toLowerCase()), 'a digest is none'],
  [
    'of a generator without a name',
    (text) => parseRuntimePolicy(text.replace(/"generator":\d+/, '"generator":0')),
    'meta.generator is not what it has to be',
  ],
  [
    'with half of the paths',
    (text) => {
      const policy = parseRuntimePolicy(text)
      return { ...policy, digests: new Map([...policy.digests].slice(1)) }
    },
    'other names were read than are stated',
  ],
  [
    'with excludes that match anywhere',
    (text) => ({ ...parseRuntimePolicy(text), excludes: (path) => path.includes('/tmp/') }),
    'other paths are excluded than the expressions say',
  ],
])('a reader of policies %s is found out', async (_, runtime, message) => {
  await expectFault(policyTarget({ runtime, tpm: parseTpmPolicy }), 8000, `false-pass: ${message}`)
})

const CERTIFICATE = { ek: ekChecks, path: pathChecks }

test.each([
  ['path.signature', 'nobody in the store signed it'],
  ['path.dates', 'the time of the certificate is over'],
  ['path.names', 'the maker may not give this name'],
  ['path.usage', 'the certificate is for another purpose'],
  ['ekcert.end', 'the certificate is one of an authority'],
  ['ekcert.key', 'the key is not one of an endorsement key'],
])(
  'a reader of EK certificates without the check %s is found out within 20000 runs',
  async (id, message) => {
    const checks = {
      ek: CERTIFICATE.ek.filter((check) => check.id !== id),
      path: CERTIFICATE.path.filter((check) => check.id !== id),
    }
    const all = CERTIFICATE.ek.length + CERTIFICATE.path.length
    expect(checks.ek.length + checks.path.length).toBe(all - 1)
    await expectFault(ekcertTarget(checks), 20_000, `false-pass: ${message}`)
  },
)

test('a reader of PCR policies that takes a PCR that does not exist is found out', async () => {
  const tpm: PolicyReaders['tpm'] = (text) => parseTpmPolicy(text.replace(/"(?:24|010)":/, '"8":'))
  const target = policyTarget({ runtime: parseRuntimePolicy, tpm })
  await expectFault(target, 20_000, 'false-pass: a member is no PCR')
})

test('work that grows faster than its input is found out', async () => {
  let clock = 0
  const target: Target = {
    ...quoteTarget(),
    judge({ blob }) {
      const size = blob instanceof Uint8Array ? blob.length : 0
      clock += size * size * 1e-6
      return { verdict: 'fail', says: [] }
    },
  }
  const { found } = await fuzz(target, { seed: SEED, runs: 12_000, now: () => clock })
  expect(found.map(({ fault }) => fault.kind)).toEqual(['hang'])
})
