import type { Finding } from '../findings.ts'

/** Most findings of entries in one evaluation; one more says how many there are beyond. */
const MAX_FINDINGS = 200

/** Findings of a list up to a limit; of the others, their number and the worst. */
export class LimitedFindings {
  readonly #kept: Finding[] = []
  #suppressed = 0
  #worst: Finding | undefined

  add(found: readonly Finding[]): void {
    for (const each of found) {
      if (this.#kept.length < MAX_FINDINGS) this.#kept.push(each)
      else this.#suppress(each)
    }
  }

  #suppress(each: Finding): void {
    this.#suppressed += 1
    if (this.#worst === undefined || outweighs(each, this.#worst)) this.#worst = each
  }

  all(): readonly Finding[] {
    const worst = this.#worst
    if (!worst) return this.#kept
    const message = `${this.#suppressed} more findings of entries, among them: ${worst.context.message}`
    return [...this.#kept, { ...worst, context: { message, suppressed: this.#suppressed } }]
  }
}

function outweighs(one: Finding, other: Finding): boolean {
  return one.reason === 'broken_evidence_chain' && other.reason !== 'broken_evidence_chain'
}
