import { PrerequisiteFailed } from '../attempt/endings.ts'
import type { SeededRandom } from '../attempt/random.ts'
import type { Reply } from '../attempt/reply.ts'
import { results } from '../attempt/reply.ts'
import type { AgentOperation } from './agent-routes.ts'
import { type BootstrapKeys, encryptKey, hmacOf, makeBootstrapKeys } from './bootstrap-keys.ts'
import type { AgentCall, PullAgent } from './pull-agent.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const NONCE_LENGTH = 20

/** A nonce or challenge of the form that verifier and tenant send: 20 letters and digits, unless told. */
export function freshNonce(random: SeededRandom, length = NONCE_LENGTH): string {
  return Array.from({ length }, () => ALPHABET[random.below(ALPHABET.length)]).join('')
}

/** The public key of keys/pubkey; ends the scenario without one. */
export async function publicKeyOf(agent: PullAgent): Promise<string> {
  const reply = await agent.call('pubkey')
  const pubkey = results(reply, 'pubkey')
  if (typeof pubkey === 'string' && pubkey.includes('PUBLIC KEY')) return pubkey
  throw new PrerequisiteFailed('keys/pubkey gave no public key in PEM')
}

/** Body of keys/ukey. */
export function ukeyBody(
  publicKey: string,
  keys: BootstrapKeys,
  agentId: string,
): Readonly<Record<string, string>> {
  return { encrypted_key: encryptKey(publicKey, keys.u), auth_tag: hmacOf(keys, agentId) }
}

/** Body of keys/vkey. */
export function vkeyBody(publicKey: string, keys: BootstrapKeys): Readonly<Record<string, string>> {
  return { encrypted_key: encryptKey(publicKey, keys.v) }
}

/** How an operation is asked for so that it succeeds. Of a pair of keys it is one half; keys/verify is asked after both. */
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
      return { body: vkeyBody(await publicKeyOf(agent), makeBootstrapKeys()) }
    case 'ukey':
      return { body: ukeyBody(await publicKeyOf(agent), makeBootstrapKeys(), agent.id) }
    case 'verify':
      await giveKeys(agent, makeBootstrapKeys(), random)
      return { query: { challenge: nonce } }
  }
}

const DERIVED_WITHIN_MS = 3000
const EVERY_MS = 20

/** Sends both keys, V first, and waits for the agent to answer with K; ends the scenario when it never does. */
export async function giveKeys(
  agent: PullAgent,
  keys: BootstrapKeys,
  random: SeededRandom,
): Promise<void> {
  const publicKey = await publicKeyOf(agent)
  await agent.call('vkey', { body: vkeyBody(publicKey, keys) })
  await agent.call('ukey', { body: ukeyBody(publicKey, keys, agent.id) })
  const { derived } = await awaitDerived(agent, keys, random)
  if (!derived)
    throw new PrerequisiteFailed('the agent never answered keys/verify with the K it was given')
}

/** Asks keys/verify until the answer is that of these keys, for as long as an agent may take to derive. */
export async function awaitDerived(
  agent: PullAgent,
  keys: BootstrapKeys,
  random: SeededRandom,
  withinMs = DERIVED_WITHIN_MS,
): Promise<{ readonly derived: boolean; readonly reply: Reply }> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const asked = await proveKey(agent, keys, freshNonce(random))
    if (asked.derived || performance.now() > deadline) return asked
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
}

/** Asks keys/verify once: whether the answer is the HMAC with the K of these keys. */
export async function proveKey(
  agent: PullAgent,
  keys: BootstrapKeys,
  challenge: string,
): Promise<{ readonly derived: boolean; readonly reply: Reply }> {
  const reply = await agent.call('verify', { query: { challenge } })
  return { reply, derived: results(reply, 'hmac') === hmacOf(keys, challenge) }
}
