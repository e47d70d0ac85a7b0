import { AsyncLocalStorage } from 'node:async_hooks'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { parseJson } from '../../../simulator/agents/http/parse-json.ts'
import { surviveLateEnds } from '../../attempt/endings.ts'
import { freshSeed, type SeededRandom, seededRandom } from '../../attempt/random.ts'
import type { Reply } from '../../attempt/reply.ts'
import { Slots } from '../../attempt/slots.ts'
import { loadRequirements } from '../../catalogue/load-requirements.ts'
import { type Exchange, HttpsClient } from '../../client/https-client.ts'
import { packageRoot } from '../../input/package-root.ts'
import type { ScenarioResult } from '../../report/result.ts'
import { Transcripts } from '../../report/transcripts/transcripts.ts'
import { discoverScenarios } from '../../runner/discover.ts'
import { planTrials, type Trial } from '../../runner/plan.ts'
import type { RunEnvironment } from '../../runner/run-environment.ts'
import { setUp } from '../../runner/set-up.ts'
import { startTrials } from '../../runner/start-trials.ts'
import { createRunDirectory, type RunDirectory } from '../../target/processes/run-directory.ts'
import { rolesUnderTest } from '../../target/target.ts'
import { mutateReply, type WireAnswer } from './mutate-reply.ts'
import { CHANGED } from './mutate-request.ts'
import { placeOf } from './place-of.ts'
import { type RawServer, startRawServer } from './raw-server.ts'

/** Characters of a reason that tell faults apart. */
const REASON = 140

/** Characters of a changed place in the log. */
const PLACE = 120

/** Values of earlier replies that may take the place of others. */
const MOST_MET = 200

/** Target files of the reference's servers, and of its agents and tenant with a program in front of them. */
const SERVERS = 'reference/assay.target.yaml'
const COMMANDS = 'conformance/selftest/mutation/mutated-commands.target.yaml'
const SUBJECT = 'conformance/selftest/mutated-replies/subject.ts'

interface Options {
  readonly seed: string
  readonly only: readonly string[]
  readonly every: string
  readonly kind?: string
  readonly rounds: string
  readonly target?: string
  readonly log?: string
  readonly requests?: string
}

/** The replies that were changed for a scenario: the kind of the change, and the request. */
type Changes = string[]

const changesOf = new AsyncLocalStorage<Changes>()

/** Runs scenarios against the reference, with some replies changed, and prints the harness's own faults. */
async function main({
  seed,
  only,
  every,
  kind,
  rounds,
  target: named,
  log,
  requests,
}: Options): Promise<number> {
  const out = join(packageRoot(), 'reports', 'out', `mutated-replies-${seed}`)
  const run = createRunDirectory(out)
  const requirements = loadRequirements()
  const scenarios = await discoverScenarios(requirements)
  const file = named ?? (requests === undefined ? SERVERS : COMMANDS)
  const target = join(packageRoot(), file)
  const sent = requests === undefined ? undefined : mutateRequests({ requests, seed, kind, run })
  const interrupted = new AbortController().signal
  const onStep = () => undefined
  const given = { target, out, seed, only, role: [], version: [], list: false } as const
  const options = { ...given, jobs: 2 * availableParallelism(), transcripts: 'none' } as const
  surviveLateEnds()
  const server = await startRawServer()
  try {
    const request = {
      ...{ options, seed, run, requirements, scenarios, variants: [], onStep, interrupted },
    }
    const { environment, target: read } = await setUp(request)
    const random = seededRandom(seed, 'mutated replies')
    const changed = sent ?? mutateReplies({ random, every: Number(every), kind, server })
    const together = scenarios.filter(({ alone }) => alone !== true)
    const trials = planTrials(together, { ...read, roles: rolesUnderTest(read), only })
    const results: ScenarioResult[] = []
    for (let round = 0; round < Number(rounds); round++) {
      const observed = trials.map(observe)
      const fresh = { ...environment, seed: `${seed}-${round}`, transcripts: keepChanges(observed) }
      const found = await runAll(fresh, observed, options.jobs)
      if (log !== undefined) writeLog(log, found, observed)
      results.push(...found)
    }
    return present(results, changed(), seed)
  } finally {
    server.close()
    await run.close()
  }
}

function runAll(
  environment: RunEnvironment,
  observed: readonly Observed[],
  jobs: number,
): Promise<readonly ScenarioResult[]> {
  const trials = observed.map(({ trial }) => trial)
  const options = { slots: new Slots(jobs), onFinished: () => undefined }
  return Promise.all(startTrials(environment, trials, options))
}

interface Observed {
  readonly trial: Trial
  readonly changes: Changes
}

/** Takes the changed requests of subjects from the transcripts of their scenarios. */
function keepChanges(observed: readonly Observed[]): Transcripts {
  const transcripts = new Transcripts('all')
  transcripts.keep = ({ id, version }, entries) => {
    const of = observed.find(({ trial }) => trial.scenario.id === id && trial.version === version)
    for (const entry of entries) {
      const { request } = entry.lane === 'wire' ? entry : {}
      const kind = request?.headers[CHANGED]
      if (kind === undefined) continue
      of?.changes.push(`${kind}: ${request?.method} ${request?.url}`)
    }
  }
  return transcripts
}

/** A trial without its twin, as every scenario would be blocked, and the replies that are changed for it. */
function observe(trial: Trial): Observed {
  const { variantOf: _, ...scenario } = trial.scenario
  const changes: Changes = []
  const run: typeof scenario.run = (context) => changesOf.run(changes, () => scenario.run(context))
  return { trial: { ...trial, scenario: { ...scenario, run } }, changes }
}

