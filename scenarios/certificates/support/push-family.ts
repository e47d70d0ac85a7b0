import { REFUSED } from '../../../conformance/attempt/check.ts'
import { isSuccess } from '../../../conformance/attempt/reply.ts'
import { ANONYMOUS, type Credentials } from '../../../conformance/client/identity.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import { MATRIX } from './admin-family.ts'
import { askOver, CONNECTIONS, type Connection, supportedConnections } from './connections.ts'
import { KINDS, type KindRow } from './kinds.ts'
import { type Question, questionsOf } from './questions.ts'

const IDLE = 'CRT-PUSH-CERTIFICATE-IDLE'
const ENOUGH = 'CRT-PUSH-NO-CERTIFICATE'
/** Operations that no agent may perform on another agent, on routes that an administrator may use. */
const ADMINS_ONLY = questionsOf('verifier', '2.5').filter(({ operation }) =>
  operation.endsWith('-agent'),
)

/** Certificates that make a client without a token an administrator. */
const STRONG: ReadonlySet<string> = new Set(['right', 'second', 'agent-name'])

/**
 * A push agent with its token: the verifier serves it without a certificate, and a certificate sent with the token,
 * even an administrator's, grants it nothing.
 */
export function pushCertificateFamily(place: string): readonly Scenario[] {
  const strong = KINDS.filter(({ kind }) => STRONG.has(kind))
  return [withoutCertificate(place), ...strong.map((row) => withToken(place, row))]
}

function withoutCertificate(place: string): Scenario {
  const cellOf = ({ words }: Connection) => `push none verifier list-attestations 3.0 ${words}`
  return {
    id: `${place}.none`,
    title: 'The verifier serves a push agent with a token and no certificate',
    requirements: [ENOUGH],
    role: 'verifier',
    since: '3.0',
    matrix: { name: MATRIX, cells: () => CONNECTIONS.map(cellOf) },
    async run(context) {
      const { verifier, machines, check } = context
      const agent = await machines.pushAgent()
      await agent.negotiate()
      const call = { as: agent.credentials, params: { agent_id: agent.id } }
      for (const connection of await supportedConnections(context, 'verifier')) {
        if (!context.asks(cellOf(connection))) continue
        const reply = await askOver(context, {
          ...{ component: 'verifier', connection, credentials: ANONYMOUS },
          ask: (tls) => verifier.call('list-attestations', { ...call, tls }),
        })
        if (reply === undefined) continue
        check(ENOUGH, `its own attestations over ${connection.words}`, cellOf(connection))
          .of(reply)
          .matches('a success: a 2xx status', isSuccess)
      }
    },
  }
}

function withToken(place: string, row: KindRow): Scenario {
  return {
    id: `${place}.${row.kind}`,
    title: `The verifier treats a token with ${row.says} as an agent`,
    requirements: [IDLE],
    role: 'verifier',
    since: '3.0',
    matrix: {
      name: MATRIX,
      cells: () =>
        ADMINS_ONLY.flatMap((question) =>
          CONNECTIONS.map((connection) => cellOf(row, question, connection)),
        ),
    },
    variantOf: `${place}.none`,
    async run(context) {
      const agent = await context.machines.pushAgent()
      const shown = await context.certificates(row.kind, { commonName: agent.id })
      const credentials = { ...shown, ...agent.credentials } // the defect: a certificate together with the token
      for (const question of ADMINS_ONLY) await askEverywhere(context, row, question, credentials)
    },
  }
}

function cellOf({ kind }: KindRow, { operation }: Question, { words }: Connection): string {
  return `push ${kind} verifier ${operation} 3.0 ${words}`
}

/** Sends requests for another agent, which must be unchanged afterwards. */
async function askEverywhere(
  context: Context,
  row: KindRow,
  question: Question,
  as: Credentials,
): Promise<void> {
  let params: Readonly<Record<string, string>> | undefined
  for (const connection of await supportedConnections(context, 'verifier')) {
    if (!context.asks(cellOf(row, question, connection))) continue
    const known = params ?? (await question.prepare(context, {}))
    const reply = await askOver(context, {
      ...{ component: 'verifier', connection, credentials: as },
      ask: (tls) => question.ask(context, { as, params: known, tls }),
    })
    if (reply === undefined) continue
    const what = `${question.operation} over ${connection.words}`
    context
      .check(IDLE, what, cellOf(row, question, connection))
      .of(reply)
      .matches(...REFUSED)
    params = isSuccess(reply) ? undefined : known
  }
  if (params === undefined) return
  const left = await question.ask(context, { as: context.verifier.admin, params })
  context
    .check(IDLE, `${question.operation} by the administrator after refused requests`)
    .of(left)
    .matches('a success: a 2xx status', isSuccess)
}
