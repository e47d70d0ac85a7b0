import { bodyParser } from '../../api/bodies/parse-body.ts'
import { type Handler, parameter } from '../../api/call.ts'
import { ApiError, agentNotRegistered } from '../../errors.ts'
import { readPending } from '../contact.ts'
import type { RegistrarParts } from '../registrar-parts.ts'
import { ActivationRequest } from '../registration-shape.ts'

const parseRequest = bodyParser(ActivationRequest, 'malformed_request')

/**
 * Activation: the tag proves that the TPM opened the blob. A wrong tag changes nothing, so no client can
 * spoil another's registration with one, and the answer never reveals the expected tag (CVE-2023-38201).
 */
export function activateAgent(parts: RegistrarParts): Handler {
  return async (call) => {
    const agentId = parameter(call, 'agent_id')
    const { auth_tag } = parseRequest(call.body)
    const row = await parts.store.change(agentId, (present) => {
      if (present === undefined) throw agentNotRegistered(agentId)
      if (!parts.rules.isSameTag(present.expected_tag, auth_tag)) return undefined
      return { ...present, ...readPending(present), pending: null, active: 1 }
    })
    if (row !== undefined) return {}
    throw new ApiError(
      'malformed_request',
      'auth_tag: does not match the last blob of this agent',
      {
        pointer: '/auth_tag',
      },
    )
  }
}
