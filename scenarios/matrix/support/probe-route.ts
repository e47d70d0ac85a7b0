import type { SeededRandom } from '../../../conformance/attempt/random.ts'
import { presentReply, type Reply } from '../../../conformance/attempt/reply.ts'
import { fillPath, type OperationRow } from '../../../conformance/catalogue/routes/operations.ts'
import type { ComponentClient } from '../../../conformance/client/component-client.ts'
import type { Credentials } from '../../../conformance/client/identity.ts'

/**
 * What an answer shows about a route. `unclear`: the component gives the same answer to a path that does not exist,
 * and may give it to any unknown resource, so nothing is proven. Any other text describes a server error or a
 * connection that ended without an answer.
 */
export type Finding = 'served' | 'absent' | 'unclear' | `${string} for the route, ${string}`

export interface Place {
  readonly method: string
  /** Path from the root, with the names of its parameters. */
  readonly path: string
}

interface ProbeParts {
  readonly client: Pick<ComponentClient<OperationRow>, 'get'>
  readonly credentials: Credentials
  readonly random: SeededRandom
}

/** Statuses for an unknown path, an unsupported method, or a removed route. */
const NO_ROUTE: ReadonlySet<number | undefined> = new Set([404, 405, 410, 501])
/** Statuses that a component may return before it looks at the path. */
const BEFORE_ROUTING: ReadonlySet<number | undefined> = new Set([401, 403])

const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])
/** A truncated document: no component can process it, so a probe changes nothing. */
const CUT_SHORT = '{"probe": '
const NO_ID = 'not an id!'

/**
 * Finds out whether a component has a route, without creating, changing or deleting anything: the parameters name
 * nothing that exists, and the body is truncated. The answer is compared with that to a control path which does not
 * exist.
 *
 * @param known routes with parameters that the component has: their answers show whether it distinguishes an
 * unknown resource from an unknown path
 */
export async function probeRoute(
  parts: ProbeParts,
  place: Place,
  known: readonly Place[],
): Promise<Finding> {
  const probe = await ask(parts, place)
  const control = await ask(parts, controlFor(place))
  const finding = findingOf(probe, control)
  if (finding !== 'unclear' || probe.status !== 404) return finding
  if (!hasParameters(place)) return 'absent'
  if (findingOf(await ask(parts, place, NO_ID), control) === 'served') return 'served'
  for (const other of known) {
    const answer = await ask(parts, other)
    if (findingOf(answer, await ask(parts, controlFor(other))) === 'served') return 'absent'
  }
  return 'unclear'
}

interface Answer extends Pick<Reply, 'status' | 'failure'> {
  /** The body without the parts that repeat the request. */
  readonly words: string
}

async function ask(
  { client, credentials, random }: ProbeParts,
  { method, path }: Place,
  id: string = random.uuid(),
): Promise<Answer> {
  const filled = fillPath(path, { agent_id: id, session_id: id, name: id, index: '0' })
  const body = METHODS_WITH_BODY.has(method) ? { body: CUT_SHORT } : {}
  const reply = await client.get(filled, { method, as: credentials, ...body })
  const { status, failure } = reply
  return { status, failure, words: wordsOf(reply, [filled, id]) }
}

function wordsOf({ text }: Reply, repeated: readonly string[]): string {
  return repeated.reduce((rest, word) => rest.replaceAll(word, ''), text)
}

/** Returns the same path with its last literal segment replaced by an unknown word. */
function controlFor({ method, path }: Place): Place {
  const segments = path.split('/')
  const at = segments.findLastIndex((segment) => /^\w[^{]*$/.test(segment) && segment !== 'latest')
  const isPrefix = at < 0 || /^v\d/.test(segments[at] ?? '')
  const other = isPrefix
    ? `${path.replace(/\/$/, '')}/${NOWHERE}`
    : segments.with(at, NOWHERE).join('/')
  return { method, path: other }
}

const NOWHERE = 'assay-no-such-path'

function findingOf(probe: Answer, control: Answer): Finding {
  const { status } = probe
  if (NO_ROUTE.has(status) && status !== 404) return 'absent'
  if (status === undefined || (status >= 500 && !NO_ROUTE.has(status)))
    return `${presentReply(probe)} for the route, ${presentReply(control)} for a path that does not exist`
  if (status !== control.status && !(isBeforeRouting(probe) && isBeforeRouting(control)))
    return 'served'
  const saysMore = status === 404 && probe.words !== control.words
  return saysMore ? 'served' : 'unclear'
}

function isBeforeRouting({ status }: Answer): boolean {
  return BEFORE_ROUTING.has(status)
}

function hasParameters({ path }: Place): boolean {
  return path.includes('{')
}
