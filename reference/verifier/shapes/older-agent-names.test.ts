import { expect, test } from 'vitest'
import type { ApiVersion } from '../../api/versions.ts'
import { toBase64 } from '../../bytes/base64.ts'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { AGENT, agentRequest } from '../../dev/testing/verifier/push-requests.ts'
import { testVerifier } from '../../dev/testing/verifier/test-verifier.ts'

const ALLOWLIST = JSON.stringify({
  meta: { version: 5 },
  release: 0,
  hashes: { '/usr/bin/true': ['ab'.repeat(32)] },
  keyrings: {},
  ima: { ignored_keyrings: [], log_hash_alg: 'sha1' },
})
const base64 = (text: string) => toBase64(new TextEncoder().encode(text))

async function add(change: Readonly<Record<string, unknown>>, version: ApiVersion) {
  const verifier = await testVerifier({ version })
  await verifier.ask('add-agent', { agent_id: AGENT }, agentRequest(change))
  const policy = await verifier.store.policies.find(AGENT)
  return { ...(await verifier.store.agents.find(AGENT)), policy: policy?.runtime_policy }
}

test.each(['1.0', '2.0', '2.1', '2.4', '2.5', '2.6'] as const)(
  'in %s the address and the metadata go by either name',
  async (version) => {
    const stored = { ip: '192.0.2.1', port: '9002', meta_data: '{"a":1}' }
    const one = { ip: '192.0.2.1', port: 9002, meta_data: '{"a":1}' }
    const other = { cloudagent_ip: '192.0.2.1', cloudagent_port: '9002', metadata: '{"a":1}' }
    for (const body of [one, other, { ...one, ...other }]) {
      expect(await add(body, version)).toMatchObject(stored)
    }
  },
)

test.each([
  ['ip', { ip: '192.0.2.1', cloudagent_ip: '192.0.2.2' }],
  ['port', { port: 1, cloudagent_port: 2 }],
  ['meta_data', { meta_data: '{}', metadata: '{"a":1}' }],
  ['allowlist', { allowlist: ALLOWLIST, runtime_policy: base64('{}') }],
])('%s that contradicts its other name is refused', async (member, body) => {
  expect(await refusalOf(() => add(body, '2.0'))).toMatchObject({
    status: 400,
    pointer: `/${member}`,
  })
})

test.each([
  ['in base64', base64(ALLOWLIST)],
  ['as a text', ALLOWLIST],
])('the allowlist of the legacy listing is applied, %s', async (_, allowlist) => {
  for (const version of ['1.0', '2.0'] as const) {
    expect(await add({ allowlist }, version)).toMatchObject({
      runtime_policy_name: AGENT,
      policy: ALLOWLIST,
    })
  }
})

test('both names of one list are one list', async () => {
  const both = { allowlist: ALLOWLIST, runtime_policy: base64(ALLOWLIST) }
  expect(await add(both, '2.0')).toMatchObject({ policy: ALLOWLIST })
})

test.each(['{}', ' { } ', ''])('the allowlist %j is none', async (allowlist) => {
  expect(await add({ allowlist }, '2.0')).toMatchObject({ runtime_policy_name: null })
})

test('from 2.1 on allowlist names nothing', async () => {
  expect(await add({ allowlist: ALLOWLIST }, '2.1')).toMatchObject({ runtime_policy_name: null })
})

test('a runtime policy is read in versions that call it something else', async () => {
  expect(await add({ runtime_policy: base64(ALLOWLIST) }, '1.0')).toMatchObject({
    policy: ALLOWLIST,
  })
})

test.each(['{', '{"hashes": 4}', '%%%'])(
  'the allowlist %s is refused under its name',
  async (allowlist) => {
    expect(await refusalOf(() => add({ allowlist }, '2.0'))).toMatchObject({
      status: 400,
      pointer: '/allowlist',
      message: expect.stringMatching(/^allowlist\b(?!.*runtime_policy)/),
    })
  },
)
