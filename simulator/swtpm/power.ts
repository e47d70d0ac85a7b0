import { connect } from 'node:net'
import { Cursor } from '../tpm/cursor.ts'
import { cat, u32 } from '../tpm/write.ts'
import { SwtpmError } from './errors.ts'

/** CMD_INIT of swtpm's control channel: the TPM starts anew from the state it has stored, as after power was cut. */
const CMD_INIT = 2
const NO_FLAGS = 0

/** The answer of the control channel: one 32-bit result, zero for success. */
function readResult(answer: Uint8Array): Error | undefined {
  const result = answer.length === 4 ? new Cursor(answer, 'ptm_init').u32() : undefined
  if (result === 0) return undefined
  const said = result === undefined ? 'with no result' : `with the result ${result}`
  return new SwtpmError('control', `swtpm answered the power cycle ${said}`)
}

/**
 * Takes the power from a TPM and gives it back. Whatever was not stored is gone; persistent objects, NV and what a
 * TPM2_Shutdown saved are there again. The data connection stays. Rejects with SwtpmError `control` or `timeout`.
 */
export function cyclePower(controlPath: string, deadlineMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(controlPath, () => socket.write(cat(u32(CMD_INIT), u32(NO_FLAGS))))
    const settle = (error?: Error) => {
      socket.destroy()
      if (error === undefined) resolve()
      else reject(error)
    }
    socket.once('data', (answer: Buffer) => settle(readResult(answer)))
    socket.once('error', (cause) => settle(new SwtpmError('control', cause.message, { cause })))
    socket.once('end', () => settle(readResult(new Uint8Array())))
    socket.setTimeout(deadlineMs, () => {
      settle(new SwtpmError('timeout', `swtpm did not start anew within ${deadlineMs} ms`))
    })
  })
}
