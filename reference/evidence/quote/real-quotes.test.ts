import Table from 'cli-table3'
import { afterAll, describe, expect, test } from 'vitest'
import { fromBase64 } from '../../bytes/base64.ts'
import { toHex } from '../../bytes/hex.ts'
import { concat } from '../../bytes/writer.ts'
import type { EvidenceCase } from '../evaluate.ts'
import { publishedKey } from '../testing/published-key.ts'
import { absent, real, WHY_SKIPPED } from '../testing/real-data.ts'
import { writePcrBlob } from './pcr-blob.ts'
import { evaluateQuote } from './quote.ts'
import { parseQuoteString } from './quote-string.ts'

/** A published attestation: how it is read, the outcome, and the published facts. */
interface RealQuote {
  readonly file: string
  read(): EvidenceCase
  /** ids of the checks that refuse it; none for a quote that passes */
  readonly refused: readonly string[]
  readonly published: string
  /** the published facts, found in the parsed quote */
  readonly shows?: readonly string[]
}

function quoteCase(
  attestationKey: Uint8Array,
  nonce: Uint8Array,
  [bank, pcrs]: readonly [bank: string, pcrs: readonly number[]],
  quote: {
    readonly message: Uint8Array
    readonly signature: Uint8Array
    readonly blob: Uint8Array
  },
): EvidenceCase {
  const { message, signature, blob } = quote
  return {
    attestationKey,
    nonce,
    hashAlgorithm: bank,
    acceptedHashes: ['sha1', 'sha256', 'sha384'],
    acceptedSchemes: ['rsassa', 'rsapss', 'ecdsa'],
    requestedPcrs: { bank, pcrs },
    quote: { message, signature, claimed: { form: 'blob', bytes: blob } },
  }
}

const ALL = Array.from({ length: 24 }, (_, pcr) => pcr)
const utf8 = (text: string) => new TextEncoder().encode(text)

function keylime(): EvidenceCase {
  const part = (name: string) => real(`keylime/test-data/files/${name}`)
  const message = part('quote.out')
  const quote = { message, signature: part('quotesig.out'), blob: part('quotepcr.out') }
  const key = publishedKey(part('akpub.pem'), 'sha256')
  return quoteCase(key, message.slice(44, 64), ['sha256', [15, 16, 22]], quote)
}

/** Its key was not published, so another takes its place. */
function rustKeylime(): EvidenceCase {
  const text = Buffer.from(real('rust-keylime/keylime/test-data/test-quote.txt')).toString().trim()
  const { pcrBlob, ...parts } = parseQuoteString(text)
  const key = publishedKey(real('keylime/test-data/files/akpub.pem'), 'sha1')
  return quoteCase(key, utf8('TEST'), ['sha1', [16]], { ...parts, blob: pcrBlob })
}

interface WindowsMachine {
  readonly AK: Readonly<Record<string, string>>
  readonly Quote: Readonly<Record<'Quote' | 'Signature', string>>
  readonly Log: { readonly PCRs: readonly { readonly Index: number; readonly Digest: string }[] }
}

/** A machine of which the key is published as TPMT_PUBLIC, and each PCR by itself. */
function windows(part: 'quote' | 'creation'): EvidenceCase {
  const file = real('go-attestation/attest/testdata/windows_gcp_shielded_vm.json')
  const { AK, Quote, Log } = JSON.parse(Buffer.from(file).toString()) as WindowsMachine
  const area = fromBase64(AK['Public'] ?? '')
  const key = concat(Uint8Array.of(area.length >> 8, area.length & 255), area)
  const values = Log.PCRs.map(({ Index, Digest }) => [Index, fromBase64(Digest)] as const)
  const sorted = new Map(values.sort(([left], [right]) => left - right))
  const blob = writePcrBlob([{ bank: 'sha1', values: sorted }])
  const attest = { quote: Quote.Quote, creation: AK['CreateAttestation'] ?? '' }[part]
  const signature = { quote: Quote.Signature, creation: AK['CreateSignature'] ?? '' }[part]
  const parts = { message: fromBase64(attest), signature: fromBase64(signature), blob }
  return quoteCase(key, new Uint8Array(), ['sha1', ALL], parts)
}

