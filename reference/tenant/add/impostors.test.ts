import { expect, test } from 'vitest'
import { makeStubAttester } from '../../evidence/testing/stub-attester.ts'
import { ORDER, scene } from '../testing/add-scene.ts'
import { type AgentChange, NODE_PEM } from '../testing/stub-agent.ts'

const other = makeStubAttester()

/** An agent that is wrong in one place, and the tenant's error. */
const IMPOSTORS: readonly [string, AgentChange, RegExp][] = [
  ['quotes another nonce', { nonce: 'AAAAAAAAAAAAAAAAAAAA' }, /extraData is not the nonce/],
  ['has another TPM', { signer: other }, /the signature does not verify/],
  [
    'shows another key than it measured',
    { measured: 'another' },
    /PCR 16 does not hold the digest/,
  ],
  ['measured its key without the last newline', { measured: NODE_PEM.trimEnd() }, /PCR 16/],
  [
    'names an algorithm that is not accepted',
    { identity: { hash_alg: 'sha1' } },
    /hash_alg "sha1" is not one of/,
  ],
  [
    'names an algorithm that it does not use',
    { identity: { sign_alg: 'rsassa' } },
    /expected rsassa/,
  ],
  ['gives a quote of two parts', { identity: { quote: 'rAAAA:AAAA' } }, /expected 3 parts/],
  ['gives a key that is no key', { measured: 'x', identity: { pubkey: 'x' } }, /no RSA key/],
]

test.each(IMPOSTORS)(
  'an agent that %s is sent nothing, and is not added',
  async (_, change, sentence) => {
    const { agent, say, status } = await scene(change)
    const said = await say('add')
    expect(said.code).toBe(1)
    expect(said.err).toMatch(sentence)
    expect(said.err).toContain('[identity_not_proven]')
    expect(agent.asked).toEqual(ORDER.slice(0, 2))
    expect(await status()).toEqual({})
  },
)

test.each([
  ['without a quote', { identity: { quote: undefined } }, /an identity without quote/],
  ['without a key', { identity: { pubkey: '' } }, /an identity without pubkey/],
])('an identity %s is refused', async (_, change, sentence) => {
  const { agent, say } = await scene(change)
  expect(await say('add')).toMatchObject({ code: 2, err: expect.stringMatching(sentence) })
  expect(agent.asked).toEqual(ORDER.slice(0, 2))
})
