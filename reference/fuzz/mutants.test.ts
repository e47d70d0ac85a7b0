import { expect, test } from 'vitest'
import { parsePcrBlob } from '../evidence/pcr-blob.ts'
import { quoteChecks } from '../evidence/quote.ts'
import { parseSubjectData } from '../evidence/subject-data.ts'
import { verifySignature } from '../tpm/verify-signature.ts'
import { busy, now } from './clocks.ts'
import { fuzz } from './fuzz.ts'
import type { Target } from './target.ts'
import { pcrsTarget } from './targets/pcrs.ts'
import { quoteTarget } from './targets/quote.ts'
import { signatureTarget } from './targets/signature.ts'

const SEED = 1

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
