import type { Component } from '../../compose/component.ts'
import { composeVerifier } from '../../compose/compose-verifier.ts'
import { SHIPPED_PARTS } from '../../compose/parts.ts'
import { loadConfig } from '../../config/config.ts'
import type { Ask } from '../testing/verifier/push-machine.ts'

/** A verifier that treats every client without a token as an administrator, and logs nothing. */
export function benchVerifier(state_dir: string, ...more: readonly string[]): Promise<Component> {
  const settings = [`state_dir=${state_dir}`, 'log_level=silent', 'quote_interval=86400', ...more]
  const parts = { ...SHIPPED_PARTS, administratorOf: () => 'client' }
  return composeVerifier(loadConfig('verifier', undefined, settings), parts)
}

/** Sends requests without a connection, so that the figures exclude TLS. */
export function askOf({ server }: Component): Ask {
  return async (method, url, request) => {
    const reply = await server.inject({ method, url, ...request })
    if (reply.statusCode >= 300) throw new Error(`${method} ${url}: ${reply.body}`)
    return reply.json()
  }
}

/** Ids of agents, by their number. */
export function agentId(number: number): string {
  return `d432fbb3-d2f1-4a97-9ef7-${String(number).padStart(12, '0')}`
}
