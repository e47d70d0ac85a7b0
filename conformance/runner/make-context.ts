import { makeCheck, show } from '../attempt/check.ts'
import { NotApplicable } from '../attempt/endings.ts'
import { until } from '../attempt/poll.ts'
import { seededRandom } from '../attempt/random.ts'
import { unreadable } from '../attempt/reply.ts'
import type { Slot } from '../attempt/slots.ts'
import { strengthIn } from '../catalogue/certification/profile-scope.ts'
import { readingsOf } from '../catalogue/requirement.ts'
import { Machines } from '../client/agents/machines.ts'
import { certificateMaker } from '../client/certificate-maker.ts'
import { inDocumentForm } from '../client/document-form.ts'
import type { HttpsClient } from '../client/https-client.ts'
import { keyFormsOf } from '../client/key-forms.ts'
import { RegistrarClient } from '../client/registrar-client.ts'
import type { Transcript } from '../client/transcript.ts'
import { VerifierClient } from '../client/verifier-client.ts'
import { presentDuration } from '../input/duration.ts'
import { PullAgents } from '../peers/pull-agents.ts'
import { PushAgents } from '../peers/push-agents.ts'
import { Tenants } from '../peers/tenants.ts'
import type { CheckResult, Observation } from '../report/result.ts'
import type { Context } from '../scenario.ts'
import { checkFields } from '../schemas/check-fields.ts'
import { FIELDS } from '../schemas/field-cells.ts'
import { otherMembers } from '../schemas/other-members.ts'
import type { Controls } from '../target/deployment/controls.ts'
import type { Trial } from './plan.ts'
import type { RunEnvironment } from './run-environment.ts'

/** The transcript, the client and the checks of an attempt. */
interface AttemptParts {
  readonly transcript: Transcript
  /** Records a check; `byClock` if its value is a measured time. */
  readonly record: (check: CheckResult, byClock: boolean) => void
  readonly observations: Observation[]
  readonly client: HttpsClient
  readonly onCleanup: (step: () => Promise<void>) => void
  readonly prefix: string
  readonly slot: Slot
  /** A client that presents this certificate. */
  readonly clientOf: (certificate: string) => HttpsClient
}

/** The members of a context that record checks, observations and notes. */
type ReportingMembers = Pick<
  Context,
  'asks' | 'check' | 'checkReply' | 'note' | 'notApplicable' | 'observe' | 'version'
>

/** Where those members record. */
type Records = Pick<AttemptParts, 'record' | 'observations'> & {
  readonly transcript: Pick<Transcript, 'entries' | 'lastExchange' | 'note'>
}

/** Makes the members of a context that record checks, observations and notes. */
export function reportingMembers(
  environment: Pick<RunEnvironment, 'rows' | 'dialect'>,
  trial: Trial,
  parts: Records,
): ReportingMembers {
  const { scenario, version, cells } = trial
  const check = checkOf(environment, trial, parts)
  const observe = observing(parts)
  return {
    ...{ version, check, observe, notApplicable },
    asks: (cell) => cells?.includes(cell) ?? true,
    checkReply: (reply, { body: received, status }, conditions = []) => {
      const body = inDocumentForm(received, environment.dialect)
      const asCells = scenario.matrix?.name === FIELDS
      const { rows } = environment
      checkFields(check, { rows, reply, version, body, status, conditions, asCells })
      const others = otherMembers(environment.rows, reply, body)
      if (others.length > 0) observe('MEMBERS', `${reply}, members that no version has`, others)
    },
    note: (text) => parts.transcript.note(text),
  }
}

/** Makes the context of a scenario for one attempt under one version. */
export function makeContext(shared: RunEnvironment, trial: Trial, parts: AttemptParts): Context {
  const { scenario, version } = trial
  const environment = underSettings(shared, scenario)
  const { client } = parts
  const random = seededRandom(environment.seed, `${scenario.id}@${version}`)
  const wait = (ms: number) => parts.slot.rest(() => environment.wait(ms))
  const servers = serversOf({ ...environment, wait }, trial, client)
  const keyForms = keyFormsOf(environment.dialect)
  return {
    ...reportingMembers(environment, trial, parts),
    ...{ ...servers, random },
    tlsFiles: environment.tlsFiles,
    hasSettings: hasSettings(shared, scenario),
    certificates: certificateMaker({ ...environment, ca: environment.contexts.ca }),
    machines: new Machines({
      ...{ ...environment, ...parts, wait, random, ...servers },
      tpmStates: statesFor(environment, trial),
    }),
    pullAgents: new PullAgents({ ...parts, pool: environment.pullAgents, keyForms, version }),
    pushAgents: new PushAgents({ ...parts, pool: environment.pushAgents }),
    tenants: new Tenants({ ...parts, pool: environment.tenants, keyForms, random }),
    now: () => Date.now(),
    controls: notedControls(environment.controls, parts),
    cleanUp: (step) =>
      parts.onCleanup(async () => {
        await step()
      }),
    elapse: elapsing(environment, parts),
    waitForOthers: () => parts.slot.waitForOthers(),
    until: (condition, limits) => parts.slot.rest(() => until(condition, limits)),
    quoteIntervalMs: environment.quoteIntervalMs,
    lifetimes: environment.lifetimes,
  }
}

