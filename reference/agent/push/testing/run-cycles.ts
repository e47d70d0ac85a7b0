import { type PushStep, pushDriver } from '../driver.ts'
import { PUSH_AGENT_PARTS } from '../push-agent-parts.ts'
import type { Call, RecordedRequest, TestEnvironment } from './push-environment.ts'

const RUNNING = new AbortController().signal

/** Steps until evidence was accepted that many times, up to a limit of steps. */
export async function run(scene: TestEnvironment, cycles = 1): Promise<readonly PushStep[]> {
  const driver = pushDriver(scene.environment, PUSH_AGENT_PARTS)
  const steps: PushStep[] = []
  const accepted = () => steps.filter(({ event }) => event === 'accepted').length
  while (accepted() < cycles && steps.length < 40 * cycles) steps.push(await driver.step(RUNNING))
  return steps
}

/** The requests, in order. */
export const callsOf = ({ asked }: TestEnvironment): readonly Call[] =>
  asked.map(({ call }) => call)
/** The questions of one kind. */
export const asked = (scene: TestEnvironment, call: Call): readonly RecordedRequest[] =>
  scene.asked.filter((question) => question.call === call)

interface Attributes {
  readonly attributes: Readonly<Record<string, unknown>>
}
/** `data.attributes` of a question. */
export const attributesOf = (question: RecordedRequest | undefined) =>
  (question?.body as { data: Attributes } | undefined)?.data.attributes ?? {}
