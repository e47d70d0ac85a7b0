import { flipBit, scenario } from '../../../conformance/scenario.ts'
import {
  awaitDerived,
  giveKeys,
  makeBootstrapKeys,
  publicKeyOf,
  tagOf,
  ukeyBody,
  vkeyBody,
} from '../support/engine.ts'

const JOINED_WITHIN_MS = 250

type Keys = ReturnType<typeof makeBootstrapKeys>
type Bodies = { readonly ukey: object; readonly vkey: object }

interface Defect {
  readonly id: string
  readonly says: string
  readonly requirement: string
  /** Bytes of each half. */
  readonly size?: number
  mutate(bodies: Bodies, keys: Keys, publicKey: string, agentId: string): Bodies
}

const DEFECTS: readonly Defect[] = [
  {
    id: 'tag-of-another-key',
    says: 'whose tag was made with another key',
    requirement: 'AGT-UKEY-AUTH-TAG-WRONG',
    mutate: ({ ukey, vkey }, keys, _publicKey, agentId) => {
      return { vkey, ukey: { ...ukey, auth_tag: tagOf(makeBootstrapKeys(keys), agentId) } }
    },
  },
  {
    id: 'tag-of-another-agent',
    says: 'whose tag is over the UUID of another agent',
    requirement: 'AGT-UKEY-AUTH-TAG-HMAC',
    mutate: ({ ukey, vkey }, keys) => ({
      vkey,
      ukey: { ...ukey, auth_tag: tagOf(keys, '00000000-0000-4000-8000-000000000000') },
    }),
  },
  {
    id: 'v-of-another-pair',
    says: 'whose V key is that of another pair',
    requirement: 'AGT-UKEY-AUTH-TAG-WRONG',
    mutate: ({ ukey }, keys, publicKey) => {
      return { ukey, vkey: vkeyBody(publicKey, makeBootstrapKeys(keys)) }
    },
  },
  withTag('tag-altered-at-its-end', 'whose tag differs in its last byte', (tag) =>
    flipBit(tag, -1),
  ),
  withTag('tag-altered-at-its-start', 'whose tag differs in its first byte', (tag) =>
    flipBit(tag, 0),
  ),
  {
    id: 'halves-of-24-bytes',
    says: 'of 24 bytes each, whose tag is right',
    requirement: 'AGT-VKEY-LENGTH-REFUSED',
    size: 24,
    mutate: (bodies) => bodies,
  },
  {
    id: 'v-with-a-tail',
    says: 'whose V key has 33 bytes, and whose tag is that of the first 32',
    requirement: 'AGT-VKEY-LENGTH-REFUSED',
    // An agent that looks at the length of U would not use a U key with a tail.
    mutate: ({ ukey }, keys, publicKey) => {
      return { ukey, vkey: vkeyBody(publicKey, { ...keys, v: Uint8Array.of(...keys.v, 0) }) }
    },
  },
]

function withTag(id: string, says: string, alter: (tag: Uint8Array) => Uint8Array): Defect {
  return {
    ...{ id, says, requirement: 'AGT-UKEY-AUTH-TAG-WRONG' },
    mutate: ({ ukey, vkey }, keys, _publicKey, agentId) => {
      const { tag: text } = keys.keyForms
      const tag = Uint8Array.from(Buffer.from(tagOf(keys, agentId), text))
      return { vkey, ukey: { ...ukey, auth_tag: Buffer.from(alter(tag)).toString(text) } }
    },
  }
}

export default DEFECTS.map(({ id, says, requirement, size, mutate }) =>
  scenario({
    id: `pull-agent.keys.refused.${id}`,
    title: `A pull agent does not use keys ${says}`,
    requirements: [requirement],
    role: 'pull_agent',
    since: '2.1',
    until: '2.5',
    perMajor: true,
    variantOf: 'pull-agent.keys.derived.u-then-v',
    async run({ pullAgents, random, check, observe }) {
      const agent = await pullAgents.shared()
      const [publicKey, keys] = [await publicKeyOf(agent), makeBootstrapKeys(agent, size)]
      const good = { ukey: ukeyBody(publicKey, keys, agent.id), vkey: vkeyBody(publicKey, keys) }
      const { ukey, vkey } = mutate(good, keys, publicKey, agent.id) // the defect
      observe('KEYS', 'status of the U key', (await agent.call('ukey', { body: ukey })).status)
      observe('KEYS', 'status of the V key', (await agent.call('vkey', { body: vkey })).status)
      // The agent may join the keys after it answers.
      const { derived } = await awaitDerived(agent, keys, random, JOINED_WITHIN_MS)
      check(requirement, 'a proof with the K of these keys').of(derived).is(false)
      await giveKeys(agent, makeBootstrapKeys(agent), random)
    },
  }),
)
