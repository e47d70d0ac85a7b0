import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { AGENT_TLS } from '../../dev/testing/pull-agent.ts'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { AGENT, enrol } from '../../dev/testing/verifier/push-requests.ts'
import { testVerifier } from '../../dev/testing/verifier/test-verifier.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const PUBLIC = publicKey.export({ type: 'spki', format: 'pem' }).toString()

const { certificate } = AGENT_TLS
const NUL = '127.0.0.1\0'

/** Members, values that are refused, and values that differ in one place and are taken. */
const CASES: readonly (readonly [string, readonly unknown[], readonly unknown[]])[] = [
  ['mtls_cert', ['xx', certificate.replace('MII', 'MIJ')], [certificate, 'disabled', '', null]],
  ['cloudagent_port', ['abc', '70000', 65_536, '-1'], ['9002', 65_535, '', null]],
  ['cloudagent_ip', [NUL, 'a b', 'a/b'], ['127.0.0.1', '::1', 'agent.example', '', null]],
  ['supported_version', ['9.9', 'v2.5', '2.5 '], ['2.5', '1.0', '3', '', null]],
  ['revocation_key', ['xx', PUBLIC, KEY.slice(0, -40)], [KEY, '', null]],
]

test.each(CASES.flatMap(([member, refused]) => refused.map((value) => [member, value] as const)))(
  'an agent with the %s of case %# is refused by its name, and not added',
  async (member, value) => {
    const verifier = await testVerifier()
    const refusal = await refusalOf(() => enrol(verifier, { [member]: value }))
    expect(refusal).toMatchObject({ code: 'malformed_request', pointer: `/${member}` })
    expect(refusal.message).toMatch(new RegExp(`^${member}: `))
    expect(await verifier.store.agents.find(AGENT)).toBeUndefined()
  },
)

test.each(CASES.flatMap(([member, , taken]) => taken.map((value) => [member, value] as const)))(
  'an agent with the %s of case %# is added',
  async (member, value) => {
    const verifier = await testVerifier()
    await enrol(verifier, { [member]: value })
    expect(await verifier.store.agents.find(AGENT)).toBeDefined()
  },
)
