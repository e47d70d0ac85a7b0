/** A virtual TPM failed; the message is one sentence with the action to take. */
export class SwtpmError extends Error {
  override readonly name = 'SwtpmError'
  readonly code: SwtpmErrorCode

  constructor(code: SwtpmErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/**
 * - `missing`: the swtpm program was not found.
 * - `path-too-long`: the socket path exceeds the length of a Unix address.
 * - `directory`: the machine's directory exists already, or cannot be created.
 * - `start`: swtpm ended, or did not answer, before its deadline.
 * - `closed`: the TPM has been closed, or its process ended.
 * - `timeout`: a command got no response before its deadline.
 * - `control`: the control channel refused a command.
 * - `no-port`: no two adjacent loopback ports were free.
 */
type SwtpmErrorCode =
  | 'missing'
  | 'path-too-long'
  | 'directory'
  | 'start'
  | 'closed'
  | 'timeout'
  | 'control'
  | 'no-port'
