import { type ApiVersion, prefixesOf } from '../../api/versions.ts'
import { type JsonClient, type JsonReply, NoAnswer } from '../../http-client/json-client.ts'
import { isRecord, type Members, textIn, textsIn } from '../read-members.ts'
import { TenantFault } from '../tenant-fault.ts'
import { type AnswerProblem, type Outcome, problemWith } from './answer-problems.ts'
import { type newestCommon, WITHOUT_ANSWER } from './negotiate-version.ts'
import type { Peer, Question } from './peer.ts'

/** The reply of a component, without its envelope. */
export interface Given {
  readonly status: number
  readonly results: Members
}

/** A component with which a version is agreed on once. */
export interface Server {
  readonly peer: Peer
  /** @throws {TenantFault} */
  version(): Promise<ApiVersion>
  /** Asks under the agreed version. @throws {TenantFault} */
  ask(question: Question): Promise<Given>
  close(): void
}

export interface ServerRules {
  readonly answerProblems: readonly AnswerProblem[]
  readonly newestCommon: typeof newestCommon
  /** Waits for that many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<unknown>
}

interface ServerOptions {
  readonly peer: Peer
  readonly client: JsonClient
  readonly parts: ServerRules
  /** Versions that the tenant supports. */
  readonly versions: readonly ApiVersion[]
  /** Milliseconds to wait before each further attempt. */
  readonly waits: readonly number[]
  /** Spoken without asking. */
  readonly agreed?: ApiVersion
}

export function serverOf(options: ServerOptions): Server {
  const { peer, client } = options
  let agreed: Promise<ApiVersion> | undefined =
    options.agreed === undefined ? undefined : Promise.resolve(options.agreed)
  const version = () => {
    agreed ??= negotiate(options)
    return agreed
  }
  return {
    peer,
    version,
    ask: async (question) => {
      const prefix = prefixesOf(await version())[0]
      return askOnce(options, { ...question, path: `${prefix}${question.path}` })
    },
    close: () => client.close(),
  }
}

/** 404: it is older than the route; 410: a push verifier of upstream, which has it and does not say. */
const SILENT_ON_VERSIONS: readonly number[] = [404, 410]

async function negotiate(options: ServerOptions): Promise<ApiVersion> {
  const { peer, parts, versions } = options
  const question = { path: '/version', verb: 'name', what: 'its versions', ifMissing: '' }
  const outcome = await outcomeOf(options, question)
  if (!(outcome instanceof NoAnswer) && SILENT_ON_VERSIONS.includes(outcome.status))
    return versionOfSilent(outcome.status, versions)
  const { results } = givenBy(options, question, outcome)
  const one = textIn(results, 'supported_version')
  const theirs = textsIn(results, 'supported_versions') ?? (one === undefined ? undefined : [one])
  if (theirs === undefined) throw nonsense(peer, 'names no versions')
  const version = parts.newestCommon(versions, theirs)
  if (version !== undefined) return version
  throw new TenantFault(
    'no_common_version',
    `the ${peer.name} at ${peer.address} supports none of the versions ${versions.join(', ')}`,
    'look which it serves, and add it with --set api_versions=LIST',
  )
}

function versionOfSilent(status: number, versions: readonly ApiVersion[]): ApiVersion {
  const newest = versions.findLast((one) => !one.startsWith('3.'))
  return status === 410 && newest !== undefined ? newest : WITHOUT_ANSWER
}

async function askOnce(options: ServerOptions, question: Question): Promise<Given> {
  return givenBy(options, question, await outcomeOf(options, question))
}

/** Statuses after which the same may be asked again. */
const BUSY: readonly number[] = [503, 504]

/** Repeats the request while the server is busy and waits remain. */
async function outcomeOf(options: ServerOptions, question: Question): Promise<Outcome> {
  const { client, parts, waits } = options
  let outcome = await attempt(client, question)
  for (const wait of waits) {
    if (outcome instanceof NoAnswer || !BUSY.includes(outcome.status)) break
    await parts.pause(wait)
    outcome = await attempt(client, question)
  }
  return outcome
}

async function attempt(client: JsonClient, { method, path, body }: Question): Promise<Outcome> {
  try {
    return await client.ask({
      path,
      ...(method && { method }),
      ...(body !== undefined && { body }),
    })
  } catch (error) {
    if (error instanceof NoAnswer) return error
    throw error
  }
}

function givenBy({ peer, parts }: ServerOptions, question: Question, outcome: Outcome): Given {
  const problem = problemWith({ peer, question, outcome }, parts.answerProblems)
  if (problem !== undefined) throw problem
  if (outcome instanceof NoAnswer) throw outcome
  return { status: outcome.status, results: resultsOf(peer, outcome) }
}

/** Some answer `null` where nothing is given, and a deletion may have no body at all. */
function resultsOf(peer: Peer, { body }: JsonReply): Members {
  if (body === undefined) return {}
  const results = isRecord(body) ? (body.results ?? {}) : undefined
  if (isRecord(results)) return results
  throw nonsense(peer, 'answers with JSON that is no envelope of code, status and results')
}

/** A fault of a component whose answer is there and cannot be meant. */
export function nonsense(peer: Peer, what: string): TenantFault {
  return new TenantFault(
    'nonsense',
    `the ${peer.name} at ${peer.address} ${what}`,
    `make sure that it is a ${peer.name} of this interface`,
  )
}
