import { results, scenario } from '../../conformance/scenario.ts'
import { freshNonce, namesOfKey, readQuote } from './support/engine.ts'

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

export default scenario({
  id: 'pull-agent.names',
  title: 'A pull agent names the algorithms of a quote as its version defines',
  requirements: [
    'AGT-HASH-VALUES-CLOSED',
    'AGT-ENC-VALUES-24-CLOSED',
    'AGT-ENC-VALUES-25-CLOSED',
    'AGT-SIGN-VALUES-CLOSED',
    'AGT-SIGN-IN-USE',
    'AGT-ENC-IN-USE',
  ],
  role: 'pull_agent',
  since: '2.1',
  until: '2.5',
  async run({ pullAgents, random, version, check }) {
    const agent = await pullAgents.shared()
    const nonce = freshNonce(random)
    const replies = [
      await agent.identity(nonce),
      await agent.integrity({ nonce, mask: '0x400', partial: '0' }),
    ]
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
  },
})
