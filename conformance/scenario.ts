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
import type { Lifetimes, Target, VariantName } from './target/target.ts'

/** What a scenario works with. Every request, reply and TPM command is recorded. */
export interface Context {
  /** The API version of this run of the scenario. */
  readonly version: string
  readonly registrar: RegistrarClient
  readonly verifier: VerifierClient
  readonly machines: Machines
  /** The pull agents under test. */
  readonly pullAgents: PullAgents
  /** The push agents under test. */
  readonly pushAgents: PushAgents
  /** The tenants under test. */
  readonly tenants: Tenants
  readonly random: SeededRandom
  /** Whether the deployment has a server of this role with the `settings` of the scenario. */
  readonly hasSettings: boolean
  /** The files of CA and administrator, as the target file names them. */
  readonly tlsFiles: Target['tls']
  /** Makes client certificates, valid and invalid ones. */
  readonly certificates: MakeCertificate
  /** An assertion: names the requirement, the value that is checked, and what is expected and received. */
  readonly check: Check
  /** Whether this run asks a cell of the scenario's matrix: all, or those that the user chose. */
  asks(cell: string): boolean
  /**
   * Checks every field row of the catalogue for that reply: presence, type and value set, as far as
   * the conditions given hold. The scenario lists the reply in `replies`.
   */
  checkReply(name: ReplyName, reply: Reply, conditions?: readonly Condition[]): void
  /** Records behaviour where the document is silent; never fails. */
  observe(key: string, what: string, received: unknown): void
  /** The time in milliseconds since 1970. */
  now(): number
  /** Adds a sentence to the transcript. */
  note(text: string): void
  /** Operations on the verifier that the interface has no request for. */
  readonly controls: Controls
  /** Registers a step that runs when the scenario ends, however it ends. */
  cleanUp(step: () => Promise<unknown>): void
  /**
   * Waits for a time that the subject itself gave, in milliseconds. Ends the scenario as not applicable if that is
   * longer than half of the scenario's time limit; `what` begins the sentence with the reason.
   */
  elapse(ms: number, what: string): Promise<void>
  /** Waits, in a scenario that runs alone at its end, until no other scenario runs. */
  waitForOthers(): Promise<void>
  /** Polls a condition until it holds; false after the time limit. Other scenarios run meanwhile. */
  until(condition: () => boolean | Promise<boolean>, limits: PollLimits): Promise<boolean>
  /** The quote interval of the deployment in milliseconds, as its target file says. */
  readonly quoteIntervalMs: number
  /** Configured lifetimes in milliseconds, as far as the target file gives them. */
  readonly lifetimes: Lifetimes
  /** Ends the scenario as not applicable, with the reason. */
  notApplicable(reason: string): never
}

/** The part of a matrix that one scenario fills. */
export interface MatrixPart {
  readonly name: string
  /** The cells under a version; no other scenario has the same ones. */
  cells(version: string): readonly string[]
}

/** One behaviour of a component, tested over the wire: data with one function. */
export interface Scenario {
  /**
   * Dotted, and the path of its file: `push.evidence.accepted` is `scenarios/push/evidence/accepted.ts`. A folder may
   * stand where the id has a hyphen. The file of a family, a list of scenarios over data, gives the prefix of their
   * ids.
   */
  readonly id: string
  readonly title: string
  /** Ids of the requirement rows that its checks cover. */
  readonly requirements: readonly string[]
  /** Replies whose field rows it checks; the runner adds the rows' ids to `requirements`. */
  readonly replies?: readonly ReplyName[]
  /** The component under test. */
  readonly role: Role
  /** First and last API version it applies to. */
  readonly since: string
  readonly until?: string
  /**
   * It starts agents or commands, or waits for many polls, so that a run takes seconds, and its code knows no version:
   * it runs only under the newest tested minor version of each major version. Set on a variant if it is set on its twin.
   */
  readonly perMajor?: true
  /** Entries of the target file's `capabilities` that the scenario needs. */
  readonly needs?: readonly string[]
  /** The cells of a matrix that it fills: its checks name them, and a run counts them. */
  readonly matrix?: MatrixPart
  /** Approximate duration in seconds on an idle machine, if above two: long scenarios start first. */
  readonly seconds?: number
  /** Number of agents that the verifier polls for it, if more than four: too many together are not polled in time. */
  readonly polled?: number
  /**
   * It runs against the servers with these settings, if the deployment has them; otherwise against the usual one. With
   * `provider` it uses the registrar of hosts (`registrar.atProvider()`).
   */
  readonly settings?: VariantName
  /**
   * It disturbs other scenarios, for example by a restart: it runs after them, and so do its variants. With `at its end`
   * it begins with the others, and calls `context.waitForOthers()` before it disturbs them.
   */
  readonly alone?: true | 'at its end'
  /**
   * No server passes it without doing its work, because the right replies depend on keys or on evidence that was made
   * for this run. Other scenarios of the role count only if at least a third of these pass.
   */
  readonly provesFunction?: true
  /** Id of the passing twin; this scenario differs from it in one place. */
  readonly variantOf?: string
  /** The file that it comes from, as `scenarios/push/evidence/accepted.ts`; the runner adds it. */
  readonly source?: string
  run(context: Context): Promise<void>
}

/** Declares a scenario: its id and title, the requirements it covers, the versions it applies to, and its steps. */
export function scenario(definition: Scenario): Scenario {
  return definition
}

export { toHex } from '../simulator/tpm/write.ts'
export { NO_SERVER_ERROR, REFUSED } from './attempt/check.ts'
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
