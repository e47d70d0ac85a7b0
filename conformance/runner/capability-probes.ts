import { at, attributes, isRefusal, isSuccess, listOf } from '../attempt/reply.ts'
import { applies, compareVersions } from '../catalogue/routes/operations.ts'
import type { CapabilityAnswers } from '../preflight/examination.ts'
import type { Context, Scenario } from '../scenario.ts'
import { NO_DEVIATIONS } from '../target/deviations.ts'
import { type EnvironmentParts, makeEnvironment } from './make-environment.ts'
import { runScenario } from './run-scenario.ts'

/** Longest wait for the first poll of an agent, in milliseconds. */
const POLL_WITHIN_MS = 1000

type Answers = Map<string, boolean>

/** Finds out some capabilities with one agent, under the newest version in a range. */
interface CapabilityProbe {
  readonly since: string
  readonly until?: string
  readonly run: (context: Context, answers: Answers) => Promise<void>
}

const PROBES: readonly CapabilityProbe[] = [
  { since: '3.0', run: probeLogs },
  { since: '2.3', until: '2.5', run: probePolls },
  { since: '2.1', run: probeEkStore },
]

/** With both policies enrolled, a verifier requests the logs that it can evaluate. */
async function probeLogs({ machines }: Context, answers: Answers): Promise<void> {
  const agent = await machines.softAgent({ measured: true, measuredBoot: true })
  const reply = await agent.offerInTurn()
  if (!isSuccess(reply)) return
  const requested = listOf(attributes(reply, 'evidence_requested')) ?? []
  const types = requested.map((item) => at(item, 'evidence_type'))
  for (const type of ['ima_log', 'uefi_log']) answers.set(type, types.includes(type))
}

/** A verifier of pull mode contacts an agent soon after it is added. Silence leaves the answer open. */
async function probePolls({ machines, until }: Context, answers: Answers): Promise<void> {
  const agent = await machines.pullAgent({ measured: false })
  const limits = { everyMs: 50, withinMs: POLL_WITHIN_MS }
  if (await until(() => agent.asked.length > 0, limits)) answers.set('pull_mode', true)
}

/** A registrar with a store takes a right EK certificate, and rejects one by an untrusted maker. */
async function probeEkStore({ machines }: Context, answers: Answers): Promise<void> {
  await machines.softAgent({ until: 'activated' })
  const agent = await machines.softAgent({ until: 'booted' })
  const reply = await agent.register({ ekcert: await agent.ekCertificate('another-maker') })
  if (isRefusal(reply) || isSuccess(reply)) answers.set('ek_store', isRefusal(reply))
}

/**
 * The capabilities of a deployment that show from outside, at once and in about a second: present or absent. Others are
 * not in the map. Everything that a probe creates is deleted.
 */
export async function probeCapabilities(parts: EnvironmentParts): Promise<CapabilityAnswers> {
  const environment = makeEnvironment({ ...parts, deviations: NO_DEVIATIONS })
  const answers: Answers = new Map()
  await Promise.all(
    PROBES.map(async ({ since, until, run }, index) => {
      const range = { since, ...(until !== undefined && { until }) }
      const versions = parts.target.versions.filter((one) => applies(range, one))
      const version = versions.toSorted(compareVersions).at(-1)
      if (version === undefined) return
      const id = `doctor.capabilities-${index}`
      const scenario: Scenario = {
        ...{ id, title: 'Capabilities', requirements: [], role: 'verifier', since },
        run: (context) => run(context, answers),
      }
      await runScenario(environment, { scenario, version }, `d-c${index}`)
    }),
  )
  return answers
}
