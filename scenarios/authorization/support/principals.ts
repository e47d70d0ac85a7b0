import { NotApplicable } from '../../../conformance/attempt/endings.ts'
import { expectSuccess } from '../../../conformance/client/agents/expect-success.ts'
import { ANONYMOUS, bearer, type Credentials } from '../../../conformance/client/identity.ts'
import type { Context } from '../../../conformance/scenario.ts'
import type { SoftAgent, Stage } from './action.ts'
import type { AuthorizationCell } from './cells.ts'
import type { CertificateKind, HeaderForm, OperationEntry, TokenOwner } from './load-matrix.ts'
import { selfSignedCertificate } from './self-signed.ts'

/** The clients of one scenario; without sessions, none of them has a token. */
export interface Principals extends Stage {
  /** Returns the credentials of a cell for a resource of that agent; undefined if there is no such token. */
  credentialsOf(cell: AuthorizationCell, agent: SoftAgent): Credentials | undefined
}

type Tokens = Readonly<Partial<Record<TokenOwner, string>>>

/** Creates the clients of the cells: the agent, another agent, and one that is deleted again. */
export async function gather(
  context: Context,
  component: OperationEntry['component'],
  cells: readonly AuthorizationCell[],
): Promise<Principals> {
  const owners = new Set(cells.flatMap(({ header }) => header.token ?? []))
  const options = {
    registered: component === 'registrar',
    loggedIn: owners.has('own') || owners.has('altered'),
  }
  const newAgent = (more: Partial<AgentOptions> = {}) => makeAgent(context, { ...options, ...more })
  const agent = await newAgent()
  const tokens: Tokens = {
    'never-issued': `${context.random.uuid()}.${secret(context)}`,
    ...(owners.has('other') && (await tokenOfAnother(context))),
    ...(owners.has('deleted') && (await tokenOfDeleted(context))),
  }
  const certificates = await certificatesOf(context)
  return {
    context,
    agent,
    newAgent,
    credentialsOf: ({ header, certificate }, { credentials }) => {
      const token = header.token === undefined ? '' : tokenFor(header.token, tokens, credentials)
      if (token === undefined) return undefined
      return {
        name: nameOf(header.id, certificate),
        ...certificates[certificate],
        ...FORMS[header.form](token, tokens['never-issued'] ?? ''),
      }
    },
  }
}

function nameOf(header: string, certificate: CertificateKind): string {
  return certificate === 'none'
    ? `${ANONYMOUS.name} with ${header}`
    : `${certificate} with ${header}`
}

type Shown = Readonly<Record<CertificateKind, Pick<Credentials, 'certificate'>>>

async function certificatesOf({ verifier }: Context): Promise<Shown> {
  const { certificate } = verifier.admin
  return {
    none: {},
    admin: certificate === undefined ? {} : { certificate },
    'self-signed': { certificate: await selfSignedCertificate() },
  }
}

/** Each form of a header with a token, and of one with a token that was never issued. */
const FORMS: Readonly<
  Record<HeaderForm, (token: string, unknown: string) => Pick<Credentials, 'authorization'>>
> = {
  none: () => ({}),
  bearer: (token) => ({ authorization: bearer(token) }),
  basic: (token) => ({ authorization: `Basic ${token}` }),
  empty: () => ({ authorization: '' }),
  bare: (token) => ({ authorization: token }),
  twice: (token, unknown) => ({ authorization: [bearer(unknown), bearer(token)] }),
}

function tokenFor(owner: TokenOwner, tokens: Tokens, credentials: Credentials): string | undefined {
  if (owner !== 'own' && owner !== 'altered') return tokens[owner]
  const own = tokenOf(credentials)
  return own === undefined || owner === 'own' ? own : altered(own)
}

function tokenOf({ authorization }: Credentials): string | undefined {
  return typeof authorization === 'string' ? authorization.slice(bearer('').length) : undefined
}

/** Returns a token of the same session with another secret: its last character but one differs. */
function altered(token: string): string {
  const at = token.length - 2
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
}

function secret({ random }: Context): string {
  return Buffer.from(random.bytes(32)).toString('base64url')
}

interface AgentOptions {
  /** Whether to register and activate it at the registrar. */
  readonly registered: boolean
  /** Whether to open a session, if the deployment has a verifier with sessions. */
  readonly loggedIn: boolean
}

const AT_THE_VERIFIER: AgentOptions = { registered: false, loggedIn: true }

async function makeAgent(context: Context, options: AgentOptions): Promise<SoftAgent> {
  const { machines, verifier } = context
  const agent = await machines.softAgent({ until: options.registered ? 'activated' : 'booted' })
  if (!verifier.isNamed || (options.registered && !options.loggedIn)) return agent
  expectSuccess('adding an agent', await agent.enrol())
  if (options.loggedIn) await logInWhereItCan(agent)
  return agent
}

/** A deployment without API 3.0 has no sessions. */
async function logInWhereItCan(agent: SoftAgent): Promise<void> {
  try {
    await agent.logIn()
  } catch (error) {
    if (!(error instanceof NotApplicable)) throw error
  }
}

async function tokenOfAnother(context: Context): Promise<Tokens> {
  const token = tokenOf((await makeAgent(context, AT_THE_VERIFIER)).credentials)
  return token === undefined ? {} : { other: token }
}

async function tokenOfDeleted(context: Context): Promise<Tokens> {
  const agent = await makeAgent(context, AT_THE_VERIFIER)
  const token = tokenOf(agent.credentials)
  if (token === undefined) return {}
  expectSuccess('deleting an agent', await context.verifier.deleteAgent(agent.id))
  return { deleted: token }
}
