import { until } from '../../../conformance/attempt/poll.ts'
import { publicKeyOf, ukeyBody, vkeyBody } from '../../../conformance/peers/agent-operations.ts'
import { makeBootstrapKeys, sealPayload } from '../../../conformance/peers/bootstrap-keys.ts'
import type { PullAgent } from '../../../conformance/peers/pull-agent.ts'

const DELIVERED_WITHIN_MS = 3000

/** Whether that payload is delivered within the time limit of an agent. */
export function awaitPayload(
  agent: PullAgent,
  payload: string,
  encoding: BufferEncoding = 'utf8',
): Promise<boolean> {
  return until(() => agent.payload(encoding) === payload, { withinMs: DELIVERED_WITHIN_MS })
}

interface PayloadOptions {
  /** Default: U first. */
  readonly order?: readonly ('ukey' | 'vkey')[]
  /** Keys that the payload is encrypted with in place of those that are sent. */
  readonly sealedBy?: ReturnType<typeof makeBootstrapKeys>
}

/** Sends both halves of new keys, with a payload. Returns the keys. */
export async function sendPayload(
  agent: PullAgent,
  text: string,
  { order = ['ukey', 'vkey'], sealedBy }: PayloadOptions = {},
) {
  const [publicKey, keys] = [await publicKeyOf(agent), makeBootstrapKeys(agent)]
  const payload = sealPayload(sealedBy ?? keys, new TextEncoder().encode(text))
  const bodies = {
    ukey: { ...ukeyBody(publicKey, keys, agent.id), payload },
    vkey: vkeyBody(publicKey, keys),
  }
  for (const half of order) await agent.call(half, { body: bodies[half] })
  return keys
}