function writeLog(
  file: string,
  results: readonly ScenarioResult[],
  observed: readonly Observed[],
): void {
  for (const [at, { id, version, outcome, reason }] of results.entries()) {
    const { changes = [] } = observed[at] ?? {}
    const { checks = [] } = results[at] ?? {}
    const failed = checks
      .filter(({ ok }) => !ok)
      .map(({ requirement, what }) => ({ requirement, what }))
    appendFileSync(file, `${JSON.stringify({ id, version, outcome, reason, failed, changes })}\n`)
  }
}

interface RequestMutation extends Pick<Options, 'seed'> {
  readonly kind: string | undefined
  readonly requests: string
  readonly run: RunDirectory
}

interface Mutation {
  readonly random: SeededRandom
  /** One of so many replies is changed. */
  readonly every: number
  readonly kind: string | undefined
  readonly server: RawServer
}

/** Changes requests of the agents and the tenant, which read what to do from their environment; see `subject.ts`. */
function mutateRequests({ requests, seed, kind, run }: RequestMutation): () => number {
  const log = join(run.path, 'changed-requests.jsonl')
  Object.assign(process.env, {
    ...{ ASSAY_PROGRAM: join(packageRoot(), 'bin', 'dev.js'), ASSAY_MUTANT: SUBJECT },
    ...{ ASSAY_EVERY: requests, ASSAY_SEED: seed, ASSAY_CHANGES: log },
    ...(kind !== undefined && { ASSAY_KIND: kind }),
  })
  writeFileSync(log, '')
  return () => readFileSync(log, 'utf8').split('\n').length - 1
}

/** Changes replies of all clients: the client reads the changed bytes from a server that sends them. */
function mutateReplies({ random, every, kind, server }: Mutation): () => number {
  const { exchange, raw } = HttpsClient.prototype
  const met: unknown[] = []
  let changed = 0
  const meet = (value: unknown): void => {
    const members = typeof value === 'object' && value !== null ? Object.values(value) : []
    if (members.length === 0) met[random.below(MOST_MET)] = value
    else meet(members[random.below(members.length)])
  }
  const change = (reply: Reply, { method = 'raw', url }: Partial<Exchange>): string => {
    meet(reply.body)
    const answer = mutateReply(reply, random, {
      met: met.filter((one) => one !== undefined),
      only: kind,
    })
    const now = parseJson(answer.bytes.toString().split('\r\n\r\n')[1] ?? '')
    const place = now === undefined ? '' : placeOf(reply.body, now).slice(0, PLACE)
    changesOf.getStore()?.push(`${answer.kind} ${place}, ${firstLineOf(answer)}: ${method} ${url}`)
    changed++
    return server.offer(answer)
  }
  HttpsClient.prototype.exchange = async function (sent) {
    const reply = await exchange.call(this, sent)
    if (random.below(every) !== 0 || reply.status === undefined) return reply
    const { method, credentials } = sent
    const read = await exchange.call(this, { method, credentials, url: change(reply, sent) })
    return { ...read, resumed: reply.resumed }
  }
  HttpsClient.prototype.raw = async function (sent) {
    const answer = await raw.call(this, sent)
    const { first } = answer
    if (random.below(every) !== 0 || first.status === undefined) return answer
    const url = change(first, { url: sent.url })
    const bytes = [`GET ${new URL(url).pathname} HTTP/1.1\r\n\r\n`]
    return raw.call(this, { url, credentials: sent.credentials, plain: true, bytes })
  }
  return () => changed
}

/** The status of an answer, as far as its first line is one. */
function firstLineOf({ bytes }: WireAnswer): string {
  return /^HTTP\S+ (\w+)/.exec(bytes.subarray(0, 20).toString('latin1'))?.[1] ?? 'no status'
}

function present(results: readonly ScenarioResult[], changed: number, seed: string): number {
  const faults = new Map<string, readonly string[]>()
  for (const { id, outcome, reason = '' } of results) {
    if (outcome !== 'harness-fault') continue
    const cause = reason.slice(0, REASON)
    faults.set(cause, [...(faults.get(cause) ?? []), id])
  }
  for (const [reason, ids] of faults) console.log(`${ids.length} × ${reason} (${ids[0]})`)
  const failed = results.filter(({ outcome }) => outcome === 'fail').length
  const count = [...faults.values()].flat().length
  console.log(
    `${changed} messages changed, ${results.length} scenarios, ${failed} failed; seed ${seed}`,
  )
  console.log(`${count} faults of the harness`)
  return count === 0 ? 0 : 1
}

const program = new Command('mutated-replies')
  .description('runs scenarios while replies are changed: no change may be a fault of the harness')
  .option('--seed <hex>', 'repeats the changes', freshSeed())
  .option('--every <n>', 'changes one reply of so many', '20')
  .option('--kind <kind>', 'changes replies in this way alone, such as `server error`')
  .option('--rounds <n>', 'runs the scenarios so many times', '1')
  .option('--only <ids...>', 'scenarios, or `prefix.*`', [])
  .option('--target <file>', 'target file; its path from the root of the repository')
  .option('--requests <n>', 'changes one request of so many of the agents and the tenant instead')
  .option('--log <file>', 'adds each scenario with its outcome and the changes, one a line')
process.exit(await main(program.parse().opts<Options>()))
