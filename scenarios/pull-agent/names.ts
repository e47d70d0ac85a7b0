import { results, scenario } from '../../conformance/scenario.ts'
import { freshNonce } from './support/engine.ts'

const HASHES = ['sha1', 'sha256', 'sha384', 'sha512', 'sm3_256']
const SIGNATURES = ['rsassa', 'rsapss', 'ecdsa', 'ecdaa', 'ecschnorr']
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
    for (const reply of replies) {
      check('AGT-HASH-VALUES-CLOSED', 'hash_alg').of(results(reply, 'hash_alg')).isOneOf(HASHES)
      check(encryption, 'enc_alg').of(results(reply, 'enc_alg')).isOneOf(names)
      check('AGT-SIGN-VALUES-CLOSED', 'sign_alg').of(results(reply, 'sign_alg')).isOneOf(SIGNATURES)
    }
  },
})
