import type { SetupStep } from '../report/result.ts'
import { listFileChecks } from './check-files.ts'
import { type Deployment, untrustedFault } from './deployment.ts'
import { SetupFault } from './fault.ts'
import { probe } from './probe.ts'
import type { Target, TargetRole } from './target.ts'

const ANSWER_MS = 5000

export interface PreflightOptions {
  /** At which certificates must be valid; now when absent. */
  readonly now?: Date
  /** Told of each step as it is taken, the failing one included. */
  readonly onStep?: (step: SetupStep) => void
}

function silentFault(
  target: Target,
  { role, url, start }: TargetRole,
  code: string,
  why: string,
): SetupFault {
  if (code === 'ECONNREFUSED' && start === undefined) {
    return new SetupFault(`nothing listens at ${url}`, {
      next: `start the deployment, or add roles.${role}.start to ${target.file}`,
    })
  }
  return new SetupFault(`${role} does not answer at ${url}: ${why}`)
}

async function askRole(target: Target, entry: TargetRole, deployment: Deployment): Promise<string> {
  const casualty = deployment.casualty()
  if (casualty !== undefined) throw new SetupFault(casualty)
  const path = entry.start?.ready.path ?? '/version'
  const answer = await probe(`${entry.url}${path}`, { ca: target.tls.ca, timeoutMs: ANSWER_MS })
  if (answer.kind === 'untrusted') throw untrustedFault(entry, answer)
  if (answer.kind === 'silent') throw silentFault(target, entry, answer.code, answer.why)
  const { status, protocol, validTo } = answer
  const said = status === undefined ? 'asks every client for a certificate' : `answers ${status}`
  return `${entry.url}${path} ${said} over ${protocol}; server certificate valid to ${validTo}`
}

async function takeStep(
  what: string,
  look: () => string | Promise<string>,
  onStep: (step: SetupStep) => void,
) {
  const began = performance.now()
  const told = (ok: boolean, detail: string): SetupStep => {
    const step = { what, ok, detail, ms: Math.round(performance.now() - began) }
    onStep(step)
    return step
  }
  try {
    return told(true, await look())
  } catch (error) {
    told(false, error instanceof SetupFault ? error.sentence : String(error))
    throw error
  }
}

/**
 * Looks, before the first scenario, at everything that would otherwise fail as a riddle: each role answers over TLS with
 * the CA; the administrator's certificate and key can be read, belong together, are in date and are meant for clients.
 * Returns the steps taken, all ok; throws the {@link SetupFault} of the first that is not.
 */
export async function preflight(
  target: Target,
  deployment: Deployment,
  options: PreflightOptions = {},
): Promise<readonly SetupStep[]> {
  const { now = new Date(), onStep = () => undefined } = options
  const steps: SetupStep[] = []
  for (const { what, look } of listFileChecks(target, now)) {
    steps.push(await takeStep(what, look, onStep))
  }
  for (const entry of target.roles) {
    steps.push(
      await takeStep(`${entry.role} answers`, () => askRole(target, entry, deployment), onStep),
    )
  }
  return steps
}
