import { expect, test } from 'vitest'
import { RUNTIME_POLICY } from '../../dev/testing/runtime-policy.ts'
import { file, scene } from '../testing/add-scene.ts'
import { AGENT_ID } from '../testing/stub-agent.ts'

test('update of an agent with a policy that cannot be read deletes nothing', async () => {
  const { say, status } = await scene()
  await say('add')
  expect(await say('update', '--runtime-policy', '/none')).toMatchObject({ code: 2 })
  expect(await status()).toMatchObject({ ip: '127.0.0.1' })
})

/** Words by which an agent cannot be added, where a policy is called `there`. */
const useless = (): readonly (readonly [readonly string[], RegExp])[] => [
  [['--runtime-policy-name', 'none'], /no runtime policy none.*not_found/],
  [['--mb-policy-name', 'none'], /no measured boot policy none.*not_found/],
  [['--runtime-policy-name', AGENT_ID], /ends with the agent.*not_found/],
  [
    ['--runtime-policy-name', 'there', '--runtime-policy', file(RUNTIME_POLICY)],
    /has a runtime policy there already.*conflict/,
  ],
  [
    ['--runtime-policy', file('{"meta":{"version":1},"digests":[]}')],
    /expected .*policy_not_usable/,
  ],
]

test('an update with unusable policies leaves the verification of the agent unchanged', async () => {
  const { say, status } = await scene()
  await say(
    'addruntimepolicy',
    '--runtime-policy-name',
    'there',
    '--runtime-policy',
    file(RUNTIME_POLICY),
  )
  await say('add')
  const { v } = await status()
  for (const [words, sentence] of useless()) {
    const said = await say('update', ...words)
    expect.soft(said).toMatchObject({ code: 1, err: expect.stringMatching(sentence) })
    expect.soft((await status()).v).toBe(v)
  }
  expect(await say('update', '--runtime-policy-name', 'there')).toMatchObject({ code: 0 })
  expect(await status()).toMatchObject({ has_runtime_policy: 1 })
})

test('policies go with the agent, and the mask names what has to be quoted', async () => {
  const { say, status } = await scene()
  const policies = [
    '--runtime-policy',
    file(RUNTIME_POLICY),
    '--mb-policy',
    file('{"has_secureboot":false}'),
  ]
  expect(await say('add', ...policies)).toMatchObject({ code: 0 })
  expect(await status()).toMatchObject({ has_runtime_policy: 1, has_mb_refstate: 1 })
  expect(JSON.parse(String((await status()).tpm_policy))).toEqual({ mask: '0xffff' })
})

test('the error for an unknown policy names the command that lists the known ones', async () => {
  const { say } = await scene()
  const said = await say('add', '--runtime-policy-name', 'none')
  expect(said).toMatchObject({ code: 1, err: expect.stringContaining('listruntimepolicies') })
})

test.each([
  ['{"16": []}', [], /PCR 16 is covered by the key/],
  ['{"0": ["zz"]}', [], /expected a hexadecimal digest/],
  ['[]', [], /expected an object/],
  [
    `{"10": ["${'00'.repeat(32)}"]}`,
    ['--runtime-policy-name', 'p'],
    /PCR 10 is covered by the runtime/,
  ],
  [
    `{"7": ["${'00'.repeat(32)}"]}`,
    ['--mb-policy-name', 'p'],
    /PCR 7 is covered by the measured boot/,
  ],
])('the TPM policy %s is refused before the first request', async (policy, words, sentence) => {
  const { agent, say } = await scene()
  const said = await say('add', '--tpm_policy', policy, ...words)
  expect(said).toMatchObject({ code: 1, err: expect.stringMatching(sentence) })
  expect(agent.asked).toEqual([])
})
