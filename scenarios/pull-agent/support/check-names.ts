import { results } from '../../../conformance/attempt/reply.ts'
import { namesOfKey } from '../../../conformance/oracle/key-names.ts'
import { readQuote } from '../../../conformance/oracle/read-quote.ts'
import type { PullAgent } from '../../../conformance/peers/pull-agent.ts'
import type { Context } from '../../../conformance/scenario.ts'
import { bankOf } from '../../../simulator/tpm/hash.ts'
import { freshNonce } from './engine.ts'

const HASHES = ['sha1', 'sha256', 'sha384', 'sha512', 'sm3_256']
const SIGNATURES = ['rsassa', 'rsapss', 'ecdsa', 'ecdaa', 'ecschnorr']
/** Schemes of TPMT_SIGNATURE by their TPM_ALG_ID. */
const SCHEMES: Readonly<Record<number, string>> = {
  20: 'rsassa',
  22: 'rsapss',
  24: 'ecdsa',
  26: 'ecdaa',
  28: 'ecschnorr',
}
const EARLIER_KEYS = ['ecc', 'rsa']
const KEYS = [
  ...['rsa', 'rsa1024', 'rsa2048', 'rsa3072', 'rsa4096'],
  ...['ecc', 'ecc192', 'ecc224', 'ecc256', 'ecc384', 'ecc521', 'ecc_sm2'],
]

export const NAME_REQUIREMENTS = [
  'AGT-HASH-VALUES-CLOSED',
  'AGT-ENC-VALUES-24-CLOSED',
  'AGT-ENC-VALUES-25-CLOSED',
  'AGT-SIGN-VALUES-CLOSED',
  'AGT-SIGN-IN-USE',
  'AGT-ENC-IN-USE',
  'AGT-INFO-IN-USE',
] as const

/** Checks the names of algorithms in quotes and in `agent/info` by the registered key and the signature. */
export async function checkNames(
  { random, version, check }: Context,
  agent: PullAgent,
): Promise<void> {
  const nonce = freshNonce(random)
  const integrity = await agent.integrity({ nonce, mask: '0x400', partial: '0' })
  const replies = [await agent.identity(nonce), integrity]
  const [encryption, names] =
    version === '2.5'
      ? (['AGT-ENC-VALUES-25-CLOSED', KEYS] as const)
      : (['AGT-ENC-VALUES-24-CLOSED', EARLIER_KEYS] as const)
  const key = namesOfKey(String(agent.registration.body['aik_tpm']))
  for (const reply of replies) {
    check('AGT-HASH-VALUES-CLOSED', 'hash_alg').of(results(reply, 'hash_alg')).isOneOf(HASHES)
    check(encryption, 'enc_alg').of(results(reply, 'enc_alg')).isOneOf(names)
    check('AGT-SIGN-VALUES-CLOSED', 'sign_alg').of(results(reply, 'sign_alg')).isOneOf(SIGNATURES)
    const { signature } = readQuote(String(results(reply, 'quote')))
    check('AGT-SIGN-IN-USE', 'sign_alg')
      .of(results(reply, 'sign_alg'))
      .is(SCHEMES[signature?.sigAlg ?? 0] ?? 'the scheme of the signature')
    check('AGT-ENC-IN-USE', 'enc_alg').of(results(reply, 'enc_alg')).isOneOf(key)
  }
  if (version === '2.1') return
  const info = await agent.call('info')
  const { signature, pcrs } = readQuote(String(results(integrity, 'quote')))
  const inUse = {
    tpm_hash_alg: bankOf(pcrs?.selections[0]?.hash ?? 0),
    tpm_sign_alg: SCHEMES[signature?.sigAlg ?? 0],
  }
  for (const [name, algorithm] of Object.entries(inUse))
    if (algorithm !== undefined)
      check('AGT-INFO-IN-USE', name).of(results(info, name)).is(algorithm)
  check('AGT-INFO-IN-USE', 'tpm_enc_alg').of(results(info, 'tpm_enc_alg')).isOneOf(key)
}
