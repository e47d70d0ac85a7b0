import { expect, test } from 'vitest'
import { AGENT, enrol } from '../../dev/testing/verifier/push-requests.ts'
import { testVerifier } from '../../dev/testing/verifier/test-verifier.ts'

const OTHER = 'a1b2c3d4-0000-4000-8000-000000000000'

async function withTwo() {
  const verifier = await testVerifier({ settings: ['verifier_id=one'] })
  await enrol(verifier)
  await enrol(verifier, {}, OTHER)
  const ask = async (query: Readonly<Record<string, string>>) =>
    (await verifier.ask('list-agents', {}, undefined, query)).body
  return { verifier, ask }
}

test('agents are listed by their ids, each in a list of its own', async () => {
  const { ask } = await withTwo()
  expect(await ask({})).toEqual({ uuids: [[OTHER], [AGENT]] })
})

test.each([
  ['one', [[OTHER], [AGENT]]],
  ['another', []],
])('of the verifier %s there are %j', async (verifier, uuids) => {
  const { ask } = await withTwo()
  expect(await ask({ verifier })).toEqual({ uuids })
})

test('in bulk, each has the record that it has alone', async () => {
  const { verifier, ask } = await withTwo()
  const alone = async (agent_id: string) => (await verifier.ask('read-agent', { agent_id })).body
  const both = { [AGENT]: await alone(AGENT), [OTHER]: await alone(OTHER) }
  expect(await ask({ bulk: 'True' })).toEqual(both)
})

test('an empty verifier parameter means every verifier', async () => {
  const { ask } = await withTwo()
  expect(await ask({ verifier: '' })).toEqual({ uuids: [[OTHER], [AGENT]] })
  expect(Object.keys(Object(await ask({ verifier: '', bulk: 'True' })))).toEqual([OTHER, AGENT])
})
