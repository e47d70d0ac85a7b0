import Table from 'cli-table3'
import { expect, test } from 'vitest'
import { flipped } from '../tpm/testing/recorded-boot.ts'
import type { EvidenceCase } from './evaluate.ts'
import { evaluateQuote } from './quote/quote.ts'
import { RECORDED_QUOTES, recordedCase } from './testing/recorded-case.ts'

type Part = 'message' | 'signature' | 'PCRs'
type Field = readonly [name: string, from: number, bytes: number]

/** Fields of a recorded quote of 133 bytes (TPMS_ATTEST of one bank, 20 bytes of nonce). */
const MESSAGE: readonly Field[] = [
  ['magic', 0, 4],
  ['type', 4, 2],
  ['qualifiedSigner', 6, 36],
  ['extraData', 42, 22],
  ['clockInfo', 64, 17],
  ['firmwareVersion', 81, 8],
  ['pcrSelect', 89, 10],
  ['pcrDigest', 99, 34],
]
/** Fields of a PCR blob of one bank and up to eight PCRs. */
const BLOB: readonly Field[] = [
  ['count of banks', 0, 4],
  ['bank in use', 4, 8],
  ['15 unused banks', 12, 120],
  ['count of lists', 132, 4],
  ['count of digests', 136, 4],
  ['digests', 140, 528],
]
const RSA: readonly Field[] = [
  ['sigAlg', 0, 2],
  ['hash', 2, 2],
  ['size', 4, 2],
  ['sig', 6, 256],
]
const ECC: readonly Field[] = [
  ['sigAlg', 0, 2],
  ['hash', 2, 2],
  ['signatureR', 4, 34],
  ['signatureS', 38, 34],
]

/** Flips that may pass because they prove the same as the baseline quote; there are none. */
const EXPLAINED: readonly { readonly flip: string; readonly why: string }[] = []

function bytesOf({ quote }: EvidenceCase, part: Part): Uint8Array {
  if (part !== 'PCRs') return quote[part]
  return quote.claimed.form === 'blob' ? quote.claimed.bytes : new Uint8Array()
}

function withBytes({ quote, ...rest }: EvidenceCase, part: Part, bytes: Uint8Array): EvidenceCase {
  const changed =
    part === 'PCRs' ? { claimed: { form: 'blob', bytes } as const } : { [part]: bytes }
  return { ...rest, quote: { ...quote, ...changed } }
}

/** For each bit of a field: the check that refused first, or `passes`. */
function evaluateField(
  baseline: EvidenceCase,
  part: Part,
  [, from, bytes]: Field,
): readonly string[] {
  return Array.from({ length: bytes * 8 }, (_, bit) => {
    const changed = flipped(bytesOf(baseline, part), from + (bit >> 3), bit & 7)
    const [first] = evaluateQuote(withBytes(baseline, part, changed)).findings
    return String(first?.context.check ?? 'passes')
  })
}

function counted(outcomes: readonly string[]): string {
  const names = [...new Set(outcomes)]
  return names
    .map((name) => `${outcomes.filter((each) => each === name).length} ${name}`)
    .join(', ')
}

const BASELINES: readonly (readonly [file: string, signature: readonly Field[]])[] = [
  ['rsassa_sha256_10', RSA],
  ['ecdsa256_sha256_10_16', ECC],
]

test.each(BASELINES)('no bit of the recorded quote %s can be flipped', (file, signature) => {
  const baseline = recordedCase(
    {},
    RECORDED_QUOTES.find((quote) => quote.file === file),
  )
  const parts = { message: MESSAGE, signature, PCRs: BLOB } as const
  const table = new Table({ head: [file, 'bits', 'refused by'], style: { head: [], border: [] } })
  const accepted: string[] = []
  for (const part of ['message', 'signature', 'PCRs'] as const) {
    const fields = parts[part]
    expect(fields.reduce((sum, [, , bytes]) => sum + bytes, 0)).toBe(bytesOf(baseline, part).length)
    for (const field of fields) {
      const outcomes = evaluateField(baseline, part, field)
      table.push([`${part}: ${field[0]}`, outcomes.length, counted(outcomes)])
      outcomes.forEach((outcome, bit) => {
        if (outcome === 'passes')
          accepted.push(`${part} byte ${field[1] + (bit >> 3)} bit ${bit & 7}`)
      })
    }
  }
  console.log(table.toString())
  expect(accepted).toEqual(EXPLAINED.map(({ flip }) => flip))
})
