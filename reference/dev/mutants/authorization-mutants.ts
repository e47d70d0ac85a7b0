import { REGISTRAR_ROUTES } from '../../api/routes/registrar.ts'
import { ACTIONS, type Action, type Category } from '../../authorization/actions.ts'
import {
  administratorOf,
  type Credentials,
  type IdentityParts,
  identifyAgent,
  selectIdentity,
} from '../../authorization/identity.ts'
import type { Question } from '../../authorization/provider.ts'
import type { ProviderFactory } from '../../authorization/providers.ts'
import { type CategoryRules, SIMPLE_RULES, simpleProvider } from '../../authorization/simple.ts'
import type { Mutant } from './evidence/list-minus-one.ts'

type ComponentName = Parameters<ProviderFactory>[0]

/** Parts in which the provider of one component allows more than `simple`. */
function allowing(
  component: ComponentName,
  more: (question: Question) => boolean,
): Mutant['parts'] {
  const { name, allows } = simpleProvider()
  const loose = { name, allows: (question: Question) => more(question) || allows(question) }
  return {
    authorizationProviders: { simple: (own) => (own === component ? loose : simpleProvider()) },
  }
}

function opened(component: ComponentName, action: Action): Mutant['parts'] {
  return allowing(component, (question) => question.action === action)
}

function withRules(rules: Partial<CategoryRules>): Mutant['parts'] {
  return { authorizationProviders: { simple: () => simpleProvider({ ...SIMPLE_RULES, ...rules }) } }
}

function withCategories(categories: Partial<Record<Action, Category>>): Mutant['parts'] {
  const moved = { ...ACTIONS, ...categories }
  return { authorizationProviders: { simple: () => simpleProvider(SIMPLE_RULES, moved) } }
}

type SelectIdentity = IdentityParts['selectIdentity']

/** Identity selection with a mutated Authorization header; `undefined` removes it. */
function reading(mutate: (value: string) => string | undefined): SelectIdentity {
  return ({ authorization, peer }, ...rest) => {
    const mutated = authorization === undefined ? undefined : mutate(authorization)
    return selectIdentity({ authorization: mutated, peer }, ...rest)
  }
}

/** Drops the header if `isIgnored` holds for the credentials. */
function ignoringHeader(isIgnored: (credentials: Credentials) => boolean): SelectIdentity {
  return (credentials, ...rest) => {
    const { peer } = credentials
    return selectIdentity(
      isIgnored(credentials) ? { authorization: undefined, peer } : credentials,
      ...rest,
    )
  }
}

async function retriedByCertificate(
  ...[credentials, authenticateToken, nameOf]: Parameters<SelectIdentity>
): ReturnType<SelectIdentity> {
  const { authorization, peer } = credentials
  const agent =
    authorization === undefined ? undefined : await identifyAgent(authorization, authenticateToken)
  if (agent?.type === 'agent') return agent
  return selectIdentity({ authorization: undefined, peer }, authenticateToken, nameOf)
}

/** The registrar's routes with one row that asks for another permission under 3.0. */
function deletesUnder30(action: Action): Mutant['parts'] {
  const registrarRoutes = REGISTRAR_ROUTES.flatMap((row) =>
    row.operation === 'delete-agent'
      ? [
          { ...row, until: '2.6' as const },
          { ...row, since: '3.0' as const, action },
        ]
      : [row],
  )
  return { registrarRoutes }
}

/** Mutants with too loose or too strict authorization. */
export const AUTHORIZATION_MUTANTS: readonly Mutant[] = [
  {
    id: 'token-not-bound',
    defect: 'any agent may act for any agent',
    parts: withRules({ 'agent-only': ({ type }) => type === 'agent' }),
  },
  {
    id: 'mtls-fallback',
    defect: 'a request with a bad token is tried again by its client certificate',
    parts: { selectIdentity: retriedByCertificate },
  },
  {
    id: 'admin-by-authorized',
    defect:
      'a client that OpenSSL calls authorized is an administrator, also without a certificate',
    parts: {
      administratorOf: (peer) =>
        peer.authorized ? (administratorOf(peer) ?? 'client') : undefined,
    },
  },
  {
    id: 'anybody-adds-agents',
    defect: 'adding an agent is a public action of the verifier',
    parts: opened('verifier', 'create_agent'),
  },
  {
    id: 'anybody-reads-registrations',
    defect: 'reading a record is a public action of the registrar',
    parts: opened('registrar', 'read_registration'),
  },
  {
    id: 'any-token-deletes-registrations',
    defect: 'the registrar, which has no tokens, lets a client with any token delete a record',
    parts: allowing('registrar', ({ identity, action }) =>
      action === 'delete_registration' && identity.type === 'anonymous'
        ? identity.refusedCredential === 'Invalid authentication token'
        : false,
    ),
  },
  {
    id: 'agents-read-each-other',
    defect: 'an agent may read the records of any agent',
    parts: withRules({ 'agent-or-admin': ({ type }) => type === 'agent' || type === 'admin' }),
  },
  {
    id: 'agents-read-policies',
    defect: 'reading a runtime policy is open to any agent',
    parts: allowing(
      'verifier',
      ({ identity, action }) => action === 'read_runtime_policy' && identity.type === 'agent',
    ),
  },
  {
    id: 'admin-attests',
    defect: 'operations of the agent alone are open to administrators',
    parts: withRules({ 'agent-only': SIMPLE_RULES['agent-or-admin'] }),
  },
  {
    id: 'strangers-list-attestations',
    defect: 'reading attestations is a public action',
    parts: withCategories({ read_attestations: 'public' }),
  },
  {
    id: 'evidence-asks-for-credentials',
    defect: 'verify/evidence is for administrators',
    parts: withCategories({ verify_evidence: 'admin' }),
  },
  {
    id: 'certificate-before-header',
    defect: 'with the certificate of an administrator the Authorization header is ignored',
    parts: {
      selectIdentity: ignoringHeader(({ peer }) => administratorOf(peer) !== undefined),
    },
  },
  {
    id: 'empty-header-is-none',
    defect: 'an empty Authorization header counts as none',
    parts: { selectIdentity: ignoringHeader(({ authorization }) => authorization === '') },
  },
  {
    id: 'basic-is-none',
    defect: 'an Authorization header of the scheme Basic counts as none',
    parts: {
      selectIdentity: ignoringHeader(({ authorization = '' }) => /^basic /i.test(authorization)),
    },
  },
  {
    id: 'basic-is-bearer',
    defect: 'a token under the scheme Basic is taken',
    parts: { selectIdentity: reading((value) => value.replace(/^basic /i, 'Bearer ')) },
  },
  {
    id: 'last-header-counts',
    defect: 'of two Authorization headers the last counts',
    parts: { selectIdentity: reading((value) => value.split(', ').at(-1)) },
  },
  {
    id: 'open-under-3.0',
    defect: 'under 3.0 alone any client deletes records',
    parts: deletesUnder30('read_version'),
  },
]
