import { connect } from 'node:net'
import { Cursor } from '../tpm/cursor.ts'
import { cat, u32 } from '../tpm/write.ts'
import { SwtpmError } from './errors.ts'

/** CMD_INIT of swtpm's control channel: the TPM restarts from its stored state, as after a power cut. */
const CMD_INIT = 2
const NO_FLAGS = 0
/** CMD_SET_LOCALITY; every command has locality 0 by default. */
const CMD_SET_LOCALITY = 5
const LOCALITY_0 = Uint8Array.of(0)
/** CMD_STORE_VOLATILE: swtpm writes the memory of the TPM to a file. */
const CMD_STORE_VOLATILE = 10

/** Reads the response of the control channel: one 32-bit result, zero for success. */
function readResult(answer: Uint8Array, what: string): Error | undefined {
  const result = answer.length === 4 ? new Cursor(answer, 'ptm_res').u32() : undefined
  if (result === 0) return undefined
  const outcome = result === undefined ? 'with no result' : `with the result ${result}`
  return new SwtpmError('control', `swtpm answered ${what} ${outcome}`)
}

/** Sends one control command; rejects with SwtpmError `control` or `timeout`. */
function control(
  controlPath: string,
  command: Uint8Array,
  { what, deadlineMs }: { readonly what: string; readonly deadlineMs: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(controlPath, () => socket.write(command))
    const settle = (error?: Error) => {
      socket.destroy()
      if (error === undefined) resolve()
      else reject(error)
    }
    socket.once('data', (answer: Buffer) => settle(readResult(answer, what)))
    socket.once('error', (cause) => settle(new SwtpmError('control', cause.message, { cause })))
    socket.once('end', () => settle(readResult(new Uint8Array(), what)))
    socket.setTimeout(deadlineMs, () => {
      settle(new SwtpmError('timeout', `swtpm did not perform ${what} within ${deadlineMs} ms`))
    })
  })
}

/**
 * Cuts and restores the power of a TPM. Memory is lost; persistent objects, NV and what a TPM2_Shutdown saved are
 * kept. The data connection stays. Rejects with SwtpmError `control` or `timeout`.
 */
export function cyclePower(controlPath: string, deadlineMs: number): Promise<void> {
  const command = cat(u32(CMD_INIT), u32(NO_FLAGS))
  return control(controlPath, command, { what: 'the power cycle', deadlineMs })
}

/** Resolves once swtpm has read its state, since it serves its control channel only then. Rejects with SwtpmError. */
export function stateIsRead(controlPath: string, deadlineMs: number): Promise<void> {
  const command = cat(u32(CMD_SET_LOCALITY), LOCALITY_0)
  return control(controlPath, command, { what: 'the first control command', deadlineMs })
}

/**
 * Stores the TPM's memory, including PCRs and clock: another swtpm continues from a copy of the state directory.
 * Rejects with SwtpmError `control` or `timeout`.
 */
export function storeVolatile(controlPath: string, deadlineMs: number): Promise<void> {
  return control(controlPath, u32(CMD_STORE_VOLATILE), { what: 'the snapshot', deadlineMs })
}
