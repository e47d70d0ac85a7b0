/** Codes that this implementation distinguishes (Part 2, 6.6.3); format-one codes without their handle, parameter or session number. */
export const TPM_RC = {
  INITIALIZE: 0x100,
  HANDLE: 0x08b,
  INTEGRITY: 0x09f,
  VALUE: 0x084,
  CURVE: 0x0a6,
  BAD_AUTH: 0x0a2,
  AUTH_FAIL: 0x08e,
  OBJECT_MEMORY: 0x902,
  SESSION_MEMORY: 0x903,
  REFERENCE_H0: 0x910,
} as const

const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(TPM_RC).map(([name, code]) => [code, name]),
)

const FORMAT_ONE = 0x080
const FORMAT_ONE_CODE = 0x0bf

/** A TPM answered with another code than TPM_RC_SUCCESS. */
export class TpmRefusal extends Error {
  override readonly name = 'TpmRefusal'
  readonly command: string
  /** Without the number of the handle, session or parameter that it is about. */
  readonly code: number

  constructor(command: string, received: number) {
    const code = (received & FORMAT_ONE) === 0 ? received : received & FORMAT_ONE_CODE
    const name = NAMES.has(code) ? `TPM_RC_${NAMES.get(code)}, ` : ''
    super(`the TPM refused ${command} (${name}0x${received.toString(16).padStart(3, '0')})`)
    this.command = command
    this.code = code
  }
}