/** Signature, message and 24 values, each behind a length of eight bytes; the signature without its header. */
function azure(): EvidenceCase {
  const file = real('azure-cvm-tooling/az-cvm-vtpm/test/quote.bin')
  const [signature, rest] = prefixed(file)
  const [message, values] = prefixed(rest)
  const pcrs = ALL.map((pcr) => [pcr, values.subarray(8 + pcr * 32, 40 + pcr * 32)] as const)
  const blob = writePcrBlob([{ bank: 'sha256', values: new Map(pcrs) }])
  const header = Uint8Array.of(0, 0x14, 0, 0x0b, signature.length >> 8, signature.length & 255)
  const key = publishedKey(real('azure-cvm-tooling/az-cvm-vtpm/test/akpub.pem'), 'sha256')
  const parts = { message, signature: concat(header, signature), blob }
  return quoteCase(key, utf8('challenge'), ['sha256', ALL], parts)
}

function prefixed(bytes: Uint8Array): readonly [Uint8Array, Uint8Array] {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint16(0, true)
  return [bytes.subarray(8, 8 + length), bytes.subarray(8 + length)]
}

/** Something that is no attestation of a TPM 2.0, with a signature, PCR values and a key that are. */
function noAttest(message: Uint8Array): EvidenceCase {
  return { ...keylime(), quote: { ...keylime().quote, message } }
}

function tpm12(): Uint8Array {
  const file = real('go-eventlog/testdata/legacydata/linux_tpm12.json')
  return fromBase64((JSON.parse(Buffer.from(file).toString()) as WindowsMachine).Quote.Quote)
}

const TDX = 'go-tdx-guest/testing/testdata/'

const QUOTES: readonly RealQuote[] = [
  {
    file: 'keylime/test-data/files/quote.out',
    read: keylime,
    refused: [],
    published: 'PCR 15, 16, 22 of SHA-256; verifies under akpub.pem',
    shows: ['sha256 15', 'sha256 16', 'sha256 22'],
  },
  {
    file: 'rust-keylime/keylime/test-data/test-quote.txt',
    read: rustKeylime,
    refused: ['quote.signature'],
    published: 'PCR 16 of SHA-1, nonce TEST; its key is not published',
  },
  {
    file: 'azure-cvm-tooling/az-cvm-vtpm/test/quote.bin',
    read: azure,
    refused: [],
    published: '24 PCRs of SHA-256, nonce challenge; verifies under akpub.pem',
    shows: ALL.map((pcr) => `sha256 ${pcr}`),
  },
  {
    file: 'go-attestation/…/windows_gcp_shielded_vm.json',
    read: () => windows('quote'),
    refused: ['quote.nonce'],
    published: '24 PCRs of SHA-1, empty nonce',
  },
  {
    file: 'go-attestation/…/windows_gcp_shielded_vm.json, creation',
    read: () => windows('creation'),
    refused: ['quote.type', 'quote.nonce'],
    published: 'a creation attestation by the same key',
  },
  {
    file: 'go-eventlog/testdata/legacydata/linux_tpm12.json',
    read: () => noAttest(tpm12()),
    refused: ['quote.structure', 'quote.signature'],
    published: 'a quote of a TPM 1.2',
  },
  ...['ccel/cos-113-tdx-quote.dat', 'quote_v5_sample.dat', 'tdx_prod_quote_SPR_E4.dat'].map(
    (file) => ({
      file: TDX + file,
      read: () => noAttest(real(TDX + file)),
      refused: ['quote.structure', 'quote.signature'],
      published: 'a quote of a processor',
    }),
  ),
]

const OWN = 'own-boots/full-ovmf-imasig/'
const own = (file: string) => real(OWN + file)

