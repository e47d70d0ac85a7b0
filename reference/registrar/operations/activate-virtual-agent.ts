import { bodyParser } from '../../api/bodies/parse-body.ts'
import { type Handler, parameter } from '../../api/call.ts'
import { fromBase64 } from '../../bytes/base64.ts'
import { agentNotRegistered } from '../../errors.ts'
import { readMember, refuse } from '../refuse.ts'
import type { RegistrarParts } from '../registrar-parts.ts'
import { VirtualActivationRequest } from '../registration-shape.ts'

const parseRequest = bodyParser(VirtualActivationRequest, 'malformed_request')

/**
 * PUT …/agents/{agent_id}/vactivate (interface document, "Legacy v2 listing"): the activation of an agent whose
 * TPM is virtual, by a deep quote of the TPM below it. That was a command of one hypervisor's TPM 1.2; TPM 2.0 has
 * none, the document gives its form nowhere, and upstream dropped the route. So the request is read and always
 * refused, and the record stays as it is: an agent with a virtual TPM 2.0 activates by its tag like any other.
 */
export function activateVirtualAgent({ store }: Pick<RegistrarParts, 'store'>): Handler {
  return async (call) => {
    const agentId = parameter(call, 'agent_id')
    const { deepquote } = parseRequest(call.body)
    readMember('deepquote', () => fromBase64(deepquote, 'deepquote'))
    if ((await store.find(agentId)) === undefined) throw agentNotRegistered(agentId)
    throw refuse(
      'deepquote',
      'TPM 2.0 has no deep quote that could be verified; activate with auth_tag instead',
    )
  }
}
