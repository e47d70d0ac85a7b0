import { createHash } from 'node:crypto'
import { toBase64 } from '../../bytes/base64.ts'
import { writePcrBlob } from '../../evidence/quote/pcr-blob.ts'
import { writeQuoteString } from '../../evidence/quote/quote-string.ts'
import { makeStubAttester, quoted } from '../../evidence/testing/stub-attester.ts'

const attester = makeStubAttester()

/** The attestation key of every machine here, as the registrar has it. */
export const STUB_AK = toBase64(attester.tpm2bPublic)

/** Value of the PCRs of machines here, but for 16. */
export const PCR = 'ab'.repeat(32)

/** The content of a machine's quotes. */
export interface Machine {
  readonly resetCount: number
  /** Lines of the IMA list. */
  readonly list: readonly string[]
  /** PEM */
  readonly nodeKey: string
  /** PCR 10, and all others but 16; in hex */
  readonly ima: string
  readonly pcr: string
}

type Query = Readonly<Record<string, string>>

const IMA_PCR = 10
const KEY_PCR = 16
let clock = 1000n

/** `results` of quotes/integrity, as a pull agent with a TPM would give them. */
export function quoteResults(machine: Machine, query: Query): unknown {
  const mask = Number(query['mask'] ?? 0)
  const pcrs = Array.from({ length: 24 }, (_, pcr) => pcr).filter(
    (pcr) => pcr === KEY_PCR || (mask >> pcr) & 1,
  )
  return {
    quote: quoteText(machine, query['nonce'] ?? '', pcrs),
    ...{ hash_alg: 'sha256', enc_alg: 'ecc', sign_alg: 'ecdsa', boottime: 1 },
    ...(query['partial'] === '0' && { pubkey: machine.nodeKey }),
    ...(pcrs.includes(IMA_PCR) && listFrom(machine, Number(query['ima_ml_entry'] ?? 0))),
  }
}

function quoteText(machine: Machine, nonce: string, pcrs: readonly number[]): string {
  clock += 1n
  const values = new Map(pcrs.map((pcr) => [pcr, pcrValue(machine, pcr)]))
  const claimed = [{ bank: 'sha256', values }]
  const signed = attester.attest({
    extraData: new TextEncoder().encode(nonce),
    clockInfo: { clock, resetCount: machine.resetCount, restartCount: 1, safe: true },
    attested: quoted(claimed),
  })
  return writeQuoteString({ ...signed, pcrBlob: writePcrBlob(claimed) })
}

function pcrValue({ nodeKey, ima, pcr: other }: Machine, pcr: number): Uint8Array {
  if (pcr !== KEY_PCR) return Buffer.from(pcr === IMA_PCR ? ima : other, 'hex')
  const digest = createHash('sha256').update(nodeKey).digest()
  return createHash('sha256').update(Buffer.alloc(32)).update(digest).digest()
}

/** A list that has become shorter begins anew. */
function listFrom({ list }: Machine, asked: number) {
  const entry = asked > list.length ? 0 : asked
  return {
    ima_measurement_list: list.slice(entry).join(''),
    ima_measurement_list_entry: entry,
  }
}
