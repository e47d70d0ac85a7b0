import { expect, test } from 'vitest'
import { fromHex, toHex } from '../../bytes/hex.ts'
import { concat } from '../../bytes/writer.ts'
import type { Attest } from '../../tpm/attest.ts'
import { flipped, recorded } from '../../tpm/testing/recorded-boot.ts'
import { RECORDED_QUOTES, recordedCase } from '../testing/recorded-case.ts'
import { CLAIMED, makeStubAttester, NONCE, quoted, stubCase } from '../testing/stub-attester.ts'
import type { ClaimedPcrs } from './claimed-pcrs.ts'
import { writePcrBlob } from './pcr-blob.ts'
import { evaluateQuote, quoteChecks } from './quote.ts'
import type { QuoteInput } from './quote-case.ts'

const stub = makeStubAttester()

/** Ids of the checks that found something. */
function refusals(input: QuoteInput, checks = quoteChecks): readonly unknown[] {
  return evaluateQuote(input, checks).findings.map(({ context }) => context.check)
}

function without(id: string) {
  return quoteChecks.filter((check) => check.id !== id)
}

function withQuote(change: Partial<QuoteInput['quote']>, base = recordedCase()): QuoteInput {
  return { ...base, quote: { ...base.quote, ...change } }
}

function blobOf(claimed: ClaimedPcrs) {
  return { form: 'blob', bytes: writePcrBlob(claimed) } as const
}

test.each(RECORDED_QUOTES)('the recorded quote $file passes', (quote) => {
  expect(evaluateQuote(recordedCase({}, quote)).findings).toEqual([])
})

test('the values that a passing quote proves are those of its TPM', () => {
  const { verified } = evaluateQuote(recordedCase())
  const listed = Buffer.from(recorded('pcrs_after_tools.txt')).toString().toLowerCase()
  for (const pcr of [0, 4, 7, 9, 10]) {
    const value = verified?.get('sha256')?.get(pcr)
    expect(listed).toContain(`sha256 ${pcr} ${value && toHex(value)}\n`)
  }
})

test('a quote made by software with every field right passes, so that its twins below differ in one place', () => {
  expect(refusals(stubCase(stub))).toEqual([])
})

test.each<[string, string, Partial<Attest>]>([
  ['with another magic', 'quote.magic', { magic: 0x474354ff }],
  ['without nonce', 'quote.nonce', { extraData: new Uint8Array() }],
  ['over the nonce in hexadecimal', 'quote.nonce', { extraData: Buffer.from(toHex(NONCE)) }],
  ['over the nonce and a zero byte', 'quote.nonce', { extraData: concat(NONCE, Uint8Array.of(0)) }],
  ['over part of the nonce', 'quote.nonce', { extraData: NONCE.subarray(1) }],
])('a signed quote %s is refused by %s', (_, id, change) => {
  expect(refusals(stubCase(stub, {}, change))).toEqual([id])
})

test('a fresh quote of a TPM that lost power passes, although its clock is not safe yet', () => {
  const clockInfo = { clock: 1000n, resetCount: 5, restartCount: 1, safe: false }
  expect(refusals(stubCase(stub, {}, { clockInfo }))).toEqual([])
})

test.each([
  ['gettime', ['quote.type']],
  ['certify', ['quote.type', 'quote.nonce']],
])('the recorded attestation %s is no quote', (file, ids) => {
  const message = recorded(`${file}.attest`)
  expect(refusals(withQuote({ message, signature: recorded(`${file}.sig`) }))).toEqual(ids)
})

test('the recorded quote without qualifying data is refused by its nonce alone', () => {
  const noqual = { file: 'noqual', key: 'ak_rsa', hash: 'sha256', bank: 'sha256', pcrs: [10] }
  expect(refusals(recordedCase({}, noqual))).toEqual(['quote.nonce'])
})

test('an expected nonce that is empty is never met', () => {
  const empty = stubCase(stub, { nonce: new Uint8Array() }, { extraData: new Uint8Array() })
  expect(refusals(empty)).toEqual(['quote.nonce'])
})

