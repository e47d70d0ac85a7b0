import { commandName, TPM_RH, TPM_ST } from './constants.ts'
import { Cursor } from './cursor.ts'
import { responseCodeName, TPM_RC } from './response-code.ts'
import { cat, tpm2b, u8, u16, u32 } from './write.ts'

/** Sends one command and returns its whole response, which may be a failure. */
export type Transmit = (command: Uint8Array) => Promise<Uint8Array>

/** TPMS_AUTH_COMMAND (Part 2, 10.13.2). */
interface AuthCommand {
  readonly sessionHandle: number
  readonly nonce: Uint8Array
  readonly sessionAttributes: number
  readonly hmac: Uint8Array
}

/** The parts of a command (Part 1, clause 18). */
interface Command {
  /** TPM_CC. */
  readonly code: number
  readonly handles?: readonly number[]
  readonly sessions?: readonly AuthCommand[]
  readonly parameters?: Uint8Array
  /** Number of handles at the start of a successful response. */
  readonly responseHandles?: 0 | 1
}

/** The parts of a successful response. */
interface Answer {
  /** The handle in the response; 0 if the command returns none. */
  readonly handle: number
  readonly parameters: Cursor
}

/** A TPM answered a command with another code than TPM_RC_SUCCESS. */
export class TpmError extends Error {
  override readonly name = 'TpmError'
  /** TPM_CC of the command. */
  readonly command: number
  /** TPM_RC, unchanged. */
  readonly code: number

  constructor(command: number, code: number) {
    super(`${commandName(command)} was refused with ${responseCodeName(code)}`)
    this.command = command
    this.code = code
  }
}

const EMPTY = new Uint8Array()

/** Password authorization with an empty password, which all keys and hierarchies of a simulated machine require. */
export const EMPTY_PASSWORD: AuthCommand = authSession(TPM_RH.PW)

/** Authorization by a session without an HMAC: a password session, or a policy session in its current state. */
export function authSession(sessionHandle: number, sessionAttributes = 0): AuthCommand {
  return { sessionHandle, nonce: EMPTY, sessionAttributes, hmac: EMPTY }
}

function writeAuth(auth: AuthCommand): Uint8Array {
  const { sessionHandle, nonce, sessionAttributes, hmac } = auth
  return cat(u32(sessionHandle), tpm2b(nonce), u8(sessionAttributes), tpm2b(hmac))
}

/** Returns the bytes of a command, with matching size and tag. */
export function writeCommand(command: Command): Uint8Array {
  const { sessions = [] } = command
  const handles = (command.handles ?? []).map(u32)
  const authorizations = cat(...sessions.map(writeAuth))
  const body = cat(
    u32(command.code),
    ...handles,
    ...(sessions.length === 0 ? [] : [u32(authorizations.length), authorizations]),
    command.parameters ?? EMPTY,
  )
  const tag = sessions.length === 0 ? TPM_ST.NO_SESSIONS : TPM_ST.SESSIONS
  return cat(u16(tag), u32(body.length + 6), body)
}

/** Returns the TPM_RC of a response. Throws ShortRead if its header is incomplete. */
export function responseCodeOf(response: Uint8Array): number {
  return new Cursor(response, 'response', 6).u32()
}

/** Sends a command. Throws TpmError unless the response code is TPM_RC_SUCCESS. */
export async function issue(transmit: Transmit, command: Command): Promise<Answer> {
  const cursor = new Cursor(await transmit(writeCommand(command)), 'response')
  const tag = cursor.u16()
  cursor.u32()
  const code = cursor.u32()
  if (code !== TPM_RC.SUCCESS) throw new TpmError(command.code, code)
  const handle = command.responseHandles === 1 ? cursor.u32() : 0
  if (tag !== TPM_ST.SESSIONS) return { handle, parameters: cursor }
  return { handle, parameters: new Cursor(cursor.take(cursor.u32()), 'response parameters') }
}
