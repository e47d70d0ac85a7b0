import type { ClaimedPcrs } from '../quote/claimed-pcrs.ts'
import { writePcrBlob } from '../quote/pcr-blob.ts'
import { evaluateQuote } from '../quote/quote.ts'
import type { VerifiedPcrs } from '../quote/verified-pcrs.ts'
import { makeStubAttester, quoted, stubCase } from './stub-attester.ts'

const attester = makeStubAttester()

/** Any PCR values, proven by a quote that was made for them; there is no shorter way. */
export function provenPcrs(claimed: ClaimedPcrs): VerifiedPcrs {
  const [first] = claimed
  const requestedPcrs = { bank: first?.bank ?? '', pcrs: [...(first?.values.keys() ?? [])] }
  const base = stubCase(attester, { requestedPcrs }, { attested: quoted(claimed) })
  const blob = { form: 'blob', bytes: writePcrBlob(claimed) } as const
  const { verified, findings } = evaluateQuote({ ...base, quote: { ...base.quote, claimed: blob } })
  if (!verified) throw new Error(`the soft quote did not pass: ${findings[0]?.context.message}`)
  return verified
}

/** Values from the text that the recorded boots have: `sha256 10 81260B…`, one line a PCR. */
export function listedPcrs(text: string): ClaimedPcrs {
  const banks = new Map<string, Map<number, Uint8Array>>()
  for (const [, bank = '', pcr = '', value = ''] of text.matchAll(
    /^(sha\d+) +(\d+) +([0-9A-F]+)$/gm,
  )) {
    const values = banks.get(bank) ?? new Map<number, Uint8Array>()
    banks.set(bank, values.set(Number(pcr), new Uint8Array(Buffer.from(value, 'hex'))))
  }
  return [...banks].map(([bank, values]) => ({ bank, values }))
}
