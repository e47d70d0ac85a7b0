import { REFUSED } from '../../../conformance/attempt/check.ts'
import { isRefusal, isSuccess, type Reply } from '../../../conformance/attempt/reply.ts'
import { expectSuccess } from '../../../conformance/client/agents/expect-success.ts'
import type { Credentials } from '../../../conformance/client/identity.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import { AGENTS_OWN } from '../../../simulator/x509/recipes.ts'
import { askOver, CONNECTIONS, type Connection, supportedConnections } from './connections.ts'
import { KINDS, type KindRow, requirementsOf } from './kinds.ts'
import { type ComponentName, type PrepareParts, type Question, questionsOf } from './questions.ts'

export const MATRIX = 'certificates'

const DONE = ['a success: a 2xx status', isSuccess] as const

/**
 * Returns a scenario for each kind of client certificate: it is sent to a component on each administrator route,
 * over every kind of connection. Refused kinds have the administrator's own certificate as twin.
 */
export function adminCertificateFamily(
  place: string,
  component: ComponentName,
): readonly Scenario[] {
  return KINDS.map((row) => ({
    id: `${place}.${row.kind}`,
    title: `The ${component} ${row.outcome === 'anonymous' ? 'denies' : 'grants'} administrator access with ${row.says}`,
    requirements: requirementsOf(row),
    role: component,
    since: '2.5',
    matrix: { name: MATRIX, cells: (version) => cellsOf(row, component, version) },
    ...(row.outcome === 'anonymous' ? { variantOf: `${place}.right` } : {}),
    run: (context) => showEverywhere(context, row, component),
  }))
}

/** Ids of the cells of a kind: every operation over every kind of connection. */
export function cellsOf(
  row: KindRow,
  component: ComponentName,
  version: string,
): readonly string[] {
  return questionsOf(component, version).flatMap((question) =>
    CONNECTIONS.map((connection) => cellOf({ row, component, version, question, connection })),
  )
}

interface Cell {
  readonly row: KindRow
  readonly component: ComponentName
  readonly version: string
  readonly question: Question
  readonly connection: Connection
}

function cellOf({ row, component, version, question, connection }: Cell): string {
  return `${row.kind} ${component} ${question.operation} ${version} ${connection.words}`
}

async function showEverywhere(
  context: Context,
  row: KindRow,
  component: ComponentName,
): Promise<void> {
  const options = row.kind === 'agent-name' ? { commonName: await someAgent(context) } : {}
  const credentials = await context.certificates(row.kind, options) // the defect
  const connections = await supportedConnections(context, component)
  for (const question of questionsOf(component, context.version)) {
    const thing = thingOf(context, row, question, preparationOf(row, credentials))
    for (const connection of connections) {
      const cell = { row, component, version: context.version, question, connection }
      if (!context.asks(cellOf(cell))) continue
      await thing.use((params) => checkCell(context, cell, credentials, params))
    }
    await thing.checkLeft()
  }
}

function preparationOf({ kind }: KindRow, { certificate }: Credentials): PrepareParts {
  if (certificate === undefined || !AGENTS_OWN.has(kind)) return {}
  return { mtlsCertificate: certificate.cert }
}

/** Returns the id of an agent that both components know. */
async function someAgent({ machines }: Context): Promise<string> {
  const agent = await machines.silentAgent()
  await agent.activate()
  expectSuccess('adding an agent', await agent.enrol())
  return agent.id
}

type Parameters = Readonly<Record<string, string>>

/** The resource that is requested or deleted: the same one until a deletion succeeds, then a new one. */
function thingOf(context: Context, row: KindRow, question: Question, parts: PrepareParts) {
  let params: Parameters | undefined
  return {
    async use(ask: (params: Parameters) => Promise<Reply | undefined>) {
      params ??= await question.prepare(context, parts)
      const reply = await ask(params)
      const isGone = question.deletes === true && reply !== undefined && isSuccess(reply)
      if (isGone) params = undefined
    },
    /** Checks that the administrator can delete what the refused requests could not. */
    async checkLeft() {
      if (question.deletes !== true || params === undefined) return
      const reply = await question.ask(context, { as: context.verifier.admin, params })
      context
        .check(row.for, `${question.operation} by the administrator after refused requests`)
        .of(reply)
        .matches(...DONE)
    },
  }
}

async function checkCell(
  context: Context,
  cell: Cell,
  as: Credentials,
  params: Parameters,
): Promise<Reply | undefined> {
  const { row, component, question, connection } = cell
  const reply = await askOver(context, {
    ...{ component, connection, credentials: as },
    ask: (tls) => question.ask(context, { as, params, tls }),
  })
  if (reply === undefined) return undefined
  const requirement = connection.manner === 'resumed' ? (row.resumed ?? row.for) : row.for
  const what = `${question.operation} over ${connection.words}`
  const received = context.check(requirement, what, cellOf(cell)).of(reply)
  if (row.outcome === 'either') received.meets({ accepted: isSuccess, refused: isRefusal })
  else if (row.outcome === 'administrator') received.matches(...DONE)
  else received.matches(...REFUSED)
  return reply
}
