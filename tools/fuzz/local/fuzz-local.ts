import { SetupFault } from '../../../conformance/input/fault.ts'
import { closeOnSignal } from '../../../conformance/target/processes/close-on-signal.ts'
import { baselineOf } from '../baseline.ts'
import type { CampaignContext } from '../campaign-context.ts'
import { encodeEvidence } from '../encode.ts'
import type { FuzzOptions } from '../fuzz-options.ts'
import { type FuzzKind, isOfRegistrar } from '../kinds.ts'
import { EVIDENCE_MUTATIONS } from '../mutations/catalogue.ts'
import { evidenceRoute } from '../routes/evidence-route.ts'
import { isTaken, type Route, tried } from '../routes/route.ts'
import { sequenceRoute } from '../routes/sequence-route.ts'
import { type Job, replayOne, runCampaigns } from '../run-campaigns.ts'
import { localChannel } from './local-channel.ts'
import { LocalEvaluator } from './local-evaluator.ts'
import type { EvaluatorCommand } from './program.ts'

/** Inputs in flight: the evaluator works while the next ones are made. */
const AT_ONCE = 16

/** The route to an evaluator, and the way to end it. */
interface Opened {
  readonly route: Route
  readonly evaluator: LocalEvaluator
}

/** The route of a kind to an evaluator, which starts with the first input. */
export function openLocalRoute(
  { kind, options }: { readonly kind: FuzzKind; readonly options: Pick<FuzzOptions, 'deadline'> },
  command: EvaluatorCommand,
): Opened {
  if (isOfRegistrar(kind))
    throw new SetupFault(`${kind} goes to a registrar, and offline evaluators have none`, {
      next: 'give the deployment of a registrar with --target FILE',
    })
  const model = baselineOf(kind)
  const baseline = JSON.stringify(encodeEvidence(model, []))
  const { deadline: deadlineMs } = options
  const evaluator = new LocalEvaluator({ command, baseline, atOnce: AT_ONCE, deadlineMs })
  const channel = localChannel(evaluator, AT_ONCE)
  const route = kind === 'sequence' ? sequenceRoute : evidenceRoute
  return { evaluator, route: route(channel, model, EVIDENCE_MUTATIONS[kind]) }
}

async function fuzzOrReplay(job: Job, context: CampaignContext, route: Route): Promise<number> {
  const checked = await tried(route)
  if (!isTaken(checked))
    throw new SetupFault(`${checked.why}, so that no refusal would mean anything`, {
      next: 'look at what the evaluator answers to evidence that is valid',
    })
  if (job.finding !== undefined) return replayOne(job.finding, context, [route], job.say)
  const found = await runCampaigns(job, context, [route])
  if (context.interrupted.aborted) return 2
  return found > 0 ? 1 : 0
}

/** Fuzzes an evaluator that runs on this machine as a process of its own; returns the exit code. */
export async function fuzzLocal(job: Job, command: EvaluatorCommand): Promise<number> {
  const { kind, seed, target, say } = job
  say(`seed ${seed}  ${kind} on this machine, evaluator ${target}`)
  const { route, evaluator } = openLocalRoute(job, command)
  const interrupted = new AbortController()
  const context: CampaignContext = {
    ...{ now: () => performance.now(), interrupted: interrupted.signal },
    ...{ redact: (text) => text, healthProblem: async () => undefined },
  }
  const working = fuzzOrReplay(job, context, route)
  const undo = closeOnSignal(async () => {
    interrupted.abort()
    await Promise.allSettled([working])
    await evaluator.close()
  })
  try {
    return await working
  } finally {
    await evaluator.close()
    undo()
  }
}
