import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { toBase64 } from '../../bytes/base64.ts'
import { writeDeepQuoteString } from '../../evidence/deep-quote/deep-quote-string.ts'
import { writePcrBlob } from '../../evidence/quote/pcr-blob.ts'
import { type QuoteParts, writeQuoteString } from '../../evidence/quote/quote-string.ts'
import {
  makeStubAttester,
  quoted,
  type StubAttester,
} from '../../evidence/testing/stub-attester.ts'
import { sha256 } from './deep-quotes.ts'

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
  /** Answers `vmask` if there is one. */
  readonly host?: StubHost | undefined
}

/** The TPM below a machine, whose quotes make its own deep. */
export interface StubHost {
  /** Value of its PCRs, in hex */
  readonly pcr: string
  readonly attester: StubAttester
  /** extraData of its quote, from the TPMS_ATTEST of the machine's */
  bound(message: Uint8Array): Uint8Array
}

/** The host that a deep quote of these machines is of, unless a test says otherwise. */
export const STUB_HOST: StubHost = {
  pcr: 'cd'.repeat(32),
  attester: makeStubAttester(),
  bound: sha256,
}

type Query = Readonly<Record<string, string>>

const IMA_PCR = 10
const KEY_PCR = 16
let clock = 1000n

/** `results` of quotes/integrity, as a pull agent with a TPM would give them. */
export function quoteResults(machine: Machine, query: Query, version = '2.5'): unknown {
  const host = query['vmask'] === undefined ? undefined : machine.host
  const mask = Number((host && query['vmask']) ?? query['mask'] ?? 0)
  const pcrs = pcrsOf(mask | (1 << KEY_PCR))
  return {
    quote: textOf(version === '1.0' ? zlib : plain, {
      own: quoteOf(machine, query['nonce'] ?? '', pcrs),
      host: host && { ...host, pcrs: pcrsOf(Number(query['mask'])) },
    }),
    ...{ hash_alg: 'sha256', enc_alg: 'ecc', sign_alg: 'ecdsa', boottime: 1 },
    ...(query['partial'] === '0' && { pubkey: machine.nodeKey }),
    ...(pcrs.includes(IMA_PCR) && listFrom(machine, Number(query['ima_ml_entry'] ?? 0))),
  }
}

function pcrsOf(mask: number): readonly number[] {
  return Array.from({ length: 24 }, (_, pcr) => pcr).filter((pcr) => (mask >> pcr) & 1)
}

const plain = (bytes: Uint8Array) => bytes
const zlib = (bytes: Uint8Array) => new Uint8Array(deflateSync(bytes))

interface Quotes {
  readonly own: QuoteParts
  readonly host: (StubHost & { readonly pcrs: readonly number[] }) | undefined
}

function textOf(pack: typeof plain, { own, host }: Quotes): string {
  const packed = ({ message, signature, pcrBlob }: QuoteParts) => ({
    ...{ message: pack(message), signature: pack(signature), pcrBlob: pack(pcrBlob) },
  })
  if (host === undefined) return writeQuoteString(packed(own))
  const values = new Map(host.pcrs.map((pcr) => [pcr, Buffer.from(host.pcr, 'hex')]))
  const claimed = [{ bank: 'sha256', values }]
  const extraData = host.bound(own.message)
  const signed = host.attester.attest({ extraData, attested: quoted(claimed) })
  const below = { ...signed, pcrBlob: writePcrBlob(claimed) }
  return writeDeepQuoteString({ guest: packed(own), host: packed(below) })
}

function quoteOf(machine: Machine, nonce: string, pcrs: readonly number[]): QuoteParts {
  clock += 1n
  const values = new Map(pcrs.map((pcr) => [pcr, pcrValue(machine, pcr)]))
  const claimed = [{ bank: 'sha256', values }]
  const signed = attester.attest({
    extraData: new TextEncoder().encode(nonce),
    clockInfo: { clock, resetCount: machine.resetCount, restartCount: 1, safe: true },
    attested: quoted(claimed),
  })
  return { ...signed, pcrBlob: writePcrBlob(claimed) }
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
