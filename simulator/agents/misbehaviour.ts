import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { PullMachine } from '../machine/pull-machine.ts'
import type { Bank } from '../tpm/hash.ts'

/** `results` of an integrity quote, in the spelling of the wire. */
export type Results = Readonly<Record<string, unknown>>

/** What the machine is asked to quote. */
export interface Quoting {
  readonly nonce: string
  readonly pcrs: readonly number[]
  readonly bank: Bank
}

/** What an agent has at hand when it answers wrongly. */
export interface Told {
  readonly machine: PullMachine
  /** What it would quote if it were honest. */
  readonly quoting: Quoting
  /** First line of the measurement list that was asked for. */
  readonly entry: number
  /** What it told the last time, whether true or not; undefined the first time. */
  readonly before: Results | undefined
  /** The `quote` text of another key of nobody's over the same, for an agent that changes its key. */
  quoteByAnother(quoting: Quoting): Promise<string>
  /** The `quote` text of this machine. */
  quote(quoting: Quoting): Promise<string>
}

/** A named way for a pull agent to be wrong, at one of the layers that an answer goes through. */
export interface Misbehaviour {
  /** One clause: what the agent then does. */
  readonly what: string
  /** In place of the TLS handshake; `other` lets it happen, with another certificate. */
  readonly connects?: (socket: Socket, other: (socket: Socket) => void) => void
  /** In place of the answer, whose text it knows. */
  readonly answers?: (response: ServerResponse, truth: string) => void | Promise<void>
  /** What is quoted in place of what was asked for. */
  readonly quotes?: (quoting: Quoting) => Quoting
  /** What is told in place of the truth. */
  readonly tells?: (truth: Results, told: Told) => Results | Promise<Results>
  /** What really happens on the machine, once, before it answers. */
  readonly happens?: (machine: PullMachine) => Promise<unknown>
  /** The only versions that it speaks from then on. */
  readonly serves?: readonly string[]
}
