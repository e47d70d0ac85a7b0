import { REFUSED } from '../../../conformance/attempt/check.ts'
import {
  at,
  isRefusal,
  isSuccess,
  presentReply,
  type Reply,
} from '../../../conformance/attempt/reply.ts'
import { API_VERSIONS } from '../../../conformance/catalogue/requirement.ts'
import { compareVersions } from '../../../conformance/catalogue/routes/operations.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import type { Action, Attempt } from './action.ts'
import { type AuthorizationCell, cellsOf, type ExpectationName, entryOf } from './cells.ts'
import { loadMatrix, type OperationEntry } from './load-matrix.ts'
import { gather, type Principals } from './principals.ts'
import { REGISTRAR_ACTIONS } from './registrar-actions.ts'
import { VERIFIER_ACTIONS } from './verifier-actions.ts'

type Component = OperationEntry['component']

interface AuthorizationFamily {
  /** Dotted path of the scenario file; the prefix of every id. */
  readonly place: string
  readonly component: Component
}

const NAME = 'authorization'
const ACTIONS: Readonly<Record<Component, Readonly<Record<string, Action>>>> = {
  registrar: REGISTRAR_ACTIONS,
  verifier: VERIFIER_ACTIONS,
}

const matrix = loadMatrix()

/**
 * Returns two scenarios for each operation of a component. `allowed` sends every cell that may succeed; `refused`
 * sends every cell that must not, has `allowed` as its passing twin, and checks afterwards that nothing changed.
 */
export function authorizationFamily({
  place,
  component,
}: AuthorizationFamily): readonly Scenario[] {
  const own = matrix.operations.filter((entry) => entry.component === component)
  const names = [...new Set(own.map(({ operation }) => operation))]
  return names.flatMap((operation) => {
    const part = partOf(component, operation)
    const allowed = allowedScenario(`${place}.${operation}.allowed`, part)
    const refused = refusedScenario(`${place}.${operation}.refused`, allowed.id, part)
    return refused.requirements.length === 0 ? [allowed] : [allowed, refused]
  })
}

/** The part of the matrix for one operation. */
interface Part {
  readonly component: Component
  readonly operation: string
  readonly since: string
  readonly until?: string
  cells(version: string, expected: readonly ExpectationName[]): readonly AuthorizationCell[]
}

function partOf(component: Component, operation: string): Part {
  const entries = matrix.operations
    .filter((entry) => entry.component === component && entry.operation === operation)
    .toSorted((one, other) => compareVersions(one.since, other.since))
  const [first, last] = [entries[0], entries.at(-1)]
  if (first === undefined || last === undefined) throw new Error(`no entry for ${operation}`)
  return {
    component,
    operation,
    since: first.since,
    ...(last.until === undefined ? {} : { until: last.until }),
    cells: (version, expected) => {
      const entry = entryOf(matrix, { component, operation }, version)
      const cells = entry === undefined ? [] : cellsOf(matrix, entry, version)
      return cells.filter((cell) => expected.includes(cell.expected))
    },
  }
}

function allowedScenario(id: string, part: Part): Scenario {
  const cells = (version: string) => part.cells(version, ['allowed', 'either'])
  return {
    ...headOf(part, cells),
    id,
    title: `The ${part.component} allows ${part.operation} to authorized clients`,
    requirements: requirementsOf(cells),
    async run(context) {
      const own = cells(context.version).filter(({ id: cell }) => context.asks(cell))
      await askAll(await gather(context, part.component, own), actionOf(part), own)
    },
  }
}

function refusedScenario(id: string, variantOf: string, part: Part): Scenario {
  const cells = (version: string) => part.cells(version, ['refused'])
  return {
    ...headOf(part, cells),
    id,
    variantOf,
    title: `The ${part.component} refuses ${part.operation} to unauthorized clients and changes nothing`,
    requirements: [...requirementsOf(cells), ...looksOf(part)],
    async run(context) {
      // the defect: the credentials of each cell
      const own = cells(context.version).filter(({ id: cell }) => context.asks(cell))
      const principals = await gather(context, part.component, own)
      const attempt = await askAll(principals, actionOf(part), own)
      await lookAfterwards(context, part, attempt)
    },
  }
}

