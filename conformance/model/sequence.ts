import { imaEntry } from '../../simulator/ima/make-entry.ts'
import type { LightMachine } from '../../simulator/machine/stub-machine.ts'
import { runtimePolicyOf } from '../../simulator/platform/boot-facts.ts'
import { digest } from '../../simulator/tpm/hash.ts'
import { text } from '../../simulator/tpm/write.ts'
import type { Reply } from '../attempt/reply.ts'
import type { Negotiation } from '../client/agents/evidence.ts'
import type { PushAgent } from '../client/agents/push-agent.ts'
import type { SessionProof } from '../client/agents/session-proof.ts'
import { base64 } from '../client/bytes.ts'
import type { Context } from '../scenario.ts'
import type { Step } from './model.ts'
import { AT_FIRST, type VerifierModel } from './verifier-model.ts'

/** A file in the policy of every sequence. */
export const KNOWN_FILE = '/usr/bin/known'
/** A file outside the policy. */
export const UNKNOWN_FILE = '/usr/bin/unknown'

/** Submitted evidence. */
interface Sent {
  readonly index: string
  readonly body: unknown
}

/** Replies that later requests need. */
interface Kept {
  readonly negotiations: Map<string, Negotiation>
  readonly challenges: Set<string>
  session: Reply | undefined
  proof: SessionProof | undefined
  sent: Sent | undefined
}

/** The state of a sequence: a push agent, the verifier under test, and the model of the verifier. */
export interface Sequence {
  readonly context: Context
  readonly agent: PushAgent<LightMachine>
  /** `runtime_policy` of every addition: the boot and {@link KNOWN_FILE}. */
  readonly policy: string
  readonly kept: Kept
  model: VerifierModel
  /** The harness's clock in milliseconds, which advances with the verifier's. */
  now(): number
  /** Advances the clocks of the verifier and the harness. */
  elapse(ms: number): Promise<void>
}

export type VerifierStep = Step<Sequence>

function policyOf({ ima }: LightMachine): string {
  const known = imaEntry('ima-sig', {
    path: KNOWN_FILE,
    digest: digest('sha256', text(KNOWN_FILE)),
  })
  return base64(text(JSON.stringify(runtimePolicyOf([...ima.entries, known]))))
}

/** Starts a sequence with an agent that is registered and activated, and not added to the verifier. */
export async function beginSequence(context: Context): Promise<Sequence> {
  const agent = await context.machines.lightAgent({ until: 'activated' })
  let moved = 0
  return {
    context,
    agent,
    policy: policyOf(agent.machine),
    kept: {
      negotiations: new Map(),
      challenges: new Set(),
      session: undefined,
      proof: undefined,
      sent: undefined,
    },
    model: AT_FIRST,
    now: () => performance.now() + moved,
    async elapse(ms) {
      const seconds = Math.ceil(ms / 1000)
      await context.controls.advance?.(seconds)
      moved += seconds * 1000
    },
  }
}
