import { describe, expect, test } from 'vitest'
import { toHex } from '../../bytes/hex.ts'
import { flipped, recorded } from '../../tpm/testing/recorded-boot.ts'
import type { EvidenceCase } from '../evaluate.ts'
import type { Finding } from '../findings.ts'
import { parsePcrBlob, writePcrBlob } from '../quote/pcr-blob.ts'
import { evaluateQuote } from '../quote/quote.ts'
import { readAttestationKey } from '../quote/read-attestation-key.ts'
import { type Answer, ask, each, isThere, put, scratch } from '../testing/oracles/ask.ts'
import { distinct, faultsOf } from '../testing/oracles/faults.ts'
import {
  BLOB_CHANGES,
  MESSAGE_CHANGES,
  type Mutation,
  SIGNATURE_CHANGES,
} from '../testing/oracles/mutations.ts'
import { RECORDED_QUOTES, type RecordedQuote, recordedCase } from '../testing/recorded-case.ts'
import { CLAIMED, makeStubAttester, NONCE, stubCase } from '../testing/stub-attester.ts'

const TOOL = 'tpm2_checkquote'

interface Case {
  readonly name: string
  readonly evidence: EvidenceCase
  /** the tool is asked without PCR values, as there are none */
  readonly withoutPcrs?: true
}

type Quote = EvidenceCase['quote']

function blobOf({ claimed }: Quote): Uint8Array {
  return claimed.form === 'blob' ? claimed.bytes : new Uint8Array()
}

function withQuote(evidence: EvidenceCase, change: Partial<Quote>): EvidenceCase {
  return { ...evidence, quote: { ...evidence.quote, ...change } }
}

function changedBy(name: string, base: EvidenceCase): readonly Case[] {
  const { quote } = base
  const cases = (
    part: string,
    changes: readonly Mutation[],
    make: (m: Mutation) => Partial<Quote>,
  ) =>
    changes.map((mutation) => ({
      name: `${name}, ${part}: ${mutation.name}`,
      evidence: withQuote(base, make(mutation)),
    }))
  return [
    ...cases('message', MESSAGE_CHANGES, ({ change }) => ({ message: change(quote.message) })),
    ...cases('signature', SIGNATURE_CHANGES, ({ change }) => ({
      signature: change(quote.signature),
    })),
    ...cases('PCRs', BLOB_CHANGES, ({ change }) => ({
      claimed: { form: 'blob', bytes: change(blobOf(quote)) },
    })),
  ]
}

function recordedQuote(file: string): RecordedQuote | undefined {
  return RECORDED_QUOTES.find((quote) => quote.file === file)
}

const NOQUAL = { file: 'noqual', key: 'ak_rsa', hash: 'sha256', bank: 'sha256', pcrs: [10] }

/** Attestations by the recorded key that are no quotes over the nonce. */
const OTHERS: readonly Case[] = ['noqual', 'gettime', 'certify'].map((file) => ({
  name: file,
  evidence: withQuote(recordedCase({}, NOQUAL), {
    message: recorded(`${file}.attest`),
    signature: recorded(`${file}.sig`),
  }),
  withoutPcrs: true,
}))

const stub = makeStubAttester()
const RELABELLED = CLAIMED.map(({ bank, values }) => {
  return { bank, values: new Map([...values].map(([pcr, value]) => [pcr + 1, value])) }
})

/** Defects that are signed, so that the signature hides none of them. */
const SIGNED: readonly Case[] = [
  { name: 'signed, right', evidence: stubCase(stub) },
  { name: 'signed, another magic', evidence: stubCase(stub, {}, { magic: 0 }) },
  {
    name: 'signed, part of the nonce',
    evidence: stubCase(stub, {}, { extraData: NONCE.subarray(1) }),
  },
  {
    name: 'signed, an unsafe clock',
    evidence: stubCase(
      stub,
      {},
      { clockInfo: { clock: 1n, resetCount: 1, restartCount: 1, safe: false } },
    ),
  },
  {
    name: 'signed, values of other PCRs',
    evidence: withQuote(stubCase(stub), {
      claimed: { form: 'blob', bytes: writePcrBlob(RELABELLED) },
    }),
  },
  {
    name: 'signed, by a key that is not restricted',
    evidence: stubCase(stub, { attestationKey: flipped(stub.tpm2bPublic, 7) }),
  },
]

