/**
 * An error in received bytes, with its position.
 * `path` names the field (`TPMS_ATTEST.clockInfo.safe`), `offset` counts bytes, or characters of a text, from 0.
 */
export class WireError extends Error {
  override readonly name = 'WireError'
  readonly path: string
  readonly offset: number
  readonly problem: string

  constructor(path: string, offset: number, problem: string) {
    super(`${path} at byte ${offset}: ${problem}`)
    this.path = path
    this.offset = offset
    this.problem = problem
  }
}
