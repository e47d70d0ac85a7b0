import {
  isRefusal,
  isSuccess,
  presentReply,
  type Reply,
} from '../../../conformance/attempt/reply.ts'
import type { PushAgent } from '../../../conformance/client/agents/push-agent.ts'
import type { Credentials } from '../../../conformance/client/identity.ts'
import type { Context } from '../../../conformance/scenario.ts'
import type { AttestingMachine } from '../../../simulator/machine/unbooted-machine.ts'

export type SoftAgent = PushAgent<AttestingMachine>

/** Where one scenario of the matrix happens. */
export interface Stage {
  readonly context: Context
  /** The agent whose resources are asked for, unless an attempt has one of its own. */
  readonly agent: SoftAgent
  /** Another agent like it: known to the component that is judged, and with a token where one is asked with. */
  newAgent(options?: {
    readonly registered?: boolean
    readonly loggedIn?: boolean
  }): Promise<SoftAgent>
}

/** What an administrator sees after requests that were refused, and what there has to be to see. */
export interface Look {
  readonly what: string
  readonly received: unknown
  readonly expected: unknown
}

/** One operation on something that exists, or on a place where nothing is yet. */
export interface Attempt {
  /** Whose resource it is: the owner of the token that is called own. */
  readonly agent: SoftAgent
  send(as: Credentials): Promise<Reply>
  /** What it is about is used up by a request that succeeds. */
  readonly once?: true
  /** It reads something that exists: whoever may do that is answered with a success. */
  readonly reads?: true
  look?(): Promise<Look>
}

/** Makes ready what an operation is about. */
export type Action = (stage: Stage) => Promise<Attempt>

/** Whether something is there, by the reply to a GET of it. */
export function presence(reply: Reply): string {
  if (isSuccess(reply)) return 'there'
  return isRefusal(reply) ? 'not there' : presentReply(reply)
}
