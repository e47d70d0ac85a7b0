/** Why a virtual TPM could not be had; the message is one sentence that a person can act on. */
export class SwtpmError extends Error {
  override readonly name = 'SwtpmError'
  readonly code: SwtpmErrorCode

  constructor(code: SwtpmErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/**
 * - `missing`: the swtpm program is not there.
 * - `path-too-long`: the socket path would exceed what a Unix address holds.
 * - `directory`: the machine's directory exists already, or cannot be made.
 * - `start`: swtpm ended, or did not answer, before its deadline.
 * - `closed`: the TPM has been closed, or its process ended.
 * - `timeout`: a command got no answer before its deadline.
 * - `control`: the control channel did not do what it was asked.
 * - `no-port`: no two neighbouring loopback ports were free.
 */
export type SwtpmErrorCode =
  | 'missing'
  | 'path-too-long'
  | 'directory'
  | 'start'
  | 'closed'
  | 'timeout'
  | 'control'
  | 'no-port'