const CASES: readonly Case[] = [
  ...RECORDED_QUOTES.map((quote) => ({ name: quote.file, evidence: recordedCase({}, quote) })),
  ...OTHERS,
  ...SIGNED,
  ...changedBy('rsassa', recordedCase({}, recordedQuote('rsassa_sha256_10'))),
  ...changedBy('ecdsa', recordedCase({}, recordedQuote('ecdsa256_sha256_10_16'))),
]

/** The tool's verdict on the same bytes, with the same key, nonce and hash. */
async function theirs(one: Case, directory: string, index: number): Promise<Answer> {
  const { quote, nonce, hashAlgorithm, attestationKey } = one.evidence
  const key = readAttestationKey(attestationKey).value?.key.export({ format: 'pem', type: 'spki' })
  const [pem = '', message = '', signature = '', blob = ''] = put(directory, {
    [`${index}.pem`]: String(key),
    [`${index}.attest`]: quote.message,
    [`${index}.sig`]: quote.signature,
    [`${index}.pcrs`]: blobOf(quote),
  })
  const values = one.withoutPcrs ? [] : ['-f', blob]
  const files = ['-u', pem, '-m', message, '-s', signature, ...values]
  return ask(TOOL, [...files, '-q', toHex(nonce as Uint8Array), '-g', hashAlgorithm])
}

/** The check of a finding, and the field if the structure is wrong. */
function about({ context }: Finding): string {
  const [field = ''] = context.message.split(' at byte ')
  const broken = /structure$|-form$/.test(String(context.check))
  return `${context.check}${broken ? ` ${field.replaceAll(/\[\d+\]/g, '')}` : ''}`
}

function disagreements({ evidence }: Case, answer: Answer): readonly string[] {
  const { findings } = evaluateQuote(evidence)
  const passes = findings.length === 0
  if (passes === answer.accepts) return []
  if (answer.accepts) return findings.map((finding) => `accepts ${about(finding)}`)
  return [`refuses ${recordedScheme(evidence)}`]
}

function recordedScheme({ attestationKey }: EvidenceCase): string {
  return readAttestationKey(attestationKey).value?.area.parameters.value.scheme.kind ?? 'nothing'
}

/** `10: 0x81…` for each value. */
function values(evidence: EvidenceCase): readonly string[] {
  return parsePcrBlob(blobOf(evidence.quote)).flatMap(({ values: ofBank }) =>
    [...ofBank].map(([pcr, value]) => `${pcr}: 0x${toHex(value)}`),
  )
}

describe.skipIf(!isThere(TOOL))(TOOL, () => {
  test('agrees on every quote, but for its known faults', async () => {
    const directory = scratch()
    const answers = await each(CASES, (one, index) => theirs(one, directory, index))
    const found = CASES.flatMap((one, index) => {
      const answer = answers[index]
      return answer ? disagreements(one, answer) : [`${one.name}: no answer`]
    })
    console.log(
      `${TOOL}: ${CASES.length} quotes, ${answers.filter(({ accepts }) => accepts).length} accepted`,
    )
    expect(distinct(found)).toEqual(distinct(faultsOf(TOOL)))
  }, 120_000)

  test('reads the PCR values that we read', async () => {
    const directory = scratch()
    const cases = CASES.filter(({ evidence }) => evaluateQuote(evidence).findings.length === 0)
    const answers = await each(cases, (one, index) => theirs(one, directory, index))
    const read = cases.map(({ name, evidence }, index) => {
      const text = answers[index]?.text.replaceAll(/ +:/g, ':').toLowerCase() ?? ''
      const missing = values(evidence).filter((value) => !text.includes(` ${value}`))
      return missing.map((value) => `${name} lacks ${value}`)
    })
    expect(cases.length).toBeGreaterThan(10)
    expect(read.flat()).toEqual([])
  }, 120_000)
})
