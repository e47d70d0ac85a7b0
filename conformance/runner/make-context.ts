import { certificateMaker } from '../certificates/certificate-maker.ts'
import { inDocumentForm } from '../client/document-form.ts'
import type { HttpsClient } from '../client/https-client.ts'
import { Machines } from '../client/machines.ts'
import { RegistrarClient } from '../client/registrar-client.ts'
import type { Transcript } from '../client/transcript.ts'
import { VerifierClient } from '../client/verifier-client.ts'
import { FIELDS } from '../matrix/fields-part.ts'
import type { CheckResult, Observation } from '../report/result.ts'
import type { CatalogueRow } from '../spec/requirement.ts'
import { PullAgents } from '../subjects/pull-agents.ts'
import { PushAgents } from '../subjects/push-agents.ts'
import { Tenants } from '../subjects/tenants.ts'
import type { Controls } from '../target/controls.ts'
import { presentDuration } from '../target/duration.ts'
import { until } from '../target/poll.ts'
import { checkFields } from '../wire/check-fields.ts'
import { otherMembers } from '../wire/other-members.ts'
import type { Bench } from './bench.ts'
import { makeCheck, type StrengthOf, show } from './check.ts'
import { NotApplicable } from './endings.ts'
import type { Trial } from './plan.ts'
import { seededRandom } from './random.ts'
import type { Context } from './scenario.ts'
import type { Slot } from './slots.ts'

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
