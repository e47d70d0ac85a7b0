import { TPM_ALG, TPM_CC, TPM_RH, TPM_SE, TPM_ST } from './constants.ts'
import { Cursor } from './cursor.ts'
import { bankOf, HASHES } from './hash.ts'
import { presentPcrSelections, readPcrSelections } from './pcr-selection.ts'
import { readPublic, type TPMT_PUBLIC } from './public.ts'
import { toHex } from './write.ts'

/** A command split into handles and parameters; the response after its header. */
interface ParsedCommand {
  readonly handles: readonly number[]
  readonly parameters: Cursor
  readonly response: Cursor
}

interface Row {
  /** Number of handles of the command. */
  readonly handles: number
  readonly detail: (parsed: ParsedCommand) => string
}

const HANDLE_NAMES = new Map<number, string>(
  Object.entries(TPM_RH).map(([name, handle]) => [handle, `TPM_RH_${name}`]),
)

function handleName(handle: number): string {
  return HANDLE_NAMES.get(handle) ?? `0x${handle.toString(16).padStart(8, '0')}`
}

function named({ handles }: ParsedCommand, index = 0): string {
  return handleName(handles[index] ?? 0)
}

function qualifying(cursor: Cursor): string {
  return `${cursor.tpm2b().length}-byte qualifyingData`
}

function skipScheme(cursor: Cursor): void {
  if (cursor.u16() !== TPM_ALG.NULL) cursor.u16()
}

function hashName(alg: number): string {
  return bankOf(alg) ?? `0x${alg.toString(16).padStart(4, '0')}`
}

function describeQuote({ parameters }: ParsedCommand): string {
  const data = qualifying(parameters)
  skipScheme(parameters)
  return `${presentPcrSelections(readPcrSelections(parameters))}; ${data}`
}

function describeExtend({ handles, parameters }: ParsedCommand): string {
  const banks: string[] = []
  for (let count = parameters.u32(); count > 0; count -= 1) {
    const alg = parameters.u16()
    const bank = bankOf(alg)
    banks.push(hashName(alg))
    if (bank === undefined) break // a digest of unknown length hides the next algorithm
    parameters.take(HASHES[bank].size)
  }
  return `PCR ${handles[0]} in ${banks.join(', ')}`
}

function presentKey(key: TPMT_PUBLIC): string {
  return key.type === 'rsa' ? `RSA-${key.keyBits}` : `ECC curve 0x${key.curve.toString(16)}`
}

function describeCreatePrimary(parsed: ParsedCommand): string {
  parsed.parameters.tpm2b()
  const template = readPublic(new Cursor(parsed.parameters.tpm2b(), 'inPublic'))
  const made = parsed.response.left >= 4 ? ` -> ${handleName(parsed.response.u32())}` : ''
  return `${presentKey(template)} under ${named(parsed)}${made}`
}

function describeSession({ parameters, response }: ParsedCommand): string {
  parameters.tpm2b()
  parameters.tpm2b()
  const type = parameters.u8()
  const name = Object.entries(TPM_SE).find(([, value]) => value === type)?.[0] ?? `type ${type}`
  const made = response.left >= 4 ? ` -> ${handleName(response.u32())}` : ''
  return `${name.toLowerCase()} session${made}`
}

function describeNvRead(parsed: ParsedCommand): string {
  const size = parsed.parameters.u16()
  return `${named(parsed, 1)}: ${size} bytes at ${parsed.parameters.u16()}`
}

function describeNvWrite(parsed: ParsedCommand): string {
  const size = parsed.parameters.tpm2b().length
  return `${named(parsed, 1)}: ${size} bytes at ${parsed.parameters.u16()}`
}

function describeNvDefine({ parameters }: ParsedCommand): string {
  parameters.tpm2b()
  const area = new Cursor(parameters.tpm2b(), 'publicInfo')
  return handleName(area.u32())
}

const PLAIN_HANDLE: Row = { handles: 1, detail: (parsed) => named(parsed) }
const HASHED: Row = {
  handles: 0,
  detail: ({ parameters }) => `${parameters.tpm2b().length} bytes, ${hashName(parameters.u16())}`,
}

