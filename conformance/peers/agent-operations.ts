import { setTimeout as pause } from 'node:timers/promises'
import { show } from '../attempt/check.ts'
import { PrerequisiteFailed } from '../attempt/endings.ts'
import type { SeededRandom } from '../attempt/random.ts'
import type { Reply } from '../attempt/reply.ts'
import { results } from '../attempt/reply.ts'
import { publicKeyIn } from '../client/key-forms.ts'
import { outside, steadyClock } from '../recording/outside.ts'
import type { AgentOperation } from './agent-routes.ts'
import {
  type BootstrapKeys,
  encryptKey,
  makeBootstrapKeys,
  proofOf,
  tagOf,
} from './bootstrap-keys.ts'
import type { AgentCall, PullAgent } from './pull-agent.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const NONCE_LENGTH = 20

/** A nonce or challenge in the form that verifier and tenant send: letters and digits. Default length 20. */
export function freshNonce(random: SeededRandom, length = NONCE_LENGTH): string {
  return Array.from({ length }, () => ALPHABET[random.below(ALPHABET.length)]).join('')
}

/** The public key from keys/pubkey. @throws {PrerequisiteFailed} if the reply has none */
export async function publicKeyOf(agent: PullAgent): Promise<string> {
  return publicKeyIn(await agent.call('pubkey'))
}

/** Body of keys/ukey. */
export function ukeyBody(
  publicKey: string,
  keys: BootstrapKeys,
  agentId: string,
): Readonly<Record<string, string>> {
  return {
    encrypted_key: encryptKey(publicKey, keys.u, keys.keyForms),
    auth_tag: tagOf(keys, agentId),
  }
}

/** Body of keys/vkey. */
export function vkeyBody(publicKey: string, keys: BootstrapKeys): Readonly<Record<string, string>> {
  return { encrypted_key: encryptKey(publicKey, keys.v, keys.keyForms) }
}

/** A call of an operation that must succeed. For a key it delivers one half; keys/verify follows both halves. */
export async function goodCall(
  agent: PullAgent,
  operation: AgentOperation,
  random: SeededRandom,
): Promise<AgentCall> {
  const nonce = freshNonce(random)
  switch (operation) {
    case 'info':
    case 'pubkey':
      return {}
    case 'identity':
      return { query: { nonce } }
    case 'integrity':
      return { query: { nonce, mask: '0x401', partial: '0' } }
    case 'vkey':
      return { body: vkeyBody(await publicKeyOf(agent), makeBootstrapKeys(agent)) }
    case 'ukey':
      return { body: ukeyBody(await publicKeyOf(agent), makeBootstrapKeys(agent), agent.id) }
    case 'verify':
      await giveKeys(agent, makeBootstrapKeys(agent), random)
      return { query: { challenge: nonce } }
  }
}

const DERIVED_WITHIN_MS = 3000
const EVERY_MS = 20

/** Sends both keys, V first, and waits until the agent has derived K. @throws {PrerequisiteFailed} if it never does */
export async function giveKeys(
  agent: PullAgent,
  keys: BootstrapKeys,
  random: SeededRandom,
): Promise<void> {
  const publicKey = await publicKeyOf(agent)
  await agent.call('vkey', { body: vkeyBody(publicKey, keys) })
  await agent.call('ukey', { body: ukeyBody(publicKey, keys, agent.id) })
  const { derived, reply } = await awaitDerived(agent, keys, random)
  if (!derived)
    throw new PrerequisiteFailed({
      ...{ requirement: 'AGT-VERIFY-HMAC', what: 'keys/verify after both keys were sent' },
      ...{ expected: 'the HMAC with the delivered K', received: show(reply) },
    })
}

/** Polls keys/verify until the answer matches these keys, at most for `withinMs`. */
export async function awaitDerived(
  agent: PullAgent,
  keys: BootstrapKeys,
  random: SeededRandom,
  withinMs = DERIVED_WITHIN_MS,
): Promise<{ readonly derived: boolean; readonly reply: Reply }> {
  const deadline = steadyClock() + withinMs
  for (;;) {
    const proof = await proveKey(agent, keys, freshNonce(random))
    if (proof.derived || steadyClock() > deadline) return proof
    await outside(() => pause(EVERY_MS))
  }
}

/** Requests keys/verify once; `derived` is true if the answer is the HMAC with the K of these keys. */
export async function proveKey(
  agent: PullAgent,
  keys: BootstrapKeys,
  challenge: string,
): Promise<{ readonly derived: boolean; readonly reply: Reply }> {
  const reply = await agent.call('verify', { query: { challenge } })
  return { reply, derived: results(reply, 'hmac') === proofOf(keys, challenge) }
}
