import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Mount } from '../api/mounts.ts'
import type { Route } from '../api/routes/route.ts'
import { ApiError } from '../errors.ts'
import { sendError } from './reply.ts'

/** 405 with `Allow` where the path exists for another method, 404 otherwise: so does every path of a version that is not served. */
export function replyToUnknownPath(routes: readonly (Route & Mount)[]) {
  const known = routes.map(({ method, reply: form, prefix, path }) => ({
    method,
    form,
    prefix,
    pattern: patternOf(`${prefix}${path}`),
  }))
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = request.url.split('?', 1)[0] ?? ''
    const matching = known.filter(
      ({ prefix, pattern }) => path.startsWith(prefix) && pattern.test(path),
    )
    const form = matching[0]?.form ?? 'envelope'
    if (matching.length === 0)
      return sendError(reply, form, new ApiError('not_found', 'No such path.'))
    const allow = [...new Set(matching.map(({ method }) => method))].join(', ')
    const refusal = new ApiError('method_not_allowed', `This path answers to ${allow}.`)
    return sendError(reply.header('allow', allow), form, refusal)
  }
}

function patternOf(path: string): RegExp {
  const segments = path.split('/').map((segment) => (segment.startsWith(':') ? '[^/]+' : segment))
  return new RegExp(`^${segments.join('/').replace(/\/$/, '').replaceAll('.', '\\.')}/?$`)
}