/** The boot that was made for this project: file, key, hash of the signature, bank, PCRs, who refuses it. */
const OWN_QUOTES = [
  ['rsassa_sha256_all', 'ak_rsa', 'sha256', 'sha256', ALL, []],
  ['rsassa_sha256_10', 'ak_rsa', 'sha256', 'sha256', [10], []],
  ['rsassa_sha1_10', 'ak_rsa', 'sha256', 'sha1', [10], []],
  ['rsassa_sha384_mb', 'ak_rsa', 'sha256', 'sha384', [0, 7], []],
  ['rsassa_sha512_mb', 'ak_rsa', 'sha256', 'sha512', [0, 7, 10], []],
  ['rsassa_multibank', 'ak_rsa', 'sha256', 'sha384', [0, 7, 10], []],
  ['rsapss_sha256_10_16', 'ak_rsapss', 'sha256', 'sha256', [10, 16], []],
  ['ecdsa256_sha256_10_16', 'ak_ecc256', 'sha256', 'sha256', [10, 16], []],
  ['ecdsa384_sha384_10', 'ak_ecc384', 'sha384', 'sha384', [10], []],
  ['noqual', 'ak_rsa', 'sha256', 'sha256', [10], ['quote.nonce']],
  ['gettime', 'ak_rsa', 'sha256', 'sha256', [10], ['quote.type']],
  ['certify', 'ak_rsa', 'sha256', 'sha256', [10], ['quote.type', 'quote.nonce']],
] as const

const ownRows: readonly RealQuote[] = OWN_QUOTES.map(([file, key, hash, bank, pcrs, refused]) => ({
  file: `${OWN}${file}`,
  read: () => {
    // The two attestations that are no quotes came without PCR values.
    const values = file === 'gettime' || file === 'certify' ? 'noqual' : file
    const parts = {
      message: own(`${file}.attest`),
      signature: own(`${file}.sig`),
      blob: own(`${values}.pcrs`),
    }
    const base = quoteCase(
      own(`${key}.tpm2b_public`),
      utf8('Ab3dEfGh1jKlMnOpQrSt'),
      [bank, pcrs],
      parts,
    )
    return { ...base, hashAlgorithm: hash }
  },
  refused,
  published: refused.length > 0 ? 'made to be refused' : 'PCR values of pcrs_after_tools.txt',
  shows: refused.length > 0 ? [] : pcrs.flatMap((pcr) => published(bank, pcr)),
}))

/** `sha256 10 81260b…` as the machine printed its PCRs; nothing for those that it did not print. */
function published(bank: string, pcr: number): readonly string[] {
  const text = absent ? '' : Buffer.from(own('pcrs_after_tools.txt')).toString().toLowerCase()
  return new RegExp(`^${bank} ${pcr} [0-9a-f]+`, 'm').exec(text) ?? []
}

const ROWS = [...QUOTES, ...ownRows].map((row) => [row.file, row.published, row] as const)

/** `sha256 10 81260b…` for every value that a quote proves. */
function proven(evidence: EvidenceCase): readonly string[] {
  const { verified } = evaluateQuote(evidence)
  return [...(verified ?? [])].flatMap(([bank, values]) =>
    [...values].map(([pcr, value]) => `${bank} ${pcr} ${toHex(value)}`),
  )
}

describe.skipIf(absent)(`real quotes${WHY_SKIPPED}`, () => {
  const table = new Table({
    head: ['quote', 'result', 'published'],
    style: { head: [], border: [] },
  })
  afterAll(() => console.log(table.toString()))

  test.each(ROWS)('%s: %s', (file, words, { read, refused, shows = [] }) => {
    const evidence = read()
    const values = proven(evidence)
    const ids = evaluateQuote(evidence).findings.map(({ context }) => context.check)
    table.push([file, ids.join(', ') || `passes, ${values.length} PCRs`, words])
    expect(ids).toEqual(refused)
    expect(shows.length > 0).toBe(refused.length === 0)
    expect(shows.filter((fact) => !values.some((each) => each.startsWith(fact)))).toEqual([])
  })
})
