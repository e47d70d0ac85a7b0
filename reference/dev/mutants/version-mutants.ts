import { mountRoutes } from '../../api/mounts.ts'
import type { ReplyShape } from '../../api/reply-shape.ts'
import { REGISTRAR_ROUTES } from '../../api/routes/registrar.ts'
import type { Route } from '../../api/routes/route.ts'
import { VERIFIER_ROUTES } from '../../api/routes/verifier.ts'
import type { VersionRange } from '../../api/versions.ts'
import type { Parts } from '../../compose/parts.ts'
import { REGISTRATION_RECORD } from '../../registrar/present-registration.ts'
import { verifierReplies } from '../../verifier/shapes/verifier-replies.ts'
import type { Mutant } from './evidence/list-minus-one.ts'

/** The rows of a path, with their range changed. */
function during<Row extends Route>(
  routes: readonly Row[],
  isMeant: (row: Row) => boolean,
  change: Partial<VersionRange>,
): readonly Row[] {
  return routes.map((row) => (isMeant(row) ? { ...row, ...change } : row))
}

function withVerifierRoute(
  method: string,
  path: string,
  change: Partial<VersionRange>,
): Mutant['parts'] {
  const isMeant = (row: Route) => row.method === method && row.path === path
  return { verifierRoutes: during(VERIFIER_ROUTES, isMeant, change) }
}

type Mount = ReturnType<Parts['mountRoutes']>[number]

/** Removes some routes; the version list stays the same. */
function without(isMissing: (place: Mount) => boolean): Mutant['parts'] {
  return {
    mountRoutes: (routes, served) =>
      mountRoutes(routes, served).filter((place) => !isMissing(place)),
  }
}

function minus<Source>(shape: ReplyShape<Source>, name: string): ReplyShape<Source> {
  return shape.filter((member) => member.name !== name)
}

/** The row of a member that begins with a version begins with another one, and a row that it meets ends before it. */
function from<Source>(
  shape: ReplyShape<Source>,
  name: string,
  since: VersionRange['since'],
  until: VersionRange['since'],
): ReplyShape<Source> {
  return shape.map((member) => {
    if (member.name !== name) return member
    return member.since === undefined ? { ...member, until } : { ...member, since }
  })
}

const { agentStatus, verdict } = verifierReplies

/** References that serve a version otherwise than the document has it. */
export const VERSION_MUTANTS: readonly Mutant[] = [
  {
    id: 'version-listed-not-served',
    defect: '2.2 is listed and answers nowhere',
    parts: without(({ version }) => version === '2.2'),
  },
  {
    id: 'short-prefix-not-served',
    defect: 'the attestations of an agent are listed under /v3.0 and not under /v3',
    parts: without(
      ({ prefix, operation }) => prefix === '/v3' && operation === 'list-attestations',
    ),
  },
  {
    id: 'removed-routes-alive',
    defect: 'the routes that 3.0 removes are served under its prefix',
    parts: {
      registrarRoutes: during(REGISTRAR_ROUTES, ({ until }) => until === '2.6', { until: '3.0' }),
    },
  },
  {
    id: 'identity-a-version-late',
    defect: 'identity quotes are verified from 2.3 on',
    parts: withVerifierRoute('GET', '/verify/identity', { since: '2.3' }),
  },
  {
    id: 'boot-policy-a-version-late',
    defect: 'measured boot policies are read from 2.4 on',
    parts: withVerifierRoute('GET', '/mbpolicies/:name', { since: '2.4' }),
  },
  {
    id: 'evidence-a-version-early',
    defect: 'evidence of third parties is verified in 2.3',
    parts: withVerifierRoute('POST', '/verify/evidence', { since: '2.3' }),
  },
  {
    id: 'verdict-boolean-in-2.4',
    defect: 'a verdict of 2.4 is a boolean',
    parts: { verifierReplies: { agentStatus, verdict: from(verdict, 'valid', '2.4', '2.3') } },
  },
  {
    id: 'verdict-number-in-2.5',
    defect: 'a verdict of 2.5 is a number',
    parts: { verifierReplies: { agentStatus, verdict: from(verdict, 'valid', '2.6', '2.5') } },
  },
  {
    id: 'claims-in-2.4',
    defect: 'a verdict of 2.4 has claims',
    parts: { verifierReplies: { agentStatus, verdict: from(verdict, 'claims', '2.4', '2.3') } },
  },
  {
    id: 'attestation-status-in-2.4',
    defect: 'the status record of 2.4 has the attestation status that 2.5 adds',
    parts: {
      verifierReplies: {
        agentStatus: from(agentStatus, 'attestation_status', '2.4', '2.3'),
        verdict,
      },
    },
  },
  {
    id: 'attestation-period-not-told',
    defect: 'the status record of 2.5 lacks the attestation period',
    parts: { verifierReplies: { agentStatus: minus(agentStatus, 'attestation_period'), verdict } },
  },
  {
    id: 'vtpm-policy-not-told',
    defect: 'the status record lacks the policy of a virtual TPM',
    parts: { verifierReplies: { agentStatus: minus(agentStatus, 'vtpm_policy'), verdict } },
  },
  {
    id: 'certificate-of-the-agent-not-shown',
    defect: "the registrar does not show the agent's certificate",
    parts: { registrationRecord: minus(REGISTRATION_RECORD, 'mtls_cert') },
  },
]
