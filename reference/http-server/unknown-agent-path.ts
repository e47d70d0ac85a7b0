import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Mount } from '../api/mounts.ts'
import type { Route } from '../api/routes/route.ts'
import { ApiError } from '../errors.ts'
import { sendError } from './reply.ts'
import { replyToUnknownPath } from './unknown-path.ts'

const VERSIONED = /^\/(v\d{1,4}(?:\.\d{1,4})?)(?:\/|$)/

/**
 * As every server answers to a path that it has not, but for a version that an agent does not serve: by the first four
 * words of that answer a verifier knows that it must negotiate again.
 */
export function replyToUnknownAgentPath(routes: readonly (Route & Mount)[]) {
  const served = new Set(routes.map(({ prefix }) => prefix))
  const otherwise = replyToUnknownPath(routes)
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const [, version] = VERSIONED.exec(request.url) ?? []
    if (version === undefined || served.has(`/${version}`)) return otherwise(request, reply)
    const detail = `API version not supported: ${version}`
    return sendError(reply, 'envelope', new ApiError('invalid_request', detail))
  }
}
