import type { OlderName } from '../../api/older-names.ts'
import { toBase64 } from '../../bytes/base64.ts'

/**
 * Names of an add-agent request that differ between the document's tables and listings. The legacy listing's
 * `operational_state` and `public_key` are left unread: the state is the verifier's own, and the key is
 * learnt from the agent.
 */
export const OLDER_AGENT_NAMES: readonly OlderName[] = [
  { older: 'ip', name: 'cloudagent_ip' },
  { older: 'port', name: 'cloudagent_port' },
  { older: 'meta_data', name: 'metadata' },
  { older: 'allowlist', name: 'runtime_policy', until: '2.0', read: readAllowlist, isSame },
]

/**
 * The legacy list is JSON in a text, a runtime policy is that text in base64; no base64 begins with a brace (ambiguity
 * ALLOWTERM). An empty object is no list.
 */
function readAllowlist(value: unknown): unknown {
  if (typeof value === 'string' && /^\s*\{\s*\}\s*$/.test(value)) return ''
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return value
  return toBase64(new TextEncoder().encode(value))
}

function isSame(older: unknown, current: unknown): boolean {
  return readAllowlist(older) === current
}
