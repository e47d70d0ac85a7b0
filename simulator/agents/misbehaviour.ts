import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { PullMachine } from '../machine/pull-machine.ts'
import type { Bank } from '../tpm/hash.ts'

/** `results` of an integrity quote, in the spelling of the wire. */
export type Results = Readonly<Record<string, unknown>>

/** Request to the machine for a quote. */
export interface Quoting {
  readonly nonce: string
  readonly pcrs: readonly number[]
  readonly bank: Bank
}

/** Input of a misbehaviour. */
export interface MisbehaviourInput {
  readonly machine: PullMachine
  /** The honest quote request. */
  readonly quoting: Quoting
  /** First requested line of the measurement list. */
  readonly entry: number
  /** The previous results, honest or not; undefined for the first quote. */
  readonly before: Results | undefined
  /** Returns the `quote` text of an unknown key over the same request, for an agent that changes its key. */
  quoteByAnother(quoting: Quoting): Promise<string>
  /** Returns the `quote` text of this machine. */
  quote(quoting: Quoting): Promise<string>
}

/** A named defect of a pull agent, in one layer of its answer. */
export interface Misbehaviour {
  /** One clause that describes what the agent does. */
  readonly what: string
  /** Replaces the TLS handshake; `other` completes it with another certificate. */
  readonly connects?: (socket: Socket, other: (socket: Socket) => void) => void
  /** Replaces the answer; receives the text of the honest one, and a signal that is aborted when the script is replaced. */
  readonly answers?: (
    response: ServerResponse,
    honest: string,
    replaced: AbortSignal,
  ) => void | Promise<void>
  /** Replaces the quote request. */
  readonly quotes?: (quoting: Quoting) => Quoting
  /** Replaces the honest results. */
  readonly returns?: (honest: Results, input: MisbehaviourInput) => Results | Promise<Results>
  /** Changes the machine once, before it answers. */
  readonly happens?: (machine: PullMachine) => Promise<unknown>
  /** Whether it answers its V key with HTTP 503. */
  readonly refusesV?: true
  /** The only versions that the agent supports from then on. */
  readonly serves?: readonly string[]
}
