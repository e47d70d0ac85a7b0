import type { ReplyShape } from '../../api/reply-shape.ts'
import { type Algorithms, GENERIC_NAMES } from '../../config/algorithms.ts'

/** The content of an agent/info reply. */
export interface AgentInfo {
  readonly uuid: string
  readonly algorithms: Algorithms
  /** Name of the attestation key in hexadecimal. */
  readonly akName: string
}

/**
 * Agent info (interface document, "Pull-mode agent resources"). The key is loaded for each use and has no handle that
 * lasts; its Name identifies it in the TPM regardless (ambiguity AKHANDLE).
 */
export const INFO_REPLY: ReplyShape<AgentInfo> = [
  { name: 'agent_uuid', of: ({ uuid }) => uuid },
  { name: 'tpm_hash_alg', of: ({ algorithms }) => algorithms.hash },
  { name: 'tpm_enc_alg', until: '2.4', of: ({ algorithms }) => GENERIC_NAMES[algorithms.key] },
  { name: 'tpm_enc_alg', since: '2.5', of: ({ algorithms }) => algorithms.key },
  { name: 'tpm_sign_alg', of: ({ algorithms }) => algorithms.signing },
  { name: 'ak_handle', of: ({ akName }) => akName },
]