/** The states of TPMs that were recorded for this trial. */
function statesFor({ recordedTpms }: RunEnvironment, { scenario, version }: Trial) {
  const isOwn = recordedTpms?.id === scenario.id && recordedTpms.version === version
  return isOwn ? recordedTpms.states : []
}

/** The environment of a scenario: with the servers of its settings, if the deployment has them. */
function underSettings(
  environment: RunEnvironment,
  { settings }: Trial['scenario'],
): RunEnvironment {
  const variant = settings && environment.variants[settings]
  if (variant === undefined) return environment
  const { urls, lifetimes } = variant
  if (settings === 'provider')
    return { ...environment, urls: { ...environment.urls, provider: urls.registrar } }
  return { ...environment, lifetimes, urls: { ...environment.urls, ...urls } }
}

/** Whether the role under test has a server with the settings of the scenario. */
function hasSettings({ variants }: RunEnvironment, { settings, role }: Trial['scenario']): boolean {
  const urls = settings && variants[settings]?.urls
  return (role === 'verifier' || role === 'registrar') && urls?.[role] !== undefined
}

/** Clients of registrar and verifier under the version of a trial. */
function serversOf(environment: RunEnvironment, { scenario, version }: Trial, client: HttpsClient) {
  const { versions, dialect, urls, admin, verdictWithinMs, wait, now } = environment
  const shared = { client, version, versions, dialect }
  const registrar = new RegistrarClient({
    ...shared,
    url: urls.registrar,
    plainUrl: urls.plainRegistrar,
    providerUrl: urls.provider,
    isUnderTest: scenario.role === 'registrar',
  })
  const verifier = new VerifierClient({
    ...{ ...shared, url: urls.verifier, admin, verdictWithinMs, wait, now },
  })
  return { registrar, verifier }
}

function checkOf(
  environment: Pick<RunEnvironment, 'rows'>,
  { scenario, version, cells: chosen }: Trial,
  { transcript, record }: Records,
): Context['check'] {
  const add = (check: CheckResult, byClock: boolean): void => {
    if (check.cell === undefined || (chosen?.includes(check.cell) ?? true)) record(check, byClock)
  }
  const sink = {
    lastExchange: () => transcript.lastExchange(),
    unreadAnswer: () => unreadAnswer(transcript),
    add,
  }
  const cells = scenario.matrix?.cells(version)
  const rowOf = (requirement: string) => {
    const row = environment.rows.find(({ id }) => id === requirement)
    return row && { strength: strengthIn(version, row, scenario), readings: readingsOf(row) }
  }
  return makeCheck(scenario.requirements, sink, rowOf, cells)
}

function unreadAnswer(transcript: Records['transcript']): string | undefined {
  const entry = transcript.entries[transcript.lastExchange()]
  if (entry?.lane !== 'wire' || entry.by_subject) return undefined
  const { response, failure } = entry
  return unreadable({ status: response?.status, failure, text: response?.body ?? '' })
}

function observing({ observations, transcript }: Records): Context['observe'] {
  return (key, what, received) => {
    observations.push({ key, what, received: show(received), at: transcript.lastExchange() })
  }
}

/** Waits in real time, for at most half of the scenario's time limit. */
function elapsing(
  { scenarioMs, wait }: RunEnvironment,
  { slot, transcript }: AttemptParts,
): Context['elapse'] {
  const most = scenarioMs / 2
  return async (ms, what) => {
    if (!(ms <= most))
      notApplicable(
        `${what} ${presentDuration(ms)}, and a scenario waits for at most ${presentDuration(most)}`,
      )
    transcript.note(`waiting for ${presentDuration(ms)}`)
    await slot.pause(() => wait(ms))
  }
}

function notApplicable(reason: string): never {
  throw new NotApplicable(reason)
}

/** The controls of the servers, noted in the transcript; a restart also drops the connections to the old process. */
function notedControls(controls: Controls, { transcript, client }: AttemptParts): Controls {
  const { restart, restartRegistrar, advance } = controls
  const noted = (server: string, again: () => Promise<void>) => async () => {
    transcript.note(`the ${server} is restarted`)
    client.close()
    await again()
  }
  return {
    ...(restart && { restart: noted('verifier', restart) }),
    ...(restartRegistrar && { restartRegistrar: noted('registrar', restartRegistrar) }),
    ...(advance && {
      advance: async (seconds: number) => {
        transcript.note(`the clock of the verifier moves ${seconds} s ahead`)
        await advance(seconds)
      },
    }),
  }
}
