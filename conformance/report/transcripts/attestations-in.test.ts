import { expect, test } from 'vitest'
import { writeAttest } from '../../../simulator/tpm/attest.ts'
import { TPM_ALG, TPM_ST } from '../../../simulator/tpm/constants.ts'
import { selectPcrs } from '../../../simulator/tpm/pcr-selection.ts'
import { writeSignature } from '../../../simulator/tpm/signature.ts'
import { attestationsIn } from './attestations-in.ts'

const NONCE = 'ABCdef0123456789abcd'

const attest = (extraData: Uint8Array) =>
  Buffer.from(
    writeAttest({
      ...{ type: TPM_ST.ATTEST_QUOTE, qualifiedSigner: new Uint8Array(34), extraData },
      clockInfo: { clock: 4711n, resetCount: 3, restartCount: 1, safe: 1 },
      firmwareVersion: 1n,
      attested: {
        ...{ kind: 'quote', pcrSelect: [selectPcrs('sha256', [10, 16])] },
        pcrDigest: new Uint8Array(32).fill(7),
      },
      leftover: new Uint8Array(),
    }),
  ).toString('base64')

const SIGNATURE = Buffer.from(
  writeSignature({
    ...{ kind: 'rsa', sigAlg: TPM_ALG.RSASSA, hash: TPM_ALG.SHA256 },
    ...{ sig: new Uint8Array(256), leftover: new Uint8Array() },
  }),
).toString('base64')

const REST = `PCRs sha256: 10,16; pcrDigest ${'07'.repeat(32)}; clock 4711 ms, resetCount 3, restartCount 1, safe 1`

test('a quote of the pull model is shown with its nonce, PCRs, clock and signature', () => {
  const quote = `r${attest(Buffer.from(NONCE))}:${SIGNATURE}:AAAA`
  expect(attestationsIn(JSON.stringify({ code: 200, results: { quote } }))).toEqual([
    `results.quote: TPM_ST_ATTEST_QUOTE; extraData "${NONCE}"; ${REST}; signed over sha256`,
  ])
})

test('every attestation of a push body is shown, with a challenge in bytes as hexadecimal', () => {
  const item = (data: string) => ({ data: { message: data } })
  const body = { collected: [item(attest(Buffer.of(1, 0xff))), item(attest(Buffer.alloc(0)))] }
  expect(attestationsIn(JSON.stringify(body))).toEqual([
    `collected.0.data.message: TPM_ST_ATTEST_QUOTE; extraData 01ff; ${REST}`,
    `collected.1.data.message: TPM_ST_ATTEST_QUOTE; extraData empty; ${REST}`,
  ])
})

test.each([
  ['no JSON', `"${attest(Buffer.from(NONCE))}`],
  [
    'a structure that ends too early',
    JSON.stringify({ quote: attest(Buffer.from(NONCE)).slice(0, 64) }),
  ],
  ['no attestation', JSON.stringify({ quote: 'r/1RDR' })],
  [
    'another magic',
    JSON.stringify({ quote: attest(Buffer.from(NONCE)).replace('/1RDR', '/1RDS') }),
  ],
])('%s is not shown', (_, body) => {
  expect(attestationsIn(body)).toEqual([])
})
