import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { RUNTIME_POLICY } from '../../dev/testing/runtime-policy.ts'
import { parseRuntimePolicy } from '../../evidence/ima/policy/runtime-policy.ts'
import { withAgentKeys } from './with-agent-keys.ts'

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const PUBKEY = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')

function ring(keyid: number): string {
  return JSON.stringify({ keyids: [keyid], pubkeys: [PUBKEY] })
}

function policy() {
  const document = { ...JSON.parse(RUNTIME_POLICY), 'verification-keys': ring(1) }
  return parseRuntimePolicy(JSON.stringify(document))
}

test('the keyring of an agent replaces that of the policy, an empty one does not', () => {
  const own = policy()
  expect(withAgentKeys(own, '')).toBe(own)
  expect([...withAgentKeys(own, ring(2)).verificationKeys.keys()]).toEqual([2])
  expect([...own.verificationKeys.keys()]).toEqual([1])
})

test('the error for a keyring that cannot be read has its name', () => {
  expect(() => withAgentKeys(policy(), '{}')).toThrow(/^ima_sign_verification_keys\.keyids: /)
})

test('the same policy and the same keyring are the same policy again, and no others', () => {
  const [one, other] = [policy(), policy()]
  const keyed = withAgentKeys(one, ring(2))
  expect(withAgentKeys(one, ring(2))).toBe(keyed)
  expect(withAgentKeys(one, ring(3))).not.toBe(keyed)
  expect(withAgentKeys(other, ring(2))).not.toBe(keyed)
})

test('of many keyrings those asked for last are kept', () => {
  const one = policy()
  const first = withAgentKeys(one, ring(0))
  for (let id = 1; id < 16; id++) withAgentKeys(one, ring(id))
  expect(withAgentKeys(one, ring(0))).toBe(first)
  for (let id = 16; id < 32; id++) withAgentKeys(one, ring(id))
  expect(withAgentKeys(one, ring(0))).not.toBe(first)
})
