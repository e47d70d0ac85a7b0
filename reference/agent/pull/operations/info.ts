import { type Handler, versionOf } from '../../../api/call.ts'
import { present } from '../../../api/reply-shape.ts'
import { isWithin } from '../../../api/versions.ts'
import { toHex } from '../../../bytes/hex.ts'
import { nameOf } from '../../../tpm/name.ts'
import type { PullAgentParts } from '../agent-parts.ts'

/** GET /version: the newest, and since 2.5 all of them (ambiguity SVOPT). */
export function readVersions({ versions }: PullAgentParts): Handler {
  const isListed = versions.some((version) => isWithin(version, { since: '2.5' }))
  const body = {
    supported_version: versions.at(-1),
    ...(isListed ? { supported_versions: versions } : {}),
  }
  return () => ({ body })
}

/** GET agent/info. */
export function readInfo({ uuid, attester, rules }: PullAgentParts): Handler {
  return (call) => {
    const { algorithms, akPublic } = attester
    const info = { uuid, algorithms, akName: toHex(nameOf(akPublic)) }
    return { body: present(rules.infoReply, info, versionOf(call)) }
  }
}

/** GET keys/pubkey: the same key that the quotes show (ambiguity NODEKEY). */
export function readPublicKey({ nodeKey }: PullAgentParts): Handler {
  return () => ({ body: { pubkey: nodeKey.pem } })
}
