import { makeCheck, type StrengthOf, show } from '../attempt/check.ts'
import { NotApplicable } from '../attempt/endings.ts'
import { until } from '../attempt/poll.ts'
import { seededRandom } from '../attempt/random.ts'
import type { Slot } from '../attempt/slots.ts'
import type { CatalogueRow } from '../catalogue/requirement.ts'
import { Machines } from '../client/agents/machines.ts'
import { certificateMaker } from '../client/certificate-maker.ts'
import { inDocumentForm } from '../client/document-form.ts'
import type { HttpsClient } from '../client/https-client.ts'
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
import type { Bench } from './bench.ts'
import type { Trial } from './plan.ts'

/** What an attempt writes to and speaks with. */
export interface Furniture {
  readonly transcript: Transcript
  readonly checks: CheckResult[]
  readonly measured: Set<CheckResult>
  readonly observations: Observation[]
  readonly client: HttpsClient
  readonly onCleanup: (step: () => Promise<void>) => void
  readonly prefix: string
  readonly slot: Slot
  /** A client of a server that shows this certificate. */
  readonly clientOf: (certificate: string) => HttpsClient
}

/** What a scenario is given, for one attempt under one version. */
export function makeContext(bench: Bench, trial: Trial, furniture: Furniture): Context {
  const { scenario, version } = trial
  const { transcript, client } = furniture
  const random = seededRandom(bench.seed, `${scenario.id}@${version}`)
  const wait = (ms: number) => furniture.slot.rest(() => bench.wait(ms))
  const servers = serversOf({ ...bench, wait }, trial, client)
  const check = checkOf(bench, trial, furniture)
  const observe = observing(furniture)
  return {
    ...{ version, ...servers, random, check, observe },
    certificates: certificateMaker({ ...bench, ca: bench.contexts.ca }),
    machines: new Machines({ ...bench, ...furniture, wait, random, ...servers }),
    pullAgents: new PullAgents({ ...furniture, desk: bench.pullAgents, version }),
    pushAgents: new PushAgents({ ...furniture, desk: bench.pushAgents }),
    tenants: new Tenants({ ...furniture, desk: bench.tenants, random }),
    checkReply: (reply, { body: said }, conditions = []) => {
      const body = inDocumentForm(said, bench.dialect)
      const asCells = scenario.matrix?.name === FIELDS
      checkFields(check, { rows: bench.rows, reply, version, body, conditions, asCells })
      const others = otherMembers(bench.rows, reply, body)
      if (others.length > 0) observe('MEMBERS', `${reply}, members that no version has`, others)
    },
    note: (text) => transcript.note(text),
    controls: notedControls(bench.controls, furniture),
    cleanUp: (step) =>
      furniture.onCleanup(async () => {
        await step()
      }),
    elapse: elapsing({ ...bench, wait }, transcript),
    until: (condition, limits) => furniture.slot.rest(() => until(condition, limits)),
    quoteIntervalMs: bench.quoteIntervalMs,
    notApplicable,
  }
}

/** Registrar and verifier, as they are spoken to under the version of a trial. */
function serversOf(bench: Bench, { scenario, version }: Trial, client: HttpsClient) {
  const { versions, dialect, urls, admin, verdictWithinMs, wait, now } = bench
  const spoken = { client, version, versions, dialect }
  const registrar = new RegistrarClient({
    ...spoken,
    url: urls.registrar ?? '',
    plainUrl: urls.plainRegistrar,
    judged: scenario.role === 'registrar',
  })
  const url = urls.verifier ?? ''
  const verifier = new VerifierClient({ ...spoken, url, admin, verdictWithinMs, wait, now })
  return { registrar, verifier }
}

function checkOf(
  bench: Bench,
  { scenario, version }: Trial,
  { transcript, checks, measured }: Furniture,
): Context['check'] {
  const book = {
    lastExchange: () => transcript.lastExchange(),
    add: (result: CheckResult, byClock: boolean) => {
      checks.push(result)
      if (byClock) measured.add(result)
    },
  }
  const cells = scenario.matrix?.cells(version)
  return makeCheck(scenario.requirements, book, strengthsOf(bench.rows), cells)
}

function strengthsOf(rows: readonly CatalogueRow[]): StrengthOf {
  return (requirement) => rows.find(({ id }) => id === requirement)?.strength ?? 'fixed'
}

function observing({ observations, transcript }: Furniture): Context['observe'] {
  return (key, what, received) => {
    observations.push({ key, what, received: show(received), at: transcript.lastExchange() })
  }
}

/** Waits for real, for half the time of a scenario at the most. */
function elapsing({ scenarioMs, wait }: Bench, transcript: Transcript): Context['elapse'] {
  const most = scenarioMs / 2
  return async (ms, what) => {
    if (!(ms <= most))
      notApplicable(
        `${what} ${presentDuration(ms)}, and a scenario waits for ${presentDuration(most)} at the most`,
      )
    transcript.note(`waiting for ${presentDuration(ms)}`)
    await wait(ms)
  }
}

function notApplicable(reason: string): never {
  throw new NotApplicable(reason)
}

/** The controls, with what they do in the transcript; connections to a verifier that is gone are gone too. */
function notedControls(controls: Controls, { transcript, client }: Furniture): Controls {
  const { restart, advance } = controls
  return {
    ...(restart && {
      restart: async () => {
        transcript.note('the verifier is restarted')
        client.close()
        await restart()
      },
    }),
    ...(advance && {
      advance: async (seconds: number) => {
        transcript.note(`the clock of the verifier moves ${seconds} s ahead`)
        await advance(seconds)
      },
    }),
  }
}
