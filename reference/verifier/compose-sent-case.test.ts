import { expect, test } from 'vitest'
import { toBase64 } from '../bytes/base64.ts'
import { parseReferenceState } from '../evidence/uefi/policy/reference-state.ts'
import { recorded } from '../tpm/testing/recorded-boot.ts'
import { composeSentCase } from './compose-sent-case.ts'
import { rememberPolicies } from './policies/remember-policies.ts'

const evidence = {
  nonce: 'Ab3dEfGh1jKlMnOpQrSt',
  quote: `r${['attest', 'sig', 'pcrs'].map((part) => toBase64(recorded(`rsassa_sha256_10.${part}`))).join(':')}`,
  hash_alg: 'sha256',
  tpm_ak: toBase64(recorded('ak_rsa.tpm2b_public')),
  tpm_ek: 'AAAA',
}

test('the reader that remembers reference states is the only one that parses them', () => {
  const state = parseReferenceState('{"has_secureboot":true}')
  const readers = { readPolicy: rememberPolicies(), readState: () => state }
  const sent = { ignoreTomtouErrors: false, bootPolicyName: 'example' } as const
  const composed = composeSentCase(
    { ...sent, evidence: { ...evidence, mb_policy: '{"another":"format"}' } },
    readers,
  )
  expect(composed.measuredBoot?.policy).toEqual({ name: 'example', state })
})
