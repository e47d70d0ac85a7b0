import type { Check } from './attempt/check.ts'
import type { PollLimits } from './attempt/poll.ts'
import type { SeededRandom } from './attempt/random.ts'
import type { Reply } from './attempt/reply.ts'
import type { Condition, ReplyName } from './catalogue/requirement.ts'
import type { Machines } from './client/agents/machines.ts'
import type { MakeCertificate } from './client/certificate-maker.ts'
import type { RegistrarClient } from './client/registrar-client.ts'
import type { VerifierClient } from './client/verifier-client.ts'
import type { PullAgents } from './peers/pull-agents.ts'
import type { PushAgents } from './peers/push-agents.ts'
import type { Tenants } from './peers/tenants.ts'
import type { Role } from './report/result.ts'
import type { Controls } from './target/deployment/controls.ts'

/** What a scenario gets to work with. Everything it says and hears is recorded. */
export interface Context {
  /** The API version under which this run of the scenario judges. */
  readonly version: string
  readonly registrar: RegistrarClient
  readonly verifier: VerifierClient
  readonly machines: Machines
  /** The pull agents under judgement. */
  readonly pullAgents: PullAgents
  /** The push agents under judgement. */
  readonly pushAgents: PushAgents
  /** The tenants under judgement. */
  readonly tenants: Tenants
  readonly random: SeededRandom
  /** Makes client certificates, right ones and wrong ones. */
  readonly certificates: MakeCertificate
  /** An assertion: names the requirement it speaks for, what was looked at, expected and received. */
  readonly check: Check
  /**
   * Checks every field row of the catalogue for that reply: presence, type and value set, as far as
   * the conditions given hold. The scenario lists the reply in `replies`.
   */
  checkReply(name: ReplyName, reply: Reply, conditions?: readonly Condition[]): void
  /** Records behaviour where the document is silent; never fails. */
  observe(key: string, what: string, received: unknown): void
  /** A sentence for the transcript. */
  note(text: string): void
  /** What can be done to the verifier beside speaking to it. */
  readonly controls: Controls
  /** Remembers what to undo when the scenario is over, however it ends. */
  cleanUp(step: () => Promise<unknown>): void
  /**
   * Lets a time pass that the subject itself named, in milliseconds; ends the scenario as not applicable when it is
   * longer than half of what a scenario may take. `what` begins the sentence that says so.
   */
  elapse(ms: number, what: string): Promise<void>
  /** Looks at a condition until it holds; false when the time was over first. Other scenarios run meanwhile. */
  until(condition: () => boolean | Promise<boolean>, limits: PollLimits): Promise<boolean>
  /** The quote interval of the deployment in milliseconds, as its target file says. */
  readonly quoteIntervalMs: number
  /** Ends the scenario as not applicable, with the reason. */
  notApplicable(reason: string): never
}

/** The part of a matrix that one scenario fills. */
export interface MatrixPart {
  readonly name: string
  /** The cells under a version; no other scenario has the same ones. */
  cells(version: string): readonly string[]
}

/** One behaviour, judged over the wire: data with one function. */
export interface Scenario {
  /**
   * Dotted, and the path of its file: `push.evidence.accepted` is `scenarios/push/evidence/accepted.ts`. A folder may
   * stand where the id has a hyphen. A file that
   * exports a family, a list of scenarios over data, is the beginning of their ids.
   */
  readonly id: string
  readonly title: string
  /** Ids of the requirement rows that its checks speak for. */
  readonly requirements: readonly string[]
  /** Replies whose field rows it checks; the runner adds the rows' ids to `requirements`. */
  readonly replies?: readonly ReplyName[]
  /** The component that is judged. */
  readonly role: Role
  /** First and last API version it applies to. */
  readonly since: string
  readonly until?: string
  /**
   * What it asks is the same in every minor version: it runs under the newest of each major version that
   * is judged, and not under each. A variant has it when its twin has.
   */
  readonly perMajor?: true
  /** Words of the target file's `capabilities` without which the case cannot arise. */
  readonly needs?: readonly string[]
  /** What it fills of a matrix: its checks name the cells, and a run counts them. */
  readonly matrix?: MatrixPart
  /** About how many seconds it takes on an idle machine, where that is more than two: what takes longest begins first. */
  readonly seconds?: number
  /** It waits for real time to pass, and runs only when that is asked for. */
  readonly slow?: true
  /** Others would notice what it does, such as a restart: it runs when they are over, and its variants with it. */
  readonly alone?: true
  /** Id of the passing twin; this scenario differs from it in one place. */
  readonly variantOf?: string
  run(context: Context): Promise<void>
}

/** Declares a scenario: what it is called, the requirements it speaks for, the versions it applies to, and what it does. */
export function scenario(definition: Scenario): Scenario {
  return definition
}

export { toHex } from '../simulator/tpm/write.ts'
export { REFUSED } from './attempt/check.ts'
export {
  at,
  attributes,
  isRefusal,
  isSuccess,
  jsonIn,
  listOf,
  type Reply,
  results,
} from './attempt/reply.ts'
export type { PullAgent } from './client/agents/pull-agent.ts'
export type { PushAgent } from './client/agents/push-agent.ts'
export { base64, flipBit } from './client/bytes.ts'
export { ANONYMOUS } from './client/identity.ts'
