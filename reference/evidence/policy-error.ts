/** An error in a policy text, with its path: `tpm_policy["10"][0]: …`. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError'
  readonly path: string
  readonly problem: string

  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`${path}: ${problem}`, options)
    this.path = path
    this.problem = problem
  }
}