test('any one of several acceptable nonces is enough', () => {
  expect(refusals(stubCase(stub, { nonce: [Uint8Array.of(1), NONCE] }))).toEqual([])
  expect(refusals(stubCase(stub, { nonce: [Uint8Array.of(1)] }))).toEqual(['quote.nonce'])
  expect(refusals(stubCase(stub, { nonce: [] }))).toEqual(['quote.nonce'])
})

test.each([0, 5, 100])('one bit of byte %i of the message breaks the chain', (at) => {
  const message = flipped(recorded('rsassa_sha256_all.attest'), at)
  const { findings, verified } = evaluateQuote(withQuote({ message }))
  expect(findings.map(({ reason }) => reason)).toContain('broken_evidence_chain')
  expect(verified).toBeUndefined()
})

test.each([6, 130, 261])(
  'one bit of byte %i of the signature is refused by quote.signature',
  (at) => {
    const signature = flipped(recorded('rsassa_sha256_all.sig'), at)
    expect(refusals(withQuote({ signature }))).toEqual(['quote.signature'])
  },
)

test('one bit of a claimed value is refused by quote.pcr-digest', () => {
  const bytes = flipped(recorded('rsassa_sha256_all.pcrs'), 150)
  expect(refusals(withQuote({ claimed: { form: 'blob', bytes } }))).toEqual(['quote.pcr-digest'])
})

test.each<[string, Partial<QuoteInput['quote']>, string]>([
  [
    'a byte after the message',
    { message: concat(recorded('rsassa_sha256_all.attest'), Uint8Array.of(0)) },
    'quote.structure',
  ],
  [
    'a message cut short',
    { message: recorded('rsassa_sha256_all.attest').subarray(0, 90) },
    'quote.structure',
  ],
  [
    'a byte after the signature',
    { signature: concat(recorded('rsassa_sha256_all.sig'), Uint8Array.of(0)) },
    'quote.signature-form',
  ],
  ['a signature in DER', { signature: Uint8Array.of(0x30, 0x45, 2, 0x20) }, 'quote.signature-form'],
  [
    'a PCR blob of zeros',
    { claimed: { form: 'blob', bytes: new Uint8Array(1732) } },
    'quote.structure',
  ],
])('%s is refused with its place', (_, change, id) => {
  const [finding] = evaluateQuote(withQuote(change)).findings
  expect(finding?.type).toBe('quote_validation.invalid_quote')
  expect(finding?.context.check).toBe(id)
  expect(finding?.context.message).toMatch(/ at byte \d+: /)
})

test('bytes behind the structure are refused although they are signed', () => {
  const message = concat(stub.attest().message, Uint8Array.of(0))
  const quote = { ...stubCase(stub).quote, message, signature: stub.sign(message) }
  expect(refusals(stubCase(stub, { quote }))).toEqual(['quote.structure'])
  expect(refusals(stubCase(stub, { quote }), without('quote.structure'))).toEqual([])
})

test('an attestation key that cannot be read is refused', () => {
  expect(refusals(recordedCase({ attestationKey: new Uint8Array(4) }))).toContain('quote.structure')
})

test.each<[string, Partial<QuoteInput>, string]>([
  ['another hash than agreed', { hashAlgorithm: 'sha384' }, 'quote_validation.quote_validation'],
  [
    'another scheme than agreed',
    { signatureScheme: 'rsapss' },
    'quote_validation.quote_validation',
  ],
  [
    'a hash that is not accepted',
    { acceptedHashes: ['sha384'] },
    'quote_validation.invalid_hash_alg',
  ],
  [
    'a scheme that is not accepted',
    { acceptedSchemes: ['ecdsa'] },
    'quote_validation.invalid_sign_alg',
  ],
])('%s is refused by quote.algorithms', (_, change, type) => {
  const { findings } = evaluateQuote(recordedCase(change))
  expect(findings).toMatchObject([{ type, context: { check: 'quote.algorithms' } }])
})

test('a hash that is not accepted violates policy, another than agreed breaks the chain', () => {
  const reasonOf = (change: Partial<QuoteInput>) =>
    evaluateQuote(recordedCase(change)).findings[0]?.reason
  expect(reasonOf({ acceptedHashes: [] })).toBe('policy_violation')
  expect(reasonOf({ hashAlgorithm: 'sha1' })).toBe('broken_evidence_chain')
})

