import { expect, test } from 'vitest'
import { toBase64 } from '../../bytes/base64.ts'
import { KEYS } from '../../dev/testing/certificates/recorded-keys.ts'
import { composedVerifier } from '../../dev/testing/verifier/composed-verifier.ts'
import { RECORDED_NONCE, recorded } from '../../tpm/testing/recorded-boot.ts'

const part = (suffix: string) => toBase64(recorded(`rsassa_sha256_10.${suffix}`))

const EVIDENCE = {
  nonce: new TextDecoder().decode(RECORDED_NONCE),
  quote: `r${part('attest')}:${part('sig')}:${part('pcrs')}`,
  hash_alg: 'sha256',
  tpm_ak: KEYS.akRsa,
  tpm_ek: KEYS.ek,
}

/** An unknown member this long makes the body one that another thread reads. */
const LARGE = { comment: 'x'.repeat(100_000) }

test.each(['2.4', '2.5'])(
  'under %s a large body is answered as a small one with the same members',
  async (version) => {
    const { ask } = await composedVerifier()
    const send = (body: object) =>
      ask(`/v${version}/verify/evidence`, { method: 'POST', body: { ...EVIDENCE, ...body } })
    const wrong = [{ nonce: 'another' }, { quote: 'rAAAA:AAAA' }, { hash_alg: undefined }]
    for (const change of [{}, ...wrong, { type: 'another', data: {} }])
      expect(await send({ ...change, ...LARGE }), JSON.stringify(change)).toEqual(
        await send(change),
      )
  },
)

test('evidence of another kind than a TPM is not as large as that of one', async () => {
  const { ask } = await composedVerifier()
  const send = (body: object) => ask('/v2.5/verify/evidence', { method: 'POST', body })
  const tee = (report: string) => ({
    type: 'tee',
    data: {
      ...{ nonce: 'n', 'tee-pubkey-x-b64': 'AAAA', 'tee-pubkey-y-b64': 'AAAA' },
      'tee-evidence': { tee: 'snp', evidence: { 'snp-report': report } },
    },
  })
  expect(await send(tee('A'.repeat(100_000)))).toMatchObject({ status: 413 })
  expect(await send(tee('AAAA'))).toMatchObject({ status: 200 })
})
