import { results, scenario } from '../../../conformance/scenario.ts'
import {
  awaitDerived,
  freshNonce,
  makeBootstrapKeys,
  proofOf,
  publicKeyOf,
  ukeyBody,
  vkeyBody,
} from '../support/engine.ts'

const ORDERS = [
  { id: 'u-then-v', says: 'the U key first', order: ['ukey', 'vkey'] },
  { id: 'v-then-u', says: 'the V key first', order: ['vkey', 'ukey'] },
] as const

export default ORDERS.map(({ id, says, order }) =>
  scenario({
    id: `pull-agent.keys.derived.${id}`,
    title: `A pull agent derives K from two keys that arrive separately, ${says}, and proves it`,
    requirements: [
      'AGT-PUBKEY-PEM',
      'AGT-PUBKEY-PURPOSE',
      'AGT-KEYS-SEPARATE',
      'AGT-VKEY-ENCRYPTED-KEY',
      'AGT-VKEY-LENGTH',
      'AGT-VKEY-SENDER',
      'AGT-UKEY-AUTH-TAG',
      'AGT-UKEY-AUTH-TAG-SHA384',
      'AGT-UKEY-ENCRYPTED-KEY',
      'AGT-UKEY-PAYLOAD-OPTIONAL',
      'AGT-VERIFY-CHALLENGE',
      'AGT-VERIFY-HMAC',
      'AGT-CHALLENGE-FORM',
    ],
    role: 'pull_agent',
    since: '2.1',
    until: '2.5',
    async run({ pullAgents, random, check, observe }) {
      const agent = await pullAgents.shared()
      const [publicKey, keys] = [await publicKeyOf(agent), makeBootstrapKeys(agent)]
      check('AGT-PUBKEY-PEM', 'pubkey')
        .of(publicKey.split('\n')[0])
        .is('-----BEGIN PUBLIC KEY-----')
      const bodies = {
        ukey: ukeyBody(publicKey, keys, agent.id),
        vkey: vkeyBody(publicKey, keys),
      }
      for (const name of order) {
        const { status } = await agent.call(name, { body: bodies[name] })
        const fields = {
          ukey: ['UKEY-AUTH-TAG', 'UKEY-ENCRYPTED-KEY', 'UKEY-PAYLOAD-OPTIONAL'],
          vkey: ['VKEY-ENCRYPTED-KEY', 'VKEY-LENGTH', 'VKEY-SENDER'],
        }[name]
        for (const field of fields)
          check(`AGT-${field}`, `HTTP status of ${name}`).of(status).is(200)
      }
      const { derived } = await awaitDerived(agent, keys, random)
      check('AGT-VERIFY-HMAC', 'a proof with K').of(derived).is(true)
      check('AGT-KEYS-SEPARATE', 'K of the two keys').of(derived).is(true)
      check('AGT-PUBKEY-PURPOSE', 'keys that were encrypted with pubkey').of(derived).is(true)
      check('AGT-UKEY-AUTH-TAG-SHA384', 'a tag of HMAC-SHA-384').of(derived).is(true)
      const challenge = freshNonce(random)
      const proof = results(await agent.call('verify', { query: { challenge } }), 'hmac')
      check('AGT-VERIFY-CHALLENGE', 'hmac over another challenge')
        .of(proof)
        .is(proofOf(keys, challenge))
      check('AGT-VERIFY-HMAC', 'hmac').of(proof).is(proofOf(keys, challenge))
      check('AGT-CHALLENGE-FORM', 'a challenge of 20 letters and digits')
        .of(typeof proof)
        .is('string')
      observe('HMACALG', 'encoding of hmac', String(proof).length)
    },
  }),
)