test('a signature in another hash than the key has in its scheme is refused', () => {
  const signature = stub.attest().signature
  const other = concat(signature.subarray(0, 2), Uint8Array.of(0, 0x0c), signature.subarray(4))
  const base = stubCase(stub, { hashAlgorithm: 'sha384', acceptedHashes: ['sha384'] })
  expect(refusals(withQuote({ signature: other }, base))).toContain('quote.algorithms')
})

const [FIRST] = CLAIMED
const VALUES = FIRST?.values ?? new Map<number, Uint8Array>()

test.each<[string, ClaimedPcrs]>([
  [
    'moved to another PCR',
    [{ bank: 'sha256', values: new Map([...VALUES].map(([pcr, value]) => [pcr + 1, value])) }],
  ],
  [
    'given for one PCR more',
    [{ bank: 'sha256', values: new Map([...VALUES, [11, new Uint8Array(32)]]) }],
  ],
  ['left out for one PCR', [{ bank: 'sha256', values: new Map([...VALUES].slice(0, 1)) }]],
])('values %s are refused by quote.selection', (_, claimed) => {
  expect(refusals(withQuote({ claimed: blobOf(claimed) }, stubCase(stub)))).toContain(
    'quote.selection',
  )
})

test('values relabelled to another bank of the same size are refused by quote.selection alone', () => {
  const relabelled = [{ bank: 'sha3_256', values: VALUES }]
  const input = withQuote({ claimed: blobOf(relabelled) }, stubCase(stub))
  expect(refusals(input)).toEqual(['quote.selection'])
})

test('a quote that lacks a PCR that was asked for is refused, its twin that has it passes', () => {
  const asked = (pcrs: number[]) => stubCase(stub, { requestedPcrs: { bank: 'sha256', pcrs } })
  expect(refusals(asked([0]))).toEqual([])
  expect(refusals(asked([0, 7]))).toEqual(['quote.selection'])
})

test('a quote of another bank than asked for is refused', () => {
  expect(refusals(stubCase(stub, { requestedPcrs: { bank: 'sha1', pcrs: [0] } }))).toEqual([
    'quote.selection',
  ])
})

test('a signed selection without PCRs proves nothing that was asked for', () => {
  const none = [{ bank: 'sha256', values: new Map<number, Uint8Array>() }]
  const input = stubCase(stub, {}, { attested: quoted(none) })
  expect(refusals(input)).toContain('quote.selection')
})

test('a bank without PCRs in the signed selection is no difference', () => {
  const attested = quoted([{ bank: 'sha1', values: new Map() }, ...CLAIMED])
  expect(refusals(stubCase(stub, {}, { attested }))).toEqual([])
})

test.each<[string, Partial<Attest>['clockInfo'], readonly string[]]>([
  ['a later clock', { clock: 1001n, resetCount: 5, restartCount: 2, safe: true }, []],
  ['the same clock', { clock: 1000n, resetCount: 5, restartCount: 2, safe: true }, ['quote.clock']],
  [
    'a lower reset count',
    { clock: 1001n, resetCount: 4, restartCount: 2, safe: true },
    ['quote.clock'],
  ],
  [
    'a lower restart count',
    { clock: 1001n, resetCount: 5, restartCount: 1, safe: true },
    ['quote.clock'],
  ],
  [
    'a lower restart count after a reset',
    { clock: 1001n, resetCount: 6, restartCount: 0, safe: true },
    [],
  ],
  [
    'a lower clock with both counts changed',
    { clock: 1n, resetCount: 6, restartCount: 0, safe: true },
    [],
  ],
  [
    'a lower clock after a reset alone',
    { clock: 1n, resetCount: 6, restartCount: 2, safe: true },
    ['quote.clock'],
  ],
  [
    'a lower clock that is not safe after a reset',
    { clock: 1n, resetCount: 6, restartCount: 2, safe: false },
    [],
  ],
  [
    'a lower clock that is not safe without a reset',
    { clock: 1n, resetCount: 5, restartCount: 3, safe: false },
    ['quote.clock'],
  ],
])('%s than last time is checked', (_, clockInfo, expected) => {
  const previousClock = { clock: 1000n, resetCount: 5, restartCount: 2 }
  const input = stubCase(stub, { previousClock }, clockInfo ? { clockInfo } : {})
  expect(refusals(input)).toEqual(expected)
})

