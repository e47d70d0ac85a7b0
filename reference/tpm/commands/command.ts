import { Reader } from '../../bytes/reader.ts'
import { Writer } from '../../bytes/writer.ts'
import type { Codec } from '../codec.ts'
import type { Transmit } from '../transports/open-tpm.ts'
import { TpmRefusal } from './response-code.ts'

/** TPM_RH values (Part 2, 7.4) */
export const TPM_RH = { OWNER: 0x40000001, NULL: 0x40000007, ENDORSEMENT: 0x4000000b } as const

const TPM_RS_PW = 0x40000009
const TPM_ST_NO_SESSIONS = 0x8001
const TPM_ST_SESSIONS = 0x8002

/** TPMS_AUTH_COMMAND (Part 2, 10.13.2) of a session without HMAC. */
export interface Authorization {
  readonly sessionHandle: number
  readonly sessionAttributes: number
  /** The password; a policy session that asks for none has an empty one. */
  readonly hmac: Uint8Array
}

/** Authorization by a password, by default the empty one. */
export function password(hmac: Uint8Array = new Uint8Array()): Authorization {
  return { sessionHandle: TPM_RS_PW, sessionAttributes: 0, hmac }
}

/** One command in its parts (Part 1, clause 18). */
interface Command<Out> {
  readonly name: string
  /** TPM_CC */
  readonly code: number
  readonly handles?: readonly number[]
  readonly sessions?: readonly Authorization[]
  readonly parameters?: Uint8Array
  /** Whether a successful response begins with a handle. */
  readonly givesHandle?: true
  readonly answer: Codec<Out>
}

/** A successful response. */
interface Answered<Out> {
  /** 0 when the command gives none. */
  readonly handle: number
  readonly parameters: Out
}

/**
 * Issues one command.
 *
 * @throws {TpmRefusal} the TPM answered with another code than TPM_RC_SUCCESS
 * @throws {WireError} the response deviates from the specification in any byte
 * @throws {TpmUnreachable} there was none
 */
export async function issue<Out>(
  transmit: Transmit,
  command: Command<Out>,
): Promise<Answered<Out>> {
  return readResponse(command, await transmit(writeCommand(command)))
}

function writeCommand({ code, handles = [], sessions = [], parameters }: Command<unknown>) {
  const body = new Writer()
  body.u32(code)
  for (const handle of handles) body.u32(handle)
  if (sessions.length > 0) writeSessions(body, sessions)
  if (parameters !== undefined) body.put(parameters)
  const bytes = body.finish()
  const whole = new Writer()
  whole.u16(sessions.length === 0 ? TPM_ST_NO_SESSIONS : TPM_ST_SESSIONS)
  whole.u32(6 + bytes.length)
  whole.put(bytes)
  return whole.finish()
}

function writeSessions(writer: Writer, sessions: readonly Authorization[]): void {
  const area = new Writer()
  for (const { sessionHandle, sessionAttributes, hmac } of sessions) {
    area.u32(sessionHandle)
    area.u16(0)
    area.u8(sessionAttributes)
    area.u16(hmac.length)
    area.put(hmac)
  }
  const bytes = area.finish()
  writer.u32(bytes.length)
  writer.put(bytes)
}

function readResponse<Out>(command: Command<Out>, response: Uint8Array): Answered<Out> {
  const reader = new Reader(response, `TPM2_${command.name} response`)
  const tag = reader.field('.tag', () => reader.u16())
  const size = reader.field('.responseSize', () => reader.u32())
  if (size !== response.length)
    throw reader.error(`responseSize is ${size}, ${response.length} came`)
  const code = reader.field('.responseCode', () => reader.u32())
  if (code !== 0) throw new TpmRefusal(`TPM2_${command.name}`, code)
  const handle = command.givesHandle === true ? reader.u32() : 0
  const read = () => command.answer.read(reader, {})
  const parameters = tag === TPM_ST_SESSIONS ? reader.within(reader.u32(), read) : read()
  if (tag === TPM_ST_SESSIONS) readSessions(reader, command.sessions?.length ?? 0)
  reader.finish()
  return { handle, parameters }
}

/** TPMS_AUTH_RESPONSE of each session; sessions without HMAC have nothing in it that could be checked. */
function readSessions(reader: Reader, count: number): void {
  for (let at = 0; at < count; at++) {
    reader.take(reader.u16())
    reader.u8()
    reader.take(reader.u16())
  }
}
