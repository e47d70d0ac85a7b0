import type { ReplyName } from '../../conformance/catalogue/requirement.ts'
import { REPLIES } from '../../conformance/catalogue/requirement.ts'
import { ROUTES } from '../../conformance/catalogue/routes/load-routes.ts'
import {
  applies,
  isSpoken,
  prefixesOf,
  rangeOf,
} from '../../conformance/catalogue/routes/operations.ts'
import { DIALECTS } from '../../conformance/dialects/dialect.ts'
import { AGENT_ROUTES } from '../../conformance/peers/agent-routes.ts'

export const OPENAPI_ROLES = ['registrar', 'verifier', 'agent'] as const
export type OpenApiRole = (typeof OPENAPI_ROLES)[number]

/** One operation of a component in one version. */
export interface OpenApiOperation {
  readonly operation: string
  readonly method: string
  /** With the prefix of the version, if the route has one. */
  readonly path: string
  /** Lines of the interface document. */
  readonly lines: readonly number[]
  /** The ambiguity by which a component may leave the route out. */
  readonly ambiguity?: string
  readonly reply?: ReplyName
}

/** The operations of a component that the document has in a version, in its order. */
export function operationsIn(role: OpenApiRole, version: string): readonly OpenApiOperation[] {
  return role === 'agent' ? agentOperations(version) : serverOperations(role, version)
}

function serverOperations(
  component: Exclude<OpenApiRole, 'agent'>,
  version: string,
): readonly OpenApiOperation[] {
  const [prefix = ''] = prefixesOf(component, version, DIALECTS.document)
  return ROUTES.filter((row) => row.component === component)
    .filter((row) => applies(rangeOf(row), version))
    .filter((row) => isSpoken({ ...row, since: '' }, DIALECTS.document))
    .map((row) => {
      const { operation, method, lines, either, since, until } = row
      const isFixed = since !== undefined && applies({ since, ...(until && { until }) }, version)
      const path = row.unversioned ? row.path : `${prefix}${row.path}`
      const reply = replyOf(component, operation)
      return {
        ...{ operation, method, path, lines },
        ...(!isFixed && either && { ambiguity: either.ambiguity }),
        ...(reply && { reply }),
      }
    })
}

function agentOperations(version: string): readonly OpenApiOperation[] {
  const [prefix = ''] = prefixesOf('pull agent', version)
  return AGENT_ROUTES.flatMap((row) => {
    const { operation, method, lines, since, either } = row
    const isFixed = applies({ since, until: '2.5' }, version)
    if (!isFixed && !(either && applies(either, version))) return []
    const reply = replyOf('agent', operation)
    return [
      {
        ...{ operation, method, path: `${prefix}${row.path}`, lines },
        ...(!isFixed && either && { ambiguity: either.ambiguity }),
        ...(reply && { reply }),
      },
    ]
  })
}

/** Replies whose names are not those of their operations. */
const OTHER_NAMES: Readonly<Record<string, ReplyName>> = {
  'create-session': 'session.create',
  'complete-session': 'session.complete',
  negotiate: 'attestation.create',
  submit: 'attestation.submit',
  'read-attestation': 'attestation.read',
  'read-latest': 'attestation.read',
  'list-attestations': 'attestation.list',
}

function replyOf(component: string, operation: string): ReplyName | undefined {
  return OTHER_NAMES[operation] ?? REPLIES.find((name) => name === `${component}.${operation}`)
}