test('without the check of the nonce exactly a replay passes', () => {
  const replay = recordedCase({ nonce: Uint8Array.of(1) })
  expect(refusals(replay)).toEqual(['quote.nonce'])
  expect(evaluateQuote(replay, without('quote.nonce')).verified).toBeDefined()
})

test('without the check of the signature exactly a forged one passes', () => {
  const forged = withQuote({ signature: flipped(recorded('rsassa_sha256_all.sig'), 99) })
  expect(refusals(forged)).toEqual(['quote.signature'])
  expect(evaluateQuote(forged, without('quote.signature')).verified).toBeDefined()
})

test('without the check of the magic exactly a structure made outside a TPM passes', () => {
  const made = stubCase(stub, {}, { magic: 0 })
  expect(refusals(made)).toEqual(['quote.magic'])
  expect(evaluateQuote(made, without('quote.magic')).verified).toBeDefined()
})

test('without any check an unreadable quote still proves nothing', () => {
  const unreadable = withQuote({ message: fromHex('ff544347') })
  expect(evaluateQuote(unreadable, []).findings).toHaveLength(1)
  expect(evaluateQuote(unreadable, []).verified).toBeUndefined()
})

test('every check has a reason and a unique id', () => {
  expect(new Set(quoteChecks.map(({ id }) => id)).size).toBe(quoteChecks.length)
  for (const { id, why } of quoteChecks) expect(`${id}: ${why}`).toMatch(/^quote\.[a-z-]+: .{20,}/)
})

const AK = recorded('ak_rsa.tpm2b_public')

test.each([
  ['restricted', 5, 0],
  ['sign', 5, 2],
  ['no-decrypt', 5, 1],
  ['fixed-tpm', 7, 1],
  ['fixed-parent', 7, 4],
  ['sensitive-data-origin', 7, 5],
])('a key that is not %s is refused by quote.key-attributes alone', (name, at, bit) => {
  // objectAttributes are behind the size, the type and nameAlg.
  const attestationKey = flipped(AK, at + 2, bit)
  const { findings } = evaluateQuote(recordedCase({ attestationKey }))
  expect(findings).toMatchObject([
    {
      type: 'quote_validation.invalid_attestation_key',
      context: { check: 'quote.key-attributes', unmet: [`ak.${name}`] },
    },
  ])
  const proven = evaluateQuote(recordedCase({ attestationKey }), without('quote.key-attributes'))
  expect(proven.verified).toBeDefined()
})

test.each<[string, readonly string[], readonly string[]]>([
  ['its own name', ['rsa2048'], []],
  ['the generic name', ['ecc', 'rsa'], []],
  ['the generic name of another type', ['ecc'], ['quote.algorithms']],
  ['another length', ['rsa3072', 'rsa1024'], ['quote.algorithms']],
  ['nothing', [], ['quote.algorithms']],
])('an RSA-2048 key where %s is accepted is checked', (_, acceptedKeys, expected) => {
  expect(refusals(recordedCase({ acceptedKeys }))).toEqual(expected)
})

test('the generic ecc means P-256 and not P-384', () => {
  const named = (file: string) => RECORDED_QUOTES.find((quote) => quote.file === file)
  const acceptedKeys = ['ecc']
  expect(refusals(recordedCase({ acceptedKeys }, named('ecdsa256_sha256_10_16')))).toEqual([])
  expect(refusals(recordedCase({ acceptedKeys }, named('ecdsa384_sha384_10')))).toEqual([
    'quote.algorithms',
  ])
})

test('values of a bank that cannot be computed here are proven by the digest like any other', () => {
  const claimed = [{ bank: 'sm3_256', values: VALUES }]
  const requestedPcrs = { bank: 'sm3_256', pcrs: [0, 10] }
  const base = stubCase(stub, { requestedPcrs }, { attested: quoted(claimed) })
  expect(refusals(withQuote({ claimed: blobOf(claimed) }, base))).toEqual([])
  expect(refusals(withQuote({ claimed: blobOf(CLAIMED) }, base))).toEqual(['quote.selection'])
})