type CellsOf = (version: string) => readonly AuthorizationCell[]

function headOf({ component, since, until }: Part, cells: CellsOf) {
  return {
    role: component,
    since,
    ...(until === undefined ? {} : { until }),
    matrix: { name: NAME, cells: (version: string) => cells(version).map(({ id }) => id) },
  }
}

function requirementsOf(cells: CellsOf): readonly string[] {
  const all = API_VERSIONS.flatMap((version) => cells(version))
  return [...new Set(all.map(({ requirement }) => requirement))]
}

function looksOf({ component, operation }: Part): readonly string[] {
  const own = matrix.operations.filter(
    (entry) => entry.component === component && entry.operation === operation,
  )
  return own.flatMap(({ unchanged }) => unchanged ?? [])
}

function actionOf({ component, operation }: Part): Action {
  const action = ACTIONS[component][operation]
  if (action === undefined)
    throw new Error(`no action for ${operation}; add one to the actions of its component`)
  return action
}

/** Sends every cell, each with a resource that no earlier cell consumed. Returns the last resources. */
async function askAll(
  principals: Principals,
  action: Action,
  cells: readonly AuthorizationCell[],
): Promise<Attempt> {
  const open: string[] = []
  let attempt = await action(principals)
  for (const cell of cells) {
    const credentials = principals.credentialsOf(cell, attempt.agent)
    if (credentials === undefined) continue
    const reply = await attempt.send(credentials)
    checkCell(principals.context, attempt, cell, reply)
    if (cell.expected === 'either') open.push(`${cell.id}: ${presentReply(reply)}`)
    if (attempt.once && isSuccess(reply)) attempt = await action(principals)
  }
  if (open.length > 0) principals.context.observe(NAME, 'ambiguous cells', open)
  return attempt
}

function checkCell({ check }: Context, { reads }: Attempt, cell: AuthorizationCell, reply: Reply) {
  const received = check(cell.requirement, cell.credentials, cell.id).of(reply)
  if (cell.expected === 'either') received.meets({ served: isAdmitted, refused: isRefusal })
  else received.matches(...EXPECTED[reads ? READS[cell.expected] : cell.expected])
}

const READS = { allowed: 'read', refused: 'unread' } as const

const EXPECTED: Readonly<
  Record<'allowed' | 'refused' | 'read' | 'unread', readonly [string, (reply: Reply) => boolean]>
> = {
  unread: [
    `${REFUSED[0]}, without the resource`,
    (reply) => REFUSED[1](reply) && showsNothing(reply),
  ],
  read: ['a success', isSuccess],
  allowed: ['an answer other than 401, 403 and 5xx', isAdmitted],
  refused: REFUSED,
}

/** Members of the resources that these operations read. */
const SHOWN = ['operational_state', 'tpm_policy', 'runtime_policy', 'aik_tpm', 'uuids'] as const

/** The document shows no body of an error; none has members of the resource. */
function showsNothing({ body }: Reply): boolean {
  const members = [['data'], ...SHOWN.map((name) => ['results', name])]
  return members.every((path) => (at(body, ...path) ?? null) === null)
}

function isAdmitted({ status }: Reply): boolean {
  return status !== undefined && status < 500 && status !== 401 && status !== 403
}

async function lookAfterwards(context: Context, part: Part, attempt: Attempt): Promise<void> {
  const { component, operation } = part
  const requirement = entryOf(matrix, { component, operation }, context.version)?.unchanged
  if (requirement === undefined || attempt.look === undefined) return
  const { what, received, expected } = await attempt.look()
  context.check(requirement, what).of(received).is(expected)
}