/** Summary of each command; others show only their name and bytes. */
const ROWS: Readonly<Record<number, Row>> = {
  [TPM_CC.Startup]: { handles: 0, detail: ({ parameters }) => startupType(parameters.u16()) },
  [TPM_CC.Shutdown]: { handles: 0, detail: ({ parameters }) => startupType(parameters.u16()) },
  [TPM_CC.GetRandom]: { handles: 0, detail: ({ parameters }) => `${parameters.u16()} bytes` },
  [TPM_CC.GetCapability]: {
    handles: 0,
    detail: ({ parameters }) =>
      `capability ${parameters.u32()} from 0x${parameters.u32().toString(16)}`,
  },
  [TPM_CC.Hash]: HASHED,
  [TPM_CC.PCR_Read]: {
    handles: 0,
    detail: ({ parameters }) => presentPcrSelections(readPcrSelections(parameters)),
  },
  [TPM_CC.PCR_Extend]: { handles: 1, detail: describeExtend },
  [TPM_CC.PCR_Reset]: { handles: 1, detail: ({ handles }) => `PCR ${handles[0]}` },
  [TPM_CC.CreatePrimary]: { handles: 1, detail: describeCreatePrimary },
  [TPM_CC.Create]: { handles: 1, detail: (parsed) => `under ${named(parsed)}` },
  [TPM_CC.Load]: { handles: 1, detail: (parsed) => `under ${named(parsed)}` },
  [TPM_CC.ReadPublic]: PLAIN_HANDLE,
  [TPM_CC.NV_ReadPublic]: PLAIN_HANDLE,
  [TPM_CC.ContextSave]: PLAIN_HANDLE,
  [TPM_CC.FlushContext]: {
    handles: 0,
    detail: ({ parameters }) => handleName(parameters.u32()),
  },
  [TPM_CC.EvictControl]: {
    handles: 2,
    detail: (parsed) => `${named(parsed, 1)} at ${handleName(parsed.parameters.u32())}`,
  },
  [TPM_CC.StartAuthSession]: { handles: 2, detail: describeSession },
  [TPM_CC.PolicySecret]: {
    handles: 2,
    detail: (parsed) => `${named(parsed)} for ${named(parsed, 1)}`,
  },
  [TPM_CC.ActivateCredential]: {
    handles: 2,
    detail: (parsed) => `for ${named(parsed)} under ${named(parsed, 1)}`,
  },
  [TPM_CC.Quote]: { handles: 1, detail: describeQuote },
  [TPM_CC.Certify]: {
    handles: 2,
    detail: (parsed) => `${named(parsed)} by ${named(parsed, 1)}; ${qualifying(parsed.parameters)}`,
  },
  [TPM_CC.GetTime]: {
    handles: 2,
    detail: (parsed) => `by ${named(parsed, 1)}; ${qualifying(parsed.parameters)}`,
  },
  [TPM_CC.Sign]: {
    handles: 1,
    detail: (parsed) => `${parsed.parameters.tpm2b().length}-byte digest by ${named(parsed)}`,
  },
  [TPM_CC.NV_DefineSpace]: { handles: 1, detail: describeNvDefine },
  [TPM_CC.NV_Write]: { handles: 2, detail: describeNvWrite },
  [TPM_CC.NV_Read]: { handles: 2, detail: describeNvRead },
}

function startupType(type: number): string {
  return { 0: 'CLEAR', 1: 'STATE' }[type] ?? `0x${type.toString(16).padStart(4, '0')}`
}

function parseCommand(
  command: Cursor,
  response: Uint8Array,
  tag: number,
  handles: number,
): ParsedCommand {
  const taken = Array.from({ length: handles }, () => command.u32())
  if (tag === TPM_ST.SESSIONS) command.take(command.u32())
  const after = new Cursor(response, 'response', Math.min(10, response.length))
  return { handles: taken, parameters: command, response: after }
}

/**
 * Returns a one-line summary of a command and its response, e.g. `sha256: 0-9,14; 16-byte qualifyingData`. Never
 * throws: a truncated command is reported with its parameters; an unknown one returns ''.
 */
export function describe(command: Uint8Array, response: Uint8Array): string {
  try {
    const cursor = new Cursor(command, 'command')
    const tag = cursor.u16()
    cursor.u32()
    const row = ROWS[cursor.u32()]
    return row === undefined ? '' : row.detail(parseCommand(cursor, response, tag, row.handles))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return `malformed, ${why}: ${toHex(command.subarray(10, 42))}`
  }
}
