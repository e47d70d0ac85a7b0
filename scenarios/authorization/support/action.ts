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

/** The environment of one scenario of the matrix. */
export interface Stage {
  readonly context: Context
  /** The agent whose resources are requested, unless an attempt creates its own. */
  readonly agent: SoftAgent
  /** Registers another agent at the component under test, with a token if requests need one. */
  newAgent(options?: {
    readonly registered?: boolean
    readonly loggedIn?: boolean
  }): Promise<SoftAgent>
}

/** The state that an administrator reads after refused requests, and its expected value. */
interface Look {
  readonly what: string
  readonly received: unknown
  readonly expected: unknown
}

/** One operation on an existing resource, or on one that does not exist yet. */
export interface Attempt {
  /** Owner of the resource, and of the token called `own`. */
  readonly agent: SoftAgent
  send(as: Credentials): Promise<Reply>
  /** A successful request consumes the resource. */
  readonly once?: true
  /** It reads an existing resource, so an authorized request succeeds. */
  readonly reads?: true
  look?(): Promise<Look>
}

/** Prepares the resource of an operation. */
export type Action = (stage: Stage) => Promise<Attempt>

/** Whether a resource exists, by the reply to a GET of it. */
export function presence(reply: Reply): string {
  if (isSuccess(reply)) return 'there'
  return isRefusal(reply) ? 'not there' : presentReply(reply)
}
