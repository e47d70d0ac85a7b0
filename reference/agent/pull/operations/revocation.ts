import Type from 'typebox'
import { bodyParser } from '../../../api/bodies/parse-body.ts'
import type { Handler } from '../../../api/call.ts'
import { fromBase64 } from '../../../bytes/base64.ts'
import { WireError } from '../../../bytes/wire-error.ts'
import { ApiError } from '../../../errors.ts'
import type { PullAgentParts } from '../agent-parts.ts'

const parse = bodyParser(
  Type.Object({ msg: Type.String(), signature: Type.String() }),
  'malformed_request',
)

/** POST notifications/revocation: a readable message is accepted; the reply does not show whether it is authentic. */
export function takeRevocation(parts: PullAgentParts): Handler {
  return ({ body }) => {
    const { msg, signature } = parse(body)
    const revocation = { msg, signature: readSignature(signature) }
    return { afterwards: () => parts.takeRevocation(revocation) }
  }
}

function readSignature(text: string): Uint8Array {
  try {
    return fromBase64(text, 'signature')
  } catch (cause) {
    if (!(cause instanceof WireError)) throw cause
    const detail = `/signature: at character ${cause.offset}: ${cause.problem}`
    throw new ApiError('malformed_request', detail, { pointer: '/signature' })
  }
}
